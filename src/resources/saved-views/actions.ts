import { randomUUID } from 'node:crypto'
import { isOfJob } from '../../contract/saved-views.ts'
import type { LimitedPerson } from '../../kernel/access/reach.ts'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { fail, invalid } from '../../kernel/errors/api-error.ts'
import { refuseInput } from '../../kernel/http/faults.ts'
import { jobsOfView, MAX_VIEWS, type ShownView, showView, type ViewInput, viewFaults } from './rules.ts'
import { countOwnViews, deleteView, jobTitles, lockView, putView, selectViews } from './store.ts'

/** Who reads, saves or deletes views. */
export interface ViewReader {
  workspace: string
  userId: string
  /** undefined for people who see all candidates */
  limit: LimitedPerson | undefined
  /** owners and admins delete shared views of others */
  isManager: boolean
  /** only what they see themselves: they share nothing */
  isAlone: boolean
}

/** The member's own views and the shared ones, with the jobs that exist for them. */
export async function readViews(db: Queryable, { workspace, userId, limit }: ViewReader): Promise<ShownView[]> {
  const views = await db.query(selectViews(workspace, userId))
  const named = [...new Set(views.flatMap(jobsOfView))]
  const rows = named.length === 0 ? [] : await db.query(jobTitles(workspace, named, limit))
  const titles = new Map(rows.map(({ id, title }) => [id, title]))
  return views.flatMap(view => showView(view, userId, titles, limit?.limited === true) ?? [])
}

/** Saves a new view, or one of the member's own again: `id`. */
export async function saveView(tx: Transaction, reader: ViewReader, input: ViewInput, id?: string): Promise<string> {
  const { workspace, userId, limit } = reader
  const faults = viewFaults(input)
  if (faults.length > 0) refuseInput(faults)
  if (input.shared && reader.isAlone) invalid('shared', 'your access does not allow sharing')
  const job_id = input.job_id ?? null
  if (job_id !== null && isOfJob(input.page) && !(await tx.one(jobTitles(workspace, [job_id], limit))))
    fail('not_found')
  const before = id === undefined ? undefined : await tx.one(lockView(workspace, id))
  if (id !== undefined && before?.user_id !== userId) fail('not_found')
  if (id === undefined && (await tx.only(countOwnViews(workspace, userId))).views >= MAX_VIEWS)
    invalid('name', `you have ${MAX_VIEWS} views already: delete one first`)
  const { name, page, query, shared = false } = input
  const saved = { id: id ?? randomUUID(), user_id: userId, name: name.trim(), page, job_id, query, shared }
  await tx.query(putView(workspace, saved))
  return saved.id
}

/** Deletes a view of the member, or a shared one. False: there is no such view for them. */
export async function removeView(tx: Transaction, reader: ViewReader, id: string): Promise<boolean> {
  const { workspace, userId, isManager } = reader
  const view = await tx.one(lockView(workspace, id))
  if (!view || (view.user_id !== userId && !(view.shared && isManager))) return false
  await tx.query(deleteView(workspace, id))
  return true
}
