import { none, raw, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import { countWaiting } from '../../kernel/work/queue.ts'
import type { Identifier, SuppressionScope } from '../suppressions/index.ts'
import type { Reason } from '../suppressions/shape.ts'
import type { ErasureTarget, FoundRow, PersonIdentityRow, StoredSubject } from './rules.ts'

/** Normalized. `own`: email addresses that belong to one person only; all contact details are searched for them. */
export interface SearchKeys {
  emails: readonly string[]
  own: readonly string[]
  linkedins: readonly string[]
}

/** A condition on `workspace_id` of the table with this alias that limits a statement to a reach. */
const within = (reach: SuppressionScope, alias: string) =>
  reach === 'installation' ? none : sql`and ${raw(alias)}.workspace_id = ${reach}`

const POOL_ROWS = (linkedins: readonly string[]) => sql`
  select 'pool_profile', null, id, null, linkedin_key, '{}'::text[] from pool_profiles
  where linkedin_key = any(${linkedins}::text[])`

/** Records within a reach that contain one of the identifiers. */
export const recordsWith = ({ emails, own, linkedins }: SearchKeys, reach: SuppressionScope): Sql<FoundRow> =>
  sql<FoundRow>`
    with typed as (
      select workspace_id, subject_object, subject_id from contact_values c
      where email_key = any(${own}::text[]) ${within(reach, 'c')}
    ), people as (
      select workspace_id, id from applicants a where email_key = any(${emails}::text[]) ${within(reach, 'a')}
      union select workspace_id, id from applicants a where linkedin_key = any(${linkedins}::text[]) ${within(reach, 'a')}
      union select workspace_id, subject_id from typed where subject_object = 'applicant'
    ), profiles as (
      select workspace_id, id from sourced_profiles p where linkedin_key = any(${linkedins}::text[]) ${within(reach, 'p')}
      union select workspace_id, subject_id from typed where subject_object = 'sourced_profile'
    )
    select 'applicant' as object, a.workspace_id::text as workspace, a.id::text, a.email_key, a.linkedin_key,
      array(select c.value from contact_values c where c.workspace_id = a.workspace_id ${within(reach, 'c')}
        and c.subject_object = 'applicant' and c.subject_id = a.id and c.field = 'email') as contacts
    from people join applicants a using (workspace_id, id) where true ${within(reach, 'a')}
    union all
    select 'sourced_profile', p.workspace_id, p.id, null, p.linkedin_key,
      array(select c.value from contact_values c where c.workspace_id = p.workspace_id ${within(reach, 'c')}
        and c.subject_object = 'sourced_profile' and c.subject_id = p.id and c.field = 'email')
    from profiles join sourced_profiles p using (workspace_id, id) where true ${within(reach, 'p')}
    ${reach === 'installation' || reach === 'pool' ? sql`union all ${POOL_ROWS(linkedins)}` : none}
    order by 1, 2, 3`

/** The identifiers of one applicant. */
export const applicantRow = (workspace: string, id: string): Sql<FoundRow> =>
  sql<FoundRow>`
    select 'applicant' as object, a.workspace_id::text as workspace, a.id::text, a.email_key, a.linkedin_key,
      array(select c.value from contact_values c where c.workspace_id = ${workspace} and c.subject_object = 'applicant'
        and c.subject_id = a.id and c.field = 'email') as contacts
    from applicants a where a.workspace_id = ${workspace} and a.id = ${id}`

/** Handles of the identifiers, and of those linked with them, in the workspaces within a reach. */
export const identitiesWith = (identifiers: readonly Identifier[], reach: SuppressionScope): Sql<PersonIdentityRow> =>
  sql<PersonIdentityRow>`
    select distinct i.workspace_id::text as workspace, i.kind, i.value as key, i.person_id, i.canonical_id
    from unnest(${identifiers.map(i => i.kind)}::text[], ${identifiers.map(i => i.key)}::text[]) as w (kind, value)
    join identities f on f.value = w.value and f.kind = w.kind ${within(reach, 'f')}
    join identities i on i.workspace_id = f.workspace_id and i.canonical_id = f.canonical_id
    order by 1, 4`

/** Applications, résumés and orders of applicants; partners and vendors have copies of them too. */
export const selectHoldings = (applicants: readonly { workspace: string | null; id: string }[]) =>
  sql<{ workspace: string; object: 'application' | 'resume' | 'order'; id: string }>`
    with theirs as (
      select a.workspace_id, a.id from unnest(${applicants.map(a => a.workspace)}::text[],
        ${applicants.map(a => a.id)}::text[]) as w (workspace_id, id)
      join applications a on a.workspace_id = w.workspace_id and a.applicant_id = w.id
    )
    select workspace_id as workspace, 'application' as object, id from theirs
    union all
    select r.workspace_id, 'resume', r.id from theirs t
    join resumes r on r.workspace_id = t.workspace_id and r.application_id = t.id
    union all
    select o.workspace_id, 'order', o.id from theirs t
    join orders o on o.workspace_id = t.workspace_id and o.application_id = t.id
    order by 1, 2, 3`

/** User accounts within a reach with one of the email addresses. They are not candidate data and are not erased. */
export const accountsWith = (emails: readonly string[], reach: SuppressionScope) =>
  sql<{ accounts: number }>`
    select count(*)::integer as accounts from users u
    where email_key = any(${emails}::text[]) ${within(reach, 'u')}`

export interface Covering {
  erasure_id: string
  suppression_id: string
  reason: Reason
  completed: boolean
}

/**
 * Earlier requests that suppressed all of these identifiers within the reach, newest first. A request of the operator
 * counts for a workspace, or the pool, if it found records there.
 */
export const requestsCovering = (identifiers: readonly Hashed[], reach: SuppressionScope): Sql<Covering> =>
  sql<Covering>`
    select e.id as erasure_id, s.id as suppression_id, s.reason, e.completed_at is not null as completed
    from suppressions s join erasures e on e.suppression_id = s.id
    where s.id in (
      select i.suppression_id
      from unnest(${identifiers.map(i => i.kind)}::text[], ${identifiers.map(i => i.sha256)}::bytea[]) as w (kind, sha256)
      join suppressed_identifiers i
        on i.reach in (${reach}, 'installation') and i.kind = w.kind and i.sha256 = w.sha256
      group by i.suppression_id having count(*) = ${identifiers.length}::integer)
      and (s.reach = ${reach} or exists (select from workspace_suppressions t
        where t.suppression_id = s.id and coalesce(t.workspace_id, 'pool') = ${reach}))
    order by e.requested_at desc, e.id`

/** Earlier requests that found one of these records within the reach, newest first. */
export const requestsAbout = (records: readonly ErasureTarget[], reach: SuppressionScope): Sql<Covering> =>
  sql<Covering>`
    select distinct e.id as erasure_id, s.id as suppression_id, s.reason, e.completed_at is not null as completed,
      e.requested_at
    from ${pairs(records)} join erasure_targets f on f.workspace_id = t.workspace_id and f.id = t.id
    join erasures e on e.id = f.erasure_id join suppressions s on s.id = e.suppression_id and s.reach = ${reach}
    order by e.requested_at desc, e.id`

export interface Hashed {
  kind: Identifier['kind']
  sha256: Buffer
}

export const insertSuppression = (id: string, reach: SuppressionScope, reason: Reason, deleteDays: number) =>
  sql<{ applied_at: string; delete_by: string }>`
    insert into suppressions (id, reach, status, reason, delete_by)
    values (${id}, ${reach}, 'suppressed', ${reason}, app_now() + ${deleteDays}::integer * interval '1 day')
    returning applied_at, delete_by`

/** One that another store had, with its own id and times. */
export const insertEarlierSuppression = (s: {
  id: string
  reach: SuppressionScope
  reason: Reason
  applied_at: string
  delete_by: string
}) => sql`
  insert into suppressions (id, reach, status, reason, applied_at, delete_by)
  values (${s.id}, ${s.reach}, 'suppressed', ${s.reason}, ${s.applied_at}::timestamptz, ${s.delete_by}::timestamptz)`

export const insertExternalIds = (
  suppressionId: string,
  ids: readonly { workspace: string; object: string; sha256: Buffer }[],
) => sql`
  insert into suppressed_external_ids (workspace_id, object, sha256, suppression_id)
  select workspace_id, object, sha256, ${suppressionId}
  from unnest(${ids.map(i => i.workspace)}::text[], ${ids.map(i => i.object)}::text[],
    ${ids.map(i => i.sha256)}::bytea[]) as i (workspace_id, object, sha256)
  on conflict do nothing`

export const insertIdentifiers = (
  suppressionId: string,
  reach: SuppressionScope,
  identifiers: readonly Hashed[],
) => sql`
  insert into suppressed_identifiers (suppression_id, reach, kind, sha256)
  select ${suppressionId}, ${reach}, kind, sha256
  from unnest(${identifiers.map(i => i.kind)}::text[], ${identifiers.map(i => i.sha256)}::bytea[]) as i (kind, sha256)`

/** Hashes of the external ids of these records, so that no import stores the person again under one of them. */
export const suppressExternalIds = (suppressionId: string, targets: readonly ErasureTarget[]) => sql`
  insert into suppressed_external_ids (workspace_id, object, sha256, suppression_id)
  select workspace_id, object, sha256(convert_to(id, 'UTF8')), ${suppressionId} from (
    select r.workspace_id::text, 'applicant' as object, (e ->> 'system') || ' ' || (e ->> 'id') as id
    from ${pairs(targets)} join applicants r on r.workspace_id = t.workspace_id and r.id = t.id,
      jsonb_array_elements(r.external_refs) e
    union select r.workspace_id, 'sourced_profile', r.external_id
    from ${pairs(targets)} join sourced_profiles r on r.workspace_id = t.workspace_id and r.id = t.id
    union select '', 'pool_profile', r.external_id from ${pairs(targets)} join pool_profiles r on r.id = t.id
  ) named where id is not null`

/**
 * `digests`: hexadecimal, of the identifiers that the workspace had. Call it while the suppressions are locked: the
 * entry gets the next number in the log of the workspace (null: of every workspace).
 */
export const insertSuppressionEntry = (
  suppressionId: string,
  workspace: string | null,
  subjects: readonly StoredSubject[],
  digests: readonly string[],
) => sql`
  with entry as (
    insert into workspace_suppressions (workspace_id, suppression_id, subjects, identifiers)
    values (${workspace}, ${suppressionId}, ${JSON.stringify(subjects)}::jsonb, ${JSON.stringify(digests)}::jsonb)
  )
  insert into suppression_log (workspace_id, sequence, suppression_id)
  select w.id, coalesce((select max(l.sequence) from suppression_log l where l.workspace_id = w.id), 0) + 1,
    ${suppressionId}
  from workspaces w ${workspace === null ? none : sql`where w.id = ${workspace}`}
  on conflict (workspace_id, suppression_id) do nothing`

/** `identifiers` null: nothing is left to do. `askedIn`: the workspace whose console sent the request. */
export const insertErasure = (
  id: string,
  suppressionId: string,
  by: { requestedBy: string; askedIn: string | null },
  identifiers: readonly Identifier[] | null,
) => sql`
  insert into erasures (id, suppression_id, requested_by, asked_in, identifiers, completed_at)
  values (${id}, ${suppressionId}, ${by.requestedBy}, ${by.askedIn},
    ${identifiers && JSON.stringify(identifiers)}::jsonb,
    case when ${identifiers === null}::boolean then app_now() end)`

/** Counts a request of a workspace's console on this day (UTC). No row: the limit is reached. */
export const countErasureRequest = (workspace: string, limit: number) =>
  sql<{ used: number }>`
    insert into erasure_request_usage as u (workspace_id, day, used)
    values (${workspace}, (app_now() at time zone 'UTC')::date, 1)
    on conflict (workspace_id, day) do update set used = u.used + 1 where u.used < ${limit}::integer
    returning used`

/** `is_new`: it was none before. A row that is updated was locked, which its xmax shows. Targets may be given twice. */
export const insertTargets = (erasureId: string, targets: readonly ErasureTarget[], done: boolean) => sql<{
  is_new: boolean
}>`
  insert into erasure_targets (erasure_id, object, id, workspace_id, done_at)
  select ${erasureId}, object, id, workspace_id, case when ${done}::boolean then app_now() end
  from (
    select distinct * from unnest(${targets.map(t => t.object)}::text[], ${targets.map(t => t.id)}::text[],
      ${targets.map(t => t.workspace)}::text[])) as t (object, id, workspace_id)
  on conflict (erasure_id, object, id) do update
    set done_at = coalesce(erasure_targets.done_at, excluded.done_at)
  returning xmax = 0 as is_new`

/** Whether one of the records of workspaces is not suppressed. */
export const unmarkedAmong = (targets: readonly ErasureTarget[]) => sql`
  select 1 from (
    select r.id from ${pairs(targets)} join applicants r on r.workspace_id = t.workspace_id and r.id = t.id
    where r.suppressed_at is null
    union all
    select r.id from ${pairs(targets)} join sourced_profiles r on r.workspace_id = t.workspace_id and r.id = t.id
    where r.suppressed_at is null
  ) unmarked limit 1`

/** The same for the pool. */
export const unmarkedInPool = (targets: readonly ErasureTarget[]) => sql`
  select 1 from pool_profiles where id = any(${targets.map(t => t.id)}::text[]) and suppressed_at is null limit 1`

/** Those of the records that were not suppressed before. */
export const markSuppressed = (targets: readonly ErasureTarget[]): Sql<{ id: string }> =>
  sql<{ id: string }>`
    with people as (
      update applicants r set suppressed_at = app_now() from ${pairs(targets)}
      where r.workspace_id = t.workspace_id and r.id = t.id and r.suppressed_at is null returning r.id
    ), profiles as (
      update sourced_profiles r set suppressed_at = app_now() from ${pairs(targets)}
      where r.workspace_id = t.workspace_id and r.id = t.id and r.suppressed_at is null returning r.id
    ), pool as (
      update pool_profiles r set suppressed_at = app_now() from ${pairs(targets)}
      where r.id = t.id and r.suppressed_at is null returning r.id
    )
    select id from people union all select id from profiles union all select id from pool`

export const touchRecords = (object: 'applicant' | 'sourced_profile', targets: readonly ErasureTarget[]) =>
  sql<{ workspace: string; id: string; updated_at: string }>`
    update ${raw(object === 'applicant' ? 'applicants' : 'sourced_profiles')} r
    set updated_at = ${touched('r.updated_at')} from ${pairs(targets)}
    where r.workspace_id = t.workspace_id and r.id = t.id
    returning r.workspace_id as workspace, r.id, r.updated_at`

const pairs = (targets: readonly ErasureTarget[]) =>
  sql`unnest(${targets.map(t => t.workspace)}::text[], ${targets.map(t => t.id)}::text[]) as t (workspace_id, id)`

// Progress

export interface ErasureRow {
  /** null for suppressions without a request */
  id: string | null
  suppression_id: string
  reach: SuppressionScope
  status: 'suppressed' | 'erased'
  reason: Reason
  requested_by: string | null
  /** the workspace whose console sent the request */
  asked_in: string | null
  requested_at: string
  delete_by: string
  completed_at: string | null
  /** it results from a request of another workspace */
  approved: boolean
  /** by kind of record: how many were found, how many of them are done */
  records: { object: string; found: number; done: number }[]
  /** workspaces that had records of the person */
  workspaces: string[]
  /** keys of partners that confirmed the deletion of their copies */
  acknowledgements: number
}

/** As the operator sees it; with `workspace`, as that workspace sees it: every count is without records of others. */
const erasureRows = (workspace?: string) => {
  const own = (alias: string) => (workspace === undefined ? none : sql`and ${raw(alias)}.workspace_id = ${workspace}`)
  const ownOrPool = workspace === undefined ? none : sql`and (t.workspace_id = ${workspace} or t.workspace_id is null)`
  return sql`
    select e.id, s.id as suppression_id, s.reach, s.status, s.reason, e.requested_by, e.asked_in,
      coalesce(e.requested_at, s.applied_at) as requested_at, s.delete_by,
      case when e.id is null then s.completed_at else e.completed_at end as completed_at,
      exists (select from erasure_requests q where q.suppression_id = s.id ${own('q')}) as approved,
      (select coalesce(json_agg(json_build_object('object', object, 'found', found, 'done', done) order by object), '[]')
        from (select object, count(*) as found, count(done_at) as done
          from erasure_targets t where t.erasure_id = e.id ${ownOrPool} group by object) as counted) as records,
      array(select w.workspace_id::text from workspace_suppressions w
        where w.suppression_id = s.id and w.workspace_id is not null ${own('w')} order by 1) as workspaces,
      (select count(*)::integer from suppression_acknowledgements a
        where a.suppression_id = s.id ${own('a')}) as acknowledgements
    from suppressions s left join erasures e on e.suppression_id = s.id`
}

export const erasureById = (id: string): Sql<ErasureRow> => sql<ErasureRow>`${erasureRows()} where e.id = ${id}`

/** The erasures that reach a workspace or that it requested, as it sees them. */
const seenBy = (workspace: string) => sql`
  select x.* from (${erasureRows(workspace)}) as x where (x.reach = ${workspace} or x.asked_in = ${workspace} or exists (
    select from workspace_suppressions w
    where w.suppression_id = x.suppression_id and (w.workspace_id = ${workspace} or w.workspace_id is null)))`

export const erasuresSeenBy = (workspace: string, page: Page): Sql<ErasureRow> =>
  sql<ErasureRow>`${seenBy(workspace)} ${page.clause}`

export const erasureSeenBy = (workspace: string, suppressionId: string): Sql<ErasureRow> =>
  sql<ErasureRow>`${seenBy(workspace)} and x.suppression_id = ${suppressionId}`

/** Handles of the records found, by workspace. */
export const selectErasureTargets = (id: string): Sql<ErasureTarget & { done: boolean }> =>
  sql<ErasureTarget & { done: boolean }>`
    select object, id, workspace_id as workspace, done_at is not null as done from erasure_targets
    where erasure_id = ${id} order by workspace_id nulls last, object, id`

/** An erasure takes seconds: one that waits for longer needs a file store or a search cluster that does not respond. */
export const erasuresWaiting = countWaiting(
  sql`requested_at`,
  sql`erasures where completed_at is null order by requested_at`,
)

export const openErasures = (): Sql<{ id: string }> =>
  sql<{ id: string }>`select id from erasures where completed_at is null order by requested_at, id`
