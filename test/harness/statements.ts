import type { Database, Transaction } from '../../src/kernel/db/database.ts'
import { onlyRow } from '../../src/kernel/db/queryable.ts'
import type { Sql } from '../../src/kernel/db/sql.ts'
import type { TestService } from './service.ts'

/**
 * Records every statement that the service gives to its database, in order. A transaction shows as `begin` and its
 * statements. `stopLoops` first, or statements that belong to no request are recorded too.
 */
export function recordStatements(db: Database): { during(work: () => Promise<unknown>): Promise<string[]> } {
  let recorded: string[] = []
  const note = (text: string) => recorded.push(text.replaceAll(/\s+/g, ' ').trim())
  const noted =
    <Row, Result>(run: (statement: Sql<Row>) => Promise<Result>) =>
    (statement: Sql<Row>) => {
      note(statement.text)
      return run(statement)
    }
  const original = {
    query: db.query.bind(db),
    lookUp: db.lookUp.bind(db),
    transaction: db.transaction.bind(db),
    now: db.now.bind(db),
  }
  db.query = noted(original.query) as Database['query']
  db.lookUp = noted(original.lookUp) as Database['lookUp']
  db.now = () => {
    note('select app_now()')
    return original.now()
  }
  db.transaction = (work, opts) =>
    original.transaction(tx => {
      note('begin')
      const query = noted(tx.query.bind(tx)) as Transaction['query']
      return work({
        query,
        one: async statement => (await query(statement))[0],
        only: async statement => onlyRow(await query(statement)),
        afterCommit: run => tx.afterCommit(run),
        attempt: inner => tx.attempt(inner),
        defer: statement => {
          note(statement.text)
          tx.defer(statement)
        },
      })
    }, opts)
  return {
    async during(work) {
      recorded = []
      await work()
      return recorded
    },
  }
}

/** What a process writes now and then about its requests: figures of use, and the request log. */
export async function stopLoops({ services }: TestService): Promise<void> {
  await services.usage.stop()
  await services.requestLog.stop()
}
