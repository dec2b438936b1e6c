import pg from 'pg'
import { getOrCreate } from '../async/get-or-create.ts'
import type { Sql } from './sql.ts'

type Value = string | null
/** Makes a row of the values of its columns, in their order. */
type RowReader = (values: readonly Value[]) => object

interface Column {
  name: string
  dataTypeID: number
}

interface DriverConnection {
  describe(portal: object): void
}

/** The used part of the driver's own class, whose types leave most of it out. */
interface DriverQuery {
  name: string
  values: readonly unknown[]
  callback: (error: unknown, rows?: object[]) => void
  prepare(connection: DriverConnection): void
}

const DriverQuery = pg.Query as unknown as new (text: string) => DriverQuery

/** One connection knows this of the statements that it has prepared. */
export class PreparedStatements {
  readonly readers = new Map<string, RowReader>()
  readonly parserOf: (type: number) => (text: string) => unknown
  #undescribed: DriverConnection | undefined

  constructor(parserOf: (type: number) => (text: string) => unknown) {
    this.parserOf = parserOf
  }

  /** The same connection, on which nothing is asked for the columns of a statement. */
  undescribed(connection: DriverConnection): DriverConnection {
    this.#undescribed ??= Object.create(connection, { describe: { value: () => {} } }) as DriverConnection
    return this.#undescribed
  }
}

/**
 * A statement with a name. The driver asks for the columns of the rows with every execution, and makes each row column by
 * column from the description; for a row of sixty columns the description is most of the bytes. Here
 * a connection asks once, and rows are made by a function that is compiled for their columns. The server refuses to run a
 * prepared statement whose columns have changed, so they are the same for as long as the connection is.
 */
export class PreparedQuery extends DriverQuery {
  readonly #prepared: PreparedStatements
  readonly #rows: object[] = []
  #reader: RowReader | undefined
  #failure: unknown

  constructor(
    { name, text, values }: Sql,
    prepared: PreparedStatements,
    callback: (error: unknown, rows?: object[]) => void,
  ) {
    super(text)
    this.name = name
    this.values = values
    this.callback = callback
    this.#prepared = prepared
  }

  override prepare(connection: DriverConnection): void {
    this.#reader = this.#prepared.readers.get(this.name)
    super.prepare(this.#reader ? this.#prepared.undescribed(connection) : connection)
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    this.#learn(readerOf(fields, this.#prepared.parserOf))
  }

  handleDataRow({ fields }: { fields: readonly Value[] }): void {
    try {
      this.#rows.push(this.#reader!(fields))
    } catch (error) {
      this.#failure ??= error
    }
  }

  handleCommandComplete(): void {
    if (!this.#reader) this.#learn(NO_COLUMNS)
  }

  handleError(error: unknown): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    if (this.#failure === undefined) this.callback(null, this.#rows)
    else this.callback(this.#failure)
  }

  #learn(reader: RowReader): void {
    this.#reader = reader
    this.#prepared.readers.set(this.name, reader)
  }
}

const NO_COLUMNS: RowReader = () => ({})

/** By columns: the connections of a process share what was compiled. */
const readers = new Map<string, RowReader>()

function readerOf(columns: readonly Column[], parserOf: PreparedStatements['parserOf']): RowReader {
  const signature = columns.map(({ name, dataTypeID }) => `${dataTypeID} ${name}`).join()
  return getOrCreate(readers, signature, () => {
    const asText = parserOf(pg.types.builtins.TEXT)
    const parsers = columns.map(({ dataTypeID }) => parserOf(dataTypeID))
    const members = columns.map(({ name }, i) => {
      const value = parsers[i] === asText ? `v[${i}]` : `v[${i}] === null ? null : parsers[${i}](v[${i}])`
      return `${JSON.stringify(name)}: ${value}`
    })
    return new Function('parsers', `return v => ({ ${members.join(', ')} })`)(parsers) as RowReader
  })
}
