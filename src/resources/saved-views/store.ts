import { type LimitedPerson, reachesJob } from '../../kernel/access/reach.ts'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import type { StoredView } from './rules.ts'

const COLUMNS = sql`id, user_id, name, page, job_id, query, shared`

/** Those of the member, and those that are shared. */
export const selectViews = (workspace: string, userId: string): Sql<StoredView> => sql<StoredView>`
  select ${COLUMNS} from saved_views where workspace_id = ${workspace} and (user_id = ${userId} or shared)
  order by lower(name), id`

export const lockView = (workspace: string, id: string): Sql<StoredView> => sql<StoredView>`
  select ${COLUMNS} from saved_views where workspace_id = ${workspace} and id = ${id}::uuid for update`

export const countOwnViews = (workspace: string, userId: string) => sql<{ views: number }>`
  select count(*)::integer as views from saved_views where workspace_id = ${workspace} and user_id = ${userId}`

export const putView = (workspace: string, { id, user_id, name, page, job_id, query, shared }: StoredView) => sql`
  insert into saved_views (workspace_id, id, user_id, name, page, job_id, query, shared)
  values (${workspace}, ${id}::uuid, ${user_id}, ${name}, ${page}, ${job_id}, ${query}, ${shared})
  on conflict (workspace_id, id) do update set name = excluded.name, page = excluded.page, job_id = excluded.job_id,
    query = excluded.query, shared = excluded.shared`

export const deleteView = (workspace: string, id: string) => sql`
  delete from saved_views where workspace_id = ${workspace} and id = ${id}::uuid`

/** Titles of those of the jobs that exist for the reader. */
export const jobTitles = (workspace: string, jobs: readonly string[], reader: LimitedPerson | undefined) =>
  sql<{ id: string; title: string }>`
    select id, title from jobs where workspace_id = ${workspace} and id = any(${jobs}::text[])
      ${reader ? sql`and ${reachesJob(reader, sql`id`)}` : none}`
