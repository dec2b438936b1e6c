import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { editApplicant, importApplicant } from '../../src/resources/applicants/index.ts'
import { requestAccess, requestOwnErasure } from '../../src/resources/candidates/index.ts'
import { body } from '../applications/setup.ts'
import { BEHIND_PROXY, DETAILS, newFormJob, openForm, person, sendForm } from '../careers/application-form.ts'
import { signedIn } from '../console/setup.ts'
import { askAllHolders } from '../erasure/holders.ts'
import { startTestService } from '../harness/service.ts'
import { load } from '../pool/fixture.ts'
import { DOMAIN, newTestTenant } from './setup.ts'

const service = await startTestService({ ...BEHIND_PROXY, ERASURE_REACH: 'installation' })
const { db } = service.services
const tenant = await newTestTenant(service)
const { workspace, key, job } = tenant
const live = await service.workspace('enterprise')
const liveKey = await service.key({ workspace: live.id, userEmail: live.userEmail })

const REAL = [
  'ada@people.dev',
  `ada@${DOMAIN}.people.dev`,
  `ada@x${DOMAIN}`,
  `ada@sub.${DOMAIN}`,
  'ada@example.org.dev',
]
const STORABLE = [
  'ada@example.com',
  'ada@mail.example.org',
  'ada@acme.test',
  'ada@x.invalid',
  `ADA@${DOMAIN.toUpperCase()}`,
]

const stored = async () =>
  (await db.query(sql<{ email: string }>`select email from applicants where workspace_id = ${workspace}`)).map(
    ({ email }) => email,
  )

test('POST /applications: 400 names candidate.email for any other domain, with every other fault, and stores no one', async () => {
  for (const email of REAL) {
    const { status, body: refused } = await service.post('/applications', key, body(job, {}, { email }))
    assert.deepEqual(
      [status, refused.detail.code, refused.detail.param],
      [400, 'invalid_request', 'candidate.email'],
      email,
    )
    assert.match(refused.detail.message, /test workspace/)
  }
  const both = await service.post('/applications', key, body(job, { colour: 1 }, { email: REAL[0] }))
  const params = both.body.detail.errors.map(({ param }: { param: string }) => param)
  assert.ok(params.includes('candidate.email') && params.includes('colour'))
  assert.deepEqual(await stored(), [])
  for (const email of STORABLE)
    assert.equal((await service.post('/applications', key, body(job, {}, { email }))).status, 201, email)
  assert.equal((await service.post('/applications', liveKey, body(job, {}, { email: REAL[0] }))).status, 404)
})

test('application form of a careers site: 422 says which addresses can be used, in both languages; stores no one', async () => {
  const { slug } = (await db.one(
    sql<{ slug: string }>`select slug from career_sites where workspace_id = ${workspace}`,
  ))!
  const site = { service, workspace, slug, key }
  const formJob = await newFormJob(site, { fields: DETAILS })
  const before = await stored()
  for (const [language, text] of [
    ['', /this is a test site/],
    ['?lang=de', /Dies ist eine Testseite/],
  ] as const) {
    const values = { ...person(), 'candidate.email': 'zora@people.dev', token: await openForm(service, formJob) }
    const refused = await sendForm(service, { ...formJob, path: formJob.path + language }, values)
    assert.equal(refused.status, 422)
    assert.match(refused.text, text)
  }
  assert.deepEqual(await stored(), before)
  const sent = await sendForm(service, formJob, { ...person(), token: await openForm(service, formJob) })
  assert.equal(sent.status, 303)
})

test('imports, edits of the team, links that are asked for and opt-outs: other addresses are refused or not stored', async () => {
  const [email] = REAL
  const ref = { system: 'acme_ats', type: null, id: 'p1', connection_id: null, link_origin: null, last_synced_at: null }
  const details = { first_name: 'Ada', last_name: 'B', email }
  await assert.rejects(
    db.transaction(tx => importApplicant(tx, workspace, ref, details)),
    /test workspace/,
  )
  const kept = await db.transaction(tx => importApplicant(tx, workspace, ref, { ...details, email: 'imp@example.org' }))
  await assert.rejects(
    db.transaction(tx => editApplicant(tx, workspace, kept, { email }, null)),
    /test workspace/,
  )
  await requestAccess(db, { workspace, email: email!, language: 'en' })
  const queued = await db.query(
    sql`select 1 from candidate_mails where workspace_id = ${workspace} and address = ${email}`,
  )
  assert.deepEqual(queued, [])
  const owner = await signedIn(service, workspace)
  assert.equal((await owner.post('/opt-outs', { addresses: `${email}\nb@example.org` })).status, 400)
  assert.equal((await owner.post('/opt-outs', { addresses: 'b@example.org' })).status, 200)
})

