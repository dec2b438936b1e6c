import type { RetentionKind } from '../../contract/retention.ts'
import { type Sql, sql, touched } from '../../kernel/db/sql.ts'
import { workspaceNow } from '../../kernel/db/workspace-time.ts'
import { countWaiting } from '../../kernel/work/queue.ts'
import { OPEN } from '../applications/shape.ts'
import { clearTextsOfApplicant } from '../shared/message-texts.ts'
import type { OwnRetention } from './rules.ts'

const OWN = sql`
  r.application_months as applications, r.audit_days as audit, r.event_days as events, r.delivery_days as deliveries,
  r.request_log_days as request_log`

/** No row: the workspace set nothing, or there is none. */
export const ownRetention = (workspace: string): Sql<OwnRetention> =>
  sql<OwnRetention>`select ${OWN} from workspace_retention r where r.workspace_id = ${workspace}`

export const workspaceExists = (workspace: string): Sql<{ id: string }> =>
  sql<{ id: string }>`select id from workspaces where id = ${workspace}`

/** Changes of one workspace wait for each other. */
export const lockRetention = (workspace: string): Sql<{ id: string }> =>
  sql<{ id: string }>`select id from workspaces where id = ${workspace} for no key update`

/** The next run begins when its turn comes, so that what was set takes effect soon. */
export const putRetention = (workspace: string, own: OwnRetention) => sql`
  insert into workspace_retention as r (workspace_id, application_months, audit_days, event_days, delivery_days,
    request_log_days)
  values (${workspace}, ${own.applications}::integer, ${own.audit}::integer, ${own.events}::integer,
    ${own.deliveries}::integer, ${own.request_log}::integer)
  on conflict (workspace_id) do update set application_months = excluded.application_months,
    audit_days = excluded.audit_days, event_days = excluded.event_days, delivery_days = excluded.delivery_days,
    request_log_days = excluded.request_log_days, updated_at = ${touched('r.updated_at', 'excluded.updated_at')},
    due_at = excluded.due_at`

// Applications whose retention is over

export interface DueApplication {
  id: string
  job_id: string
  applicant_id: string | null
  status: string
  updated_at: string
}

const DUE = sql`a.id, a.job_id, a.applicant_id, a.status, a.updated_at`

const monthsAgo = (workspace: string, months: number) =>
  sql`${workspaceNow(workspace)} - ${months}::integer * interval '1 month'`

const before = (workspace: string, months: number) => sql`a.updated_at < ${monthsAgo(workspace, months)}`

/**
 * Each part reads the old end of an index: rejected and withdrawn applications by their last activity, and those that no
 * one decided by the time in their stage, of jobs that were closed as long ago. People who were hired are never among them.
 */
const due = (workspace: string, months: number, limit: Sql): Sql => sql`
  (select ${DUE} from applications a
    where a.workspace_id = ${workspace} and a.status = 'rejected' and ${before(workspace, months)} order by a.updated_at, a.id ${limit})
  union all
  (select ${DUE} from applications a
    where a.workspace_id = ${workspace} and a.status = 'withdrawn' and ${before(workspace, months)} order by a.updated_at, a.id ${limit})
  union all
  (select ${DUE} from applications a
    join jobs j on j.workspace_id = ${workspace} and j.id = a.job_id and j.status = 'closed'
      and j.updated_at < ${monthsAgo(workspace, months)}
    where a.workspace_id = ${workspace} and a.status in ${OPEN}
      and a.stage_entered_at < ${monthsAgo(workspace, months)} and ${before(workspace, months)} ${limit})`

export const dueApplications = (workspace: string, months: number, limit: number): Sql<DueApplication> =>
  sql<DueApplication>`
    select * from (${due(workspace, months, sql`limit ${limit}`)}) d order by updated_at, id limit ${limit}`

/** Locked, and still due: someone may have reopened it since it was found. */
export const lockDue = (workspace: string, months: number, id: string): Sql<{ id: string }> =>
  sql<{ id: string }>`
    select a.id from applications a join jobs j on j.workspace_id = a.workspace_id and j.id = a.job_id
    where a.workspace_id = ${workspace} and a.id = ${id} and ${before(workspace, months)}
      and (a.status in ('rejected', 'withdrawn') or a.status in ${OPEN} and j.status = 'closed')
    for update of a`

export interface Expired {
  n: number
  /** null: nothing */
  oldest: string | null
}

