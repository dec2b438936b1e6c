import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { PlainValue } from '../../kernel/feed/append.ts'
import type { Page } from '../../kernel/http/list.ts'
import { type Author, originKeyOf, userOf } from '../shared/author.ts'
import type { SectionLines } from './history-rules.ts'
import type { JobSection } from './sections-event.ts'

export const JOB_ACTIONS = ['created', 'edited', 'published', 'unpublished', 'closed', 'reopened'] as const

export interface JobChange {
  job: string
  /** the `updated_at` that the change gave the job */
  at: string
  action: (typeof JOB_ACTIONS)[number]
  author: Author
  fields: readonly string[]
  /** values of the short fields, by their names; of stages, form and questions a line for each */
  previous?: Readonly<Record<string, HistoryValue>>
  next?: Readonly<Record<string, HistoryValue>>
}

/** `<section>.renamed` of `next` has pairs of lines */
export type HistoryValue = PlainValue | readonly string[] | SectionLines['renamed']

/** The values of a change of one part of a job. */
export const sectionValues = (section: JobSection, { previous, next, renamed }: SectionLines) => ({
  previous: { [section]: previous },
  next: { [section]: next, ...(renamed.length === 0 ? {} : { [`${section}.renamed`]: renamed }) },
})

/** The time of the latest change of a job. */
export const latestChange = (workspace: string, job: string) =>
  sql<{ at: string }>`
    select at from job_history where workspace_id = ${workspace} and job_id = ${job} order by at desc limit 1`

/**
 * A change of what partners do not see of a job, which leaves its `updated_at` as it is. The job is locked. Its row comes
 * after the latest one, so that no two share their time.
 */
export const insertCriteriaHistory = (
  workspace: string,
  {
    job,
    userId,
    latest,
    previous,
    next,
  }: {
    job: string
    userId: string | null
    latest: string | null
    previous: readonly string[]
    next: readonly string[]
  },
) => sql`
  insert into job_history (workspace_id, job_id, at, action, user_id, fields, previous, next)
  values (${workspace}, ${job}, greatest(app_now(), ${latest}::timestamptz + interval '1 millisecond'), 'edited',
    ${userId}, '{scorecard_criteria}', ${JSON.stringify({ scorecard_criteria: previous })}::jsonb,
    ${JSON.stringify({ scorecard_criteria: next })}::jsonb)`

/** In the transaction of the changes. */
export const insertHistory = (workspace: string, changes: readonly JobChange[]) => sql`
  insert into job_history (workspace_id, job_id, at, action, key_id, user_id, fields, previous, next)
  select ${workspace}, job_id, at, action, key_id, user_id, fields, previous, next
  from jsonb_populate_recordset(null::job_history, ${JSON.stringify(
    changes.map(({ job, at, action, author, fields, previous, next }) => ({
      job_id: job,
      at,
      action,
      key_id: originKeyOf(author),
      user_id: userOf(author),
      fields,
      previous: previous ?? {},
      next: next ?? {},
    })),
  )}::jsonb)
  -- a change of criteria in the same millisecond
  on conflict (workspace_id, job_id, at) do update set action = excluded.action,
    fields = job_history.fields || excluded.fields, previous = job_history.previous || excluded.previous,
    next = job_history.next || excluded.next`

/** What the row of a job says about the latest change that made its form these lines. */
export const formValues = (workspace: string, job: string, lines: readonly string[]) =>
  sql<Required<Pick<JobChange, 'previous' | 'next'>>>`
    select previous, next from job_history
    where workspace_id = ${workspace} and job_id = ${job}
      and next->'application_form' = ${JSON.stringify(lines)}::jsonb
    order by at desc limit 1`

export interface HistoryRow {
  job_id: string
  at: string
  action: (typeof JOB_ACTIONS)[number]
  key_id: string | null
  user_id: string | null
  fields: string[]
  previous: Record<string, HistoryValue>
  next: Record<string, HistoryValue>
}

/** Sorted and cut by `page`, whose order is that of `h.at`. */
export const historyOfJob = (workspace: string, job: string, page: Page): Sql<HistoryRow> => sql<HistoryRow>`
  select h.job_id, h.at, h.action, h.key_id, h.user_id, h.fields, h.previous, h.next from job_history h
  where h.workspace_id = ${workspace} and h.job_id = ${job} ${page.clause}`

export const jobExists = (workspace: string, id: string) =>
  sql`select 1 from jobs where workspace_id = ${workspace} and id = ${id}`
