import { MAX_ADDED } from '../../../src/contract/added-sources.ts'
import type { ApiError } from '../../ui/api.ts'
import { type Body, type Sent, send } from '../api.ts'
import { t } from '../texts/index.ts'

export type Candidate = Body<'/jobs/{job}/candidates'>['candidates'][number]
export type Notice = NonNullable<Body<'/jobs/{job}/candidates'>['notice']>
/** What became of a candidate, or would. */
export type Line = Sent<'/jobs/{job}/candidates'>['results'][number]

/** The source of whom the team types in. */
export type Source = NonNullable<Candidate['source']>

/** Whom the service stored. */
export const isStored = ({ outcome }: Line): boolean => outcome === 'added' || outcome === 'known_person'

export interface Added {
  /** in the order of the candidates, as far as the service was reached */
  lines: Line[]
  /** why it was not reached for the rest */
  error?: ApiError
}

/** Puts candidates into a job, as many at a time as one call takes. */
export async function addCandidates(job: string, candidates: readonly Candidate[], notice?: Notice): Promise<Added> {
  const lines: Line[] = []
  try {
    for (let at = 0; at < candidates.length; at += MAX_ADDED) {
      const body = { candidates: candidates.slice(at, at + MAX_ADDED), ...(notice ? { notice } : {}) }
      lines.push(...(await send('/jobs/{job}/candidates', { job }, body)).results)
    }
  } catch (error) {
    // nothing was done
    if (lines.length === 0) throw error
    return { lines, error: error as ApiError }
  }
  return { lines }
}

/** A fault in the words of these pages. */
export function faultWords({ reason }: Line['faults'][number]): string {
  const sentences: Readonly<Record<string, string>> = t.adding.faults
  return sentences[reason ?? ''] ?? t.adding.invalid
}

/** Why someone was not added, or would not be; undefined for the others, and where the faults say it. */
export function refusalWords({ outcome, reason }: Line): string | undefined {
  if (outcome === 'already_in_job') return t.adding.alreadyInJob
  if (outcome === 'not_found') return t.adding.notFound
  if (outcome !== 'cannot_be_stored') return undefined
  if (reason === null) return t.adding.cannotBeAdded
  return reason === 'stopped' ? t.adding.stopped : t.adding.unsubscribed
}

/** Fields without what is empty. */
export const filled = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])))
