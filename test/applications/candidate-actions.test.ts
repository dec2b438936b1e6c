import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Transaction } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { ApiError } from '../../src/kernel/errors/api-error.ts'
import { RefusedInput } from '../../src/kernel/http/faults.ts'
import { changeEmail, subscribeApplicant, unsubscribeApplicant } from '../../src/resources/applicants/index.ts'
import {
  applyOnForm,
  deleteApplicant,
  deleteApplication,
  type PublicForm,
  rejectApplication,
  withdrawApplication,
} from '../../src/resources/applications/index.ts'
import { requestErasure } from '../../src/resources/erasures/index.ts'
import { expireOnce } from '../../src/workers/expire-files.ts'
import { pruneOnce, sweepOnce } from '../../src/workers/prune-rows.ts'
import { apply, formUpload, newJob, newTenant, readEvents, startWorld } from './setup.ts'

const world = await startWorld()
const { service, workspace, key } = world
const { db, blobs } = service.services

async function act<T>(run: (tx: Transaction) => Promise<T>) {
  const before = (await readEvents(world, workspace)).length
  const result = await db.transaction(run)
  return { result, events: (await readEvents(world, workspace)).slice(before) }
}
const applicationOf = async (id: string, as = key) => (await service.get(`/applications/${id}`, as)).body
const applicantOf = async (id: string) => (await service.get(`/applicants/${id}`, key)).body

test('withdrawApplication: the status, application.withdrawn and the reason, which a key needs a scope for', async () => {
  const { id } = await apply(world)
  const { result, events } = await act(tx => withdrawApplication(tx, workspace, id, { reason: ' Moving away. ' }))
  assert.equal(result.status, 'withdrawn')
  assert.deepEqual(
    events.map(e => [e.type, e.data.object['status'], e.data.previous_attributes]),
    [['application.withdrawn', 'withdrawn', { status: 'new' }]],
  )
  assert.ok(!JSON.stringify(events).includes('Moving'))
  const seen = await applicationOf(id)
  assert.deepEqual([seen.status, seen.withdrawal_reason], ['withdrawn', 'Moving away.'])
  const narrow = await service.key({ workspace, scopes: ['applications:read'] })
  const guarded = await applicationOf(id, narrow)
  assert.ok(!('withdrawal_reason' in guarded))
  assert.deepEqual(guarded.restricted, ['rejection_reason', 'withdrawal_reason', 'start_date'])
  const listed = (await service.get(`/applications?job_id=${world.job.id}`, narrow)).body
  assert.ok(listed.data.every((row: object) => !('withdrawal_reason' in row)))
})

test('withdrawApplication: from every status, with the reason of a rejection kept; 409 once it is withdrawn', async () => {
  const { id } = await apply(world)
  await act(tx => rejectApplication(tx, { workspace, id, reason: 'Too far.', originKeyId: null }))
  const { events } = await act(tx => withdrawApplication(tx, workspace, id, {}))
  assert.deepEqual(
    events.map(e => [e.type, e.data.previous_attributes]),
    [['application.withdrawn', { status: 'rejected' }]],
  )
  const seen = await applicationOf(id)
  assert.deepEqual([seen.rejection_reason, seen.withdrawal_reason], ['Too far.', null])
  const before = (await readEvents(world, workspace)).length
  await assert.rejects(
    db.transaction(tx => withdrawApplication(tx, workspace, id, { reason: 'again' })),
    { code: 'invalid_application_state', status: 409 },
  )
  assert.equal((await readEvents(world, workspace)).length, before)
  assert.equal((await applicationOf(id)).withdrawal_reason, null)
})

test('withdrawApplication: 404 for an application of another workspace; a long reason is refused', async () => {
  const { id } = await apply(world)
  const elsewhere = await newTenant(service)
  await assert.rejects(
    db.transaction(tx => withdrawApplication(tx, elsewhere.workspace, id, {})),
    { code: 'not_found' },
  )
  const refused = await db
    .transaction(tx => withdrawApplication(tx, workspace, id, { reason: 'x'.repeat(2_001) }))
    .catch((e: unknown) => e)
  assert.ok(refused instanceof RefusedInput)
  assert.deepEqual([refused.faults[0]!.param, refused.faults[0]!.reason], ['reason', 'too_long'])
  assert.equal((await applicationOf(id)).status, 'new')
  await act(tx => withdrawApplication(tx, workspace, id, { reason: 'x'.repeat(2_000) }))
})

test('withdrawApplication: the funnel counts it; of several at the same time one withdraws', async () => {
  const own = await newTenant(service)
  const { id } = await apply({ service, ...own })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => db.transaction(tx => withdrawApplication(tx, own.workspace, id, {}))),
  )
  assert.equal(outcomes.filter(outcome => outcome.status === 'fulfilled').length, 1)
  const row = await db.one(sql<{ code: number; before: number }>`
    select (select code from application_funnel where application_id = ${id}) as code,
      (select code from application_funnel where application_id = ${(await apply({ service, ...own })).id}) as before`)
  assert.notEqual(row!.code, row!.before)
})

