// Keeps a complete copy of a workspace in a file: an export first, then the feed. Run it again to continue.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'

const RESOURCES = ['jobs', 'applications', 'applicants']
const EVENTS = ['job.', 'application.', 'applicant.']
const { BASE_URL, API_KEY } = process.env
const file = process.argv[2] ?? 'hiring-copy.json'
const origin = new URL(BASE_URL).origin

async function call(path, options = {}) {
  const response = await fetch(path.startsWith('/api/') ? origin + path : BASE_URL + path, {
    ...options,
    headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
  })
  if (response.status === 404) return undefined
  const body = await response.json()
  if (!response.ok) throw new Error(`${body.detail.code}: ${body.detail.message}`)
  return body
}

/** Position and rows are written together: after a crash the file has both of before or both of after. */
async function save(copy) {
  await writeFile(`${file}.new`, JSON.stringify(copy))
  await rename(`${file}.new`, file)
}

async function fullCopy() {
  const body = JSON.stringify({ resources: RESOURCES, view: 'full' })
  let job = await call('/exports', { method: 'POST', body })
  while (job.status === 'pending' || job.status === 'running') {
    await new Promise(resolve => setTimeout(resolve, 500))
    job = await call(`/exports/${job.id}`)
  }
  if (job.status !== 'ready') throw new Error(`the export is ${job.status}`)
  const { epoch } = await call(`/events?after=${job.as_of_sequence}&limit=1`)
  const copy = { epoch, after: job.as_of_sequence, records: {} }
  for (const { url } of job.files) {
    const lines = gunzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).toString('utf8')
    for (const line of lines.split('\n').filter(Boolean)) {
      const record = JSON.parse(line)
      copy.records[record.id] = record
    }
  }
  await save(copy)
  console.log(`full copy at ${copy.after}: ${Object.keys(copy.records).length} records`)
  return copy
}

async function follow(copy) {
  for (;;) {
    const page = await call(`/events?after=${copy.after}&limit=100`)
    if (page.gap || page.epoch !== copy.epoch) return follow(await fullCopy())
    for (const { type, data, links } of page.data) {
      if (!EVENTS.some(prefix => type.startsWith(prefix))) continue
      const record = links.record && (await call(links.record))
      if (record) copy.records[record.id] = record
      else delete copy.records[data.object.id]
    }
    copy.after = page.next_after
    await save(copy)
    if (!page.has_more) break
  }
  console.log(`up to ${copy.after}, ${Object.keys(copy.records).length} records`)
}

const stored = await readFile(file, 'utf8').then(JSON.parse, () => undefined)
if (stored) await follow(stored)
else await fullCopy()
