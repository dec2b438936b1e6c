import { CONTACT_RULES, type ParsedResume } from '../../../packages/resume-parser/src/index.ts'
import { none, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import { countWaiting } from '../../kernel/work/queue.ts'
import { type TakenTurn, type TurnPlace, type TurnRules, turnOrder } from '../../kernel/work/turns.ts'
import type { ParseError } from './shape.ts'

export interface ClaimedResume {
  workspace_id: string
  id: string
  application_id: string
  mime: string
  blob_key: string
  parse_attempts: number
  parse_lease_token: string
  /** the workspace's turn in which it is read */
  turn: TakenTurn
  /** YYYY-MM by the database's clock */
  today: string
}

export interface ResumeTarget {
  workspace: string
  application: string
}

const WAITING = sql`parse_status in ('pending', 'parsing')`

/** Not held by a worker, not waiting for its next try, and not of a person whose processing was stopped. */
const claimable = (applicantsOf = sql`r.workspace_id`) => sql`
  ${WAITING} and coalesce(r.parse_leased_until, '-infinity') <= app_now()
  and not exists (select from applicants p
    where p.workspace_id = ${applicantsOf} and p.id = r.applicant_id and p.suppressed_at is not null)`

/** Files that are not being read. */
export const resumesWaiting = countWaiting(sql`r.created_at`, sql`resumes r where ${claimable()}`)

/** The order of an index. A file that was tried before is as old as its next try. */
const OLDEST_FIRST = sql`order by coalesce(r.parse_leased_until, r.created_at), r.id limit 1`

/** Workspaces with a file that is not read. Cost: some index entries for each workspace, however many files it has. */
export const waitingWorkspaces = () =>
  sql<{ workspace_id: string }>`select workspace_id from resume_workspaces_waiting() as w (workspace_id)`

/** Finds those of these workspaces with a file that can be read now, in the order of their turns. */
export const nextWorkspaces = (
  of: readonly string[],
  rules: TurnRules,
  limit: number,
): Sql<TurnPlace> => sql<TurnPlace>`
  select l.workspace_id, t.last_turn_at
  from event_logs l
  left join worker_turns t on t.workspace_id = l.workspace_id and t.work = 'read_resumes'
  where l.workspace_id = any(${of}::text[])
    and exists (select from resumes r where r.workspace_id = l.workspace_id and ${claimable()})
  order by ${turnOrder(rules)}, l.workspace_id limit ${limit}`

/**
 * The next résumé of a workspace, or the one of an application, held by a lease. That it is being read is not a change that
 * copies need: no touch.
 */
export const claimNext = (
  token: string,
  leaseSeconds: number,
  of: { workspace: string; application?: string },
): Sql<Omit<ClaimedResume, 'turn'>> => sql<Omit<ClaimedResume, 'turn'>>`
  with next as (
    select id from resumes r
    where r.workspace_id = ${of.workspace} ${of.application ? sql`and r.application_id = ${of.application}` : none}
      and ${claimable(sql`${of.workspace}`)}
    ${OLDEST_FIRST} for update skip locked
  ), held as (
    update resumes r set parse_status = 'parsing', parse_attempts = parse_attempts + 1, parse_lease_token = ${token},
      parse_leased_until = app_now() + ${leaseSeconds}::integer * interval '1 second'
    from next where r.workspace_id = ${of.workspace} and r.id = next.id
    returning r.workspace_id, r.id, r.application_id, r.mime, r.blob_key, r.parse_attempts, r.parse_lease_token
  ), shown as (
    update applications a set parse_status = 'parsing' from held
    where a.workspace_id = ${of.workspace} and a.id = held.application_id
  )
  select *, to_char(app_now() at time zone 'UTC', 'YYYY-MM') as today from held`

/** The application is locked first, as every change of it does. No row when the lease is another's by now. */
export const storeOutcome = (claimed: ClaimedResume, outcome: ParsedResume | ParseError) => {
  const read = typeof outcome === 'string' ? undefined : outcome
  const status = read ? 'parsed' : 'failed'
  const error = read ? null : outcome
  return sql<{ job_id: string; parse_status: string; parse_error: ParseError | null; updated_at: string }>`
    with application as (
      select id from applications
      where workspace_id = ${claimed.workspace_id} and id = ${claimed.application_id} for update
    ), stored as (
      update resumes r set parse_status = ${status}, parse_error = ${error}, parse_leased_until = null, parse_lease_token = null,
        parsed = ${read ? JSON.stringify(read.profile) : null}::jsonb, raw_text = ${read?.text ?? null},
        contact_rules = ${CONTACT_RULES},
        parsed_at = ${status === 'parsed' ? sql`app_now()` : sql`null`}
      from application a
      where r.workspace_id = ${claimed.workspace_id} and r.application_id = a.id
        and r.parse_lease_token = ${claimed.parse_lease_token}
      returning r.application_id
    )
    update applications a set parse_status = ${status}, updated_at = ${touched('a.updated_at')}
    from stored where a.workspace_id = ${claimed.workspace_id} and a.id = stored.application_id
    returning a.job_id, a.parse_status, ${error}::text as parse_error, a.updated_at`
}

/** `uncounted`: tries that shall not count. */
export const giveBack = (claimed: ClaimedResume, retrySeconds: number, uncounted: 0 | 1) => sql`
  with back as (
    update resumes set parse_status = 'pending', parse_lease_token = null,
      parse_attempts = greatest(0, parse_attempts - ${uncounted}::integer),
      parse_leased_until = app_now() + ${retrySeconds}::integer * interval '1 second'
    where workspace_id = ${claimed.workspace_id} and id = ${claimed.id}
      and parse_lease_token = ${claimed.parse_lease_token}
    returning application_id
  )
  update applications a set parse_status = 'pending' from back
  where a.workspace_id = ${claimed.workspace_id} and a.id = back.application_id`

export interface ProfileOfOlderRules {
  workspace_id: string
  id: string
  parsed: unknown
  raw_text: string | null
}

export const profilesOfOlderRules = (rules: number, limit: number) =>
  sql<{ workspace_id: string; id: string }>`
    select workspace_id, id from resumes where parsed is not null and contact_rules < ${rules}
    order by contact_rules limit ${limit}`

/** Locked; one that another process cleans is left to it. */
export const lockProfile = (workspace: string, id: string, rules: number) => sql<ProfileOfOlderRules>`
  select workspace_id, id, parsed, raw_text from resumes
  where workspace_id = ${workspace} and id = ${id} and parsed is not null and contact_rules < ${rules}
  for update skip locked`

export interface CleanProfile {
  workspace_id: string
  id: string
  /** null: nothing was found in it */
  parsed: string | null
}

export const markClean = (rules: number, { workspace_id, id, parsed }: CleanProfile) => sql`
  update resumes set contact_rules = ${rules}, parsed = coalesce(${parsed}::jsonb, parsed)
  where workspace_id = ${workspace_id} and id = ${id}`
