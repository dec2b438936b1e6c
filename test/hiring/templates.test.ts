import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { API_LIMITS } from '../../src/contract/limits.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, newTenant, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { lockWaits } from '../harness/lock-waits.ts'
import { until } from '../harness/receiver.ts'
import type { TestResponse } from '../harness/service.ts'
import { startMailServer } from '../harness/smtp.ts'

let world: World
let owner: Person
let admin: Person
let member: Person
let viewer: Person
const smtp = await startMailServer()

before(async () => {
  world = await startWorld({ SMTP_URL: smtp.url, MAIL_FROM: 'jobs@acme.dev' })
  const enter = (role: 'owner' | 'admin' | 'member' | 'viewer', email?: string) =>
    signedIn(world.service, world.workspace, { role, program: 'hiring', ...(email ? { email } : {}) })
  owner = await enter('owner')
  admin = await enter('admin')
  member = await enter('member', 'pia@acme.dev')
  viewer = await enter('viewer')
})

const TEMPLATE = { name: 'Invitation', subject: 'About {{job_title}}', body: 'Hello {{first_name}},\n\n{{company}}' }
let numbers = 0
const named = (more: object = {}) => ({ ...TEMPLATE, name: `Template ${++numbers}`, ...more })

const applicant = (email = `ada${++numbers}@people.dev`) => apply(world, {}, { email })

const sendTo = (person: Person, application: string, key: string = randomUUID(), text = 'Hello Ada') =>
  person.post(
    '/v1/messages',
    { to: { application_id: application }, subject: 'About Engineer', body_text: text },
    { 'idempotency-key': key },
  )

test('hiring templates: owners and admins write them, members choose from them, viewers are refused', async () => {
  const made = await admin.post('/message-templates', named())
  assert.equal(made.status, 200)
  const listed = (await member.get('/message-templates')).body.templates
  assert.ok(
    listed.some((one: { id: string; subject: string }) => one.id === made.body.id && one.subject === TEMPLATE.subject),
  )
  for (const person of [member, viewer]) {
    for (const path of ['/message-templates', `/message-templates/${made.body.id}`]) {
      assert.equal((await person.post(path, named())).status, 403)
    }
    assert.equal((await person.post(`/message-templates/${made.body.id}/delete`)).status, 403)
  }
  assert.equal((await viewer.get('/message-templates')).status, 403)
  assert.equal((await owner.post(`/message-templates/${made.body.id}/delete`)).status, 200)
  assert.equal((await owner.post(`/message-templates/${made.body.id}/delete`)).status, 404)
})

test('hiring templates: 400 for unknown variables, a broken one, a name that is a link, and a name that is taken', async () => {
  const faults = async (more: object) => {
    const { status, body } = await owner.post('/message-templates', named(more))
    assert.equal(status, 400)
    return body.detail.errors.map((one: { param: string }) => one.param)
  }
  assert.deepEqual(await faults({ subject: 'Hi {{salary}}', body: 'Hello {{first name}}' }), ['subject', 'body'])
  assert.deepEqual(await faults({ body: 'Hello {{first_name' }), ['body'])
  const both = await owner.post('/message-templates', named({ body: 'Hello {{salary}}, about {{job_title' }))
  assert.match(both.body.detail.errors[0].message, /the unknown variable \{\{salary\}\} and \{\{ without \}\}/)
  assert.deepEqual(await faults({ name: 'https://acme.example' }), ['name'])
  assert.deepEqual(await faults({ subject: 'two\nlines', body: ' ' }), ['body', 'subject'])
  await owner.post('/message-templates', named({ name: 'Taken' }))
  assert.deepEqual(await faults({ name: ' taken ' }), ['name'])
  const other = (await owner.post('/message-templates', named())).body
  const renamed = await owner.post(`/message-templates/${other.id}`, named({ name: 'TAKEN' }))
  assert.equal(renamed.body.detail.errors[0].param, 'name')
})

test('hiring templates: 400 for the 101st, also if it is added at the same time as the 100th', async () => {
  const full = await newTenant(world.service)
  const manager = await signedIn(world.service, full.workspace, { program: 'hiring' })
  await world.service.services.db.query(sql`
    insert into message_templates (workspace_id, id, name, name_key, subject, body)
    select ${full.workspace}, gen_random_uuid(), 'No ' || n, 'no ' || n, 'Subject', 'Text' from generate_series(1, 99) n`)
  const { db } = world.service.services
  let both!: Promise<TestResponse[]>
  await db.transaction(async tx => {
    // both can count, and neither can store before the other has come as far
    await tx.query(sql`lock table message_templates in share mode`)
    both = Promise.all([1, 2].map(() => manager.post('/message-templates', named())))
    await until('both wait', async () => (await lockWaits(db)) === 2)
  })
  const added = await both
  assert.deepEqual(added.map(({ status }) => status).toSorted(), [200, 400])
  const refused = added.find(({ status }) => status === 400)!
  assert.match(refused.body.detail.message, /at most 100 templates/)
  assert.equal((await manager.get('/message-templates')).body.templates.length, 100)
})

