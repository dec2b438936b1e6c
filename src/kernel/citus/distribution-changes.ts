import type { DbSession } from '../db/database.ts'
import { raw, type Sql, sql } from '../db/sql.ts'
import { COPIES, type CopiedTable, inSnapshot, inTransaction, type Report, TRIGGER } from './distribution.ts'

/** Rows that change while their tables are copied: triggers note their keys, and the rows are applied to the copies. */

/** A row's place in the order of the primary key, as text of JSON; null: before the first or after the last. */
export type Key = string | null

const keyOf = ({ keys }: CopiedTable, alias: string): string =>
  `(${keys.map(key => `${alias}.${key.name}`).join(', ')})`

/** As a value: in JSON, times and dates are read the same whatever the settings of a session are. */
export const buildKeyJson = ({ keys }: CopiedTable, alias: string): string =>
  `jsonb_build_array(${keys.map(key => `${alias}.${key.name}`).join(', ')})`

const keyIn = ({ keys }: CopiedTable, json: string): Sql => {
  const values = keys.map(({ type }, i) => sql`(${json}::jsonb->>${raw(String(i))})::${raw(type)}`)
  return sql`(${values.reduce((all, next) => sql`${all}, ${next}`)})`
}

export const bounds = (table: CopiedTable, alias: string, operator: '>' | '<=', key: Key): Sql =>
  key === null ? raw('true') : sql`${raw(keyOf(table, alias))} ${raw(operator)} ${keyIn(table, key)}`

/** From then on the keys of rows that change are in changed_rows: those before and after the change. */
export async function noteChanges(
  session: DbSession,
  tables: readonly CopiedTable[],
  onProgress: Report,
): Promise<void> {
  for (const table of tables) {
    const note = (row: 'old' | 'new') =>
      `insert into ${COPIES}.changed_rows (name, key) values ('${table.name}', ${buildKeyJson(table, row)});`
    await inTransaction(session, onProgress, async () => {
      // with the rights of its owner: the service writes its own tables only
      await session.script(`
        create or replace function ${COPIES}.note_${table.name}() returns trigger
        language plpgsql security definer set search_path = pg_catalog as $$
        begin
          if tg_op = 'INSERT' then ${note('new')}
          elsif tg_op = 'DELETE' then ${note('old')}
          else
            ${note('old')}
            if ${buildKeyJson(table, 'new')} <> ${buildKeyJson(table, 'old')} then ${note('new')} end if;
          end if;
          return null;
        end $$`)
      await session.script(`
        create or replace trigger ${TRIGGER} after insert or update or delete on public.${table.name}
        for each row execute function ${COPIES}.note_${table.name}()`)
      await session.script(`alter table public.${table.name} enable always trigger ${TRIGGER}`)
    })
  }
}

const changedKeys = (table: CopiedTable): Sql => sql`
  select distinct ${raw(
    table.keys.map(({ type }, i) => `(key->>${i})::${type} as k${i}`).join(', '),
  )} from ${raw(COPIES)}.changed_rows where name = ${table.name}`

/**
 * Makes the copy the same as the table as far as `upTo`, in the transaction of the session: rows that have changed are
 * removed, and inserted as they are now. Nothing may have changed since the first statement of that transaction, or it must
 * not see it.
 */
export async function applyChanges(session: DbSession, table: CopiedTable, upTo: Key): Promise<void> {
  const { name } = table
  const some = await session.one(sql`select 1 from ${raw(COPIES)}.changed_rows where name = ${name} limit 1`)
  if (!some) return
  const changed = sql`with k as materialized (${changedKeys(table)})`
  const names = raw(`(${table.keys.map((_, i) => `k.k${i}`).join(', ')})`)
  await session.query(sql`
    ${changed} delete from ${raw(`${COPIES}.${name}`)} as c using k where ${raw(keyOf(table, 'c'))} = ${names}`)
  await session.query(sql`
    ${changed} insert into ${raw(`${COPIES}.${name} (${table.columns.join(', ')})`)} overriding system value
    select ${raw(table.columns.map(column => `s.${column}`).join(', '))}
    from k join public.${raw(name)} as s on ${raw(keyOf(table, 's'))} = ${names}
    where ${bounds(table, 's', '<=', upTo)}`)
  await session.query(sql`delete from ${raw(COPIES)}.changed_rows where name = ${name}`)
}

export const TO_THE_END = null

/** Applies what has changed to the copies that are complete; each table by itself, so that no transaction is long. */
export async function catchUp(session: DbSession, tables: readonly CopiedTable[]): Promise<void> {
  const waiting = await session.query(sql<{ name: string }>`
    select name from ${raw(COPIES)}.copied_tables t where is_copied
      and exists (select from ${raw(COPIES)}.changed_rows r where r.name = t.name)`)
  const names = new Set(waiting.map(({ name }) => name))
  for (const table of tables.filter(({ name }) => names.has(name)))
    await inSnapshot(session, () => applyChanges(session, table, TO_THE_END))
}

export const countChanges = async (session: DbSession): Promise<number> =>
  (await session.only(sql<{ n: number }>`select count(*)::integer as n from ${raw(COPIES)}.changed_rows`)).n
