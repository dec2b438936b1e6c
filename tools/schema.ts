import type { Queryable } from '../src/kernel/db/database.ts'
import { sql } from '../src/kernel/db/sql.ts'

/** The schema as the migrations leave it, read from the database's own catalogue, one definition a line. */
export async function dumpSchema(db: Queryable): Promise<string> {
  const [columns, constraints, indexes, functions, domains] = await Promise.all([
    db.query(sql<{ table: string; line: string }>`
      select c.relname as table,
        format('%I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
          case when a.attidentity <> '' then ' generated always as identity'
            when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
            when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end,
          case when a.attnotnull then ' not null' else '' end) as line
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
      order by c.relname, a.attnum`),
    db.query(sql<{ table: string; line: string }>`
      select conrelid::regclass::text as table, pg_get_constraintdef(oid) as line
      from pg_constraint
      where connamespace = 'public'::regnamespace and conrelid <> 0 and contype <> 'n'
        and conrelid::regclass::text <> 'schema_migrations'
      order by conrelid::regclass::text, contype desc, conname`),
    db.query(sql<{ line: string }>`
      select indexdef || ';' as line from pg_indexes i
      where schemaname = 'public' and tablename <> 'schema_migrations'
        and not exists (select from pg_constraint where conindid = (quote_ident(i.indexname))::regclass)
      order by tablename, indexname`),
    db.query(sql<{ line: string }>`
      select pg_get_functiondef(p.oid) || ';' as line from pg_proc p
      where pronamespace = 'public'::regnamespace and prokind = 'f'
        and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
      order by proname`),
    db.query(sql<{ line: string }>`
      select format('create domain %s as %s collate "%s";', t.typname, format_type(t.typbasetype, null), c.collname) as line
      from pg_type t join pg_collation c on c.oid = t.typcollation
      where t.typtype = 'd' and t.typnamespace = 'public'::regnamespace order by 1`),
  ])
  const tables = Map.groupBy(columns, row => row.table)
  const rules = Map.groupBy(constraints, row => row.table)
  const created = [...tables].map(([name, rows]) => {
    const lines = [...rows, ...(rules.get(name) ?? [])].map(row => `  ${row.line}`)
    return `create table ${name} (\n${lines.join(',\n')}\n);`
  })
  const parts = [
    ...domains.map(d => d.line),
    ...functions.map(f => f.line),
    ...created,
    indexes.map(i => i.line).join('\n'),
  ]
  return `-- The schema that the migrations make. Generated; the migrations are what counts.\n\n${parts.join('\n\n')}\n`
}
