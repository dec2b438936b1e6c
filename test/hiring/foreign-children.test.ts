import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { JobRole } from '../../src/contract/job-rights.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, newJob, newTenant, sharedWorld } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

const world = await sharedWorld()
const { service, workspace } = world
const { db } = service.services
const enter = (role: 'owner' | 'member' | 'viewer', firstName: string) =>
  signedIn(service, workspace, { role, program: 'hiring', firstName })
const owner = await enter('owner', 'Rosalind')
const recruiter = await enter('member', 'Tomas')
const manager = await enter('member', 'Gwendolyn')
const interviewer = await enter('member', 'Peng')
const viewer = await enter('viewer', 'Jolanda')
const elsewhere = await newJob(service, workspace)
const outside = await newTenant(service)
const stranger = await signedIn(service, outside.workspace, { program: 'hiring' })

const join = (person: Person, role: JobRole) =>
  owner.post(`/jobs/${world.job.id}/team`, { add: [person.userId], remove: [], roles: { [person.userId]: role } })
for (const [person, role] of [
  [manager, 'hiring_manager'],
  [interviewer, 'interviewer'],
] as const) {
  await db.query(sql`
    update users set job_access = 'team' where workspace_id = ${workspace} and id = ${person.userId}`)
  assert.equal((await join(person, role)).status, 200)
}

const applicant = (job = world.job) => apply({ ...world, job }, {}, { email: `${randomUUID()}@people.dev` })
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const plan = () => ({
  kind: 'video',
  time_zone: 'Europe/Berlin',
  starts_at: inHours(48),
  ends_at: inHours(49),
  title: 'Technical interview',
  internal_text: 'Ask about the gap',
  interviewer_user_ids: [interviewer.userId],
})

/** An application with a note, a message that waits, an interview and a request for a scorecard. */
async function furnished(job = world.job) {
  const { id } = await applicant(job)
  const made = async (path: string, body: object) => {
    const { status, body: stored, text } = await owner.post(`/applications/${id}/${path}`, body)
    assert.equal(status, 200, text)
    return stored.id as string
  }
  const people = job === world.job ? [interviewer.userId] : []
  const note = await made('notes', { body: 'Between us', mentions: [] })
  const message = await made('messages', { subject: 'Hello', body: 'Dear candidate', send_at: inHours(24) })
  const interview = await made('interviews', { ...plan(), interviewer_user_ids: people })
  await made('scorecard-requests', { user_ids: [recruiter.userId] })
  return { id, note, message, interview }
}

/** Every change of something below an application, with a body that is right. */
const changesOf = ({ note, message, interview }: Awaited<ReturnType<typeof furnished>>) => [
  [`notes/${note}`, { body: 'Changed', mentions: [] }],
  [`notes/${note}/delete`, undefined],
  [`messages/${message}/cancel`, undefined],
  [`interviews/${interview}`, { title: 'Changed' }],
  [`interviews/${interview}/cancel`, {}],
  [`interviews/${interview}/forget`, {}],
  [`interviews/${interview}/restore`, {}],
  [`interviews/${interview}/no-show`, { did_not_come: true }],
  [`interviews/${interview}/answer-done`, {}],
]

const stateOf = async (id: string) => {
  const [notes, messages, interviews] = await Promise.all(
    ['notes', 'messages', 'interviews'].map(async list => (await owner.get(`/applications/${id}/${list}`)).body),
  )
  return [
    notes.data.map((row: { body: string }) => row.body),
    messages.data.map((row: { status: string }) => row.status),
    interviews.interviews.map((row: { status: string; title: string }) => [row.status, row.title]),
  ]
}

