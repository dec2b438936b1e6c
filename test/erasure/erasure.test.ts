import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { editApplicant, importApplicant } from '../../src/resources/applicants/index.ts'
import { parseNext } from '../../src/resources/applications/index.ts'
import { erasureById, previewErasure, requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { importPoolBatch, readPoolLine, WordCounts } from '../../src/resources/pool/index.ts'
import {
  deleteProfile,
  importProfiles,
  readProfile,
  revealContactInfo,
} from '../../src/resources/sourced-profiles/index.ts'
import { apply, body, newJob, newTenant, startWorld, upload, type World } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'
import { readFeed, typesOf } from '../harness/feed.ts'

const home = await startWorld()
const { service } = home
const { db } = service.services
const other: World = { service, ...(await newTenant(service)) }
const stranger: World = { service, ...(await newTenant(service)) }

const url = (name: string) => `https://www.linkedin.com/in/${name}`
const HOW = { origin: 'xray', acquisition: 'xray_search', provider: null }

async function source(at: World, fields: object): Promise<string> {
  const row = readProfile(JSON.stringify(fields), newHandle('sourced_profile'))
  await db.transaction(tx => importProfiles(tx, { workspace: at.workspace, originKeyId: null }, HOW, [row]))
  return row.id
}
const reveal = (at: World, id: string, value: string) =>
  db.transaction(tx =>
    revealContactInfo(tx, { workspace: at.workspace, originKeyId: null }, id, [
      { field: 'email', value, kind: 'work', status: 'verified', verified_at: null },
    ]),
  )
async function pool(fields: object): Promise<string | undefined> {
  const counts = new WordCounts()
  const line = readPoolLine(JSON.stringify({ full_name: 'Someone', ...fields }))
  await db.transaction(tx => importPoolBatch(db, tx, [line], counts))
  await counts.store(db)
  const row = await db.one(sql<{ id: string }>`select id from pool_profiles where linkedin_key = ${line.linkedin_key}`)
  return row?.id
}
const refOf = (id: string) => ({
  system: 'acme',
  type: 'candidate',
  id,
  connection_id: null,
  link_origin: 'sync',
  last_synced_at: null,
})
async function erase(asked: { email?: string; linkedinUrl?: string; reason?: string }) {
  const { id, isNew } = await requestErasure(db, { ...asked, requestedBy: home.userId })
  return { id, isNew, done: await runErasure(service.services, id) }
}
/** Events since the last look. */
const seen = new Map<string | null, number>()
async function news(workspace: string | null) {
  const events = await readFeed(service, workspace)
  const fresh = events.slice(seen.get(workspace) ?? 0)
  seen.set(workspace, events.length)
  return fresh
}
const suppressions = async (at: World) => (await service.get('/suppressions?limit=100', at.key)).body.data

test('erasure: reaches the person in every workspace and the pool, and notifies each holder, in order', async () => {
  const application = await apply(home, {}, { email: 'reach@example.org', linkedin_url: url('reach') })
  const profile = await source(other, { full_name: 'Reach', linkedin_url: url('reach') })
  await reveal(other, profile, 'Reach.Work@Example.org')
  const second = await apply(other, {}, { email: 'reach.work@example.org' })
  const pooled = await pool({ linkedin_url: url('reach'), headline: 'unheardofword17' })
  await service.get(`/people/resolve?email=reach@example.org`, home.key)
  for (const at of [home.workspace, other.workspace, stranger.workspace, null]) await news(at)

  const { id, done } = await erase({ email: ' Reach@example.org', reason: 'legal_request' })
  assert.deepEqual(typesOf(await news(home.workspace)), [
    'data_subject.suppression_applied',
    'application.deleted',
    'applicant.deleted',
    'data_subject.erasure_completed',
  ])
  const emitted = await news(other.workspace)
  assert.deepEqual(typesOf(emitted), [
    'data_subject.suppression_applied',
    'application.deleted',
    'applicant.deleted',
    'sourced_profile.deleted',
    'data_subject.erasure_completed',
  ])
  assert.deepEqual(await news(stranger.workspace), [])
  const [applied, completed] = await news(null)
  assert.deepEqual(applied.data.object.subjects, [{ object: 'pool_profile', id: pooled }])
  assert.equal(completed.type, 'data_subject.erasure_completed')

  const [entry] = (await suppressions(other)).slice(-1)
  const { object, id: suppression, workspace_id, updated_at, ...values } = emitted[0].data.object
  assert.deepEqual([object, suppression, workspace_id], ['suppression', entry.id, other.workspace])
  assert.equal(updated_at, entry.applied_at)
  assert.equal(Date.parse(values.delete_by) - Date.parse(updated_at), 7 * 86_400_000)
  assert.deepEqual(Object.keys(values), ['status', 'reason', 'subjects', 'delete_by'])
  assert.deepEqual([values.status, values.reason], ['suppressed', 'legal_request'])
  const held = values.subjects.filter((s: { object: string }) => s.object !== 'person')
  assert.deepEqual(held, [
    { object: 'applicant', id: second.applicant_id },
    { object: 'application', id: second.id },
    { object: 'sourced_profile', id: profile },
  ])
  const last = emitted.at(-1).data.object
  assert.deepEqual([last.id, last.status, last.subjects], [entry.id, 'erased', values.subjects])
  assert.equal(emitted[1].data.object.reason, 'legal_request')
  assert.equal(emitted[3].data.object.reason, 'legal_request')

  for (const [at, path] of [
    [home, `/applications/${application.id}`],
    [home, `/applicants/${application.applicant_id}`],
    [other, `/sourced-profiles/${profile}`],
    [home, `/pool/profiles/${pooled}`],
    [home, '/people/resolve?email=reach@example.org'],
    [home, `/people/resolve?linkedin_url=${encodeURIComponent(url('reach'))}`],
  ] as const)
    assert.equal((await service.get(path, at.key)).status, 404, path)
  const searched = await service.post('/pool/search', home.key, { query: 'unheardofword17' })
  assert.deepEqual(searched.body.data, [])
  assert.deepEqual(await db.query(sql`select word from pool_vocabulary where word like 'unheardof%'`), [])
  assert.deepEqual(done.workspaces, [home.workspace, other.workspace].toSorted())
  assert.ok(done.records.every(r => r.found === r.done))
  const stored = await db.one(sql<{ identifiers: unknown }>`select identifiers from erasures where id = ${id}`)
  assert.equal(stored!.identifiers, null)
})

test('erasure: 409 applicant_suppressed: an erased person cannot be stored again in any workspace, under any of their addresses', async () => {
  await apply(home, {}, { email: 'gone@example.org', linkedin_url: url('gone') })
  const profile = await source(home, { full_name: 'Gone', linkedin_url: url('gone') })
  await reveal(home, profile, 'gone.work@example.org')
  await erase({ linkedinUrl: 'linkedin.com/in/Gone/' })
  for (const candidate of [
    { email: 'GONE@example.org' },
    { email: 'gone.work@example.org' },
    { email: 'new@example.org', linkedin_url: url('gone') },
  ]) {
    for (const at of [home, stranger]) {
      const response = await service.post('/applications', at.key, body(at.job, {}, candidate))
      assert.deepEqual([response.status, response.body.detail.code], [409, 'applicant_suppressed'])
    }
  }
  const profiles = async () => (await service.get('/sourced-profiles?limit=100', stranger.key)).body.data.length
  const before = await profiles()
  await source(stranger, { full_name: 'Gone', linkedin_url: url('gone') })
  assert.equal(await profiles(), before)
  assert.equal(await pool({ linkedin_url: url('gone') }), undefined)
  const suppressed = { code: 'applicant_suppressed' }
  const ref = {
    system: 'acme',
    type: 'candidate',
    id: '1',
    connection_id: null,
    link_origin: 'sync',
    last_synced_at: null,
  }
  const unrelated = await apply(home)
  const known = await source(home, { full_name: 'Known' })
  await assert.rejects(
    db.transaction(tx => importApplicant(tx, home.workspace, ref, { email: 'gone@example.org' })),
    suppressed,
  )
  await assert.rejects(
    db.transaction(tx =>
      editApplicant(tx, home.workspace, unrelated.applicant_id, { linkedin_url: url('gone') }, null),
    ),
    suppressed,
  )
  await assert.rejects(reveal(home, known, 'gone@example.org'), suppressed)
})

test('erasure: an import that names an erased person only by the id of another system leaves them out', async () => {
  const ref = refOf('A-1')
  await db.transaction(tx =>
    importApplicant(tx, home.workspace, ref, { email: 'named@example.org', linkedin_url: url('named') }),
  )
  await source(home, { full_name: 'Named', linkedin_url: url('named'), external_id: 'crm-1' })
  await pool({ linkedin_url: url('named'), provider: 'acme', external_id: 'p-1' })
  await erase({ email: 'named@example.org' })
  await assert.rejects(
    db.transaction(tx => importApplicant(tx, home.workspace, ref, { first_name: 'Named' })),
    { code: 'applicant_suppressed' },
  )
  const held = async () =>
    (await db.one(sql<{ n: number }>`
      select (select count(*) from sourced_profiles where full_name = 'Named')
        + (select count(*) from pool_profiles where full_name = 'Named') as n`))!.n
  await source(home, { full_name: 'Named', external_id: 'crm-1' })
  const line = readPoolLine(JSON.stringify({ full_name: 'Named', provider: 'acme', external_id: 'p-1' }))
  await db.transaction(tx => importPoolBatch(db, tx, [line], new WordCounts()))
  assert.equal(await held(), 0)
  await source(other, { full_name: 'Named', external_id: 'crm-1' }) // another workspace's numbering
  assert.equal(await held(), 1)
})

test('erasure: stop_processing: suppressed and not erased; an erasure that follows erases, and ends both', async () => {
  const resume_upload_id = await upload(home)
  const { applicant_id } = await apply(
    home,
    { resume_upload_id },
    { email: 'stop@example.org', linkedin_url: url('stop') },
  )
  await news(home.workspace)
  const { done } = await erase({ email: 'stop@example.org', reason: 'stop_processing' })
  assert.equal(done.status, 'suppressed')
  const events = await news(home.workspace)
  assert.deepEqual(typesOf(events), ['data_subject.suppression_applied', 'applicant.updated'])
  assert.deepEqual(events[1].data.object.changed, ['provenance'])
  const shown = await service.get(`/applicants/${applicant_id}`, home.key)
  assert.equal(shown.body.provenance.consent.suppressed, true)
  assert.equal(shown.body.updated_at, events[1].data.object.updated_at)
  assert.equal((await service.get('/people/resolve?email=stop@example.org', home.key)).status, 404)
  assert.equal(await parseNext(db, service.services.blobs, service.services.log), false)
  const response = await service.post('/applications', other.key, body(other.job, {}, { email: 'stop@example.org' }))
  assert.equal(response.body.detail.code, 'applicant_suppressed')
  assert.equal((await suppressions(home)).at(-1).completed_at, null)
  assert.equal((await erase({ email: 'stop@example.org', reason: 'stop_processing' })).isNew, false)

  assert.equal((await erase({ email: 'stop@example.org' })).isNew, true)
  assert.equal((await service.get(`/applicants/${applicant_id}`, home.key)).status, 404)
  const [first, second] = (await suppressions(home)).slice(-2)
  assert.deepEqual([first.status, first.reason], ['erased', 'stop_processing'])
  assert.deepEqual([second.status, second.reason], ['erased', 'erasure_request'])
  assert.ok(first.completed_at && second.completed_at)
  const completed = (await news(home.workspace)).filter(e => e.type === 'data_subject.erasure_completed')
  assert.deepEqual(
    completed.map(e => e.data.object.id),
    [first.id, second.id],
  )
})

test('erasure: a repeated request returns the existing one, and emits no event', async () => {
  await apply(home, {}, { email: 'again@example.org', linkedin_url: url('again') })
  const first = await erase({ email: 'again@example.org' })
  await news(home.workspace)
  const second = await erase({ linkedinUrl: url('again') })
  assert.deepEqual([second.id, second.isNew], [first.id, false])
  assert.deepEqual(await news(home.workspace), [])
})

test('erasure: without any record of the person, the address is still suppressed and no event is emitted', async () => {
  await news(null)
  const { done } = await erase({ email: 'unknown@example.org' })
  assert.deepEqual([done.status, done.records, done.workspaces], ['erased', [], []])
  assert.deepEqual(await news(null), [])
  const response = await service.post('/applications', home.key, body(home.job, {}, { email: 'unknown@example.org' }))
  assert.equal(response.body.detail.code, 'applicant_suppressed')
})

test('erasure: an address that many people gave identifies none of them', async () => {
  const people: string[] = []
  for (let i = 0; i < 7; i++) {
    const { applicant_id } = await apply(home, {}, { email: `crowd${i}@example.org`, linkedin_url: url('me') })
    people.push(applicant_id)
  }
  await assert.rejects(erase({ linkedinUrl: url('me') }), /records of several people/)
  await erase({ email: 'crowd0@example.org' })
  const found = await Promise.all(people.map(id => service.get(`/applicants/${id}`, home.key)))
  assert.deepEqual(
    found.map(response => response.status),
    [404, 200, 200, 200, 200, 200, 200],
  )
  const response = await service.post(
    '/applications',
    home.key,
    body(home.job, {}, { email: 'crowd7@example.org', linkedin_url: url('me') }),
  )
  assert.equal(response.status, 201)
})

test('erasure: a role address is erased with its applicant, and suppressed only on request', async () => {
  const { applicant_id } = await apply(home, {}, { email: 'jobs@agency.example', linkedin_url: url('agent') })
  await erase({ linkedinUrl: url('agent') })
  assert.equal((await service.get(`/applicants/${applicant_id}`, home.key)).status, 404)
  const again = await service.post('/applications', home.key, body(home.job, {}, { email: 'jobs@agency.example' }))
  assert.equal(again.status, 201)
  await erase({ email: 'jobs@agency.example' })
  const refused = await service.post('/applications', home.key, body(home.job, {}, { email: 'jobs@agency.example' }))
  assert.equal(refused.status, 409)
})

test('erasure: 409 applicant_suppressed: a record whose processing was stopped gets nothing new, whatever address identifies it', async () => {
  const { applicant_id } = await apply(home, {}, { email: 'info@stopped.example', linkedin_url: url('stopped') })
  const profile = await source(other, { full_name: 'Stopped', linkedin_url: url('stopped') })
  await erase({ linkedinUrl: url('stopped'), reason: 'stop_processing' })
  const job = await newJob(service, home.workspace)
  const response = await service.post('/applications', home.key, body(job, {}, { email: 'info@stopped.example' }))
  assert.equal(response.body.detail?.code, 'applicant_suppressed')
  const stopped = (error: { code?: string }) => error.code === 'applicant_suppressed'
  await assert.rejects(
    db.transaction(tx => importApplicant(tx, home.workspace, refOf('A-9'), { email: 'info@stopped.example' })),
    stopped,
  )
  await assert.rejects(reveal(other, profile, 'stopped.new@example.org'), stopped)
  assert.equal((await service.get(`/applicants/${applicant_id}`, home.key)).body.external_refs.length, 0)
})

test('erasure: a revealed address is found however it was spelt', async () => {
  const spelt: [string, string][] = [
    ['\tTab@example.org\n', 'tab@example.org'],
    ['Zoe\u0308@example.org', 'zo\u00eb@example.org'],
    ['ΝΙΚΟΣ@example.org', 'νικος@example.org'],
    ['wide@ｅｘａｍｐｌｅ.org', 'wide@example.org'],
    ['Town@MÜNCHEN.example', 'town@münchen.example'],
  ]
  for (const [i, [given, asked]] of spelt.entries()) {
    const profile = await source(other, { full_name: 'Spelt', linkedin_url: url(`spelt-${i}`) })
    await reveal(other, profile, given)
    await erase({ email: asked })
    assert.equal((await service.get(`/sourced-profiles/${profile}`, other.key)).status, 404, given)
  }
})

test('erasure: files of a profile that no record names, left by a crash, are removed with it', async () => {
  const { blobs } = service.services
  const profile = await source(other, { full_name: 'Left', linkedin_url: url('left-file') })
  const key = `attachments/${other.workspace}/${profile}/left`
  await blobs.put(key, Buffer.from('left'), { contentType: 'text/plain', bytes: 4 })
  const { id } = await requestErasure(db, { linkedinUrl: url('left-file'), requestedBy: home.userId })
  // what a concurrent deletion removes is not to be relied on
  const forgetful = { ...blobs, removeAll: async () => {} } as unknown as typeof blobs
  await db.transaction(tx =>
    deleteProfile(tx, forgetful, { workspace: other.workspace, originKeyId: null }, profile, 'elsewhere'),
  )
  await runErasure(service.services, id)
  assert.equal(await blobs.stat(key), null)
})

test('erasure: user accounts are not candidates: counted, and retained', async () => {
  const { userEmail } = await service.workspace()
  const held = await previewErasure(db, { email: userEmail.toUpperCase() })
  assert.deepEqual([held.accounts, held.targets], [1, []])
  await erase({ email: userEmail })
  const [user] = await db.query(sql`select 1 from users where email = ${userEmail}`)
  assert.ok(user)
})

test('erasure: refused: two addresses, none, or what is no address; nothing of it is repeated', async () => {
  const ask = (asked: object) => requestErasure(db, { ...asked, requestedBy: 'command_line' })
  await assert.rejects(ask({}), /either an email address or a LinkedIn URL/)
  await assert.rejects(ask({ email: 'a@b.org', linkedinUrl: url('x') }), /either an email address or a LinkedIn URL/)
  await assert.rejects(ask({ email: 'not-an-address' }), (e: Error) => !e.message.includes('not-an-address'))
  await assert.rejects(ask({ linkedinUrl: 'https://linkedin.com/company/x' }), /LinkedIn profile/)
  await assert.rejects(ask({ email: 'a@b.org', reason: 'because' }), /must be one of/)
})

test('GET /console/api/erasures: requests with their progress, the latest first', async () => {
  const owner = await signedIn(service, home.workspace)
  await apply(home, {}, { email: 'progress@example.org' })
  const { id } = await requestErasure(db, { email: 'progress@example.org', requestedBy: home.userId })
  const before = (await db.one(erasureById(id)))!
  assert.equal(before.completed_at, null)
  assert.equal(before.requested_by, home.userId)
  assert.deepEqual(
    before.records.find(r => r.object === 'applicant'),
    { object: 'applicant', found: 1, done: 0 },
  )
  await runErasure(service.services, id)
  const [latest] = (await owner.get('/erasures?limit=1')).body.data
  assert.equal(latest.id, before.suppression_id)
  assert.ok(latest.completed_at)
  assert.deepEqual(
    latest.records.find((r: { object: string }) => r.object === 'applicant'),
    { object: 'applicant', found: 1, done: 1 },
  )
})
