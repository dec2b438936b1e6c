import type { MessagePort } from 'node:worker_threads'
import type { IndexQuery, IndexResult } from './ranked-search.ts'
import type { TermsRow } from './store.ts'

/** Without a port, the thread makes a new index; with one, it gets the memory of another thread's. */
export interface ThreadStart {
  memoryFrom?: MessagePort
}

export type ThreadMessage = { task: ThreadTask } | { shareBy: MessagePort }

/** Rows are sent as one text, which is copied several times faster than objects. */
export type ThreadTask = { put: string } | { frequency: string } | { search: IndexQuery }

/** After each task, and when a thread that got the memory of another is ready. */
export interface ThreadReply {
  size: number
  needsRebuild: boolean
  frequency?: number
  result?: IndexResult
  /** why the search failed */
  failed?: string
}

/** A line for each row; neither ids nor terms have a blank or a line break. */
export function packRows(rows: readonly TermsRow[]): string {
  let text = ''
  for (const row of rows) text += `${row.profile_id} ${row.title_words} ${row.changed} ${row.terms}\n`
  return text
}

export function* unpackRows(text: string): Generator<TermsRow> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const titleWords = text.indexOf(' ', at) + 1
    const changed = text.indexOf(' ', titleWords) + 1
    const terms = text.indexOf(' ', changed) + 1
    yield {
      profile_id: text.slice(at, titleWords - 1),
      title_words: Number(text.slice(titleWords, changed - 1)),
      changed: Number(text.slice(changed, terms - 1)),
      terms: text.slice(terms, end),
    }
    at = end + 1
  }
}
