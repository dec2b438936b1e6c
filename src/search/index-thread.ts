import { parentPort } from 'node:worker_threads'
import type { Cooperative } from '../kernel/async/cooperative.ts'
import { InvertedIndex } from './inverted-index.ts'
import { resultFrom } from './ranked-search.ts'
import { type ThreadReply, type ThreadTask, unpackRows } from './thread-messages.ts'

/*
 * The thread that holds the index of a large pool. It does one task after another, in the order in which they were sent. A
 * search that fails is a failure of that search; an error while the index changes ends the thread, and the other side loads
 * a new index into a new thread.
 */

const index = new InvertedIndex()

/** Nothing else runs in this thread, so nothing is done in between. */
function uninterrupted<T>(work: Cooperative<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

function done(task: ThreadTask): Pick<ThreadReply, 'frequency' | 'result'> {
  if ('search' in task) return { result: uninterrupted(resultFrom(index, task.search)) }
  if ('frequency' in task) return { frequency: index.frequencies([task.frequency]).get(task.frequency)! }
  for (const row of unpackRows(task.put)) index.put(row.profile_id, row.title_words, row.terms, row.changed)
  return {}
}

parentPort!.on('message', ({ id, task }: { id: number; task: ThreadTask }) => {
  const send = (more: Partial<ThreadReply>) =>
    parentPort!.postMessage({ id, ...more, size: index.size, needsRebuild: index.needsRebuild } satisfies ThreadReply)
  try {
    send(done(task))
  } catch (error) {
    if ('put' in task) throw error
    send({ failed: (error as Error).message })
  }
})
