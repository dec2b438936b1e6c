import type { Sql } from './sql.ts'

/** The database itself, a transaction or a session can run statements. */
export interface Queryable {
  /** all rows */
  query<Row>(statement: Sql<Row>): Promise<Row[]>
  /** the first row, or undefined */
  one<Row>(statement: Sql<Row>): Promise<Row | undefined>
  /** the row of a statement that always returns one */
  only<Row>(statement: Sql<Row>): Promise<Row>
}

export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a statement that always returns a row returned none')
  return row
}

export interface Transaction extends Queryable {
  /**
   * Sends a statement without waiting for its end: it saves a round trip where nothing depends on its result. It runs in
   * its place; if it fails, so does the transaction, with its error.
   */
  defer(statement: Sql): void
  /** Runs after the commit, and only then. */
  afterCommit(run: () => void): void
  /** If `work` fails, what it did is undone and the transaction can continue; without this a failed statement ends it. */
  attempt<T>(work: () => Promise<T>): Promise<T>
}

export interface DbSession extends Queryable {
  /** several statements in one text, without parameters: migrations */
  script(text: string): Promise<void>
  close(): Promise<void>
}

export interface ListeningSession extends DbSession {
  /** A hint that something happened: it is lost with the connection. */
  listen(channel: string, heard: (payload: string) => void): Promise<void>
}
