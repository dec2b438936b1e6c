import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, constants } from 'node:zlib'
import { API_LIMITS } from '../../src/contract/limits.ts'
import { raw, sql } from '../../src/kernel/db/sql.ts'
import { type DemoData, encodeData } from '../data.ts'
import { seeded } from '../random.ts'
import { END, iso, type Replay } from './replay.ts'

/** Not part of the demo: what belongs to the installation, what triggers and workers rebuild, what expires. */
const LEFT_OUT = new Set([
  ...['demo_clock', 'schema_migrations', 'installation', 'feed_state', 'worker_turns', 'imports', 'exports', 'uploads'],
  ...['application_funnel', 'funnel_by_day', 'funnel_by_job', 'funnel_by_job_and_source', 'funnel_changes'],
  ...[
    'job_search',
    'job_words',
    'job_rescores',
    'application_search',
    'search_rebuilds',
    'pool_terms',
    'pool_vocabulary',
    'pool_short_parts',
    'pool_counting',
  ],
  ...['sessions', 'sign_in_attempts', 'sign_in_tickets', 'oidc_records', 'oidc_signing_keys', 'idempotency_records'],
  ...[
    'rate_windows',
    'monthly_usage',
    'blob_deletions',
    'file_deletions',
    'outbox',
    'erasure_inquiries',
    'template_form_changes',
  ],
  ...['alerts', 'alert_notifications', 'partner_sessions', 'workspace_retention', 'secret_keys', 'secret_key_holders'],
  ...[
    'candidate_mails',
    'candidate_links',
    'candidate_sessions',
    'pending_submissions',
    'spent_challenges',
    'team_mails',
  ],
  ...['key_caches', 'key_changes'],
])

const random = seeded('dump')
/** Secrets are made by the loader. What the database chooses or a stopwatch measures is chosen here, the same every time. */
const REPLACED: Readonly<
  Record<string, Readonly<Record<string, (value: unknown, row: Record<string, unknown>) => unknown>>>
> = {
  api_key_secrets: { secret_hash: () => '' },
  application_files: { id: () => random.uuid() },
  connected_app_secrets: { secret_hash: () => '' },
  message_templates: { id: () => random.uuid() },
  webhook_secrets: { sealed: () => '' },
  users: { password_hash: () => null },
  jobs: { dial_in_code: value => (value === null ? null : String(random.int(100_000, 999_999))) },
  webhook_attempts: { duration_ms: (value, row) => likelyDuration(value, row['sent_at'], Number(row['attempt'])) },
  request_log: { duration_ms: (_, row) => likelyMilliseconds(String(row['id']), Number(row['status'])) },
  webhook_endpoints: { last_attempt_ms: (value, row) => likelyDuration(value, row['created_at'], 1) },
}

const TIMEOUT_MS = API_LIMITS.webhookTimeoutSeconds * 1_000

const likelyDuration = (measured: unknown, at: unknown, attempt: number): number =>
  (Number(measured) < TIMEOUT_MS ? 20 : TIMEOUT_MS) + (Math.floor(Date.parse(String(at)) / 60_000 + attempt * 37) % 160)

/** Mostly a few milliseconds, at times much more; refused requests take next to none. */
function likelyMilliseconds(id: string, status: number): number {
  const chance = Number.parseInt(id.slice(-4), 36) % 1000
  const usual = status >= 400 ? 1 + (chance % 3) : 3 + (chance % 14)
  return chance >= 960 ? usual * 12 : usual
}

/** The rows, files and emails of a replay, with every time and text as the loader expects it. */
export async function dump(
  { services }: Replay,
  renamed: readonly (readonly [string, string])[],
  mails: readonly string[],
): Promise<Buffer> {
  const { db, blobs } = services
  const texts = [...renamed, ...(await deliveryNames(services))]
  const rename = (text: string) => renamed.reduce((all, [from, to]) => all.replaceAll(from, to), text)
  const data: DemoData = { end: iso(END), tables: [], files: [], mails: mails.map(rename) }
  for (const name of await tablesInOrder(services)) {
    const { columns, order } = await describeTable(services, name)
    const rows = await db.query(sql<{ row: Record<string, unknown> }>`
      select to_jsonb(r) as row from (select ${raw(columns)} from ${raw(name)} order by ${raw(order)}) r`)
    if (rows.length === 0) continue
    const replaced = Object.entries(REPLACED[name] ?? {})
    for (const { row } of rows) for (const [column, replace] of replaced) row[column] = replace(row[column], row)
    let lines = rows.map(({ row }) => JSON.stringify(row))
    for (const [from, to] of texts)
      if (lines.some(line => line.includes(from))) lines = lines.map(line => line.replaceAll(from, to))
    // in the order of the ids that they have now
    if (name.startsWith('webhook_')) lines.sort()
    data.tables.push({ name, rows: `[${lines.join(',')}]` })
  }
  const files = await db.query(sql<{ key: string; type: string }>`
    select blob_key as key, mime as type from resumes union all select blob_key, mime from attachments
    union all select blob_key, mime from application_files union all select blob_key, mime from order_reports
    union all select logo_blob_key, logo_mime from career_sites where logo_blob_key is not null order by 1`)
  for (const { key, type } of files) data.files.push({ key, type, body: await buffer((await blobs.get(key))!.stream) })
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
  return brotliCompressSync(encodeData(data), { params })
}

/** The database gives deliveries their ids, by chance: ids by their place in the log instead. */
async function deliveryNames({ db }: Replay['services']): Promise<[string, string][]> {
  const deliveries = await db.query(sql<{ id: string }>`
    select d.id from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
    order by e.created_at, d.event_sequence nulls first, d.created_at, d.kind, e.id`)
  return deliveries.map(({ id }) => [id, random.uuid()])
}

/** Those that others refer to first. */
async function tablesInOrder({ db }: Replay['services']): Promise<string[]> {
  const tables = await db.query(sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`)
  const references = await db.query(sql<{ from: string; to: string }>`
    select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
    where contype = 'f' and conrelid <> confrelid`)
  const ordered: string[] = []
  const visit = (name: string) => {
    if (ordered.includes(name)) return
    for (const { from, to } of references) if (from === name) visit(to)
    ordered.push(name)
  }
  for (const { name } of tables) visit(name)
  return ordered.filter(name => !LEFT_OUT.has(name))
}

/** Columns as they are selected, days in the form that the loader shifts; rows in the order of their key. */
async function describeTable({ db }: Replay['services'], table: string): Promise<{ columns: string; order: string }> {
  const columns = await db.query(sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`)
  const key = await db.query(sql<{ name: string }>`
    select a.attname as name from pg_index i
    cross join unnest(i.indkey::smallint[]) with ordinality k(attnum, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = ${table}::regclass and i.indisprimary order by k.place`)
  const times = columns.filter(({ type }) => type.startsWith('timestamp')).map(({ name }) => `"${name}"`)
  const selected = columns.map(({ name, type }) =>
    type === 'date' ? `to_char("${name}", 'YYYY-MM-DD"T"00:00:00.000"Z"') as "${name}"` : `"${name}"`,
  )
  const first = times.find(name => /created_at|requested_at|applied_at|at"/.test(name))
  return {
    columns: selected.join(', '),
    order: [...(first ? [first] : []), ...key.map(({ name }) => `"${name}"`)].join(', ') || '1',
  }
}
