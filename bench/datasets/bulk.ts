import type pg from 'pg'

/** Fills empty tables without their indexes, except those that rows are told apart by, and makes these at the end. */
export async function inBulk(db: pg.Client, tables: readonly string[], fill: () => Promise<void>): Promise<void> {
  const { rows } = await db.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = any($1::regclass[]) and not indisprimary`,
    [tables],
  )
  await db.query(`set maintenance_work_mem = '256MB'`)
  for (const { name } of rows) await db.query(`drop index ${name}`)
  await fill()
  for (const { definition } of rows) await db.query(definition)
}
