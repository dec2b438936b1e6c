import { gunzipSync } from 'node:zlib'
import { runNextExport } from '../../src/resources/exports/index.ts'
import type { IssuedKey } from '../../src/resources/keys/index.ts'
import type { TestService } from '../harness/service.ts'

export const ALL = [
  'jobs',
  'applications',
  'applicants',
  'sourced_profiles',
  'lists',
  'list_memberships',
  'stage_transitions',
] as const

// biome-ignore lint/suspicious/noExplicitAny: rows of every kind
export type Any = any

/** Asks for an export, writes it in this process and reads it back. */
export async function exportNow(
  service: TestService,
  key: IssuedKey,
  resources: readonly string[] = ALL,
  more: { view?: string } = {},
): Promise<Any> {
  const asked = await service.post('/exports', key, { resources, ...more })
  if (asked.status !== 201) throw new Error(asked.text)
  while (await runNextExport(service.services));
  return (await service.get(`/exports/${asked.body.id}`, key)).body
}

/** The text of a file behind its signed address. */
export async function downloadText(file: { url: string }): Promise<string> {
  const response = await fetch(file.url)
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return gunzipSync(Buffer.from(await response.arrayBuffer())).toString()
}

export async function downloadRows(made: Any, resource: string): Promise<Any[]> {
  const file = made.files.find((f: Any) => f.resource === resource)
  const text = await downloadText(file)
  const rows = text.split('\n').slice(0, -1)
  if (rows.length !== file.rows) throw new Error(`${rows.length} lines, ${file.rows} said`)
  return rows.map(line => JSON.parse(line))
}

/** Every row of a list endpoint. */
export async function listed(service: TestService, key: IssuedKey, path: string): Promise<Any[]> {
  const rows: Any[] = []
  let cursor: string | null = null
  do {
    const query: string = `${path.includes('?') ? '&' : '?'}limit=100${cursor ? `&cursor=${cursor}` : ''}`
    const { status, body, text } = await service.get(path + query, key)
    if (status !== 200) throw new Error(text)
    rows.push(...body.data)
    cursor = body.next_cursor
  } while (cursor)
  return rows
}