export const countDueApplications = (workspace: string, months: number): Sql<Expired & { people: number }> =>
  sql<Expired & { people: number }>`
    with d as materialized (${due(workspace, months, sql``)})
    select count(*)::integer as n, min(updated_at) as oldest, (
      select count(*)::integer from (
        select applicant_id from d where applicant_id is not null group by applicant_id
        having count(*) = (select count(*) from applications a
          where a.workspace_id = ${workspace} and a.applicant_id = d.applicant_id)
      ) p) as people
    from d`

/** What an application counts in the funnel stays there when it is deleted. */
export const retainCounts = (workspace: string, application: string) => sql`
  update application_funnel set gone = true where workspace_id = ${workspace} and application_id = ${application}`

export const applicantHasApplications = (workspace: string, applicantId: string): Sql<{ id: string }> =>
  sql<{ id: string }>`
    select id from applications where workspace_id = ${workspace} and applicant_id = ${applicantId} limit 1`

/** The ids of emails to the person in a local outbox. */
export const selectEmailIds = (workspace: string, applicantId: string): Sql<{ id: string }> =>
  sql<{ id: string }>`
    select id::text as id from messages where workspace_id = ${workspace} and applicant_id = ${applicantId}
    union all
    select 'candidate-' || id::text from candidate_mails
    where workspace_id = ${workspace} and applicant_id = ${applicantId}
    union all
    select 'team-' || m.id::text from applications a
    join team_mails m on m.workspace_id = ${workspace} and m.application_id = a.id and m.kind = 'interview'
    where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId}`

/** What a deleted person leaves behind besides their records. That a message was sent stays, by handles. */
export const dropTraces = (workspace: string, applicantId: string, keys: PersonKeys): readonly Sql[] => [
  sql`delete from candidate_mails where workspace_id = ${workspace} and applicant_id = ${applicantId}`,
  clearTextsOfApplicant(workspace, applicantId),
  // unless another record of the workspace has the same address or profile
  sql`delete from identities i where i.workspace_id = ${workspace}
    and ((i.kind = 'email' and i.value = ${keys.email_key}
        and not exists (select from applicants a where a.workspace_id = ${workspace} and a.email_key = i.value)
        and not exists (select from contact_values c where c.workspace_id = ${workspace} and c.email_key = i.value))
      or (i.kind = 'linkedin_url' and i.value = ${keys.linkedin_key}
        and not exists (select from applicants a where a.workspace_id = ${workspace} and a.linkedin_key = i.value)
        and not exists (
          select from sourced_profiles s where s.workspace_id = ${workspace} and s.linkedin_key = i.value)))`,
]

export interface PersonKeys {
  email_key: string | null
  linkedin_key: string | null
}

export const keysOfPerson = (workspace: string, applicantId: string): Sql<PersonKeys> =>
  sql<PersonKeys>`
    select email_key, linkedin_key from applicants
    where workspace_id = ${workspace} and id = ${applicantId} for update`

// The other kinds

const older = (column: Sql, days: number) => sql`${column} < app_now() - ${days}::integer * interval '1 day'`

export const deleteAudit = (workspace: string, days: number, size: number): Sql<{ removed: number }> =>
  sql<{ removed: number }>`
    with removed as (
      delete from personal_data_reads where workspace_id = ${workspace} and (workspace_id, id) in (
        select workspace_id, id from personal_data_reads
        where workspace_id = ${workspace} and ${older(sql`at`, days)} order by at, id limit ${size}
      ) returning 1
    )
    select count(*)::integer as removed from removed`

export const countExpired: Readonly<
  Record<Exclude<RetentionKind, 'applications'>, (workspace: string, days: number) => Sql<Expired>>
> = {
  audit: (workspace, days) => sql<Expired>`
    select count(*)::integer as n, min(at) as oldest from personal_data_reads
    where workspace_id = ${workspace} and ${older(sql`at`, days)}`,
  events: (workspace, days) => sql<Expired>`
    select count(*)::integer as n, min(created_at) as oldest from events
    where workspace_id = ${workspace} and sequence < coalesce((
      select sequence from events where workspace_id = ${workspace} and not (${older(sql`created_at`, days)})
      order by sequence limit 1), 9223372036854775807)`,
  deliveries: (workspace, days) => sql<Expired>`
    select count(*)::integer as n, min(created_at) as oldest from webhook_deliveries
    where workspace_id = ${workspace} and ${older(sql`created_at`, days)}
      and status in ('delivered', 'failed', 'canceled')`,
  request_log: (workspace, days) => sql<Expired>`
    select count(*)::integer as n, min(created_at) as oldest from request_log
    where workspace_id = ${workspace} and ${older(sql`created_at`, days)}`,
}

// The daily run

