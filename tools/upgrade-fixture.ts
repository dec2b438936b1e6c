import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { Database } from '../src/kernel/db/database.ts'
import { raw, sql } from '../src/kernel/db/sql.ts'
import { openEmbedded } from '../src/kernel/embedded-postgres/embedded.ts'
import { createLog } from '../src/kernel/telemetry/log.ts'

const USAGE = `Usage: node tools/upgrade-fixture.ts COMMIT FILE
Starts the program of a released commit with its demo, records what its API returns, and writes its rows and these
responses to FILE (test/operation/fixtures/store-VERSION.json.br), which test/operation/upgrade.test.ts upgrades.`

const ROOT = join(import.meta.dirname, '..')
/** Not a secret: it protects the demo of the fixture. */
const SECRET_KEY = '7'.repeat(64)
/** What a partner reads; lists are read to their end. */
const PATHS = `/workspaces /jobs /applications /applicants /lists /projects /sourced-profiles /suppressions
  /webhooks/endpoints /events`.split(/\s+/)
/** What is read next to each record of a list. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  '/jobs': ['', '/sections', '/pipeline-stages', '/application-form', '/prescreen-questions'],
  '/applications': ['/stage-transitions', '/notes', '/scorecards'],
  '/lists': ['/members'],
}
const RECORDS_WITH_PARTS = 4
/** Made by the migrations, or by the calls of the recording. */
const LEFT_OUT = /^(schema_migrations|rate_buckets|sign_in_attempts)$/

/** The shared pool is large and alike: some of its profiles are enough. */
const POOL_PROFILES = 100

const [commit, file] = process.argv.slice(2)
if (!commit || !file) {
  process.stderr.write(`${USAGE}\n`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'hiring-release-'))
const dataDir = join(folder, 'data')
try {
  const checkout = join(folder, 'checkout')
  mkdirSync(checkout)
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1 << 30 })
  execFileSync('tar', ['-x', '-C', checkout], { input: archive })
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
  const version = execFileSync(process.execPath, ['bin/hiring.js', '--version'], { cwd: checkout }).toString().trim()
  const recorded = await record(checkout)
  const tables = withFewProfiles(await readRows())
  const text = JSON.stringify({ version, secret_key: SECRET_KEY, ...recorded, tables })
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
  const packed = brotliCompressSync(text, { params })
  writeFileSync(file, packed)
  process.stdout.write(`${version}: ${Object.keys(tables).length} tables, ${text.length} → ${packed.length} bytes\n`)
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

interface Release {
  base_url: string
  key: string
  sign_in: { email: string; password: string }
}

async function record(checkout: string) {
  const child = spawn(process.execPath, ['bin/hiring.js', 'start', '--json'], {
    cwd: checkout,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      DATA_DIR: dataDir,
      SECRET_KEY,
      PORT: '0',
      LOG_LEVEL: 'error',
      WEBHOOK_ALLOW_HOSTS: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise(resolve => child.on('close', resolve))
  const started = await new Promise<Release>((resolve, reject) => {
    let seen = ''
    child.stdout!.on('data', chunk => {
      seen += chunk
      const line = seen.split('\n').find(text => text.startsWith('{') && text.endsWith('}'))
      if (line) resolve(JSON.parse(line))
    })
    child.on('close', () => reject(new Error(`the release ended before it was ready: ${seen}`)))
  })
  try {
    return await recordResponses(started)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

interface Returned {
  id?: string
  data?: { id: string }[]
  has_more?: boolean
  next_cursor?: string | null
  /** The cursor of the feed. */
  next_after?: number
}

async function recordResponses(started: Release) {
  const call = async (path: string, body?: object): Promise<Returned> => {
    const response = await fetch(started.base_url + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${started.key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Returned
  }
  /** A record, or a list to its end. */
  const read = async (path: string): Promise<unknown> => {
    const all: unknown[] = []
    for (let at = await call(path); ; ) {
      if (!at.data) return at
      all.push(...at.data)
      if (!at.has_more) return all
      at = await call(`${path}?${at.next_cursor ? `cursor=${at.next_cursor}` : `after=${at.next_after}`}`)
    }
  }
  // its signing secret is stored sealed
  const endpoint = { url: 'https://127.0.0.1/hiring', event_types: ['job.updated'] }
  const { signing_secret } = (await call('/webhooks/endpoints', endpoint)) as { signing_secret: string }
  const responses: Record<string, unknown> = {}
  for (const path of PATHS) responses[path] = await read(path)
  for (const [path, parts] of Object.entries(PARTS)) {
    for (const { id } of (responses[path] as { id: string }[]).slice(0, RECORDS_WITH_PARTS)) {
      for (const part of parts) responses[`${path}/${id}${part}`] = await read(`${path}/${id}${part}`)
    }
  }
  const { key, sign_in } = started
  return { recorded_at: new Date().toISOString(), key, sign_in, signing_secret, responses }
}

/** The rows of each table as JSON that `jsonb_populate_recordset` reads. */
async function readRows(): Promise<Record<string, unknown[]>> {
  const server = await openEmbedded({ directory: join(dataDir, 'postgres') })
  const db = new Database(server.connection, { connections: 4, log: createLog('silent') })
  try {
    const names = await db.query(sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`)
    const tables: Record<string, unknown[]> = {}
    for (const { name } of names) {
      if (LEFT_OUT.test(name)) continue
      const rows = await db.query(sql<{ row: unknown }>`select to_jsonb(t) as row from ${raw(`"${name}"`)} t`)
      if (rows.length > 0) tables[name] = rows.map(({ row }) => row)
    }
    return tables
  } finally {
    await db.close()
    await server.release()
  }
}

function withFewProfiles(tables: Record<string, unknown[]>): Record<string, unknown[]> {
  const profiles = (tables['pool_profiles'] as { id: string }[]).slice(0, POOL_PROFILES)
  const ids = new Set(profiles.map(({ id }) => id))
  const terms = (tables['pool_terms'] as { profile_id: string }[]).filter(({ profile_id }) => ids.has(profile_id))
  return { ...tables, pool_profiles: profiles, pool_terms: terms }
}