test('notes, messages and interviews under another application: 404 for everyone, and they stay as they are', async () => {
  const [one, other, hidden] = [await furnished(), await applicant(), await furnished(elsewhere)]
  const before = await Promise.all([stateOf(one.id), stateOf(hidden.id)])
  const wrong: string[] = []
  const tried = async (person: Person, application: string, children: typeof one) => {
    for (const [path, body] of changesOf(children)) {
      const { status } = await person.post(`/applications/${application}/${path}`, body)
      if (status !== 404) wrong.push(`${path} ${status}`)
    }
  }
  for (const person of [owner, recruiter, manager]) await tried(person, other.id, one)
  // a job that the person has no access to: by its own address, and below a candidate of theirs
  for (const application of [hidden.id, other.id]) await tried(manager, application, hidden)
  for (const application of [one.id, other.id]) await tried(stranger, application, one)
  assert.deepEqual(wrong, [])
  assert.deepEqual(await Promise.all([stateOf(one.id), stateOf(hidden.id)]), before)
})

test('what belongs to an application: viewers and interviewers get 403 for every change of messages and interviews', async () => {
  const one = await furnished()
  const before = await stateOf(one.id)
  const wrong: string[] = []
  for (const [path, body] of changesOf(one)) {
    if (String(path).startsWith('notes/')) continue
    for (const person of [viewer, interviewer]) {
      const { status } = await person.post(`/applications/${one.id}/${path}`, body)
      if (status !== 403) wrong.push(`${path} ${status}`)
    }
  }
  for (const [path, body] of [
    ['messages', { subject: 'Hello', body: 'Dear candidate' }],
    ['replies', { body: 'Yes' }],
    ['interviews', plan()],
    ['cancel-interviews', undefined],
    ['scorecard-requests', { user_ids: [owner.userId] }],
  ] as const)
    for (const person of [viewer, interviewer]) {
      const { status } = await person.post(`/applications/${one.id}/${path}`, body)
      if (status !== 403) wrong.push(`${path} ${status}`)
    }
  assert.deepEqual(wrong, [])
  assert.deepEqual(await stateOf(one.id), before)
})

test('people of another job or workspace: 400 as interviewers, for scorecards and in mentions, naming the person', async () => {
  const { id } = await applicant(elsewhere)
  for (const person of [manager, stranger]) {
    for (const [path, body, param] of [
      ['interviews', { ...plan(), interviewer_user_ids: [person.userId] }, 'interviewer_user_ids[0]'],
      ['scorecard-requests', { user_ids: [person.userId] }, 'user_ids[0]'],
      ['notes', { body: 'Look', mentions: [person.userId], visibility: 'private' }, 'mentions[0]'],
    ] as const) {
      const { status, body: refused } = await owner.post(`/applications/${id}/${path}`, body)
      assert.deepEqual([status, refused.detail.param], [400, param])
    }
  }
})

/** Texts that a store of texts may choke on. */
const HOSTILE = ['a\u0000b', '\ud800', 'x'.repeat(300_000)]

