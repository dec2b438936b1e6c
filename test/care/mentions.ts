import type { Database } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'

/** Every text of the database that has the handle of a workspace, by table. */
export async function mentions(db: Database, workspace: string): Promise<string[]> {
  const all = await db.query(sql<{ name: string }>`
    select relname::text as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`)
  const found: string[] = []
  for (const { name } of all) {
    const text = `select 1 as n from "${name}" t where t::text like '%' || $1 || '%' limit 1`
    if ((await db.query({ text, values: [workspace], name: '' })).length > 0) found.push(name)
  }
  return found.sort()
}
