import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, inflateRawSync } from 'node:zlib'
import pg from 'pg'
import { readMail } from '../../src/kernel/mail/read-mail.ts'
import type { Connection } from '../harness/postgres.ts'
import type { TestService } from '../harness/service.ts'

/** Every place in which a text is stored: tables and the statistics of the planner, on every server, files, emails. */
export async function searchEverything(service: TestService, texts: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>(texts.map(text => [text, []]))
  const look: Look = (where, content) => {
    const lower = content.toLowerCase()
    for (const text of texts) if (lower.includes(text.toLowerCase())) found.get(text)!.push(where)
  }
  await searchDatabase(service, look)
  const { DATA_DIR } = service.services.config
  for (const folder of ['files', 'outbox']) {
    for (const path of readdirSync(join(DATA_DIR, folder), { recursive: true, encoding: 'utf8' })) {
      look(`name of ${folder}`, path)
      const file = join(DATA_DIR, folder, path)
      const bytes = readable(file)
      for (const content of bytes ? decodings(bytes) : []) look(`${folder}: ${path}`, content)
    }
  }
  return found
}

function readable(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined // a folder
  }
}

/** The bytes as they are, and what they are when they are an email, compressed, or parts of an archive. */
function decodings(bytes: Buffer): string[] {
  const texts = [bytes.toString('utf8')]
  const body = bytes.subarray(bytes.indexOf('\n') + 1) // a file of the blob store begins with a line of its own
  if (body[0] === 0x1f && body[1] === 0x8b) texts.push(attempt(() => gunzipSync(body).toString('utf8')))
  for (let at = body.indexOf('PK\x03\x04'); at >= 0; at = body.indexOf('PK\x03\x04', at + 4)) {
    const start = at + 30 + body.readUInt16LE(at + 26) + body.readUInt16LE(at + 28)
    const entry = body.subarray(start, start + body.readUInt32LE(at + 18))
    texts.push(
      body.readUInt16LE(at + 8) === 0 ? entry.toString('utf8') : attempt(() => inflateRawSync(entry).toString('utf8')),
    )
  }
  texts.push(
    attempt(() => {
      const { to, subject, text, html } = readMail(bytes)
      return [to, subject, text, html].join('\n')
    }),
  )
  return texts
}

function attempt(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

type Look = (where: string, content: string) => void

async function searchDatabase(service: TestService, look: Look): Promise<void> {
  const { connection } = service.database
  await connected(connection, async client => {
    await searchTables(client, look)
    for (const { port } of await nodesOf(client)) {
      const ofNode: Look = (where, content) => look(`${where} on ${port}`, content)
      await connected({ ...connection, port }, node => searchTables(node, ofNode))
    }
  })
}

async function connected(connection: Connection, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ ...connection, ssl: false })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** Finds the servers of a cluster that have the rows of workspaces. */
async function nodesOf(client: pg.Client): Promise<{ port: number }[]> {
  const { rows } = await client.query(`select to_regclass('pg_dist_node') is not null as is_cluster`)
  if (!rows[0].is_cluster) return []
  return (await client.query('select nodeport as port from pg_dist_node where groupid <> 0')).rows
}

async function searchTables(client: pg.Client, look: Look): Promise<void> {
  // on a node of a cluster these are shards, which are hidden otherwise
  await client.query(`set citus.show_shards_for_app_name_prefixes = '*'`)
  const tables = await client.query(`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p', 'm')`)
  for (const { name } of tables.rows as { name: string }[]) {
    const { rows, fields } = await client.query(`select t.*, t::text as whole from ${name} t`)
    for (const row of rows) {
      look(name, row.whole)
      for (const field of fields) {
        const value = row[field.name]
        if (Buffer.isBuffer(value)) for (const content of decodings(value)) look(`${name}.${field.name}`, content)
      }
    }
  }
  const stats = await client.query(
    `select tablename, attname, s::text as whole from pg_stats s where schemaname = 'public'`,
  )
  for (const row of stats.rows) look(`statistics of ${row.tablename}.${row.attname}`, row.whole)
}
