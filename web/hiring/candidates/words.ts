import { type ApplicationStatus, isOpen } from '../../../src/contract/application-status.ts'
import type { Row } from '../api.ts'
import { t } from '../texts/index.ts'

type Candidate = Row<'/candidates'>

/** Roles that may not read names see what is left of a person: an application. */
export const candidateName = ({ name, application_id }: Pick<Candidate, 'name' | 'application_id'>): string =>
  name ?? t.candidates.unnamed(application_id.slice(-4))

/** One word for where a candidate is: the stage while the application is open, then the outcome. */
export function currentPlace(status: ApplicationStatus, stageName: string | null): string {
  if (isOpen(status)) return stageName ?? t.common.open
  return status === 'hired' ? t.decisions.hired : status === 'rejected' ? t.decisions.rejected : t.decisions.withdrawn
}

/** Where a candidate is: the stage while the application is open, then the outcome and the stage before it. */
export function candidatePlace({ status, stage_name }: Pick<Candidate, 'status' | 'stage_name'>): string {
  const place = currentPlace(status, stage_name)
  return isOpen(status) || status === 'hired' || stage_name === null ? place : t.candidates.after(place, stage_name)
}
