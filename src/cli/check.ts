/** One line of what `hiring doctor` says. */
export interface DoctorCheck {
  name: string
  configured: string
  /** unknown: what has to be asked first fails */
  state: 'ok' | 'warning' | 'failing' | 'not used' | 'unknown'
  detail: string
}

/** The line of a check whose failure makes the command fail. */
export const attemptOrFail = (name: string, configured: string, work: () => Promise<string>): Promise<DoctorCheck> =>
  lineOf({ name, configured }, 'failing', work)

/** The line of a check whose failure is a warning. */
export const attemptOrWarn = (name: string, configured: string, work: () => Promise<string>): Promise<DoctorCheck> =>
  lineOf({ name, configured }, 'warning', work)

async function lineOf(
  check: Pick<DoctorCheck, 'name' | 'configured'>,
  failure: 'failing' | 'warning',
  work: () => Promise<string>,
): Promise<DoctorCheck> {
  try {
    return { ...check, state: 'ok', detail: await work() }
  } catch (error) {
    return { ...check, state: failure, detail: describeFailure(error) }
  }
}

/** One line. An attempt at several addresses of a host has an error for each, and no text of its own. */
export function describeFailure(error: unknown): string {
  const { message, errors, code } = error as { message?: string; errors?: unknown[]; code?: string }
  if (message) return message.replace(/\n.*/s, '')
  return errors?.length ? [...new Set(errors.map(describeFailure))].join('; ') : (code ?? String(error))
}
