import type { Queryable } from '../../src/kernel/db/database.ts'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'

/** What is looked up in the system catalogs; each query returns one line for each object. */
const QUERIES: readonly Sql<{ line: string }>[] = [
  // tables, views, indexes, sequences: persistence, storage parameters (of the TOAST table too), grants, row security
  sql`
    select format('relation %s %s kind=%s persistence=%s options=%s toast_options=%s acl=%s rls=%s identity=%s am=%s',
      c.relname, t.typname, c.relkind, c.relpersistence, c.reloptions, toast.reloptions, c.relacl, c.relrowsecurity,
      c.relreplident, am.amname) as line
    from pg_class c
    left join pg_class toast on toast.oid = c.reltoastrelid
    left join pg_type t on t.oid = c.reltype
    left join pg_am am on am.oid = c.relam
    where c.relnamespace = 'public'::regnamespace`,
  // columns in their order; the attribute number itself has gaps where a column was dropped
  sql`
    select format('column %s #%s %s %s null=%s identity=%s generated=%s default=%s collation=%s storage=%s compression=%s statistics=%s options=%s acl=%s',
      c.relname, row_number() over (partition by c.oid order by a.attnum), a.attname,
      format_type(a.atttypid, a.atttypmod), not a.attnotnull, a.attidentity, a.attgenerated,
      pg_get_expr(d.adbin, d.adrelid), l.collname, a.attstorage, a.attcompression, a.attstattarget, a.attoptions,
      a.attacl) as line
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    left join pg_collation l on l.oid = a.attcollation
    where c.relnamespace = 'public'::regnamespace`,
  sql`
    select format('constraint %s %s %s validated=%s enforced=%s index=%s', conrelid::regclass, conname,
      pg_get_constraintdef(oid), convalidated, to_jsonb(c)->>'conenforced', conindid::regclass) as line
    from pg_constraint c where connamespace = 'public'::regnamespace`,
  sql`select 'index ' || indexdef as line from pg_indexes where schemaname = 'public'`,
  sql`select format('view %s %s', viewname, definition) as line from pg_views where schemaname = 'public'`,
  sql`
    select format('trigger %s enabled=%s', pg_get_triggerdef(oid), tgenabled) as line
    from pg_trigger where not tgisinternal`,
  sql`
    select format('function %s acl=%s cost=%s rows=%s', pg_get_functiondef(oid), proacl, procost, prorows) as line
    from pg_proc p where pronamespace = 'public'::regnamespace and prokind = 'f'
      and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`,
  sql`
    select format('type %s %s base=%s null=%s default=%s collation=%s acl=%s', typname, typtype,
      format_type(typbasetype, typtypmod), not typnotnull, typdefault, typcollation::regcollation, typacl) as line
    from pg_type t where typnamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = t.oid and deptype = 'e')`,
  sql`
    select format('sequence %s %s start=%s increment=%s max=%s cycle=%s cache=%s', sequencename, data_type, start_value,
      increment_by, max_value, cycle, cache_size) as line
    from pg_sequences where schemaname = 'public'`,
  sql`select format('extension %s %s %s', extname, extversion, extnamespace::regnamespace) as line from pg_extension`,
  sql`
    select format('text search dictionary %s %s %s', dictname, tmplname, dictinitoption) as line
    from pg_ts_dict d join pg_ts_template t on t.oid = d.dicttemplate where dictnamespace = 'public'::regnamespace`,
  sql`
    select format('text search configuration %s token=%s #%s %s', c.cfgname, m.maptokentype, m.mapseqno, m.mapdict::regdictionary) as line
    from pg_ts_config c join pg_ts_config_map m on m.mapcfg = c.oid where c.cfgnamespace = 'public'::regnamespace`,
  sql`
    select format('comment %s %s', pg_describe_object(classoid, objoid, objsubid), description) as line
    from pg_description d where not exists (select from pg_depend e where e.objid = d.objoid and e.deptype = 'e')
      and objoid >= 16384`,
  sql`
    select format('statistics %s', pg_get_statisticsobjdef(oid)) as line
    from pg_statistic_ext where stxnamespace = 'public'::regnamespace`,
  sql`select format('default grants %s %s', defaclobjtype, defaclacl) as line from pg_default_acl`,
  sql`select format('policy %s %s', tablename, policyname) as line from pg_policies`,
]

/**
 * Everything that migrations can leave behind, one object a line, sorted: also what schema.sql does not show, such as
 * storage parameters, statistics targets, names of constraints, sequences, grants, comments and text search objects.
 */
export async function describeCatalog(db: Queryable): Promise<string[]> {
  const results = await Promise.all(QUERIES.map(query => db.query(query)))
  return results
    .flat()
    .map(row => row.line)
    .sort()
}

/** How many rows each table has: what a new store starts with. */
export async function countRows(db: Queryable): Promise<Record<string, number>> {
  const rows = await db.query(sql<{ table: string; rows: number }>`
    select relname as table,
      (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', relname), false, true, '')))[1]::text::integer as rows
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`)
  return Object.fromEntries(rows.map(({ table, rows: n }) => [table, n]))
}