test('revealed contact details: 400 for an address of another domain, and no credit is spent', async () => {
  const hiring = await signedIn(service, workspace, { program: 'hiring' })
  const profile = newHandle('sourced_profile')
  await db.query(sql`
    insert into sourced_profiles (workspace_id, id, origin, acquisition, full_name) values (${workspace}, ${profile}, 'import', 'import', 'P')`)
  const reveal = (value: string) =>
    hiring.post(`/sourcing/profiles/${profile}/reveal`, { values: [{ field: 'email', value, kind: 'work' }] })
  const refused = await reveal('p@people.dev')
  assert.equal(refused.status, 400, refused.text)
  assert.match(refused.body.detail.message, /test workspace/)
  assert.equal((await reveal('p@example.org')).status, 200)
  const { balance } = (await db.one(sql<{ balance: number }>`
    select balance from credit_balances where workspace_id = ${workspace}`))!
  assert.ok(balance < 10_000 && balance > 9_900, String(balance))
})

test('the shared pool: no one in it is found, listed, read by handle, saved or resolved in a test workspace', async () => {
  await load(service, [{ full_name: 'Rosa Real', job_title: 'Welder', linkedin_url: 'linkedin.com/in/rosa-real' }])
  const search = { query: 'welder' }
  const found = (await service.post('/pool/search', liveKey, search)).body.data
  assert.equal(found[0].full_name, 'Rosa Real')
  const invented = [
    ...(await service.post('/pool/search', key, { ...search, limit: 100 })).body.data,
    ...(await service.get('/pool/profiles?limit=100', key)).body.data,
  ]
  assert.ok(invented.length > 100)
  for (const { id, provenance } of invented) assert.ok(id !== found[0].id && provenance.provider === 'test_pool')
  assert.equal((await service.get(`/pool/profiles/${found[0].id}`, key)).status, 404)
  const resolve = '/people/resolve?linkedin_url=linkedin.com/in/rosa-real'
  assert.equal((await service.get(resolve, liveKey)).status, 200)
  assert.equal((await service.get(resolve, key)).status, 404)
  while ((await sequenceBatch(db)) > 0);
  const ofPool = await db.query(sql`select 1 from events where workspace_id = ${workspace} and type like 'pool%'`)
  assert.deepEqual(ofPool, [])
})

test('pool pages of the hiring team: no one of the shared pool is in the CSV of a search, or can be saved', async () => {
  const hiring = await signedIn(service, workspace, { program: 'hiring' })
  const csv = await hiring.get('/sourcing/pool.csv?q=welder')
  assert.match(csv.headers.get('content-disposition')!, /test-pool-search/)
  assert.ok(csv.text.includes('Welder') && !csv.text.includes('Rosa Real'))
  const real = (await service.post('/pool/search', liveKey, { query: 'welder' })).body.data[0].id
  const list = (await service.post('/lists', key, { name: 'Welders' })).body.id
  const saved = await hiring.post('/sourcing/pool/save', { list_id: list, profiles: [{ id: real }] })
  assert.deepEqual(saved.body.results, [{ pool_id: real, status: 'not_found', profile_id: null }], saved.text)
  assert.deepEqual((await hiring.post('/sourcing/pool/saved', { pool_ids: [real] })).body, { saved: [] })
})

test('an erasure in a test workspace: stays in it also with ERASURE_REACH=installation, asks no one, and suppresses no one elsewhere', async () => {
  const email = 'gone@example.org'
  const inLive = await service.post('/applications', liveKey, body(await liveJob(), {}, { email }))
  assert.equal(inLive.status, 201)
  assert.equal((await service.post('/applications', key, body(job, {}, { email }))).status, 201)
  const owner = await signedIn(service, workspace)
  assert.equal((await owner.get('/session')).body.erasure_reach, 'workspace')
  const asked = await owner.post('/erasures', { email, reason: 'erasure_request', confirmation: email })
  assert.equal(asked.status, 200, asked.text)
  await askAllHolders(db)
  assert.deepEqual(await db.query(sql`select 1 from erasure_requests`), [])
  const reaches = await db.query(sql<{ reach: string }>`select distinct reach from suppressed_identifiers`)
  assert.deepEqual(reaches, [{ reach: workspace }])
  assert.equal((await service.get(`/applications/${inLive.body.id}`, liveKey)).status, 200)
  const again = await service.post('/applications', key, body(job, {}, { email }))
  assert.equal(again.body.detail.code, 'applicant_suppressed')
})

test('an erasure that a candidate of a test workspace asks for: stays in it also with ERASURE_REACH=installation', async () => {
  const email = 'own-wish@example.org'
  const inLive = await service.post('/applications', liveKey, body(await liveJob(), {}, { email }))
  const own = await service.post('/applications', key, body(job, {}, { email }))
  assert.deepEqual([inLive.status, own.status], [201, 201])
  assert.ok(await requestOwnErasure(service.services, { workspace, applicantId: own.body.applicant_id, email }))
  await askAllHolders(db)
  assert.deepEqual(await db.query(sql`select 1 from erasure_requests`), [])
  const reaches = await db.query(sql<{ reach: string }>`select distinct reach from suppressed_identifiers`)
  assert.deepEqual(reaches, [{ reach: workspace }])
  assert.equal(
    (await service.get(`/applicants/${inLive.body.applicant_id}`, liveKey)).body.provenance.consent.suppressed,
    false,
  )
})

async function liveJob() {
  const { newJob } = await import('../applications/setup.ts')
  return newJob(service, live.id)
}
