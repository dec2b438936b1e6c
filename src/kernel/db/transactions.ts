import type pg from 'pg'
import { clock } from '../time/clock.ts'
import { applyClock } from './client.ts'
import { DatastoreUnavailable, isConflict, statementError, translateError } from './errors.ts'
import type { ServerClient } from './hosts.ts'
import type { Notices } from './notices.ts'
import { onlyRow, type Transaction } from './queryable.ts'
import type { SlowStatements } from './slow-statements.ts'
import type { Sql } from './sql.ts'
import { hasSqlState } from './sqlstate.ts'

/** How often a transaction is run where it ends in a deadlock. */
const MAX_ATTEMPTS = 3

export type TransactionMode = 'read only snapshot' | undefined

/**
 * Runs `work` in a transaction on a connection of the pool: committed if it returns, rolled back if it throws. Deadlocks
 * are retried.
 */
export async function runTransaction<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  mode: TransactionMode,
  slow: SlowStatements,
  notices: Notices,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(pool, work, mode, slow, notices)
    } catch (error) {
      if (!isConflict(error)) throw error
      if (attempt === MAX_ATTEMPTS) throw new DatastoreUnavailable('too many concurrent transactions', { cause: error })
    }
  }
}

async function runOnce<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  mode: TransactionMode,
  slow: SlowStatements,
  notices: Notices,
): Promise<T> {
  const client = await pool.connect().catch(error => {
    throw translateError(error)
  })
  let broken: Error | undefined
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  const committed: (() => void)[] = []
  // the pool opens no other
  const tx = new ClientTransaction(client as unknown as ServerClient, committed, slow)
  try {
    const begin = mode ? 'begin isolation level repeatable read read only' : 'begin'
    notices.clear(client)
    applyClock(client) // before `begin`: a rollback would undo it
    // Not awaited: it travels with the first statement. If it fails, so does that one.
    tx.command(begin).catch(() => {})
    const result = await work(tx)
    const endedAt = clock.monotonic()
    // sent with what was deferred; after a failure among that the server rolls back instead
    if (tx.deferredError) throw tx.deferredError
    const [, ended] = await Promise.all([tx.settleDeferred(), tx.command('commit')])
    slow.ended('commit', endedAt)
    if (ended.command !== 'COMMIT') throw new Error('the transaction was rolled back: an error in it was ignored')
    for (const run of committed) run()
    await settled(notices, client)
    return result
  } catch (error) {
    // what follows a failed statement fails because of it
    const translated = translateError(tx.deferredError ?? error)
    if (translated instanceof DatastoreUnavailable) broken ??= translated
    else await client.query('rollback').catch((lost: Error) => (broken ??= lost))
    throw translated
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

/** Outside of the transaction, which is committed: no failure of the wait may repeat it. */
async function settled(notices: Notices, client: pg.ClientBase): Promise<void> {
  try {
    await notices.settle(client)
  } catch (error) {
    throw error instanceof DatastoreUnavailable
      ? error
      : new DatastoreUnavailable('a change of a key was not confirmed', { cause: error })
  }
}

const nextTick = () => new Promise<void>(resolve => setImmediate(resolve))

/** Statements on one connection. */
export class ClientTransaction implements Transaction {
  readonly #client: ServerClient
  readonly #committed: (() => void)[]
  readonly #slow: SlowStatements | undefined
  #deferred: Promise<unknown>[] = []
  #isCorked = false
  /** The error of the first deferred statement that failed. */
  deferredError: unknown
  constructor(client: ServerClient, committed: (() => void)[], slow?: SlowStatements) {
    this.#client = client
    this.#committed = committed
    this.#slow = slow
  }
  async query<Row>(statement: Sql<Row>): Promise<Row[]> {
    const startedAt = clock.monotonic()
    this.#corkUntilWait()
    try {
      return await this.#client.run(statement)
    } catch (error) {
      // if several were sent together, the one that failed by itself is seen first
      if (hasSqlState(error, 'inFailedTransaction')) await nextTick()
      throw statementError(error)
    } finally {
      this.#slow?.ended(statement.text, startedAt)
    }
  }
  async one<Row>(statement: Sql<Row>): Promise<Row | undefined> {
    return (await this.query(statement))[0]
  }
  async only<Row>(statement: Sql<Row>): Promise<Row> {
    return onlyRow(await this.query(statement))
  }
  /** `begin`, `commit` and the like. */
  command(text: string): Promise<pg.QueryResult> {
    this.#corkUntilWait()
    return this.#client.query(text)
  }
  /** Everything sent before the transaction has to wait for a result leaves in one system call, and is read by one. */
  #corkUntilWait(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    const uncork = this.#client.cork()
    // runs when nothing is left that continues by itself
    process.nextTick(() => {
      this.#isCorked = false
      uncork()
    })
  }
  defer(statement: Sql): void {
    const sent = this.query(statement)
    const deferred = this.#deferred
    // when an attempt is undone, its failures are undone as well
    sent.catch(error => {
      if (this.#deferred === deferred) this.deferredError ??= error
    })
    deferred.push(sent)
  }
  /** Waits for the statements that were deferred, and fails with the first of them. */
  async settleDeferred(): Promise<void> {
    const deferred = this.#deferred
    this.#deferred = []
    await Promise.all(deferred)
  }
  afterCommit(run: () => void): void {
    this.#committed.push(run)
  }
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    // Not awaited: they travel with the statements before and after. If they fail, so do those.
    const send = (text: string) => this.command(text).catch(() => {})
    await this.settleDeferred()
    send('savepoint attempt')
    try {
      const result = await work()
      await this.settleDeferred()
      send('release savepoint attempt')
      return result
    } catch (error) {
      this.#deferred = []
      this.deferredError = undefined
      send('rollback to savepoint attempt')
      send('release savepoint attempt')
      throw error
    }
  }
}