/**
 * Since when a run in progress was due, in milliseconds, next to what it has deleted: each of its turns but the last makes it
 * due again.
 */
const SINCE = 'since'

/** A closed workspace has no runs. */
const IS_OPEN = sql`
  r.workspace_id not in (select d.workspace_id from workspace_deletions d where d.completed_at is null)`

/** Workspaces whose daily run is due. */
export const retentionWaiting = countWaiting(
  sql`coalesce(to_timestamp((r.run_counts->>${SINCE}::text)::float8 / 1000), r.due_at)`,
  sql`workspace_retention r where r.due_at <= app_now() and ${IS_OPEN} order by r.due_at`,
)

/** The time of the next run, if it is not due yet. */
export const nextRun = (workspace: string): Sql<{ at: string | null }> =>
  sql<{ at: string | null }>`
    select case when r.due_at > app_now() then r.due_at end as at
    from workspace_retention r where r.workspace_id = ${workspace}`

/** All workspaces, a part at a time: in one statement, those of a large installation could take longer than one may. */
export const workspacesAfter = (id: string, limit: number): Sql<{ id: string }> =>
  sql<{ id: string }>`select id from workspaces where id > ${id} order by id limit ${limit}`

export const withRun = (workspaces: readonly string[]): Sql<{ workspace_id: string }> =>
  sql<{ workspace_id: string }>`
    select workspace_id from workspace_retention where workspace_id = any(${workspaces}::text[])`

export const addRuns = (workspaces: readonly string[]) => sql`
  insert into workspace_retention (workspace_id) select w from unnest(${workspaces}::text[]) w on conflict do nothing`

export interface ClaimedRun {
  workspace_id: string
  due_at: string
  run_counts: Readonly<Record<string, number>>
}

const IS_DUE = sql`r.due_at <= app_now() and (r.leased_until is null or r.leased_until <= app_now())`

/** The workspaces that wait longest. */
export const dueRuns = (most: number): Sql<{ workspace_id: string }> =>
  sql<{ workspace_id: string }>`
    select r.workspace_id from workspace_retention r where ${IS_DUE} and ${IS_OPEN} order by r.due_at limit ${most}`

/** No row: another process has it now. */
export const claimRun = (workspace: string, leaseSeconds: number): Sql<ClaimedRun & OwnRetention> =>
  sql<ClaimedRun & OwnRetention>`
    with next as (
      select r.workspace_id from workspace_retention r
      where r.workspace_id = ${workspace} and ${IS_DUE} for update skip locked
    )
    update workspace_retention r set leased_until = app_now() + ${leaseSeconds}::integer * interval '1 second'
    from next where r.workspace_id = ${workspace} and r.workspace_id = next.workspace_id
    returning r.workspace_id, r.due_at, r.run_counts, ${OWN}`

/** Brings the next run of a workspace forward to now, by real time as all of them are. */
export const makeDue = (workspace: string) => sql`
  update workspace_retention set due_at = least(due_at, app_now()) where workspace_id = ${workspace}`

/** In the transaction of the deletion, so that a killed process counts nothing twice. */
export const addToRun = (workspace: string, kind: string, n: number) => sql`
  update workspace_retention set run_counts = jsonb_set(run_counts, array[${kind}::text],
    (coalesce((run_counts->>${kind}::text)::bigint, 0) + ${n}::bigint)::text::jsonb)
  where workspace_id = ${workspace}`

/** The run goes on after those of the others that are due. In UTC: a cluster refuses what depends on a session's time zone. */
export const releaseRun = (workspace: string) => sql`
  update workspace_retention set leased_until = null, due_at = app_now(),
    run_counts = ('{"since":' || (extract(epoch from due_at at time zone 'UTC') * 1000)::text || '}')::jsonb || run_counts
  where workspace_id = ${workspace}`

/** The next one is due tomorrow, or now if the retention was changed since the run was claimed. */
export const finishRun = ({ workspace_id, due_at }: ClaimedRun): Sql<{ counts: Readonly<Record<string, number>> }> =>
  sql<{ counts: Readonly<Record<string, number>> }>`
    with done as (
      select workspace_id, run_counts, app_now() + interval '1 day' as tomorrow from workspace_retention
      where workspace_id = ${workspace_id} for update
    )
    update workspace_retention r set leased_until = null, run_counts = '{}',
      due_at = case when r.due_at = ${due_at}::timestamptz then done.tomorrow else r.due_at end
    from done where r.workspace_id = ${workspace_id} and r.workspace_id = done.workspace_id
    returning done.run_counts - ${SINCE}::text as counts`
