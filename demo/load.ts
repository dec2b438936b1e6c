import { hashSecret, newKeySecret } from '../src/kernel/access/key-format.ts'
import type { Keyring } from '../src/kernel/crypto/signing.ts'
import type { Queryable, Transaction } from '../src/kernel/db/database.ts'
import { LOCKS } from '../src/kernel/db/locks.ts'
import { raw, sql } from '../src/kernel/db/sql.ts'
import type { Services } from '../src/kernel/services/services.ts'
import { clock } from '../src/kernel/time/clock.ts'
import { indexPoolProfiles, type StoredPoolProfile } from '../src/resources/pool/index.ts'
import { newSigningSecret, secretContext } from '../src/resources/webhooks/index.ts'
import { DEMO_KEY_NAME, demoSecret, giveOwnerPassword } from './credentials.ts'
import { type DemoData, readData, shifted } from './data.ts'
import { decodeMail } from './mails.ts'

export interface DemoSummary {
  workspaces: { id: string; name: string; plan: string | null }[]
  counts: Record<string, number>
  milliseconds: number
}

/** Where the demo is loaded. */
type Target = Pick<Services, 'db' | 'blobs' | 'outbox' | 'keyring' | 'publicUrl' | 'log'>

/** Enough to keep the disk busy, few enough for a store over the network. */
const FILE_CONCURRENCY = 16

/**
 * Fills an empty store with the rows and files of `data.br`, its times moved to the present. All rows are one
 * transaction, and the files are written before it is committed: a process that dies during the load leaves an empty
 * store. Of processes that start together one loads; the others wait for it and find the store filled. Returns undefined
 * if the store holds a workspace.
 */
export async function loadDemo(target: Target): Promise<DemoSummary | undefined> {
  const { db, keyring, log } = target
  const started = clock.monotonic()
  if (await hasWorkspaces(db)) return undefined
  const loaded = await db.transaction(async tx => {
    // who waits for another process waits as long as its load takes
    await tx.query(sql`set local statement_timeout = 0`)
    await tx.query(sql`select pg_advisory_xact_lock(${LOCKS.demoData})`)
    if (await hasWorkspaces(tx)) return undefined
    const data = shifted(readData(), await db.now())
    // Both to their end before either is given up: nothing may continue behind a transaction that was rolled back.
    const [rows, files] = await Promise.allSettled([insertRows(tx, keyring, data), writeFiles(target, data)])
    if (rows.status === 'fulfilled' && files.status === 'fulfilled') {
      const workspaces = await tx.query(sql<DemoSummary['workspaces'][number]>`
        select id, name, plan from workspaces order by created_at`)
      return { workspaces, counts: { ...rows.value, files: data.files.length } }
    }
    await removeFiles(target, data).catch(error => log.warn({ err: error }, 'files of the demo data were left behind'))
    throw rows.status === 'rejected' ? rows.reason : (files as PromiseRejectedResult).reason
  })
  if (!loaded) return undefined
  const milliseconds = Math.round(clock.monotonic() - started)
  log.info({ milliseconds, files: loaded.counts['files'] }, 'demo data loaded')
  return { ...loaded, milliseconds }
}

async function hasWorkspaces(db: Queryable): Promise<boolean> {
  return (await db.one(sql`select 1 from workspaces limit 1`)) !== undefined
}

type Row = Record<string, unknown>

async function insertRows(tx: Transaction, keyring: Keyring, { tables }: DemoData): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const rowsOf = (table: string) => JSON.parse(tables.find(({ name }) => name === table)!.rows) as Row[]
  const demoKey = rowsOf('api_keys').find(row => row['name'] === DEMO_KEY_NAME)!['id']
  for (const { name, rows: text } of tables) {
    const rows = JSON.parse(text) as Row[]
    counts[name] = rows.length
    const withSecret = SECRETS[name]
    if (withSecret) for (const row of rows) Object.assign(row, withSecret(row, keyring, row['key_id'] === demoKey))
    // a trigger opened the logs of the workspaces
    if (name === 'event_logs') await tx.query(sql`delete from event_logs`)
    await insert(tx, name, rows, withSecret ? JSON.stringify(rows) : text)
    // people whose processing was stopped are in no search
    if (name === 'pool_profiles')
      await indexPoolProfiles(tx, rows.filter(row => row['suppressed_at'] === null) as unknown as StoredPoolProfile[])
  }
  await continueIdentities(tx)
  await tx.query(sql`
    insert into monthly_usage (workspace_id, month, requests)
    select workspace_id, date_trunc('month', hour at time zone 'UTC')::date, sum(requests) from request_stats group by 1, 2`)
  await giveOwnerPassword(tx, keyring)
  return counts
}

/** Secrets are made here. Of all keys but the demo key they are thrown away: those keys cannot be used. */
const SECRETS: Readonly<Record<string, (row: Row, keyring: Keyring, isDemo: boolean) => Row>> = {
  api_key_secrets: (_, keyring, isDemo) => ({
    secret_hash: hashSecret(isDemo ? demoSecret(keyring) : newKeySecret('live')),
  }),
  connected_app_secrets: () => ({ secret_hash: hashSecret(newKeySecret('live')) }),
  webhook_secrets: (row, keyring) => {
    const context = secretContext(String(row['endpoint_id']), Number(row['version']))
    return { sealed: `\\x${keyring.seal(Buffer.from(newSigningSecret()), context).toString('hex')}` }
  },
}

/**
 * One statement for a table, however many rows: the table itself says how each value is to be read. A column that the
 * rows do not name, because a later migration added it, is null or has its default.
 */
async function insert(tx: Transaction, table: string, rows: readonly Row[], text: string): Promise<void> {
  const columns = raw(
    Object.keys(rows[0]!)
      .map(name => `"${name}"`)
      .join(', '),
  )
  await tx.query(sql`
    insert into ${raw(table)} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${raw(table)}, ${text}::json)`)
}

/** The next row of a table with numbers of its own gets the next number. */
async function continueIdentities(tx: Transaction): Promise<void> {
  const columns = await tx.query(sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and is_identity = 'YES'`)
  for (const { table, column } of columns)
    await tx.query(sql`
      select setval(pg_get_serial_sequence(${table}, ${column}), max(${raw(`"${column}"`)})) from ${raw(table)}`)
}

/** The files of the rows, and the emails of the local outbox. */
async function writeFiles(target: Target, { files, mails }: DemoData): Promise<void> {
  const { blobs, outbox } = target
  const waiting = [...files]
  const write = async () => {
    for (let file = waiting.pop(); file; file = waiting.pop()) {
      const { key, body, type } = file
      try {
        await blobs.put(key, body, { contentType: type, bytes: body.length })
      } catch (error) {
        waiting.length = 0
        throw error
      }
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: FILE_CONCURRENCY }, write))
  const failed = outcomes.find(outcome => outcome.status === 'rejected')
  if (failed) throw failed.reason
  for (const text of mails) await outbox.send(decodeMail(text, target))
}

/** `resumes/{workspace}/…` and `attachments/{workspace}/…` of the demo's workspaces, with nothing else in them yet; emails. */
async function removeFiles(target: Target, { files, mails }: DemoData): Promise<void> {
  const { blobs, outbox } = target
  const folders = new Set(files.map(({ key }) => key.split('/').slice(0, 2).join('/')))
  for (const folder of folders) await blobs.removeAll(`${folder}/`)
  for (const text of mails) await outbox.remove(decodeMail(text, target).id)
}
