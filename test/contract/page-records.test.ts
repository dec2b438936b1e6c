import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { candidatePages } from '../../src/careers/candidate/routes.ts'
import { consoleArea } from '../../src/console/program.ts'
import { endpoints as consoleEndpoints } from '../../src/console/routes.ts'
import { hiringArea } from '../../src/hiring/program.ts'
import { endpoints as hiringEndpoints } from '../../src/hiring/routes.ts'
import { accessTable, rolesOf } from '../../src/programs/access-table.ts'
import type { Endpoint } from '../../src/programs/endpoint.ts'
import { fields, pick } from '../../src/programs/fields.ts'
import type { Page } from '../../src/programs/page.ts'

const endpoints: readonly Endpoint[] = [...consoleEndpoints, ...hiringEndpoints]
const pages = candidatePages as unknown as readonly Page[]

test('page records: every change says how it proves that it comes from our pages, and none has a reason not to', () => {
  const changes = [...endpoints.filter(({ method }) => method === 'POST'), ...pages.filter(({ submit }) => submit)]
  assert.ok(changes.length > 60)
  assert.deepEqual(
    changes.filter(({ csrf }) => csrf === undefined).map(({ path }) => path),
    [],
  )
  const without = changes.flatMap(({ path, csrf }) => (typeof csrf === 'object' ? [`${path}: ${csrf.none}`] : []))
  assert.deepEqual(without, [])
  // the origin alone: before there is a session, and where the handler finds the token among the fields before a file
  const byOrigin = changes.filter(({ csrf }) => csrf === 'origin').map(({ path }) => path)
  assert.deepEqual(byOrigin, ['/applications', '/me/applications/{id}/resume'])
  const byLink = changes.filter(({ csrf }) => csrf === 'link').map(({ path }) => path)
  assert.deepEqual(byLink, ['/link', '/link/email'])
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
  const forOwners = consoleEndpoints.filter(endpoint => rolesOf(consoleArea, endpoint).join() === 'owner')
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
  assert.equal(text.slice(text.indexOf('## ')), tables.join('\n'))
})