test('subscribeApplicant: undoes an unsubscription with applicant.updated, once; the workspace’s opt-out stays', async () => {
  const { applicant_id: id } = await apply(world, {}, { email: 'back@example.org' })
  assert.equal((await act(tx => subscribeApplicant(tx, workspace, id))).result, false)
  await act(tx => unsubscribeApplicant(tx, workspace, id, 'link'))
  assert.equal((await applicantOf(id)).provenance.consent.unsubscribed, true)
  const { result, events } = await act(tx => subscribeApplicant(tx, workspace, id))
  assert.deepEqual(
    [result, events.map(e => [e.type, e.data.object['changed']])],
    [true, [['applicant.updated', ['provenance.consent.unsubscribed']]]],
  )
  assert.equal((await applicantOf(id)).provenance.consent.unsubscribed, false)
  const again = await act(tx => subscribeApplicant(tx, workspace, id))
  assert.deepEqual([again.result, again.events], [false, []])
  await db.query(sql`
    insert into unsubscribes (workspace_id, email_key, source) values (${workspace}, 'back@example.org', 'opt_out')`)
  assert.equal((await act(tx => subscribeApplicant(tx, workspace, id))).result, false)
  assert.equal((await applicantOf(id)).provenance.consent.unsubscribed, true)
  const elsewhere = await newTenant(service)
  await assert.rejects(
    db.transaction(tx => subscribeApplicant(tx, elsewhere.workspace, id)),
    { code: 'not_found' },
  )
})

test('changeEmail: the address, its contact value and applicant.updated; the same address again is unchanged', async () => {
  const { applicant_id: id } = await apply(world, {}, { email: 'old@example.org' })
  const { result, events } = await act(tx => changeEmail(tx, workspace, id, ' New@Example.org '))
  assert.deepEqual(
    [result, events.map(e => [e.type, e.data.object['changed']])],
    ['changed', [['applicant.updated', ['contact_info']]]],
  )
  assert.ok(!JSON.stringify(events).toLowerCase().includes('example.org'))
  const contact = (await service.get(`/applicants/${id}/contact-info`, key)).body
  assert.deepEqual(
    contact.emails.map((email: { value: string }) => email.value),
    ['New@Example.org'],
  )
  const again = await act(tx => changeEmail(tx, workspace, id, 'New@Example.org'))
  assert.deepEqual([again.result, again.events], ['unchanged', []])
  assert.equal((await act(tx => changeEmail(tx, workspace, id, 'not an address'))).result, 'invalid')
})

test('changeEmail: an address of another applicant and one that was erased are unavailable alike', async () => {
  const { applicant_id: id } = await apply(world, {}, { email: 'mine@example.org' })
  await apply(world, {}, { email: 'theirs@example.org' })
  await db.query(sql`
    with s as (
      insert into suppressions (id, status, reason, delete_by)
      values (gen_random_uuid(), 'suppressed', 'stop_processing', app_now()) returning id
    ) insert into suppressed_identifiers (kind, sha256, suppression_id)
    select 'email', sha256('erased@example.org'), id from s`)
  for (const address of ['Theirs@example.org', 'erased@example.org']) {
    const { result, events } = await act(tx => changeEmail(tx, workspace, id, address))
    assert.deepEqual([result, events], ['unavailable', []])
  }
  const contact = (await service.get(`/applicants/${id}/contact-info`, key)).body
  assert.equal(contact.emails[0].value, 'mine@example.org')
  // in another workspace the address is free
  const elsewhere = await newTenant(service)
  const other = await apply({ service, ...elsewhere }, {}, { email: 'far@example.org' })
  const there = (address: string) =>
    db.transaction(tx => changeEmail(tx, elsewhere.workspace, other.applicant_id, address))
  assert.equal(await there('theirs@example.org'), 'changed')
})

test('changeEmail: a person who unsubscribed by address stays so; two people cannot take one address', async () => {
  const { applicant_id: id } = await apply(world, {}, { email: 'quiet@example.org' })
  await db.query(sql`
    insert into unsubscribes (workspace_id, email_key, source) values (${workspace}, 'quiet@example.org', 'link')`)
  await act(tx => changeEmail(tx, workspace, id, 'quieter@example.org'))
  assert.equal((await applicantOf(id)).provenance.consent.unsubscribed, true)
  const { applicant_id: other } = await apply(world, {}, { email: 'second@example.org' })
  const results = await Promise.all(
    [id, other].map(one => db.transaction(tx => changeEmail(tx, workspace, one, 'wanted@example.org'))),
  )
  assert.deepEqual(results.toSorted(), ['changed', 'unavailable'])
})

