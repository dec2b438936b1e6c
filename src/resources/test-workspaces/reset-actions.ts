import { QueueFullError } from '../../kernel/async/bounded-queue.ts'
import { TurnQueue } from '../../kernel/async/turn-queue.ts'
import {
  type Database,
  DatastoreUnavailable,
  type Transaction,
  withUnlimitedSession,
} from '../../kernel/db/database.ts'
import { textLock } from '../../kernel/db/locks.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { hasSqlState } from '../../kernel/db/sqlstate.ts'
import type { Services } from '../../kernel/services/services.ts'
import { pause } from '../../kernel/time/pause.ts'
import { grantPlayCredits } from '../credits/index.ts'
import {
  allowLedgerDeletion,
  deleteSuppressionsOfWorkspace,
  inOrder,
  listFolders,
  tenantTables,
} from '../deletions/index.ts'
import { restartLog } from '../events/index.ts'
import { addToLog } from '../workspaces/index.ts'
import { isReset } from './rules.ts'
import { deleteAll, lockRows, noteFiles } from './store.ts'

const MAX_TRIES = 5
const RETRY_MS = 200

/** Calls that wait in this process hold no session of the database. */
const queue = new TurnQueue({ concurrency: 4, capacity: 100, retryAfterSeconds: 10 })

/**
 * Runs one reset or seed of a workspace after the other, in all processes: a reset must not meet the records that another
 * call is still adding. A process that dies gives up its lock with its session.
 */
export async function oneAtATime<T>(db: Database, workspace: string, work: () => Promise<T>): Promise<T> {
  const locked = () =>
    withUnlimitedSession(db, async session => {
      await session.query(sql`select pg_advisory_lock(${textLock('testRun', workspace)})`)
      return work()
    })
  try {
    return await queue.run(workspace, locked)
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error
    throw new DatastoreUnavailable('too many resets of the workspace wait', { cause: error })
  }
}

/**
 * Empties a test workspace in one transaction: readers see all of it or nothing. Members, keys, endpoints and settings
 * stay. A request in flight that adds to a record which goes makes it fail, and it is tried again; what such a request
 * adds afterwards is there after the reset.
 */
export async function emptyWorkspace(services: Pick<Services, 'db' | 'blobs'>, workspace: string): Promise<void> {
  const { db, blobs } = services
  const files: string[] = []
  for (const folder of listFolders(workspace).filter(name => !name.startsWith('logos/')))
    for await (const key of blobs.list(folder)) files.push(key)
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction(tx => emptyIn(tx, workspace, files))
    } catch (error) {
      if (!hasSqlState(error, 'foreignKeyViolation')) throw error
      if (tries === MAX_TRIES) throw new DatastoreUnavailable('too many concurrent writes', { cause: error })
      await pause(RETRY_MS)
    }
  }
}

async function emptyIn(tx: Transaction, workspace: string, files: readonly string[]): Promise<void> {
  await tx.query(allowLedgerDeletion())
  for (const statement of restartLog(workspace)) await tx.query(statement)
  const tables = inOrder((await tx.query(tenantTables())).filter(({ name }) => isReset(name)))
  // first what others refer to: a request that adds to a locked record waits, and then does not find it
  const parents = new Set(tables.flatMap(table => table.refers_to))
  for (const { name } of tables.toReversed()) if (parents.has(name)) await tx.query(lockRows(name, workspace))
  // until a whole round finds nothing: triggers write rows, such as counts, while others are deleted
  for (let found = true; found; ) {
    found = false
    for (const { name } of tables) if ((await tx.only(deleteAll(name, workspace))).removed > 0) found = true
  }
  const statements: readonly Sql[] = [...deleteSuppressionsOfWorkspace(workspace), noteFiles(workspace, files)]
  for (const statement of statements) await tx.query(statement)
  await grantPlayCredits(tx, workspace)
  await tx.query(addToLog(workspace, 'reset', null, {}))
}
