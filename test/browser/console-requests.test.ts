import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { choose, noBrowser } from '../harness/browser.ts'
import { until } from '../harness/receiver.ts'
import { consoleWorld } from './setup.ts'

let failed = ''
let mistyped = ''
let read = ''

const world = consoleWorld(async ({ service, workspace }) => {
  const key = await service.key({ workspace, name: 'Payroll' })
  const idOf = async (path: string) => (await service.get(path, key)).headers.get('service-request-id')!
  for (let i = 0; i < 3; i++) await idOf('/me')
  failed = await idOf('/jobs?limit=0&q=welder')
  read = await idOf('/users')
  mistyped = (await service.get('/webhook/endpoints', await service.key({ workspace, name: 'Typist' }))).headers.get(
    'service-request-id',
  )!
  await service.services.db.query(sql`
    insert into personal_data_reads (workspace_id, key_id, subject_object, subject_id, field, units, request_id)
    values (${workspace}, ${key.id}, 'applicant', 'apl_one', 'email', 1, ${read})`)
})

const skip = noBrowser

test('console request log: errors are found by filter; a call shows parameters, error and remedy; the chart has a table', {
  skip,
}, async () => {
  const { page, problems, close } = await world.open('/requests')
  const calls = page.getByRole('table', { name: 'Calls', exact: true })
  await calls.getByRole('row').nth(5).waitFor()
  await page.getByText('As a table').first().press('Enter')
  await page.getByRole('region', { name: 'Calls as a table' }).getByRole('columnheader', { name: '4xx' }).waitFor()
  await page.getByRole('img', { name: /^Response time: .* ms 95th percentile, .* ms median$/ }).waitFor()

  await choose(page.getByLabel('Status'), 'errors')
  await page.getByText('GET /me').first().waitFor({ state: 'detached' })
  await choose(page.getByLabel('Error'), 'invalid_request')
  await calls.getByRole('link', { name: 'GET /jobs' }).press('Enter')
  await page.getByRole('heading', { name: 'GET /jobs' }).waitFor()
  assert.ok(page.url().endsWith(`/console/requests/${failed}`))
  const parameters = page.getByRole('table', { name: 'Parameters' })
  assert.deepEqual(await parameters.getByRole('row').nth(2).getByRole('cell').allTextContents(), ['q', 'not stored'])
  assert.equal(
    await page.getByRole('link', { name: 'invalid_request', exact: true }).getAttribute('href'),
    '/docs/errors#invalid_request',
  )
  await page.goBack()
  assert.equal(await page.getByLabel('Status').getAttribute('data-value'), 'errors')
  assert.deepEqual(problems, [])
  await close()
})

test('console request log: a request id leads to its call from the audit log, the search field and the key; an unknown one is explained', {
  skip,
}, async () => {
  const { page, problems, close } = await world.open('/audit')
  await page.getByRole('link', { name: read }).click()
  await page.getByText('Personal-data units').waitFor()

  await page.goto('/console/requests')
  await page.getByLabel('Request id').fill(failed)
  const calls = page.getByRole('table', { name: 'Calls', exact: true })
  await until('the call alone is listed', async () => (await calls.getByRole('row').count()) === 2)
  await calls.getByRole('link', { name: 'GET /jobs' }).waitFor()
  await page.getByLabel('Request id').fill(mistyped)
  await calls.getByRole('link', { name: 'GET (no such endpoint, near GET /webhooks/endpoints)' }).waitFor()
  await page.getByLabel('Request id').fill('nonsense')
  await page.getByText('No matching calls').waitFor()

  await page.goto('/console/keys')
  await page.getByRole('link', { name: 'Payroll' }).click()
  await page.getByRole('link', { name: 'Requests', exact: true }).click()
  await calls.getByRole('row').nth(5).waitFor()

  await page.goto('/console/requests/req_00000000000000000000')
  await page.getByText('Not in the log').waitFor()
  assert.deepEqual(
    problems.filter(problem => !problem.includes('404')),
    [],
  )
  await close()
})