test('candidates: of a person whose processing was stopped nothing is changed but a withdrawal', async () => {
  const { id, applicant_id } = await apply(world, {}, { email: 'stopped@example.org' })
  await act(tx => unsubscribeApplicant(tx, workspace, applicant_id, 'link'))
  const stop = {
    email: 'stopped@example.org',
    reason: 'stop_processing',
    requestedBy: 'command_line',
    reach: workspace,
  }
  await requestErasure(db, stop)
  await assert.rejects(
    db.transaction(tx => subscribeApplicant(tx, workspace, applicant_id)),
    { code: 'applicant_suppressed' },
  )
  const { result, events } = await act(tx => changeEmail(tx, workspace, applicant_id, 'free@example.org'))
  assert.deepEqual([result, events], ['unavailable', []])
  assert.equal((await act(tx => withdrawApplication(tx, workspace, id, {}))).result.status, 'withdrawn')
})

async function withFile(email: string) {
  const fieldId = `file_${email.split('@')[0]}`
  const job = await newJob(service, workspace, { fields: [{ id: fieldId, type: 'file', required: true }] })
  const form: PublicForm = {
    language: 'en',
    consents: {},
    equalOpportunity: {},
    prescreen: {},
    files: { [fieldId]: await formUpload(world, 'answer') },
    voiceScreeningOptedOut: false,
  }
  const candidate = { first_name: 'Fi', last_name: 'Le', email }
  const submission = { candidate, form, answers: [] }
  const outcome = await db.transaction(tx => applyOnForm(tx, blobs, workspace, job.id, submission))
  assert.ok(!(outcome instanceof ApiError))
  const { id, applicant_id } = outcome.application
  const [file] = await db.query(sql<{ blob_key: string }>`
    select blob_key from application_files where application_id = ${id}`)
  assert.ok(await blobs.stat(file!.blob_key))
  return { id, applicantId: applicant_id!, blobKey: file!.blob_key }
}

test('deleteApplication, deleteApplicant: files that answer questions are removed, and links and sessions end', async () => {
  const first = await withFile('filed@example.org')
  await act(tx => deleteApplication(tx, { workspace, id: first.id, originKeyId: null }, 'duplicate'))
  await expireOnce(db, blobs)
  assert.equal(await blobs.stat(first.blobKey), null)
  const second = await withFile('filed2@example.org')
  const later = sql`app_now() + interval '1 hour'`
  await db.query(sql`
    insert into candidate_links (workspace_id, token_hash, applicant_id, purpose, expires_at)
    values (${workspace}, 'l', ${second.applicantId}, 'access', ${later})`)
  await db.query(sql`
    insert into candidate_sessions (workspace_id, token_hash, applicant_id, proof, expires_at)
    values (${workspace}, 's', ${second.applicantId}, 'access', ${later})`)
  await act(tx => deleteApplicant(tx, { workspace, id: second.applicantId, originKeyId: null }, 'requested'))
  await expireOnce(db, blobs)
  assert.equal(await blobs.stat(second.blobKey), null)
  const left = await db.query(sql`
    select 1 from candidate_links where applicant_id = ${second.applicantId}
    union all select 1 from candidate_sessions where applicant_id = ${second.applicantId}
    union all select 1 from application_files where application_id = ${second.id}`)
  assert.equal(left.length, 0)
})

test('prune: links, sessions and challenges that have expired, and emails that ended a month ago', async () => {
  const { workspace, job, key } = await newTenant(service)
  const { applicant_id: person } = await apply({ service, key, job })
  for (const [name, hours] of [
    ['old', -1],
    ['new', 1],
  ] as const) {
    const at = sql`app_now() + ${hours}::integer * interval '1 hour'`
    await db.query(sql`
      insert into candidate_links (workspace_id, token_hash, applicant_id, purpose, expires_at)
      values (${workspace}, ${name}, ${person}, 'access', ${at})`)
    await db.query(sql`
      insert into candidate_sessions (workspace_id, token_hash, applicant_id, proof, expires_at)
      values (${workspace}, ${name}, ${person}, 'access', ${at})`)
    await db.query(
      sql`insert into spent_challenges (workspace_id, hash, expires_at) values (${workspace}, ${name}, ${at})`,
    )
  }
  await db.query(sql`
    insert into candidate_mails (workspace_id, kind, address, language, due_at, created_at)
    select ${workspace}, 'access', d.due || d.age, 'en', case d.due when 'waits' then app_now() end,
      app_now() - d.age * interval '1 day'
    from (values ('waits', 40), ('ended', 40), ('ended', 20)) as d (due, age)`)
  await pruneOnce(db)
  await sweepOnce(db)
  const rows = await db.query(sql<{ name: string }>`
    select 'link ' || token_hash as name from candidate_links where workspace_id = ${workspace}
    union all select 'session ' || token_hash from candidate_sessions where workspace_id = ${workspace}
    union all select 'challenge ' || hash from spent_challenges where workspace_id = ${workspace}
    union all select 'mail ' || address from candidate_mails where workspace_id = ${workspace} order by 1`)
  assert.deepEqual(
    rows.map(row => row.name),
    ['challenge new', 'link new', 'mail ended20', 'mail waits40', 'session new'],
  )
})
