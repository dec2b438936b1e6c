import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { userVerbs } from '../../src/cli/users.ts'
import { workspaceVerbs } from '../../src/cli/workspaces.ts'
import { endpoints } from '../../src/console/routes.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { beginTotp, confirmTotp, pendingTotp } from '../../src/resources/second-factors/index.ts'
import { codeOfStep, stepAt } from '../../src/resources/second-factors/totp-rules.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'
import { type Person, signedIn } from './setup.ts'

let service: TestService
let workspace: string

before(async () => {
  service = await startTestService({ ROLES: 'api' })
  workspace = (await service.workspace('starter', 'Acme')).id
})

/** Gives a person an authenticator app; the session has proved it. */
async function addApp(person: Person): Promise<void> {
  const { db, keyring } = service.services
  const who = { workspace, user: person.userId }
  await beginTotp(db, keyring, who)
  const secret = (await pendingTotp(db, keyring, who))!
  const [session] = await db.query(sql<{ id: string }>`select id from sessions where user_id = ${person.userId}`)
  const added = await confirmTotp(db, keyring, who, codeOfStep(secret, stepAt(await db.now())), session!.id)
  assert.equal(added?.recoveryCodes?.length, 10)
}

const changesOf = async (user: string | null) =>
  (
    await service.services.db.query(sql<{ change: string; by_user: string }>`
      select change, by_user from sign_in_changes
      where workspace_id = ${workspace} and user_id is not distinct from ${user} order by id`)
  ).map(({ change, by_user }) => [change, by_user])

test('console settings: second_factor: 403 for admins, 400 for an owner without a factor of their own; the change is recorded', async () => {
  const owner = await signedIn(service, workspace)
  const admin = await signedIn(service, workspace, { role: 'admin' })
  assert.equal((await owner.get('/settings')).body.second_factor, 'optional')
  const refused = await admin.post('/settings', { second_factor: 'required' })
  assert.deepEqual([refused.status, refused.body.detail.code], [403, 'role_required'])
  const early = await owner.post('/settings', { second_factor: 'required' })
  assert.deepEqual([early.status, early.body.detail.param], [400, 'second_factor'])
  await addApp(owner)
  assert.equal((await owner.post('/settings', { second_factor: 'no such policy' })).status, 400)
  const changed = await owner.post('/settings', { second_factor: 'required_for_admins' })
  assert.deepEqual([changed.status, changed.body.second_factor], [200, 'required_for_admins'])
  const locked = await admin.get('/settings')
  assert.deepEqual([locked.status, locked.body.detail.code], [403, 'second_factor_required'])
  assert.equal((await owner.post('/settings', { second_factor: 'optional' })).status, 200)
  assert.equal((await admin.get('/settings')).status, 200)
  assert.deepEqual(await changesOf(null), [
    ['policy_required_for_admins', owner.userId],
    ['policy_optional', owner.userId],
  ])
})

test('console people: reset of a lost second factor: owners alone, signs the person out, emails them, is recorded', async () => {
  const owner = await signedIn(service, workspace)
  const admin = await signedIn(service, workspace, { role: 'admin' })
  const person = await signedIn(service, workspace, { role: 'member', program: 'hiring' })
  const path = `/people/${person.userId}/reset-second-factor`
  const none = await owner.post(path)
  assert.deepEqual([none.status, none.body.detail.message], [400, 'This person has no second factor.'])
  await addApp(person)
  const listed = async () =>
    (await owner.get('/people')).body.data.find(({ id }: { id: string }) => id === person.userId).second_factor
  assert.equal(await listed(), true)
  assert.equal((await admin.post(path)).status, 403)
  assert.equal((await owner.post(`/people/${owner.userId}/reset-second-factor`)).status, 400)
  assert.equal((await owner.post('/people/usr_unknown/reset-second-factor')).status, 404)
  const elsewhere = await signedIn(service, (await service.workspace('starter', 'Other')).id)
  assert.equal((await elsewhere.post(path)).status, 404)

  assert.equal((await person.get('/session')).status, 200)
  const done = await owner.post(path)
  assert.deepEqual([done.status, done.body.second_factor], [200, false])
  assert.equal((await person.get('/session')).status, 401)
  assert.equal(await listed(), false)
  assert.deepEqual(await changesOf(person.userId), [
    ['app_added', person.userId],
    ['reset', owner.userId],
  ])
  const mails = await owner.get('/outbox')
  assert.ok(
    mails.body.data.some(
      ({ to, subject }: { to: string; subject: string }) =>
        to.includes(person.email) && subject === 'All second factors were removed',
    ),
  )
})

