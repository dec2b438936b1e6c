import { API_LIMITS } from '../../contract/limits.ts'
import { type LimitedPerson, reachesCandidate } from '../../kernel/access/reach.ts'
import { none, plannedEachTime, raw, type Sql, sql } from '../../kernel/db/sql.ts'
import { workspaceNow } from '../../kernel/db/workspace-time.ts'
import { OPEN } from '../applications/shape.ts'

/** How well an application was found: the first is the best. */
export const RANKS = { key: 0, wholeName: 1, nameBegins: 2, nameContains: 3, words: 4, similarName: 5 } as const

export interface Found {
  application_id: string
  rank: number
}

/** Beginnings of names are looked for from so many letters on, other words and parts of names from one more. */
const SHORTEST_BEGINNING = 2
const SHORTEST_WORD = 3

/** So many of the newest applications that match in one way are ranked. */
export const MAX_FOUND = 5_000

/** Only what the reader sees. `row`: an alias of applications or of their index. */
export const seenBy = (reader: LimitedPerson | undefined, row: 'a' | 'b' | 's'): Sql =>
  reader
    ? sql`and ${reachesCandidate(reader, {
        job: raw(`${row}.job_id`),
        application: raw(row === 's' ? 's.application_id' : `${row}.id`),
      })}`
    : none

/** Handles begin with the time: the newest applications come first. */
const NEWEST = raw(`order by s.application_id desc limit ${MAX_FOUND}`)

/** Whether the résumé of the application `a` may be viewed. */
export const resumeIsOpen = (workspace: string): Sql => sql`(a.resume_unlocked_at is not null
  or a.applied_at > ${workspaceNow(workspace)} - ${API_LIMITS.resumeViewDays}::integer * interval '1 day')`

const MAX_WORDS = 6

/** Conditions one after the other. */
const joined = (conditions: readonly Sql[]): Sql => conditions.reduce((before, one) => sql`${before} ${one}`, none)

/**
 * Applications whose words are these. Each way is a statement of its own for the planner: it reads one index, the newest
 * first. Words of a résumé count while it may be viewed, to the second; a worker drops those of locked ones.
 */