test('texts with NUL, half characters and 300,000 characters: no call of the pages ends as a failure of the service', async () => {
  const one = await furnished()
  const failed: string[] = []
  const note = (name: string, { status, text }: { status: number; text: string }) => {
    if (status >= 500) failed.push(`${name} ${status} ${text.slice(0, 200)}`)
  }
  for (const text of HOSTILE) {
    const bodies: readonly (readonly [string, object])[] = [
      [`/applications/${one.id}/notes`, { body: text, mentions: [] }],
      [`/applications/${one.id}/notes`, { body: 'x', mentions: [text] }],
      [`/applications/${one.id}/notes/${one.note}`, { body: text, mentions: [] }],
      [`/applications/${one.id}/messages`, { subject: 'x', body: text, send_at: inHours(5) }],
      [`/applications/${one.id}/messages`, { subject: text, body: 'x', send_at: inHours(5), template_id: text }],
      [`/applications/${one.id}/replies`, { body: text }],
      [`/applications/${one.id}/interviews`, { ...plan(), title: text }],
      [`/applications/${one.id}/interviews`, { ...plan(), place: text, candidate_text: text, internal_text: text }],
      [`/applications/${one.id}/interviews`, { ...plan(), time_zone: text }],
      [`/applications/${one.id}/interviews`, { ...plan(), meeting_url: `https://example.org/${text}` }],
      [`/applications/${one.id}/interviews`, { ...plan(), interviewer_user_ids: [text] }],
      [`/applications/${one.id}/interviews/${one.interview}`, { title: text, expected_updated_at: text }],
      [`/applications/${one.id}/tags`, { add: text }],
      [`/applications/${one.id}/scorecard-requests`, { user_ids: [text] }],
      ['/applications/changes', { changes: [{ id: one.id, action: 'withdraw', reason: text }] }],
      ['/applications/changes', { changes: [{ id: one.id, action: 'reject', reason_id: text }] }],
      ['/applications/changes', { changes: [{ id: text, action: 'move', stage_id: text }] }],
      ['/applications/changes', { changes: [{ id: one.id, action: 'start_date', start_date: text }] }],
      ['/applications/rejection-facts', { job_id: text, application_ids: [text] }],
      ['/decision-reasons', { reasons: [{ side: 'reject', names: { en: text } }], expected_version: text }],
      ['/decision-reasons', { reasons: [{ id: text, side: 'reject', names: { [text]: text }, template_id: text }] }],
      ['/message-templates', { name: text, subject: text, body: text, purpose: 'general' }],
      ['/member-settings', { time_zone: text }],
      ['/member-settings', { language: text }],
      ['/member-hours', { time_zone: text, hours: [[], [], [], [], [], [], []] }],
      [`/jobs/${world.job.id}/team`, { add: [text], remove: [text], roles: { [text]: 'recruiter' } }],
    ]
    for (const [path, body] of bodies) {
      note(`${path} ${JSON.stringify(text.slice(0, 9))}`, await owner.post(path, body))
      note(
        `${path} in chunks`,
        await owner.post(path, Object.fromEntries(Object.keys(body).map(key => [key, [[text]]]))),
      )
    }
    const part = encodeURIComponent(text.slice(0, 500).toWellFormed())
    for (const path of [
      `/search?q=${part}`,
      `/candidates?q=${part}`,
      `/candidates?tag=${part}&source=${part}&skills=${part}&job_id=${part}`,
      `/candidates?cursor=${part}`,
      `/applications/${one.id}/activity?cursor=${part}&show=${part}`,
      `/applications/${one.id}/activity?cursor=${part}`,
      `/applications/${one.id}/availability?from=${part}&to=${part}`,
      `/applications/${part}/interviews`,
      `/applications/${one.id}/messages?cursor=${part}`,
      `/jobs/${world.job.id}/board?tag=${part}`,
    ])
      note(path.slice(0, 80), await owner.get(path))
    note('message', await owner.post(`/applications/${one.id}/messages/${part}/cancel`))
    note('interview', await owner.post(`/applications/${one.id}/interviews/${part}/cancel`, {}))
    note('note', await owner.post(`/applications/${one.id}/notes/${part}/delete`))
    note('request', await owner.post(`/applications/${one.id}/scorecard-requests/${part}/withdraw`))
  }
  assert.deepEqual(failed, [])
})

interface Line {
  kind: string
  body?: string
  by: { name: string | null }
}