/** Every change in the console. A new one is added here: does it need a fresh proof of the second factor? */
const CONFIRMED = [
  '/alert-webhook',
  '/alert-webhook/rotate',
  '/alert-webhook/remove',
  '/keys',
  '/keys/{id}/rotate',
  '/webhooks',
  '/webhooks/{id}',
  '/webhooks/{id}/rotate',
  '/packages/{id}/offer',
  '/erasures',
  '/erasure-requests/{id}/approve',
  '/installations/{id}/resume',
  '/apps',
  '/apps/{id}/rotate',
  '/apps/{id}/revoke',
  '/published-apps',
  '/published-apps/{id}/change',
  '/published-apps/{id}/rotate-secret',
  '/published-apps/{id}/webhooks',
  '/published-apps/{id}/rotate-webhook-secret',
  '/people',
  '/people/{id}/role',
  '/people/{id}/job-access',
  '/people/{id}/reset-second-factor',
  '/people/{id}/remove',
  '/settings',
  '/company-sign-in',
  '/company-sign-in/remove',
  '/company-sign-in/members/{id}/disconnect',
  '/retention',
  '/workspace-deletion',
]

/** They give no rights, send nothing to a new place and delete no record of a person; or they end access. */
const UNCONFIRMED = [
  '/alerts/{id}/acknowledge',
  '/alert-settings',
  '/alert-webhook/test',
  '/test-workspaces',
  '/keys/{id}/revoke',
  '/published-apps/{id}/submit',
  '/webhooks/{id}/disable',
  '/webhooks/{id}/enable',
  '/webhooks/{id}/test',
  '/webhooks/{id}/recover',
  '/deliveries/{id}/redeliver',
  '/erasures/preview',
  '/erasure-requests/{id}/decline',
  '/opt-outs',
  '/opt-outs/remove',
  '/packages/{id}/withdraw',
  '/consents/{id}/revoke',
  '/installations/{id}/suspend',
  '/installations/{id}/uninstall',
  '/people/{id}/invite',
  '/careers-site',
  '/careers-site/logo',
  '/careers-site/logo/remove',
  '/sessions/{id}/end',
  '/sessions/end-others',
]

test('console: every change is in the table of those that need a fresh proof of the second factor, or of those that do not', () => {
  const changes = endpoints.filter(({ method }) => method !== 'GET').map(({ path }) => path)
  assert.deepEqual(changes.toSorted(), [...CONFIRMED, ...UNCONFIRMED].toSorted())
})

for (const path of CONFIRMED)
  test(`console: POST ${path}: 403 confirmation_required 16 minutes after the second factor was proved`, async () => {
    const owner = await signedIn(service, workspace)
    await addApp(owner)
    clock.advance(16 * 60_000)
    const refused = await owner.post(path.replace('{id}', 'unknown'), {})
    clock.reset()
    assert.deepEqual([refused.status, refused.body.detail.code], [403, 'confirmation_required'])
  })

