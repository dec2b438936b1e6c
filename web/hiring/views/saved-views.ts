import { useEffect, useState } from 'preact/hooks'
import { isOfJob, type ViewPage } from '../../../src/contract/saved-views.ts'
import { type Read, read } from '../api.ts'

export type SavedView = Read<'/saved-views'>['views'][number]

/** Read when they are first needed, and again after a change. */
let views: readonly SavedView[] | undefined
const listeners = new Set<() => void>()

export async function reloadViews(): Promise<void> {
  views = (await read('/saved-views')).views
  for (const listener of listeners) listener()
}

/** The reader's views and the shared ones; undefined until they are read. */
export function useSavedViews(): readonly SavedView[] | undefined {
  const [, draw] = useState(0)
  useEffect(() => {
    const listener = () => draw(n => n + 1)
    listeners.add(listener)
    // without them the page works as before
    reloadViews().catch(() => undefined)
    return () => void listeners.delete(listener)
  }, [])
  return views
}

/** The path of what is saved: a page, or a job with its board or table. */
function pathOf(page: ViewPage, jobId: string | null): string {
  if (isOfJob(page)) return `/jobs/${jobId}`
  return page === 'candidates' ? '/candidates' : '/'
}

/** The address that a view opens. */
export function viewAddress({ page, job_id, query }: Pick<SavedView, 'page' | 'job_id' | 'query'>): string {
  const params = new URLSearchParams(query)
  if (page === 'table') params.set('view', 'table')
  return `${pathOf(page, job_id)}${params.size === 0 ? '' : `?${params}`}`
}

/** The stable address of a view: it leads to what the view is then. */
export const viewLink = ({ id }: Pick<SavedView, 'id'>): string => `/views/${id}`