test('hiring templates: 409 stale_resource: the second of two editors changes nothing; 404 in another workspace', async () => {
  const made = (await owner.post('/message-templates', named())).body
  const path = `/message-templates/${made.id}`
  const expected_updated_at = made.updated_at
  const first = await owner.post(path, { ...named({ body: 'First' }), expected_updated_at })
  assert.equal(first.status, 200)
  const late = await admin.post(path, { ...named({ body: 'Second' }), expected_updated_at })
  assert.deepEqual([late.status, late.body.detail.code], [409, 'stale_resource'])
  const { templates } = (await owner.get('/message-templates')).body
  assert.equal(templates.find((one: { id: string }) => one.id === made.id).body, 'First')
  const other = await newTenant(world.service)
  const stranger = await signedIn(world.service, other.workspace, { program: 'hiring' })
  assert.equal((await stranger.post(path, named())).status, 404)
  assert.equal((await stranger.post(`${path}/delete`)).status, 404)
  assert.deepEqual((await stranger.get('/message-templates')).body.templates, [])
})

test('hiring messages: values of the variables, and how many the reader may still send today', async () => {
  const { id } = await applicant()
  const facts = await member.get(`/applications/${id}/message-facts`)
  assert.deepEqual(facts.body, {
    values: {
      first_name: 'Ada',
      job_title: 'Engineer',
      company: facts.body.values.company,
      link: facts.body.values.link,
    },
    blocked: null,
    remaining_today: API_LIMITS.messagesPerDay,
    limit_per_day: API_LIMITS.messagesPerDay,
  })
  assert.ok(facts.body.values.company.length > 0)
  assert.match(facts.body.values.link, /\/careers\/[^/]+\/me$/)
  assert.equal((await viewer.get(`/applications/${id}/message-facts`)).status, 403)
})

test('hiring messages: sent once, listed with sender, template, status and text', async () => {
  const { id } = await applicant()
  const template = (await owner.post('/message-templates', named({ name: 'Good news' }))).body
  const before = smtp.arrived.length
  const key = randomUUID()
  const sent = await sendTo(member, id, key, 'A text of its own')
  assert.equal(sent.status, 200)
  assert.equal((await sendTo(member, id, key, 'A text of its own')).headers.get('idempotent-replayed'), 'true')
  assert.equal(smtp.arrived.length, before + 1)
  const draft = { subject: 'Good news', body: 'From a template', template_id: template.id }
  assert.equal((await member.post(`/applications/${id}/messages`, draft)).status, 200)
  await owner.post(`/message-templates/${template.id}/delete`)
  const listed = await owner.get(`/applications/${id}/messages`)
  const [waiting, row] = listed.body.data
  assert.deepEqual([waiting.status, waiting.sender, waiting.template_name], ['scheduled', 'Pia', 'Good news'])
  assert.deepEqual([row.status, row.sender, row.template_name, row.job_title], ['sent', 'Pia', null, 'Engineer'])
  assert.deepEqual([row.subject, row.body], ['About Engineer', 'A text of its own'])
  assert.equal((await viewer.get(`/applications/${id}/messages`)).status, 403)
  const facts = await member.get(`/applications/${id}/message-facts`)
  assert.equal(facts.body.remaining_today, API_LIMITS.messagesPerDay - 2)
  const other = await newTenant(world.service)
  const away = await apply({ service: world.service, ...other })
  for (const handle of [away.id, 'app_none']) {
    assert.equal((await owner.get(`/applications/${handle}/messages`)).status, 404)
    assert.equal((await owner.get(`/applications/${handle}/message-facts`)).status, 404)
  }
})

test('hiring messages: who unsubscribed or was stopped is said before anything is written, and nothing is sent', async () => {
  const { db } = world.service.services
  const [away, stopped] = [await applicant(), await applicant()]
  await db.query(sql`update applicants set unsubscribed_at = app_now() where id = ${away.applicant_id}`)
  await db.query(sql`update applicants set suppressed_at = app_now() where id = ${stopped.applicant_id}`)
  assert.equal((await member.get(`/applications/${away.id}/message-facts`)).body.blocked, 'unsubscribed')
  const facts = (await member.get(`/applications/${stopped.id}/message-facts`)).body
  assert.deepEqual([facts.blocked, facts.values.first_name], ['stopped', ''])
  assert.deepEqual((await member.get(`/applications/${stopped.id}/messages`)).body.data, [])
  const refused = await sendTo(member, away.id)
  assert.equal(refused.body.detail.code, 'recipient_unsubscribed')
})