export const findByWords = (workspace: string, q: string, reader?: LimitedPerson): Sql<Found> => {
  const typed = q.trim().split(/\s+/).slice(0, MAX_WORDS)
  const parts = typed.map(part => part.replace(/[^\p{L}\p{N}\p{M}'’-]/gu, ''))
  const contains = parts.map(part => sql`and s.name_key like '%' || search_fold(${part}) || '%'`)
  const isSeen = seenBy(reader, 's')
  const byParts = parts.every(part => part.length >= SHORTEST_WORD)
    ? sql`union all (
        select s.application_id, ${RANKS.nameContains}::integer as rank from application_search s
        where s.workspace_id = ${workspace} ${joined(contains)} ${isSeen} ${NEWEST})`
    : none
  return plannedEachTime(sql<Found>`
    select application_id, min(rank)::integer as rank from (
      (select s.application_id,
          case when search_fold(${q.trim()}) = any(string_to_array(s.name_key, E'\\n')) then ${RANKS.wholeName}::integer
            else ${RANKS.nameBegins}::integer end as rank
        from application_search s
        where s.workspace_id = ${workspace} and s.names @@ search_query(${q}, ${SHORTEST_BEGINNING}, '')
          ${isSeen} ${NEWEST})
      ${byParts}
      union all (
        select s.application_id, ${RANKS.words}::integer from (
          select s.application_id, s.terms from application_search s
          where s.workspace_id = ${workspace} and s.terms @@ search_query(${q}, ${SHORTEST_WORD}, '')
            ${isSeen} ${NEWEST}
        ) s join applications a on a.workspace_id = ${workspace} and a.id = s.application_id
        where ${resumeIsOpen(workspace)} or s.terms @@ search_query(${q}, ${SHORTEST_WORD}, 'ABD'))
    ) found group by application_id`)
}

/** Names are compared with the whole text, and must share so much of their trigrams. */
const MIN_SIMILARITY = 0.4
const MAX_SIMILAR = 20

/** The operator `%` finds them in the index by its own, lower limit. */
export const findSimilarNames = (workspace: string, q: string, reader?: LimitedPerson): Sql<Found> =>
  plannedEachTime(sql<Found>`
    select application_id, rank from (
      select s.application_id, ${RANKS.similarName}::integer as rank, similarity(s.name_key, search_fold(${q})) as alike
      from application_search s
      where s.workspace_id = ${workspace} and s.name_key % search_fold(${q}) ${seenBy(reader, 's')}
    ) s where alike >= ${MIN_SIMILARITY}::real order by alike desc, application_id desc limit ${MAX_SIMILAR}`)

/** People whose address this is, as it was given or found. A stopped person is found by name alone. */
export const findByEmail = (workspace: string, key: string): Sql<{ id: string }> =>
  sql<{ id: string }>`
    select p.id from applicants p
    where p.workspace_id = ${workspace} and p.suppressed_at is null and p.id in (
      select id from applicants where workspace_id = ${workspace} and email_key = ${key}
      union all
      select c.subject_id from contact_values c where c.workspace_id = ${workspace}
        and c.subject_object = 'applicant' and c.email_key = ${key})`

/** The same for a phone number: the last nine digits are compared. */
export const findByPhone = (workspace: string, phone: string): Sql<{ id: string }> =>
  sql<{ id: string }>`
    select p.id from applicants p
    where p.workspace_id = ${workspace} and p.suppressed_at is null and p.id in (
      select id from applicants where workspace_id = ${workspace} and phone_key(phone) = phone_key(${phone})
      union all
      select c.subject_id from contact_values c where c.workspace_id = ${workspace}
        and c.subject_object = 'applicant' and c.field = 'phone' and phone_key(c.value) = phone_key(${phone}))`

/** The applications of people. */
export const applicationsOfPeople = (workspace: string, people: readonly string[], reader?: LimitedPerson) =>
  sql<Found & { applicant_id: string }>`
    select a.id as application_id, ${RANKS.key}::integer as rank, a.applicant_id from applications a
    where a.workspace_id = ${workspace} and a.applicant_id = any(${people}::text[])
      ${seenBy(reader, 'a')} order by a.id desc limit ${MAX_FOUND}`

export interface Ranked {
  id: string
  rank: number
  /** applications of the person that were found */
  found: number
}

/**
 * One application of each person, the best first: by how it was found, then open ones, those of the reader's own jobs, and
 * those in which something happened last.
 */
export const rankFound = (workspace: string, userId: string, found: readonly Found[], limit: number): Sql<Ranked> =>
  sql<Ranked>`
    select id, rank, found from (
      select distinct on (person) a.id, f.rank, coalesce(a.applicant_id, a.id) as person, a.updated_at,
        a.status in ${OPEN} as is_open, t.job_id is not null as is_own,
        count(*) over (partition by coalesce(a.applicant_id, a.id))::integer as found
      from unnest(${found.map(row => row.application_id)}::text[], ${found.map(row => row.rank)}::integer[]) f (id, rank)
      join applications a on a.workspace_id = ${workspace} and a.id = f.id
      left join job_team t on t.workspace_id = ${workspace} and t.job_id = a.job_id and t.user_id = ${userId}
      order by person, f.rank, is_open desc, is_own desc, a.updated_at desc, a.id desc
    ) best order by rank, is_open desc, is_own desc, updated_at desc, id desc limit ${limit}`

// Rebuilding

export const selectRebuild = (workspace: string) =>
  sql<{ workspace_id: string }>`select workspace_id from search_rebuilds where workspace_id = ${workspace}`

/** The workspace that has waited the longest. */
export const nextRebuild = () =>
  sql<{ workspace_id: string; after: string }>`
    select workspace_id, after from search_rebuilds order by requested_at, workspace_id limit 1`

/** Two workers that write the same rows do no harm. */
export const rebuildRows = (workspace: string, after: string, batch: number) =>
  sql<{ rows: number }>`select application_search_rebuild(${workspace}, ${after}, ${batch}::integer) as rows`

export const requestRebuildOf = (workspace: string) => sql`
  insert into search_rebuilds (workspace_id) values (${workspace})
  on conflict (workspace_id) do update set after = '', requested_at = excluded.requested_at`

export const workspacesToRebuild = () => sql<{ id: string }>`select id from workspaces order by id`
