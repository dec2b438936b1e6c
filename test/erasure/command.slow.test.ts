import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraseVerb } from '../../src/cli/erase.ts'
import { erasureVerbs } from '../../src/cli/erasures.ts'
import { apply, newTenant, startWorld, type World } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'
import { hiring } from '../harness/process.ts'
import { runVerb } from '../harness/verb.ts'
import { askAllHolders } from './holders.ts'

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
  assert.match(run.stdout, /^erased: 1 applicant, 1 application, 2 person; 1 workspace notified$/m)
  for (const handle of [id, applicant_id]) assert.ok(run.stdout.includes(handle))
  assert.doesNotMatch(run.stdout, /zenobia|verb@|in\/verb|555\s?0100/i)
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

const verb = async (name: string, args: string[] = [], options: Record<string, string> = {}) =>
  (await runVerb(service, erasureVerbs, `erasures ${name}`, args, options)).json as Record<string, unknown>

/** A person whom two workspaces hold, and one was asked to erase: the request to the other. */
async function askedAbout(
  email: string,
): Promise<{ holder: World; applicant: string; request: Record<string, unknown> }> {
  const holder: World = { service, ...(await newTenant(service)) }
  const { applicant_id: applicant } = await apply(holder, {}, { email })
  const owner = await signedIn(service, world.workspace)
  const response = await owner.post('/erasures', { email, reason: 'erasure_request', confirmation: email })
  assert.equal(response.status, 200, response.text)
  await askAllHolders(service.services.db)
  const rows = (await verb('list')) as unknown as Record<string, unknown>[]
  return { holder, applicant, request: rows.find(r => r['workspace_id'] === holder.workspace)! }
}

test('erasures list: open requests with who is asked and who asked, never a value; --all also what was decided', async () => {
  const { holder, request } = await askedAbout('listed@example.org')
  const { id, ...row } = request
  assert.deepEqual(
    [row['state'], row['reason'], row['held'], row['asked_in']],
    ['open', 'erasure_request', 2, world.workspace],
  )
  const run = await hiring(['erasures', 'list'], settings())
  assert.deepEqual([run.code, run.stderr], [0, ''])
  assert.ok(run.stdout.includes(id as string) && run.stdout.includes(holder.workspace))
  assert.doesNotMatch(run.stdout + JSON.stringify(request), /listed@/)
  await verb('decline', [id as string], { note: 'kept by law' })
  const open = (await verb('list')) as unknown as { id: string }[]
  assert.ok(!open.some(r => r.id === id))
  const all = (await verb('list', [], { all: '' })) as unknown as { id: string; state: string; decided_by: string }[]
  assert.deepEqual(
    all.filter(r => r.id === id).map(r => [r.state, r.decided_by]),
    [['declined', 'command_line']],
  )
})

test('erasures approve: erases in that workspace to the end, and not without --yes or a terminal', async () => {
  const { holder, applicant, request } = await askedAbout('decided@example.org')
  const id = request['id'] as string
  const careful = await hiring(['erasures', 'approve', id], settings())
  assert.equal(careful.code, 1)
  assert.match(careful.stderr, /cannot be undone.*--yes/)
  assert.equal((await service.get(`/applicants/${applicant}`, holder.key)).status, 200)
  const done = await verb('approve', [id], { yes: '' })
  assert.deepEqual([done['status'], done['reach'], done['is_new']], ['erased', holder.workspace, true])
  assert.equal((await service.get(`/applicants/${applicant}`, holder.key)).status, 404)
  const again = await verb('approve', [id], { yes: '' })
  assert.deepEqual([again['suppression_id'], again['is_new']], [done['suppression_id'], false])
  await assert.rejects(verb('decline', [id]), /was already approved/)
})

test('erasures approve, decline: refused for an invalid id', async () => {
  for (const id of ['nonsense', '00000000-0000-4000-8000-000000000000']) {
    await assert.rejects(verb('approve', [id], { yes: '' }), /no such request/)
    await assert.rejects(verb('decline', [id]), /no such request/)
  }
})

test('erasures --help: what each verb does and takes', async () => {
  const run = await hiring(['erasures', '--help'])
  assert.equal(run.code, 0)
  for (const name of ['erasures list', 'erasures approve', 'erasures decline']) assert.ok(run.stdout.includes(name))
  assert.match((await hiring(['erasures', 'decline', '--help'])).stdout, /--note N/)
})
