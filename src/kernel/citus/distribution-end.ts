import type { DbSession } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { COPIES, inTransaction, OLD, type Report, TRIGGER } from './distribution.ts'

/** Removes what a distribution made or replaced. */

/** The tables as they were at the switch: no erasure reaches them, so they are not kept. */
export async function dropOldTables(session: DbSession, onProgress: Report): Promise<void> {
  for (const schema of [OLD, COPIES]) {
    const there = await session.one(sql`select 1 from pg_namespace where nspname = ${schema}`)
    if (!there) continue
    await inTransaction(session, onProgress, () => session.script(`drop schema ${schema} cascade`))
    if (schema === OLD) onProgress('the tables as they were before are dropped')
  }
}

/** Removes the copies and what notes changes. The tables of the store are as before. */
export async function dropCopies(session: DbSession, onProgress: Report): Promise<void> {
  const noted = await session.query(sql<{ name: string }>`
    select tgrelid::regclass::text as name from pg_trigger where tgname = ${TRIGGER} order by 1`)
  for (const { name } of noted)
    await inTransaction(session, onProgress, () => session.script(`drop trigger if exists ${TRIGGER} on ${name}`))
  await inTransaction(session, onProgress, () => session.script(`drop schema if exists ${COPIES} cascade`))
}
