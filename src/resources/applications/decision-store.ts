import type { ApplicationStatus } from '../../contract/application-status.ts'
import { type Sql, sql, touched } from '../../kernel/db/sql.ts'
import { type StoredApplication, WRITTEN_COLUMNS } from './store.ts'

// What a decision writes: how an application ended, why, and when the work begins.

/** Why an application was rejected. */
interface StoredRejection {
  reason: string | null
  reasonId: string | null
  noticeGivenOn: string | null
}

export const setStatus = (
  workspace: string,
  id: string,
  to: ApplicationStatus,
  { reason, reasonId, noticeGivenOn }: StoredRejection,
): Sql<StoredApplication> =>
  sql<StoredApplication>`
    update applications a set status = ${to}, rejection_reason = ${reason}, rejection_reason_id = ${reasonId},
      notice_given_on = ${noticeGivenOn}::date, updated_at = ${touched('a.updated_at')}
    where a.workspace_id = ${workspace} and a.id = ${id} returning ${WRITTEN_COLUMNS}`

/** Who withdrew, and why. */
interface StoredWithdrawal {
  reason: string | null
  reasonId: string | null
  by: 'person' | 'team'
}

/** A reason to reject, given before, stays. */
export const setWithdrawn = (
  workspace: string,
  id: string,
  { reason, reasonId, by }: StoredWithdrawal,
): Sql<StoredApplication> =>
  sql<StoredApplication>`
    update applications a set status = 'withdrawn', withdrawal_reason = ${reason}, withdrawal_reason_id = ${reasonId},
      withdrawn_by = ${by}, updated_at = ${touched('a.updated_at')}
    where a.workspace_id = ${workspace} and a.id = ${id} returning ${WRITTEN_COLUMNS}`

export const markHired = (
  workspace: string,
  id: string,
  stageId: string,
  startDate: string | null,
): Sql<StoredApplication> =>
  sql<StoredApplication>`
    update applications a set status = 'hired', hired_at = app_now(), start_date = ${startDate}, stage_id = ${stageId},
      updated_at = ${touched('a.updated_at')}
    where a.workspace_id = ${workspace} and a.id = ${id} returning ${WRITTEN_COLUMNS}`

/** What an outcome has of its own goes with it: a reopened application has neither a reason nor a start date. */
export const setStageAndStatus = (
  workspace: string,
  id: string,
  stageId: string,
  status: ApplicationStatus,
): Sql<StoredApplication> =>
  sql<StoredApplication>`
    update applications a set stage_id = ${stageId}, status = ${status},
      rejection_reason = case when ${status} in ('rejected', 'withdrawn') then a.rejection_reason end,
      rejection_reason_id = case when ${status} in ('rejected', 'withdrawn') then a.rejection_reason_id end,
      notice_given_on = case when ${status} in ('rejected', 'withdrawn') then a.notice_given_on end,
      withdrawal_reason = case when ${status} = 'withdrawn' then a.withdrawal_reason end,
      withdrawal_reason_id = case when ${status} = 'withdrawn' then a.withdrawal_reason_id end,
      withdrawn_by = case when ${status} = 'withdrawn' then a.withdrawn_by end,
      hired_at = case when ${status} = 'hired' then a.hired_at end,
      start_date = case when ${status} = 'hired' then a.start_date end,
      updated_at = ${touched('a.updated_at')}
    where a.workspace_id = ${workspace} and a.id = ${id} returning ${WRITTEN_COLUMNS}`

export const setStartDate = (workspace: string, id: string, startDate: string | null): Sql<StoredApplication> =>
  sql<StoredApplication>`
    update applications a set start_date = ${startDate}, updated_at = ${touched('a.updated_at')}
    where a.workspace_id = ${workspace} and a.id = ${id} returning ${WRITTEN_COLUMNS}`
