import type { ApplicationStatus } from '../../../packages/sdk/src/generated.ts'
import type { ApiError } from '../../ui/api.ts'
import { isOpen, words } from './words.ts'

/** What a decision is about. Anything else of an application may change: a note is no reason to refuse a move. */
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
  withdrawn: 'withdrew',
}

/** What someone else did to a candidate since the reader saw them, as far as the page knows it. */
export function overtakenWords(name: string, saw: Seen, now: Seen, stageName: (id: string) => string): string {
  const decision = now.status === saw.status ? undefined : DECIDED[now.status]
  if (decision) return `Someone else ${decision} ${name}.`
  if (now.stage_id !== saw.stage_id) return `Someone else moved ${name} to ${stageName(now.stage_id)}.`
  if (now.status === saw.status) return `Someone else changed ${name}.`
  if (!isOpen(saw.status)) return `Someone else reopened ${name}.`
  return `Someone else changed ${name}: now ${words(now.status)}.`
}
