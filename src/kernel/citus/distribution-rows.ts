import type { DbSession } from '../db/database.ts'
import { raw, sql } from '../db/sql.ts'
import { present } from '../errors/present.ts'
import { clock } from '../time/clock.ts'
import { COPIES, type CopiedTable, inSnapshot, type Report, requireSameSchema } from './distribution.ts'
import { applyChanges, bounds, buildKeyJson, catchUp, type Key, TO_THE_END } from './distribution-changes.ts'

/** Fills the copies of a distribution with rows, and compares them with the tables. */

/** how often a batch in the middle of a table is reported, and changes of tables that are copied are applied */
const REPORT_MS = 5_000
const CATCH_UP_MS = 60_000

interface CopyState {
  name: string
  /** the last key that is copied */
  key: Key
  rows: number
  is_copied: boolean
}

/** Bytes of all tables, and how many of them are copied: for the time that is left. */
class Meter {
  readonly #began = clock.monotonic()
  readonly #total: number
  #done = 0
  #copied = 0

  constructor(total: number) {
    this.#total = total
  }

  add(bytes: number, counts: 'now' | 'before'): void {
    this.#done += bytes
    if (counts === 'now') this.#copied += bytes
  }

  text(): string {
    if (this.#total === 0) return '100 %'
    const share = Math.min(100, Math.floor((this.#done / this.#total) * 100))
    if (this.#copied === 0) return `${share} %`
    const seconds = ((clock.monotonic() - this.#began) / 1_000) * ((this.#total - this.#done) / this.#copied)
    return `${share} % of ${(this.#total / 1e6).toFixed(1)} MB, about ${Math.max(0, Math.round(seconds))} s left`
  }
}

/**
 * Copies the rows in batches, each in a transaction of its own that also notes how far it is. A batch sees one state of the
 * table, and what was copied before is brought to that state first: so a value that must be unique, and went from a row to
 * another, is never there twice.
 */
export async function copyRows(
  session: DbSession,
  tables: readonly CopiedTable[],
  opts: { sizes: ReadonlyMap<string, { rows: number; bytes: number }>; resumes: boolean; batchRows: number },
  onProgress: Report,
): Promise<void> {
  const meter = new Meter([...opts.sizes.values()].reduce((sum, { bytes }) => sum + bytes, 0))
  const rows = await session.query(sql<CopyState>`
    select name, key::text as key, rows::float8 as rows, is_copied from ${raw(COPIES)}.copied_tables`)
  const states = new Map(rows.map(state => [state.name, state]))
  let caughtUpAt = clock.monotonic()
  for (const [i, table] of tables.entries()) {
    const state = present(states.get(table.name), table.name)
    const size = present(opts.sizes.get(table.name), table.name)
    const bytesOf = (rows: number) => (size.bytes * Math.min(rows, size.rows)) / Math.max(size.rows, 1)
    meter.add(state.is_copied ? size.bytes : bytesOf(state.rows), 'before')
    // what an interrupted run copied, and did not note: a node commits before the coordinator
    if (!state.is_copied && opts.resumes) await inSnapshot(session, () => deleteAfter(session, table, state.key))
    let reportedAt = clock.monotonic()
    while (!state.is_copied) {
      const before = state.rows
      await inSnapshot(session, () => copyBatch(session, table, state, opts.batchRows))
      meter.add(state.is_copied ? size.bytes - bytesOf(before) : bytesOf(state.rows) - bytesOf(before), 'now')
      const now = clock.monotonic()
      if (state.rows > 0 && (state.is_copied || now >= reportedAt + REPORT_MS)) {
        reportedAt = now
        onProgress(`${i + 1} of ${tables.length}: ${table.name}, ${state.rows} rows; ${meter.text()}`)
      }
      if (now >= caughtUpAt + CATCH_UP_MS) {
        await catchUp(session, tables)
        caughtUpAt = clock.monotonic()
      }
    }
  }
}

async function deleteAfter(session: DbSession, table: CopiedTable, key: Key): Promise<void> {
  await session.query(sql`
    delete from ${raw(`${COPIES}.${table.name}`)} as c where ${bounds(table, 'c', '>', key)}`)
}

async function copyBatch(session: DbSession, table: CopiedTable, state: CopyState, batchRows: number): Promise<void> {
  const { name } = table
  const source = raw(`public.${name} as s`)
  const order = raw(table.keys.map(key => `s.${key.name}`).join(', '))
  const page = await session.only(sql<{ rows: number; key: Key }>`
    with page as (select row_number() over (order by ${order}) as place, ${raw(buildKeyJson(table, 's'))} as key
      from ${source} where ${bounds(table, 's', '>', state.key)} order by ${order} limit ${batchRows})
    select count(*)::integer as rows, (select key::text from page order by place desc limit 1) as key from page`)
  if (state.rows > 0) await applyChanges(session, table, state.key)
  else await session.query(sql`delete from ${raw(COPIES)}.changed_rows where name = ${name}`)
  if (page.rows > 0) {
    await session.query(sql`
      insert into ${raw(`${COPIES}.${name} (${table.columns.join(', ')})`)} overriding system value
      select ${raw(table.columns.map(column => `s.${column}`).join(', '))} from ${source}
      where ${bounds(table, 's', '>', state.key)} and ${bounds(table, 's', '<=', page.key)}`)
  }
  state.rows += page.rows
  state.key = page.key ?? state.key
  state.is_copied = page.rows < batchRows
  await session.query(sql`
    update ${raw(COPIES)}.copied_tables
    set key = ${state.key}::jsonb, rows = ${state.rows}::bigint, is_copied = ${state.is_copied}::boolean
    where name = ${name}`)
}

/** How a value is written as text, on the coordinator and on the nodes. */
const AS_TEXT = {
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
}

/** Compares every row of every table with its copy, in one state of both; the service goes on. */
export async function compareCopies(
  session: DbSession,
  tables: readonly CopiedTable[],
  onProgress: Report,
): Promise<void> {
  const names = tables.map(({ name }) => name)
  let rows = 0
  for (const table of tables) {
    let found = 0
    await inSnapshot(session, async () => {
      for (const [name, value] of Object.entries(AS_TEXT)) await session.script(`set local ${name} = '${value}'`)
      await applyChanges(session, table, TO_THE_END)
      const own = await session.only(sumOf('public', table))
      const copied = await session.only(sumOf(COPIES, table))
      if (own.rows !== copied.rows || own.sum !== copied.sum) {
        await requireSameSchema(session, names)
        throw new Error(`the copy of ${table.name} differs: ${copied.rows} rows for ${own.rows}`)
      }
      found = own.rows
    })
    rows += found
    // plans of the first statements after the switch depend on it
    if (found > 0) await session.script(`analyze ${COPIES}.${table.name}`)
  }
  onProgress(`${rows} rows are the same in the copies`)
}

const sumOf = (schema: string, { name }: CopiedTable) => sql<{ rows: number; sum: string }>`
  select count(*)::float8 as rows, coalesce(sum(hashtextextended(t::text, 0)), 0)::text as sum
  from ${raw(`${schema}.${name}`)} as t`
