import { type ApplicationStatus, isOpen } from '../../../src/contract/application-status.ts'
import type { ApiError } from '../../ui/api.ts'
import type { Read } from '../api.ts'
import { describeAuthor } from '../jobs/author.tsx'
import { words } from './words.ts'

export type LatestStep = NonNullable<Read<'/candidates/{id}'>['latest_step']>

/** What a decision is about. Anything else of an application may change: a note is not a reason to refuse a move. */
export interface Seen {
  stage_id: string
  status: ApplicationStatus
}

/** Someone else changed the same application first. */
export const isConflict = (error: ApiError | undefined): boolean =>
  error?.code === 'stale_resource' || error?.code === 'application_modified_concurrently'

const DECIDED: Readonly<Partial<Record<ApplicationStatus, string>>> = {
  hired: 'hired',
  rejected: 'rejected',
  withdrawn: 'withdrew the application of',
}

/** Who took a step, as a sentence names them; undefined: it is not known, or it was the candidate. */
export function authorOfStep({ own, by }: LatestStep): string | undefined {
  if (own) return 'You'
  return by.kind === 'service' ? undefined : describeAuthor(by)
}

/** What happened to a candidate since the reader saw them: who was faster, and what they did. */
export function overtakenWords(
  name: string,
  saw: Seen,
  now: Seen,
  latest: LatestStep | null,
  stageName: (id: string) => string,
): string {
  const isDecided = now.status !== saw.status || now.stage_id !== saw.stage_id
  // the last step is only what the reader did not see if it changed what they saw
  const author = isDecided && latest ? authorOfStep(latest) : undefined
  const who = author === 'You' ? 'In another window you' : (author ?? 'Someone else')
  const decision = now.status === saw.status ? undefined : DECIDED[now.status]
  if (now.status === 'withdrawn' && latest?.by.kind === 'service') return `${name} withdrew the application.`
  if (decision) return `${who} ${decision} ${name}.`
  if (now.stage_id !== saw.stage_id) return `${who} moved ${name} to ${stageName(now.stage_id)}.`
  if (now.status === saw.status) return `${who} changed ${name}.`
  if (!isOpen(saw.status)) return `${who} reopened the application of ${name}.`
  return `${who} marked ${name} as ${words(now.status)}.`
}
