import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { rawRoutes } from '../../src/app.ts'
import { consoleArea } from '../../src/console/program.ts'
import { endpoints as consoleEndpoints } from '../../src/console/routes.ts'
import { hiringArea } from '../../src/hiring/program.ts'
import { endpoints as hiringEndpoints } from '../../src/hiring/routes.ts'
import type { Readiness } from '../../src/kernel/services/readiness.ts'
import { accessTable, findAllowedRoles, jobRightsTable } from '../../src/programs/access-table.ts'
import type { Endpoint } from '../../src/programs/endpoint.ts'
import { fields, pick } from '../../src/programs/fields.ts'
import type { Policy } from '../../src/programs/policy.ts'
import { sharedTestService } from '../harness/service.ts'

const { services } = await sharedTestService()

/** Every path outside the API that changes something, by its name, with the record that it is served from. */
const changes = rawRoutes(services, {} as Readiness)
  .map(({ methods, path, record }) => ({
    name: `${methods.filter(method => !['GET', 'HEAD', 'OPTIONS'].includes(method)).join()} ${path}`,
    record: record as Policy | undefined,
  }))
  .filter(({ name }) => !name.startsWith(' '))

const whose = (csrf: unknown) => changes.filter(({ record }) => record?.csrf === csrf).map(({ name }) => name)

/** Changes that are not a page of ours or a call of one, each with the reason why no record checks where it comes from. */
const WITHOUT_RECORD: Readonly<Record<string, string>> = {
  'PUT /storage/*': 'the address is signed',
  'POST /oauth/token': 'apps call it, with their own credentials',
  'POST /oauth/install/token': 'apps call it, with their own credentials',
  'POST /oauth/userinfo': 'apps call it, with an access token',
  'POST /oauth/revoke': 'apps call it, with their own credentials',
  'POST /oauth/introspect': 'apps call it, with their own credentials',
  'POST /mcp': 'clients of models call it, with a key or an access token',
}

test('page records: every path that changes something is served from a record, or has a reason', () => {
  const without = changes.filter(({ record }) => !record).map(({ name }) => name)
  assert.deepEqual(without.sort(), Object.keys(WITHOUT_RECORD).sort())
})

test('page records: every change says how it proves that it comes from our pages, or why it does not', () => {
  assert.ok(whose('session').length > 60)
  assert.deepEqual(
    changes.filter(({ record }) => record && record.csrf === undefined).map(({ name }) => name),
    [],
  )
  const none = changes.flatMap(({ name, record }) =>
    typeof record?.csrf === 'object' ? [`${name}: ${record.csrf.none}`] : [],
  )
  assert.deepEqual(none, [
    'POST /unsubscribe/*: mail programs send it with nothing but the link (RFC 8058)',
    'POST /console/api/*: it does nothing',
    'POST /hiring/api/*: it does nothing',
    'POST /sign-in/company/{workspace}/logout: a provider sends it, and signs the token in it',
  ])
  // the origin alone: before there is a session, and where the handler finds the token among the fields before a file
  assert.deepEqual(whose('origin'), [
    'POST /careers/{slug}/jobs/{job_slug}/apply',
    'POST /careers/{slug}/jobs/{job_slug}/apply/uploads',
    'POST /careers/{slug}/jobs/{job_slug}/apply/reading',
    'POST /careers/{slug}/jobs/{job_slug}/apply/token',
    'POST /careers/{slug}/applications',
    'POST /careers/{slug}/me/applications/{id}/resume',
    'POST /partner/sign-in',
    'POST /sign-in',
    'POST /sign-in/link',
    'POST /sign-in/link/use',
    'POST /sign-in/company',
    'POST /sign-in/workspace',
    'POST /sign-in/company/{workspace}',
    'POST /sign-in/second-factor',
    'POST /sign-in/passkey/options',
    'POST /sign-in/passkey',
    'POST /sign-in/second-factor/options',
    'POST /sign-in/second-factor/passkey',
  ])
  assert.deepEqual(whose('link'), ['POST /careers/{slug}/link', 'POST /careers/{slug}/link/email'])
})

test('page records: a form that changes how a person signs in needs a session with a proof', () => {
  const unproved = changes
    .filter(({ name }) => name.startsWith('POST /account/second-factor'))
    .filter(({ record }) => record?.session !== 'needed' || record.csrf !== 'session' || !record.sensitive)
  assert.deepEqual(
    unproved.map(({ name }) => name),
    // a challenge, which changes nothing
    ['POST /account/second-factor/passkeys/options'],
  )
})

test('page records: a path and a method name one endpoint', () => {
  for (const table of [consoleEndpoints, hiringEndpoints] as readonly (readonly Endpoint[])[]) {
    const names = table.map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    )
  }
})

