import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import type { Cooperative } from '../kernel/async/cooperative.ts'
import { type IndexMemory, InvertedIndex, newIndexMemory } from './inverted-index.ts'
import { resultFrom } from './ranked-search.ts'
import {
  type ThreadMessage,
  type ThreadReply,
  type ThreadStart,
  type ThreadTask,
  unpackRows,
} from './thread-messages.ts'

/*
 * A thread of the index of a large pool: the first one, which has the memory and writes, or another that searches in the same
 * memory. It gets one task at a time, and none to search while the first one writes. A search that fails is a failure of that
 * search; an error while the index changes ends the thread, and the other side loads a new index into new threads.
 */

const { memoryFrom }: ThreadStart = workerData
const memory: IndexMemory = memoryFrom ? (await once(memoryFrom, 'message'))[0] : newIndexMemory()
memoryFrom?.close()
const index = new InvertedIndex(memory)

/** Nothing else runs in this thread, so nothing is done in between. */
function uninterrupted<T>(work: Cooperative<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

function done(task: ThreadTask): Pick<ThreadReply, 'frequency' | 'result'> {
  if ('search' in task) return { result: uninterrupted(resultFrom(index, task.search)) }
  if ('frequency' in task) return { frequency: index.frequency(task.frequency) }
  for (const row of unpackRows(task.put)) index.put(row.profile_id, row.title_words, row.terms, row.changed)
  return {}
}

const send = (more: Partial<ThreadReply>) =>
  parentPort?.postMessage({ ...more, size: index.size, needsRebuild: index.needsRebuild } satisfies ThreadReply)

parentPort?.on('message', (message: ThreadMessage) => {
  if ('shareBy' in message) {
    message.shareBy.postMessage(memory)
    message.shareBy.close()
    return
  }
  try {
    index.refresh()
    send(done(message.task))
  } catch (error) {
    if ('put' in message.task) throw error
    send({ failed: (error as Error).message })
  }
})
if (memoryFrom) send({})
