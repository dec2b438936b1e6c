import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraseVerb } from '../../src/cli/erase.ts'
import { apply, startWorld } from '../applications/world.ts'
import { hiring } from '../harness/process.ts'
import { runVerb } from '../harness/verb.ts'

const world = await startWorld()
const { service } = world
const settings = () => ({ DATA_DIR: service.services.config.DATA_DIR, DATABASE_URL: service.database.url })
const erase = (options: Record<string, string>) => runVerb(service, [eraseVerb], 'erase', [], options)

test('erase: counts and handles of what was found, never a value; again it says that it was done', async () => {
  const { id, applicant_id } = await apply(
    world,
    {},
    {
      first_name: 'Zenobia',
      email: 'verb@example.org',
      linkedin_url: 'https://linkedin.com/in/verb',
      phone: '+1 555 0100',
    },
  )
  const run = await hiring(['erase', '--email', 'Verb@example.org', '--yes'], settings())
  assert.deepEqual([run.code, run.stderr], [0, ''])
  assert.match(run.stdout, /^erased: 1 applicant, 1 application, 2 person; 1 workspace told$/m)
  for (const handle of [id, applicant_id]) assert.ok(run.stdout.includes(handle))
  assert.doesNotMatch(run.stdout, /zenobia|verb@|in\/verb|555/i)
  assert.equal((await service.get(`/applications/${id}`, world.key)).status, 404)
  const again = (await erase({ 'linkedin-url': 'linkedin.com/in/verb', yes: '' })).json as Record<string, unknown>
  assert.deepEqual([again['is_new'], again['status']], [false, 'erased'])
})

test('erase: without a terminal it does nothing unless --yes is given', async () => {
  const { id } = await apply(world, {}, { email: 'careful@example.org' })
  const run = await hiring(['erase', '--email', 'careful@example.org'], settings())
  assert.equal(run.code, 1)
  assert.match(run.stderr, /cannot be undone.*--yes/)
  assert.doesNotMatch(run.stderr + run.stdout, /careful/)
  assert.equal((await service.get(`/applications/${id}`, world.key)).status, 200)
})

test('erase --reason stop_processing: suppresses and erases nothing', async () => {
  const { id } = await apply(world, {}, { email: 'paused@example.org' })
  const { json, text } = await erase({ email: 'paused@example.org', reason: 'stop_processing', yes: '' })
  assert.deepEqual((json as Record<string, unknown>)['status'], 'suppressed')
  assert.match(text, /^suppressed, nothing erased: 1 applicant/)
  assert.equal((await service.get(`/applications/${id}`, world.key)).status, 200)
  await assert.rejects(erase({ email: 'paused@example.org', reason: 'whim', yes: '' }), /--reason must be one of/)
})

test('erase --help: what it does and takes', async () => {
  const run = await hiring(['erase', '--help'])
  assert.equal(run.code, 0)
  for (const option of ['--email E', '--linkedin-url U', '--reason R', '--yes']) assert.ok(run.stdout.includes(option))
})
