import { BoundedQueue, QueueFullError } from '../../kernel/async/bounded-queue.ts'
import { runCooperatively } from '../../kernel/async/cooperative.ts'
import type { Database } from '../../kernel/db/database.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import type { FeedPosition } from './store.ts'

/**
 * One batch at a time is written: readers of large feeds share the time of one of them. A batch is given up
 * where the queue is full of others.
 */
const writing = new BoundedQueue({ concurrency: 1, capacity: 200, timeoutMs: 30_000, retryAfterSeconds: 30 })

/** How a row becomes text. What takes long for it is prepared before, while others write. */
type Writer<Row, Ready> =
  | ((row: Row) => string)
  | { prepare: (row: Row) => Promise<Ready>; write: (row: Ready) => string }

/** All rows of a list as text, a batch at a time: the next one is read when the client has taken the one before. */
export async function* batches<Row extends FeedPosition, Ready = Row>(
  db: Pick<Database, 'query'>,
  read: (last: FeedPosition | undefined, limit: number) => Sql<Row>,
  size: number,
  write: Writer<Row, Ready>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  let last: FeedPosition | undefined
  for (let rest = most; rest > 0; ) {
    const limit = Math.min(size, rest)
    const rows = await db.query(read(last, limit))
    if (rows.length > 0) yield await writtenRows(rows, write)
    if (rows.length < limit) return
    rest -= rows.length
    last = rows.at(-1)
  }
}

/** These rows as text, without keeping other requests waiting. */
export async function writtenRows<Row, Ready = Row>(rows: readonly Row[], writer: Writer<Row, Ready>): Promise<string> {
  const ready: Ready[] = []
  if (typeof writer !== 'function') for (const row of rows) ready.push(await writer.prepare(row))
  try {
    return await writing.run({}, () =>
      runCooperatively(typeof writer === 'function' ? written(rows, writer) : written(ready, writer.write)),
    )
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error
    return fail('datastore_unavailable', { retry_after_seconds: error.retryAfterSeconds })
  }
}

function* written<Row>(rows: readonly Row[], write: (row: Row) => string): Generator<void, string, void> {
  let text = ''
  for (const row of rows) {
    text += write(row)
    yield
  }
  return text
}
