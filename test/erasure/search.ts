import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, inflateRawSync } from 'node:zlib'
import pg from 'pg'
import { readMail } from '../../src/kernel/mail/read-mail.ts'
import type { TestService } from '../harness/service.ts'

/** Every place in which a text is stored: tables, the statistics of the planner, files, emails. */
export async function searchEverything(service: TestService, texts: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>(texts.map(text => [text, []]))
  const look = (where: string, content: string) => {
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

async function searchDatabase(service: TestService, look: (where: string, content: string) => void): Promise<void> {
  const client = new pg.Client({ ...service.database.connection, ssl: false })
  await client.connect()
  try {
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
  } finally {
    await client.end()
  }
}
