import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { API_VERSION, HiringClient } from '../../packages/sdk/src/index.ts'
import { API_PREFIX, API_VERSION as CURRENT } from '../../src/contract/version.ts'
import { type OpenapiDocument, sdkOperations, sdkSource } from '../../tools/generate-sdk.ts'
import { sharedTestService } from '../harness/service.ts'

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8')) as OpenapiDocument

test('SDK endpoints: every operation of the API has a method that makes exactly its call', async () => {
  const calls: { method: string; path: string; hasKey: boolean }[] = []
  const page = JSON.stringify({ object: 'list', data: [], has_more: false, next_cursor: null })
  const client = new HiringClient({
    baseUrl: 'https://hiring.example',
    apiKey: 'key',
    workspaceId: 'wsp_1',
    fetch: async (input, init) => {
      const url = new URL(String(input))
      assert.equal(url.searchParams.get('workspace_id'), 'wsp_1')
      const headers = new Headers(init?.headers)
      assert.equal(headers.get('service-api-version'), CURRENT)
      calls.push({ method: init!.method!, path: url.pathname, hasKey: headers.has('idempotency-key') })
      return new Response(page)
    },
  })
  const operations = sdkOperations(document)
  assert.ok(operations.length > 90)
  for (const { namespace, method, verb, path, pathParams, id } of operations) {
    const resource = client[namespace as keyof HiringClient] as unknown as Record<
      string,
      (...args: unknown[]) => Promise<unknown>
    >
    assert.equal(typeof resource?.[method], 'function', `${id} is client.${namespace}.${method}`)
    await resource[method]!(...pathParams.map(({ name }) => `${name}/ü`))
    const expected = API_PREFIX + path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${name}/ü`))
    assert.deepEqual(calls.pop(), { method: verb.toUpperCase(), path: expected, hasKey: verb === 'post' }, id)
  }
})

test('SDK types: are those of openapi.json and ask for the current version of the API', () => {
  const stored = readFileSync(join(import.meta.dirname, '../../packages/sdk/src/generated.ts'), 'utf8')
  assert.equal(stored, sdkSource(document), 'run npm run generate')
  assert.equal(API_VERSION, CURRENT)
})

test('SDK endpoints: jobs, applications, lists, people and messages work against the service', async () => {
  const service = await sharedTestService()
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const { secret } = await service.key({ workspace, userEmail })
  const client = new HiringClient({ baseUrl: service.origin, apiKey: secret })

  assert.equal((await client.meta.getMe()).workspace_ids[0], workspace)
  const job = await client.jobs.push({
    source: { system: 'acme_ats', external_id: 'req-1' },
    title: 'Welder',
    content: { summary: 'Join metals.' },
    publish: true,
  })
  assert.equal(job.status, 'published')
  const found = await client.jobs.list({ status: ['published', 'closed'], q: 'weld' })
  assert.deepEqual(
    found.data.map(({ id }) => id),
    [job.id],
  )

  const resume = await client.uploads.send(new TextEncoder().encode('Ada Example\nWelder for 7 years'), {
    filename: 'ada.txt',
  })
  const application = await client.applications.create({
    job_id: job.id,
    candidate: { first_name: 'Ada', last_name: 'Example', email: 'ada@example.org' },
    source: { system: 'acme_ats', external_id: 'cand-1' },
    resume_upload_id: resume.upload_id,
  })
  assert.equal(application.has_resume, true)
  const stages = await client.jobs.listPipelineStages(job.id).toArray()
  const screen = stages.find(({ type }) => type === 'screen')!
  assert.equal((await client.applications.move(application.id, { stage_id: screen.id })).stage_id, screen.id)
  await client.applications.createNote(application.id, { body: 'Call on Monday.' })
  assert.equal((await client.applications.listNotes(application.id).toArray()).length, 1)
  assert.equal((await client.applications.hire(application.id)).status, 'hired')
  const contact = await client.applicants.getContactInfo(application.applicant_id!)
  assert.equal(contact.emails[0]?.value, 'ada@example.org')
  const list = await client.lists.create({ name: 'Welders' })
  assert.equal((await client.lists.listMembers(list.id)).data.length, 0)
  assert.equal((await client.jobs.close(job.id)).status, 'closed')
  for await (const suppression of client.suppressions.list()) assert.fail(suppression.id)
})