test('console: changes outside the table do not ask for the second factor again, however old its proof is', async () => {
  const owner = await signedIn(service, workspace)
  await addApp(owner)
  clock.advance(16 * 60_000)
  for (const path of UNCONFIRMED) {
    const { body } = await owner.post(path.replace('{id}', 'unknown'), {})
    assert.notEqual(body?.detail?.code, 'confirmation_required', path)
  }
  clock.reset()
})

test('console: 403 confirmation_required ends with a new proof; reads, revocations and people without a factor are not asked', async () => {
  const owner = await signedIn(service, workspace)
  const plain = await signedIn(service, workspace)
  await addApp(owner)
  const key = { name: 'Sync', scopes: ['jobs:read'], ip_allowlist: [], expires_in_days: null }
  const made = await owner.post('/keys', key)
  assert.equal(made.status, 200)
  clock.advance(16 * 60_000)
  assert.equal((await owner.post('/keys', key)).body.detail.code, 'confirmation_required')
  assert.equal((await owner.get('/keys')).status, 200)
  assert.equal((await owner.post(`/keys/${made.body.key.id}/revoke`)).status, 200)
  assert.equal((await plain.post('/keys', key)).status, 200, 'people without a factor are not asked')
  await service.services.db.query(sql`update sessions set factor_at = app_now() where user_id = ${owner.userId}`)
  assert.equal((await owner.post('/keys', key)).status, 200)
  clock.reset()
})

test('console: 403 confirmation_required: a session that proved no factor of a member who has one, however it began', async () => {
  const owner = await signedIn(service, workspace)
  await addApp(owner)
  await service.services.db.query(sql`
    update sessions set method = 'company', factor = null, factor_at = null where user_id = ${owner.userId}`)
  assert.equal((await owner.get('/session')).status, 200)
  const refused = await owner.post('/settings', { webhooks_self_serve: true })
  assert.deepEqual([refused.status, refused.body.detail.code], [403, 'confirmation_required'])
  await service.services.db.query(sql`
    update sessions set factor = 'totp', factor_at = app_now() where user_id = ${owner.userId}`)
  assert.equal((await owner.post('/settings', { webhooks_self_serve: true })).status, 200)
})

test('console people: remove: 403 for an admin if the person has a second factor, which a new membership would not have; 200 for an owner', async () => {
  const owner = await signedIn(service, workspace)
  const admin = await signedIn(service, workspace, { role: 'admin' })
  const person = await signedIn(service, workspace, { role: 'member' })
  const other = await signedIn(service, workspace, { role: 'member' })
  await addApp(person)
  const refused = await admin.post(`/people/${person.userId}/remove`)
  assert.deepEqual([refused.status, refused.body.detail.code], [403, 'role_required'])
  assert.match(refused.body.detail.message, /Only owners can remove people who have a second factor/)
  assert.equal((await admin.post(`/people/${other.userId}/remove`)).status, 200)
  assert.equal((await owner.post(`/people/${person.userId}/remove`)).status, 200)
})

test('hiring users reset-second-factor, workspaces settings --second-factor: the operator does the same; recorded as the operator', async () => {
  const person = await signedIn(service, workspace, { role: 'member', program: 'hiring' })
  const reset = () => runVerb(service, userVerbs, 'users reset-second-factor', [person.email], { workspace })
  await assert.rejects(reset(), /this person has no second factor/)
  await addApp(person)
  assert.match((await reset()).text, /has no second factor any more and is signed out everywhere; an email was sent/)
  assert.equal((await person.get('/session')).status, 401)
  const set = (policy: string) =>
    runVerb(service, workspaceVerbs, 'workspaces settings', [workspace], { 'second-factor': policy })
  await assert.rejects(set('maybe'), /--second-factor must be one of optional, required_for_admins, required/)
  assert.match((await set('optional')).text, /second-factor +optional/)
  const { text } = await runVerb(service, userVerbs, 'users sign-in-changes', [], { workspace })
  assert.match(text, new RegExp(`reset +${person.userId} +operator`))
  assert.match(text, /policy_optional +- +operator/)
})
