import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { revealCreditsOf } from '../../src/contract/plans.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { grantCredits, selectBalance } from '../../src/resources/credits/index.ts'
import { apply, newJob, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import type { TestResponse } from '../harness/service.ts'
import { addProfile } from '../lists/fixture.ts'

/** Two people who send the same form at the same moment: one of them is stored, and the other is refused or changes nothing. */

let world: World
let one: Person
let other: Person

before(async () => {
  world = await sharedWorld()
  one = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
  other = await signedIn(world.service, world.workspace, { role: 'admin', program: 'hiring' })
})

const both = (send: (person: Person, name: string) => Promise<TestResponse>) =>
  Promise.all([send(one, 'First'), send(other, 'Second')])

const statusesOf = (responses: readonly TestResponse[]) => responses.map(({ status }) => status).toSorted()

/** What two people have read, and what each of them then sends. */
interface Form {
  path: string
  /** The path that reads the job. */
  read: string
  change: (name: string, read: TestResponse['body']) => object
  /** the name that is stored in the end */
  stored: (read: TestResponse['body']) => string
}

const version = (read: TestResponse['body']) => ({ expected_version: read.version })

const FORMS: Readonly<Record<string, (job: string) => Form>> = {
  stages: job => ({
    path: `/jobs/${job}/stages`,
    read: `/jobs/${job}/stages`,
    change: (name, read) => ({
      stages: read.stages.map((stage: { id: string; name: string; type: string }, i: number) => ({
        id: stage.id,
        name: i === 0 ? name : stage.name,
        type: stage.type,
      })),
      ...version(read),
    }),
    stored: read => read.stages[0].name,
  }),
  'application form': job => ({
    path: `/jobs/${job}/form`,
    read: `/jobs/${job}/form`,
    change: (name, read) => ({ fields: [{ label: name, type: 'text' }], ...version(read) }),
    stored: read => read.fields[0].label,
  }),
  'template form': () => ({
    path: '/template-form',
    read: '/template-form',
    change: (name, read) => ({ fields: [{ label: name, type: 'text' }], ...version(read) }),
    stored: read => read.fields[0].label,
  }),
  'pre-screen questions': job => ({
    path: `/jobs/${job}/questions`,
    read: `/jobs/${job}/questions`,
    change: (name, read) => ({
      questions: [{ kind: 'common', prompt: name, response_key: 'shift', answer_type: 'boolean' }],
      ...version(read),
    }),
    stored: read => read.questions[0].prompt,
  }),
  criteria: job => ({
    path: `/jobs/${job}/criteria`,
    read: `/jobs/${job}/criteria`,
    change: (name, read) => ({ criteria: [{ name }], ...version(read) }),
    stored: read => read.criteria[0].name,
  }),
  job: job => ({
    path: `/jobs/${job}`,
    read: `/v1/jobs/${job}`,
    change: (name, read) => ({ changes: { title: name }, expected_updated_at: read.updated_at }),
    stored: read => read.title,
  }),
}

for (const [name, formOf] of Object.entries(FORMS)) {
  test(`two people save the ${name} at the same time: 200 for one, 409 for the other, and the text of the first is stored`, async () => {
    const { path, read, change, stored } = formOf((await newJob(world.service, world.workspace)).id)
    const before = await one.get(read)
    assert.equal(before.status, 200)
    const responses = await both((person, text) => person.post(path, change(text, before.body)))
    assert.deepEqual(statusesOf(responses), [200, 409], responses.map(({ text }) => text).join('\n'))
    const winner = responses[0]!.status === 200 ? 'First' : 'Second'
    assert.equal(stored((await one.get(read)).body), winner)
  })
}

test('two people reject and withdraw a candidate at the same time: one does, the other is refused', async () => {
  const application = await apply(world)
  const { id, stage_id, status: before } = application
  const decide = async (person: Person, action: string) => {
    const wanted = { id, action, reason: 'Called us', expected: { stage_id, status: before } }
    const { body } = await person.post('/applications/changes', { changes: [wanted] })
    return body.results[0]
  }
  const results = await Promise.all([decide(one, 'reject'), decide(other, 'withdraw')])
  assert.deepEqual(
    results.filter(({ ok }) => !ok).map(({ code }) => code),
    ['stale_resource'],
  )
  const { status } = (await one.get(`/v1/applications/${id}`)).body
  assert.equal(status, results[0].ok ? 'rejected' : 'withdrawn')
})

test('two people enter the contact details of a profile at the same time: it is paid for once', async () => {
  const { db } = world.service.services
  await grantCredits(db, world.workspace, { amount: 100, note: 'Order 1' })
  const id = await addProfile(world.service, world.workspace)
  const values = [{ field: 'email', value: 'ada@example.org', kind: 'work' }]
  const responses = await both(person => person.post(`/sourcing/profiles/${id}/reveal`, { values }))
  assert.deepEqual(statusesOf(responses), [200, 200])
  assert.equal((await db.one(selectBalance(world.workspace)))!.balance, 100 - revealCreditsOf('enterprise'))
})

test('two people import the same file at the same time: every line is one profile', async () => {
  const lines = Array.from({ length: 300 }, (_, i) => `Row ${i},row-${i}`)
  const table = Buffer.from(`Name,ID\n${lines.join('\n')}\n`)
  const before = await profiles()
  await both(person => person.postFile('/sourcing/import', table, 'text/csv'))
  // one that was refused because of the other can be sent again
  assert.equal((await one.postFile('/sourcing/import', table, 'text/csv')).status, 200)
  assert.equal((await profiles()) - before, 300)
})

const profiles = async (): Promise<number> =>
  (await world.service.services.db.one(
    sql<{ n: number }>`select count(*)::integer as n from sourced_profiles where workspace_id = ${world.workspace}`,
  ))!.n