test('stream and lists of an interviewer: own notes, interviews and scorecard; no message, decision, order, file or private note', async () => {
  const one = await furnished()
  const path = `/applications/${one.id}`
  await owner.post(`${path}/notes`, { body: 'Only for owners', mentions: [], visibility: 'private' })
  await interviewer.post(`${path}/notes`, { body: 'My impression', mentions: [] })
  await owner.post(`/v1${path}/scorecards`, { recommendation: 'no', summary: 'Weak' })
  const seen = await interviewer.get(`${path}/activity`)
  assert.deepEqual(
    seen.body.data.map((line: Line) => [line.kind, line.body ?? null]),
    [
      ['note', 'My impression'],
      ['interview', null],
    ],
  )
  for (const text of ['Only for owners', 'Dear candidate', 'Weak', 'Between us'])
    assert.ok(!seen.text.includes(text), text)
  assert.equal((await interviewer.post(`/v1${path}/scorecards`, { recommendation: 'yes' })).status, 201)
  const after = (await interviewer.get(`${path}/activity`)).body.data as Line[]
  assert.deepEqual(
    after.map(({ kind, by }) => [kind, by.name]),
    [
      ['scorecard', 'Peng'],
      ['note', 'Peng'],
      ['interview', 'Rosalind'],
      ['note', 'Rosalind'],
    ],
  )
  for (const show of ['messages', 'decisions', 'reads'])
    assert.deepEqual((await interviewer.get(`${path}/activity?show=${show}`)).body.data, [], show)
  assert.equal((await interviewer.get(`${path}/messages`)).status, 403)
  assert.equal((await interviewer.get(`${path}/availability`)).status, 403)
  const interviews = await interviewer.get(`${path}/interviews`)
  assert.deepEqual([interviews.status, interviews.body.interviews[0].internal_text], [200, 'Ask about the gap'])
  // one whom the person neither interviews nor was asked about does not exist
  const other = await applicant()
  for (const part of ['activity', 'interviews', 'notes', 'scorecards'])
    assert.equal((await interviewer.get(`/applications/${other.id}/${part}`)).status, 404, part)
})

test('private notes: in the stream of author, mentioned, owners and admins alone; in no count, search, record or file of others', async () => {
  const { id, applicant_id } = await applicant()
  const read = async () => (await service.get(`/applications/${id}`, world.key)).body
  const before = await read()
  const secret = 'Quetzalcoatlus'
  const written = await recruiter.post(`/applications/${id}/notes`, {
    body: secret,
    mentions: [manager.userId],
    visibility: 'private',
  })
  assert.equal(written.status, 200, written.text)
  for (const person of [recruiter, manager, owner])
    assert.ok((await person.get(`/applications/${id}/activity`)).text.includes(secret))
  const colleague = await enter('member', 'Osei')
  for (const person of [colleague, viewer])
    for (const path of [
      `/applications/${id}/activity`,
      `/applications/${id}/activity?show=notes`,
      `/candidates/${id}`,
      `/search?q=${secret}`,
      `/candidates`,
      '/tasks',
      `/v1/applications/${id}`,
    ])
      assert.ok(!(await person.get(path)).text.includes(secret), path)
  assert.deepEqual((await colleague.get(`/applications/${id}/hidden-notes`)).body, { hidden: 0 })
  assert.deepEqual(await read(), before, 'nothing of the record tells that there is one')
  const listed = async () => (await service.get(`/applications/${id}/notes`, world.key)).body.data.length
  assert.equal(await listed(), 0)
  await owner.post(`/applications/${id}/notes`, { body: 'For all', mentions: [] })
  assert.equal(await listed(), 1)
  // who was mentioned, and is limited to another job now
  await owner.post(`/jobs/${world.job.id}/team`, { add: [], remove: [manager.userId] })
  assert.equal((await manager.get(`/applications/${id}/activity`)).status, 404)
  assert.ok(!(await manager.get('/tasks')).text.includes(secret))
  await join(manager, 'hiring_manager')
  await db.query(sql`update applicants set suppressed_at = app_now() where id = ${applicant_id}`)
  assert.ok(!(await owner.get(`/applications/${id}/activity`)).text.includes(secret))
  assert.ok(!(await manager.get('/tasks')).text.includes(secret))
})

test('messages to a person that are about no application: not for people who are limited to jobs, in the list and the stream', async () => {
  const { id, applicant_id } = await applicant()
  const message = { to: { applicant_id }, subject: 'About another job', body_text: 'Words about another job' }
  const sent = await service.post('/messages', world.key, message, { headers: { 'idempotency-key': randomUUID() } })
  assert.equal(sent.status, 200, sent.text)
  for (const part of ['messages', 'activity', 'activity?show=messages']) {
    const path = `/applications/${id}/${part}`
    assert.ok((await recruiter.get(path)).text.includes('Words about another job'), part)
    const limited = await manager.get(path)
    assert.deepEqual([limited.status, limited.text.includes('another job')], [200, false], part)
  }
})
