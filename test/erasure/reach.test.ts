import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { erasureVerbs } from '../../src/cli/erasures.ts'
import { API_LIMITS } from '../../src/contract/limits.ts'
import { secondsToMidnight } from '../../src/kernel/access/usage.ts'
import { sha256 } from '../../src/kernel/crypto/signing.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { importApplicant } from '../../src/resources/applicants/index.ts'
import { openErasures, requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { importPoolBatch, readPoolLine, WordCounts } from '../../src/resources/pool/index.ts'
import { importProfiles, readProfile, revealContactInfo } from '../../src/resources/sourced-profiles/index.ts'
import { apply, body, newJob, newTenant, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { readFeed, typesOf } from '../harness/feed.ts'
import { runVerb } from '../harness/verb.ts'
import { askAllHolders } from './holders.ts'
import { startTwoWorkspaces } from './two-workspaces.ts'

const { service, db, home, other, owner, otherOwner } = await startTwoWorkspaces()

const url = (name: string) => `https://www.linkedin.com/in/${name}`
const digest = (key: string) => sha256(key).toString('hex')

/** Does what the worker does. */
async function work(): Promise<void> {
  for (const { id } of await db.query(openErasures())) await runErasure(service.services, id)
}
async function ask(who: Person, person: { email?: string; linkedin_url?: string }, reason = 'erasure_request') {
  const confirmation = person.email ?? person.linkedin_url
  const response = await who.post('/erasures', { ...person, reason, confirmation })
  assert.equal(response.status, 200, response.text)
  await askAllHolders(db)
  return response.body as { id: string; is_new: boolean }
}
const latestRequest = async (who: Person) => (await who.get('/erasure-requests?limit=1')).body.data[0]
const statusOf = async (at: World, path: string) => (await service.get(path, at.key)).status
const applyAgain = async (at: World, candidate: object) =>
  (await service.post('/applications', at.key, body(await newJob(service, at.workspace), {}, { ...candidate }))).status

test('POST /console/api/erasures: another workspace keeps its records, applications and feed', async () => {
  const kept = await apply(other, {}, { email: 'only.other@example.org' })
  const events = (await readFeed(service, other.workspace)).length
  await ask(owner, { email: 'only.other@example.org' })
  await work()
  assert.equal(await statusOf(other, `/applicants/${kept.applicant_id}`), 200)
  assert.equal(await statusOf(other, `/applications/${kept.id}`), 200)
  assert.deepEqual(typesOf((await readFeed(service, other.workspace)).slice(events)), [])
  assert.deepEqual((await service.get('/suppressions', other.key)).body.data, [])
  assert.equal(await applyAgain(other, { email: 'only.other@example.org' }), 201)
  assert.equal(await applyAgain(home, { email: 'only.other@example.org' }), 409)
})

test('GET /console/api/erasures/{id}: the hashes of GET /suppressions, none that only another workspace held', async () => {
  const linkedin_url = url('two.addresses')
  await apply(home, {}, { email: 'two.home@example.org', linkedin_url })
  await apply(other, {}, { email: 'two.other@example.org', linkedin_url })
  const { id } = await requestErasure(db, { linkedinUrl: linkedin_url, requestedBy: 'command_line' })
  await runErasure(service.services, id)
  for (const [at, who, email] of [
    [home, owner, 'two.home@example.org'],
    [other, otherOwner, 'two.other@example.org'],
  ] as const) {
    const entry = (await service.get('/suppressions?limit=100', at.key)).body.data.at(-1)
    const shown = (await who.get(`/erasures/${entry.id}`)).body
    assert.deepEqual(shown.identifiers, entry.identifiers)
    assert.deepEqual(
      shown.identifiers.map((i: { value: string }) => i.value),
      [digest(email), digest('linkedin.com/in/two.addresses')],
    )
    const counts = Object.fromEntries(shown.records.map((r: { object: string; found: number }) => [r.object, r.found]))
    assert.equal(counts['applicant'], 1, 'records of this workspace alone are counted')
  }
})

test('POST /console/api/erasures: the response and the page are the same whether or not another workspace holds the person', async () => {
  await apply(home, {}, { email: 'shared@example.org', linkedin_url: url('shared') })
  await apply(other, {}, { email: 'shared@example.org', linkedin_url: url('shared') })
  await apply(home, {}, { email: 'alone@example.org', linkedin_url: url('alone') })
  // which keys were used is stored about once a second, and decides who is asked to confirm
  await service.services.usage.flush()
  const shown: unknown[] = []
  for (const email of ['shared@example.org', 'alone@example.org']) {
    const preview = (await owner.post('/erasures/preview', { email })).body
    const { id, is_new } = await ask(owner, { email })
    const {
      id: _,
      requested_at,
      delete_by,
      subjects,
      identifiers,
      ...running
    } = (await owner.get(`/erasures/${id}`)).body
    const kinds = subjects.map((s: { object: string }) => s.object)
    shown.push({ preview, is_new, running, kinds, identifiers: identifiers.length })
    await work()
    const again = await ask(owner, { email })
    assert.deepEqual(again, { id, is_new: false })
  }
  assert.deepEqual(shown[0], shown[1])
})

test('GET /console/api/erasure-requests: the holder sees its own handles, and nothing of the workspace that asked', async () => {
  const linkedin_url = url('asked.about')
  const asking = await apply(home, {}, { email: 'asked.home@example.org', linkedin_url })
  const held = await apply(other, {}, { email: 'asked.other@example.org', linkedin_url })
  const erasure = await ask(owner, { email: 'asked.home@example.org' }, 'legal_request')
  const { id } = await latestRequest(otherOwner)
  const list = await otherOwner.get('/erasure-requests?state=open')
  const detail = await otherOwner.get(`/erasure-requests/${id}`)
  const { requested_at, ...row } = list.body.data[0]
  assert.deepEqual(row, {
    id,
    reason: 'legal_request',
    state: 'open',
    decided_at: null,
    decided_by: null,
    erasure_id: null,
  })
  const { subjects, held_here, note } = detail.body
  assert.deepEqual(
    subjects.filter((s: { object: string }) => s.object !== 'person'),
    [
      { object: 'applicant', id: held.applicant_id },
      { object: 'application', id: held.id },
    ],
  )
  assert.equal(held_here.find((h: { object: string }) => h.object === 'applicant').count, 1)
  assert.equal(note, null)
  const secrets = [home.workspace, owner.userId, owner.email, asking.id, asking.applicant_id, erasure.id, 'asked.home']
  for (const { text } of [list, detail]) {
    for (const secret of [...secrets, digest('asked.home@example.org')]) assert.ok(!text.includes(secret), secret)
    assert.ok(!text.includes('asked.other@'), 'no address at all')
  }
  assert.deepEqual((await owner.get('/erasure-requests')).body.data, [], 'the asking workspace is asked nothing')
})

test('POST /console/api/erasure-requests/{id}/approve: erases in that workspace alone, with its own deadline and events', async () => {
  const linkedin_url = url('approved')
  await apply(home, {}, { email: 'approved@example.org', linkedin_url })
  const held = await apply(other, {}, { email: 'approved.other@example.org', linkedin_url })
  const third: World = { service, ...(await newTenant(service)) }
  const untouched = await apply(third, {}, { email: 'approved.other@example.org' })
  const first = await ask(owner, { email: 'approved@example.org' })
  await work()
  const { id } = await latestRequest(otherOwner)
  const events = (await readFeed(service, other.workspace)).length
  const approved = await otherOwner.post(`/erasure-requests/${id}/approve`)
  assert.equal(approved.status, 200, approved.text)
  assert.notEqual(approved.body.erasure_id, first.id)
  assert.deepEqual((await otherOwner.post(`/erasure-requests/${id}/approve`)).body, approved.body, 'approved twice')
  await work()
  const emitted = (await readFeed(service, other.workspace)).slice(events)
  assert.deepEqual(typesOf(emitted), [
    'data_subject.suppression_applied',
    'application.deleted',
    'applicant.deleted',
    'data_subject.erasure_completed',
  ])
  assert.equal(await statusOf(other, `/applicants/${held.applicant_id}`), 404)
  const entry = (await service.get('/suppressions?limit=100', other.key)).body.data.at(-1)
  assert.equal(entry.id, approved.body.erasure_id)
  assert.equal(Date.parse(entry.delete_by) - Date.parse(entry.applied_at), 7 * 86_400_000)
  assert.deepEqual(
    entry.identifiers.map((i: { value: string }) => i.value),
    [digest('approved.other@example.org'), digest('linkedin.com/in/approved')],
  )
  const shown = (await otherOwner.get(`/erasures/${approved.body.erasure_id}`)).body
  assert.deepEqual([shown.status, shown.requested_by, shown.approved], ['erased', 'Pia', true])
  const row = (await otherOwner.get(`/erasure-requests/${id}`)).body
  assert.deepEqual([row.state, row.decided_by, row.erasure_id], ['approved', 'Pia', entry.id])
  assert.deepEqual([row.subjects, row.held_here], [[], []])
  assert.ok(row.decided_at)
  assert.equal(await applyAgain(other, { email: 'approved.other@example.org' }), 409)
  // the asking workspace did not know that address, so a third one that holds it was not asked and may continue
  assert.equal(await statusOf(third, `/applicants/${untouched.applicant_id}`), 200)
  assert.equal(await applyAgain(third, { email: 'approved.other@example.org' }), 201)
  assert.equal(await applyAgain(home, { email: 'approved.other@example.org' }), 201)
  const declined = await otherOwner.post(`/erasure-requests/${id}/decline`, {})
  assert.deepEqual([declined.status, declined.body.detail.message], [400, 'This request was already approved.'])
})

test('POST /console/api/erasure-requests/{id}/decline: nothing changes, the note stays inside, and the decision is final', async () => {
  await apply(home, {}, { email: 'declined@example.org' })
  const held = await apply(other, {}, { email: 'declined@example.org' })
  const { id: first } = await ask(owner, { email: 'declined@example.org' })
  await work()
  const { id } = await latestRequest(otherOwner)
  const before = await owner.get(`/erasures/${first}`)
  const declined = await otherOwner.post(`/erasure-requests/${id}/decline`, { note: ' must be kept by law ' })
  assert.equal(declined.status, 200, declined.text)
  assert.deepEqual([declined.body.state, declined.body.decided_by], ['declined', 'Pia'])
  const again = await otherOwner.post(`/erasure-requests/${id}/decline`, { note: 'another' })
  assert.deepEqual(again.body, declined.body)
  assert.equal((await otherOwner.get(`/erasure-requests/${id}`)).body.note, 'must be kept by law')
  assert.equal((await otherOwner.post(`/erasure-requests/${id}/approve`)).status, 400)
  await work()
  assert.equal(await statusOf(other, `/applicants/${held.applicant_id}`), 200)
  assert.equal(await applyAgain(other, { email: 'declined@example.org' }), 201)
  assert.deepEqual((await owner.get(`/erasures/${first}`)).body, before.body, 'the asking workspace sees no difference')
  const stored = await db.one(sql<{ identifiers: unknown }>`select identifiers from erasure_requests where id = ${id}`)
  assert.equal(stored!.identifiers, null)
  // asked again by the same workspace, the holder is not asked again
  await ask(owner, { email: 'declined@example.org' })
  assert.equal((await latestRequest(otherOwner)).id, id)
})

test('erasure of one workspace: 403 role_required, 404: an admin neither sees nor decides, another workspace’s request is like one that is not there', async () => {
  await apply(other, {}, { email: 'roles@example.org' })
  await ask(owner, { email: 'roles@example.org' })
  const { id } = await latestRequest(otherOwner)
  const admin = await signedIn(service, other.workspace, { role: 'admin' })
  for (const response of [
    await admin.get('/erasure-requests'),
    await admin.get(`/erasure-requests/${id}`),
    await admin.post(`/erasure-requests/${id}/approve`),
    await admin.post(`/erasure-requests/${id}/decline`, {}),
  ])
    assert.deepEqual([response.status, response.body.detail.code], [403, 'role_required'])
  const calls = [
    (at: string) => owner.get(`/erasure-requests/${at}`),
    (at: string) => owner.post(`/erasure-requests/${at}/approve`),
    (at: string) => owner.post(`/erasure-requests/${at}/decline`, {}),
  ]
  const plain = (text: string) => text.replaceAll(/req_\w+/g, 'req')
  for (const call of calls) {
    const [foreign, missing, malformed] = [await call(id), await call(randomUUID()), await call('nonsense')]
    assert.equal(missing.status, 404)
    assert.equal(plain(foreign.text), plain(missing.text))
    assert.equal(plain(malformed.text), plain(missing.text))
  }
  assert.equal((await latestRequest(otherOwner)).state, 'open')
  const long = await otherOwner.post(`/erasure-requests/${id}/decline`, { note: 'x'.repeat(2_001) })
  assert.deepEqual([long.status, long.body.detail.param], [400, 'note'])
})

test('erasure of one workspace: a suppression of one workspace: refused there at application, import, reveal, resolve and mail, and nowhere else', async () => {
  const linkedin_url = url('reach.of.list')
  const email = 'reach.of.list@mail-people.io'
  await apply(home, {}, { email, linkedin_url })
  const kept = await apply(other, {}, { email, linkedin_url })
  await ask(owner, { email })
  await work()
  const outcomes = async (at: World) => {
    const ref = { system: 'acme', type: 'candidate', id: at.workspace, connection_id: null, link_origin: 'sync' }
    const imported = await db
      .transaction(tx => importApplicant(tx, at.workspace, { ...ref, last_synced_at: null }, { email }))
      .then(
        () => 'stored',
        error => error.code,
      )
    const row = readProfile(JSON.stringify({ full_name: 'Reach', linkedin_url }), newHandle('sourced_profile'))
    const how = { origin: 'xray', acquisition: 'xray_search', provider: null }
    const actor = { workspace: at.workspace, originKeyId: null }
    const { created, suppressed } = await db.transaction(tx => importProfiles(tx, actor, how, [row]))
    const known = readProfile(JSON.stringify({ full_name: 'Known' }), newHandle('sourced_profile'))
    await db.transaction(tx => importProfiles(tx, actor, how, [known]))
    const value = { field: 'email', value: email, kind: 'work', status: 'verified', verified_at: null } as const
    const revealed = await db
      .transaction(tx => revealContactInfo(tx, actor, known.id, [value]))
      .then(
        () => 'stored',
        error => error.code,
      )
    const resolved = await statusOf(at, `/people/resolve?linkedin_url=${encodeURIComponent(linkedin_url)}`)
    return { applied: await applyAgain(at, { email }), imported, created, suppressed, revealed, resolved }
  }
  assert.deepEqual(await outcomes(home), {
    applied: 409,
    imported: 'applicant_suppressed',
    created: 0,
    suppressed: 1,
    revealed: 'applicant_suppressed',
    resolved: 404,
  })
  assert.deepEqual(await outcomes(other), {
    applied: 201,
    imported: 'stored',
    created: 1,
    suppressed: 0,
    revealed: 'stored',
    resolved: 200,
  })
  const message = { to: { applicant_id: kept.applicant_id }, subject: 'Hello', body_text: 'Hello' }
  const headers = { 'idempotency-key': 'reach-of-list' }
  const sent = await service.post('/messages', other.key, message, { headers })
  assert.equal(sent.status, 200, sent.text)
})

test('erasure of one workspace: stop_processing of one workspace: its records are marked, another’s are not until it approves', async () => {
  const mine = await apply(home, {}, { email: 'stops@example.org' })
  const theirs = await apply(other, {}, { email: 'stops@example.org' })
  const isSuppressed = async (at: World, id: string) =>
    (await service.get(`/applicants/${id}`, at.key)).body.provenance.consent.suppressed
  await ask(owner, { email: 'stops@example.org' }, 'stop_processing')
  assert.equal(await isSuppressed(home, mine.applicant_id), true)
  assert.equal(await isSuppressed(other, theirs.applicant_id), false)
  const request = await latestRequest(otherOwner)
  assert.equal(request.reason, 'stop_processing')
  assert.equal((await otherOwner.post(`/erasure-requests/${request.id}/approve`)).status, 200)
  assert.equal(await isSuppressed(other, theirs.applicant_id), true)
  assert.equal(await applyAgain(other, { email: 'stops@example.org' }), 409)
  // an erasure that follows here ends what was stopped here, and leaves the other's stop as it is
  await ask(owner, { email: 'stops@example.org' })
  await work()
  const states = async (at: World) =>
    (await service.get('/suppressions?limit=100', at.key)).body.data.slice(-2).map((s: { status: string }) => s.status)
  assert.deepEqual(await states(home), ['erased', 'erased'])
  assert.equal((await states(other)).at(-1), 'suppressed')
  assert.equal(await statusOf(other, `/applicants/${theirs.applicant_id}`), 200)
})

test('erasure of one workspace: a pool profile stays until the operator decides; once approved, it is deleted for all, and workspaces may still store the person', async () => {
  const linkedin_url = url('pooled.reach')
  const line = readPoolLine(JSON.stringify({ full_name: 'Pooled', linkedin_url }))
  const store = () => db.transaction(tx => importPoolBatch(db, tx, [line], new WordCounts()))
  const profiles = async () =>
    db.query(sql<{ id: string }>`select id from pool_profiles where linkedin_key = ${line.linkedin_key}`)
  await store()
  const [pooled] = await profiles()
  await apply(home, {}, { email: 'pooled.reach@example.org', linkedin_url })
  const poolEvents = (await readFeed(service, null)).length
  await ask(owner, { email: 'pooled.reach@example.org' })
  await work()
  assert.equal(await statusOf(home, `/pool/profiles/${pooled!.id}`), 200)
  assert.equal(await statusOf(home, `/people/resolve?linkedin_url=${encodeURIComponent(linkedin_url)}`), 404)
  assert.equal(await statusOf(other, `/people/resolve?linkedin_url=${encodeURIComponent(linkedin_url)}`), 200)
  assert.equal((await readFeed(service, null)).length, poolEvents)
  const listed = (await runVerb(service, erasureVerbs, 'erasures list', [])).json as Record<string, unknown>[]
  const request = listed.find(r => r['workspace_id'] === null)!
  assert.deepEqual([request['held'], request['asked_in']], [1, home.workspace])
  await runVerb(service, erasureVerbs, 'erasures approve', [request['id'] as string], { yes: '' })
  assert.equal(await statusOf(home, `/pool/profiles/${pooled!.id}`), 404)
  const [applied, completed] = typesOf((await readFeed(service, null)).slice(poolEvents))
  assert.deepEqual([applied, completed], ['data_subject.suppression_applied', 'data_subject.erasure_completed'])
  await store()
  assert.deepEqual(await profiles(), [], 'no import brings it back')
  assert.equal(await applyAgain(other, { email: 'pooled.other@example.org', linkedin_url }), 201)
})

test('erasure of one workspace: a workspace’s own erasure closes the requests to it; the operator’s closes all, and clears notes', async () => {
  const email = 'settled@example.org'
  const third: World = { service, ...(await newTenant(service)) }
  const thirdOwner = await signedIn(service, third.workspace)
  for (const at of [home, other, third]) await apply(at, {}, { email })
  await ask(owner, { email })
  const mine = await latestRequest(otherOwner)
  await ask(otherOwner, { email })
  await work()
  const superseded = (await otherOwner.get(`/erasure-requests/${mine.id}`)).body
  assert.deepEqual([superseded.state, superseded.decided_by], ['superseded', 'Pia'])
  assert.equal((await otherOwner.post(`/erasure-requests/${mine.id}/approve`)).status, 400)
  const open = (await thirdOwner.get('/erasure-requests?state=open')).body.data
  assert.equal(open.length, 1, 'two workspaces asked, one request is open')
  await thirdOwner.post(`/erasure-requests/${open[0].id}/decline`, { note: 'about the person' })
  const { id } = await requestErasure(db, { email, requestedBy: 'command_line' })
  await runErasure(service.services, id)
  assert.equal(await applyAgain(third, { email }), 409)
  const declined = (await thirdOwner.get(`/erasure-requests/${open[0].id}`)).body
  assert.deepEqual([declined.state, declined.note], ['declined', null])
})

test('erasure of one workspace: 429 rate_limit_exceeded: a workspace can request a limited number of erasures a day, repeats included', async () => {
  const busy: World = { service, ...(await newTenant(service)) }
  const busyOwner = await signedIn(service, busy.workspace)
  // not while the day ends: the count would begin again
  if (secondsToMidnight(await db.now()) < 300) clock.advance(600_000)
  await db.query(sql`
    insert into erasure_request_usage (workspace_id, day, used)
    values (${busy.workspace}, app_now()::date, ${API_LIMITS.erasureRequestsPerDay - 1}::integer)`)
  await ask(busyOwner, { email: 'last.of.day@example.org' })
  const refused = { email: 'too.many@example.org', reason: 'erasure_request', confirmation: 'too.many@example.org' }
  const response = await busyOwner.post('/erasures', refused)
  assert.deepEqual([response.status, response.body.detail.code], [429, 'rate_limit_exceeded'])
  assert.ok(response.body.detail.retry_after_seconds > 0)
  assert.doesNotMatch(response.text, /too\.many/)
  assert.equal(await applyAgain(busy, { email: 'too.many@example.org' }), 201, 'nothing was done')
  await work()
  const repeat = { ...refused, email: 'last.of.day@example.org', confirmation: 'last.of.day@example.org' }
  assert.equal((await busyOwner.post('/erasures', repeat)).status, 429)
  await ask(owner, { email: 'other.day@example.org' }) // another workspace has its own count
  clock.advance(86_400_000)
  try {
    await requestErasure(db, {
      email: 'next.day@example.org',
      requestedBy: busyOwner.userId,
      askedIn: busy.workspace,
      reach: busy.workspace,
    })
  } finally {
    clock.reset()
  }
})
