import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { downloadRows, exportNow } from '../exports/setup.ts'
import { sharedTestService } from '../harness/service.ts'

// without workers: exports are written here, and events stay in the outbox
const service = await sharedTestService()
const { db } = service.services

async function newWorkspace() {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  return { workspace, key: await service.key({ workspace, userEmail }) }
}

let counter = 0
const pushOf = (over: Record<string, unknown> = {}) => ({
  source: { system: 'partner_ats', external_id: `req-${++counter}` },
  title: 'Software Engineer',
  content: { summary: 'Builds things.' },
  ...over,
})

const eventsIn = async (workspace: string) =>
  (await db.query(sql`select 1 from outbox where workspace_id = ${workspace}`)).length

const siteOf = async (workspace: string) =>
  (await db.one(sql<{ slug: string }>`select slug from career_sites where workspace_id = ${workspace}`))!.slug

const switchSite = (workspace: string, enabled: boolean) =>
  db.query(sql`update career_sites set enabled = ${enabled} where workspace_id = ${workspace}`)

test('job.public_url: the page of a published job in every response that shows a job', async () => {
  const { workspace, key } = await newWorkspace()
  const pushed = await service.post('/jobs', key, pushOf({ title: 'Schweißer für Köln / Сварщик', publish: true }))
  assert.equal(pushed.status, 201, pushed.text)
  const { id, slug } = pushed.body
  const url = `${service.origin}/careers/${await siteOf(workspace)}/jobs/${encodeURIComponent(slug)}`
  assert.match(url, /\/jobs\/schwei%C3%9Fer-fur-koln-%D1%81/)
  assert.equal(new URL(url).href, url, 'percent-encoded')

  const responses = {
    push: pushed.body,
    single: (await service.get(`/jobs/${id}`, key)).body,
    'by slug': (await service.get(`/jobs/by-slug/${encodeURIComponent(slug)}`, key)).body,
    sections: (await service.get(`/jobs/${id}/sections`, key)).body,
    list: (await service.get('/jobs', key)).body.data[0],
    search: (await service.get('/jobs?q=koln', key)).body.data[0],
    'exported row': (await downloadRows(await exportNow(service, key, ['jobs']), 'jobs'))[0],
    'exported whole': (await downloadRows(await exportNow(service, key, ['jobs'], { view: 'full' }), 'jobs'))[0],
  }
  for (const [where, job] of Object.entries(responses)) assert.equal(job.public_url, url, where)
})

test('job.public_url: null for a draft and a closed job; every change of the state returns it', async () => {
  const { key } = await newWorkspace()
  const { id } = (await service.post('/jobs', key, pushOf())).body
  const urlIn = async (path: string, status = 200) => {
    const response = path === '' ? await service.get(`/jobs/${id}`, key) : await service.post(`/jobs/${id}${path}`, key)
    assert.equal(response.status, status, response.text)
    return response.body.public_url
  }
  assert.equal(await urlIn(''), null)
  const url = await urlIn('/publish')
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/careers\/[a-z0-9-]+\/jobs\/software-engineer$/)
  assert.equal(await urlIn('/close'), null)
  assert.equal(await urlIn(''), null)
  assert.equal(await urlIn('/reopen'), url)
  assert.equal(await urlIn('/unpublish'), null)
})

test('job.public_url: null while the site is switched off, in lists and single reads, and without an event', async () => {
  const { workspace, key } = await newWorkspace()
  const { id, public_url } = (await service.post('/jobs', key, pushOf({ publish: true }))).body
  const before = await eventsIn(workspace)
  const seen = async () => [
    (await service.get(`/jobs/${id}`, key)).body.public_url,
    (await service.get('/jobs', key)).body.data[0].public_url,
  ]
  await switchSite(workspace, false)
  assert.deepEqual(await seen(), [null, null])
  await switchSite(workspace, true)
  assert.deepEqual(await seen(), [public_url, public_url])
  assert.equal(await eventsIn(workspace), before)
})

test('job.public_url: of the own site alone: another workspace has another URL for a job of the same title', async () => {
  const [one, two] = [await newWorkspace(), await newWorkspace()]
  const [first, second] = await Promise.all(
    [one, two].map(async ({ key }) => (await service.post('/jobs', key, pushOf({ publish: true }))).body.public_url),
  )
  assert.notEqual(first, second)
  assert.ok(first.includes(`/careers/${await siteOf(one.workspace)}/`))
  assert.ok(second.includes(`/careers/${await siteOf(two.workspace)}/`))
})