test('page records: what only owners may do', () => {
  const forOwners = consoleEndpoints.filter(endpoint => findAllowedRoles(consoleArea, endpoint).join() === 'owner')
  assert.deepEqual(
    forOwners.map(({ method, path }) => `${method} ${path}`),
    [
      'POST /erasures/preview',
      'POST /erasures',
      'GET /erasure-requests',
      'GET /erasure-requests/{id}',
      'POST /erasure-requests/{id}/approve',
      'POST /erasure-requests/{id}/decline',
      'POST /people/{id}/reset-second-factor',
      'GET /company-sign-in',
      'POST /company-sign-in',
      'POST /company-sign-in/remove',
      'POST /company-sign-in/members/{id}/disconnect',
      'GET /workspace-deletion',
      'POST /workspace-deletion',
      'GET /outbox',
      'GET /outbox/{id}',
    ],
  )
})

test('page records: responses made of rows name their fields, at every depth', () => {
  const named = consoleEndpoints.filter(endpoint => (endpoint as Endpoint).returns !== undefined)
  assert.deepEqual(
    named.map(({ method, path }) => `${method} ${path}`),
    [
      'GET /mailbox',
      'GET /alert-settings',
      'POST /alert-settings',
      'POST /alert-webhook',
      'POST /alert-webhook/rotate',
      'GET /webhooks',
      'GET /webhooks/{id}',
      'POST /webhooks',
      'POST /webhooks/{id}',
      'POST /webhooks/{id}/rotate',
      'POST /webhooks/{id}/disable',
      'POST /webhooks/{id}/enable',
      'POST /webhooks/{id}/test',
      'GET /deliveries',
      'GET /deliveries/{id}',
      'POST /deliveries/{id}/redeliver',
      'GET /packages',
      'GET /packages/{id}',
      'POST /packages/{id}/offer',
      'POST /packages/{id}/withdraw',
      'GET /settings',
      'GET /limits',
      'POST /settings',
      'GET /retention',
      'POST /retention',
      'GET /careers-site',
      'POST /careers-site',
      'POST /careers-site/logo',
      'POST /careers-site/logo/remove',
    ],
  )
  // hiring names the fields of all but these, whose handlers write a handle, a few values, a file or nothing
  const unnamed = (hiringEndpoints as readonly Endpoint[]).filter(
    ({ sends, returns }) => (sends === 'json' || sends === 'page') && returns === undefined,
  )
  assert.deepEqual(
    unnamed.map(({ method, path }) => `${method} ${path}`),
    [
      'POST /job-currency',
      'POST /jobs',
      'POST /jobs/{id}',
      'POST /jobs/{id}/duplicate',
      'POST /jobs/{id}/delete',
      'GET /jobs/{id}/description',
      'POST /markdown-preview',
      'POST /import/candidates',
      'GET /import/candidates/columns.csv',
      'POST /applications/{id}/unlock-resume',
      'POST /applications/{application}/scorecard-requests',
      'POST /applications/{application}/orders/{order}/reviewed',
      'POST /applications/adverse-results',
      'POST /calendar-address/end',
      'POST /message-templates/{template}/delete',
      'POST /sourcing/projects',
      'POST /sourcing/projects/{project_id}',
      'POST /sourcing/lists/{list_id}',
      'POST /sourcing/lists/{list_id}/delete',
      'POST /sourcing/lists/{list_id}/restore',
      'GET /sourcing/lists/{list_id}/members.csv',
      'GET /sourcing/profiles.csv',
      'GET /sourcing/pool.csv',
      'GET /sourcing/import/columns.csv',
      'POST /sourcing/import',
      'POST /sourcing/lists/{list_id}/import',
      'POST /sourcing/profiles/{profile_id}/reveal',
    ],
  )
  const response = { data: [{ id: 'a', secret: 'b', key: { id: 'c', hash: 'd' }, sent: null }], count: 1, more: 2 }
  const sent = pick(response, { count: true, data: { ...fields('id', 'sent'), key: fields('id') } })
  assert.deepEqual(sent, { data: [{ id: 'a', key: { id: 'c' }, sent: null }], count: 1 })
})

test('page records: docs/who-may-do-what.md is what the records say', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/who-may-do-what.md'), 'utf8')
  const tables = [
    accessTable('Console', consoleArea, consoleEndpoints),
    accessTable('Hiring pages', hiringArea, hiringEndpoints),
  ]
  assert.ok(text.slice(text.indexOf('## ')).startsWith(tables.join('\n')))
  assert.ok(text.endsWith(jobRightsTable()))
})
