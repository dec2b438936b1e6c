import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../harness/receiver.ts'
import { apply, startWorld, upload } from './setup.ts'

/** With its loops running, as it is started by default. */
const world = await startWorld({ ROLES: 'api,worker' })
const { service, key } = world
const FILE = Buffer.from('Ada Byron\nEngineer of analytical engines\nLondon, United Kingdom\n')

test('application workers: a résumé is parsed and its event emitted without a request', async () => {
  const app = await apply(world, { resume_upload_id: await upload(world, FILE) })
  const status = async () => (await service.get(`/applications/${app.id}`, key)).body.parse_status
  await until('the résumé was read', async () => ['parsed', 'failed'].includes(await status()), 300_000)
  assert.equal(await status(), 'parsed')
})

test('application workers: the description of the API names every path and object of applications', async () => {
  const { body } = await service.get('/openapi.json')
  for (const path of [
    '/applications',
    '/applications/{application_handle}/move',
    '/applications/{application_handle}/resume/download',
    '/uploads',
    '/applicants/{applicant_handle}/contact-info',
  ])
    assert.ok(
      Object.keys(body.paths).some(p => p.endsWith(path)),
      path,
    )
  for (const name of ['application', 'resume', 'screening', 'contact_info', 'upload', 'scorecard'])
    assert.ok(body.components.schemas[name], name)
  const access = await service.get('/me/access?limit=100', key)
  const names = access.body.data.map((row: { resource: string }) => row.resource)
  for (const name of ['applications', 'applicants', 'resumes', 'contact_info']) assert.ok(names.includes(name), name)
})
