import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { routes } from '../../src/app.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { probeRoutes } from '../harness/probe-routes.ts'
import { startTestService } from '../harness/service.ts'

const service = await startTestService({}, { routes: [...routes, ...probeRoutes] })
const { db } = service.services
const { id: workspace } = await service.workspace('none') // a budget of 500 a day

async function applicant(emails: number, phones: number): Promise<string> {
  const id = newHandle('applicant')
  await db.query(sql`insert into applicants (workspace_id, id) values (${workspace}, ${id})`)
  await db.query(sql`
    insert into contact_values (workspace_id, subject_object, subject_id, field, value, kind)
    select ${workspace}, 'applicant', ${id}, 'email', ${id} || i || '@example.org', 'work' from generate_series(1, ${emails}::int) i
    union all
    select ${workspace}, 'applicant', ${id}, 'phone', '+1 555 01' || i, 'mobile' from generate_series(1, ${phones}::int) i`)
  return id
}
const auditRows = async (keyId: string) =>
  db.query(sql<{ field: string; subject_id: string; request_id: string }>`
    select field, subject_id, request_id from personal_data_reads where key_id = ${keyId} order by id`)
const spend = (keyId: string, used: number) =>
  db.query(sql`
    insert into personal_data_usage (workspace_id, key_id, day, used)
    values (${workspace}, ${keyId}, app_now()::date, ${used})
    on conflict (workspace_id, key_id, day) do update set used = excluded.used`)

test('personal data budget: 200: each value costs a unit, is audited, and the response says what it cost', async () => {
  const key = await service.key({ workspace })
  const id = await applicant(2, 1)
  const response = await service.get(`/contacts/${id}`, key)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('service-personal-data-cost'), '3')
  assert.equal(response.headers.get('service-personal-data-remaining'), '497')
  const rows = await auditRows(key.id)
  assert.deepEqual(
    rows.map(r => r.field),
    ['email', 'email', 'phone'],
  )
  assert.ok(rows.every(r => r.subject_id === id && r.request_id === response.headers.get('service-request-id')))
  const me = await service.get('/me', key)
  assert.equal(me.body.rate_limits.personal_data_reads_used_today, 3)
})

test('personal data budget: 200: what the key may not see is neither shown nor charged', async () => {
  const key = await service.key({ workspace, scopes: ['contact:read'] })
  const response = await service.get(`/contacts/${await applicant(2, 1)}`, key)
  assert.equal(response.headers.get('service-personal-data-cost'), '2')
  assert.deepEqual(response.body.restricted, ['phones'])
  assert.deepEqual(response.body.restricted_reason, { phones: 'scope_required:contact:phone:read' })
  assert.equal((await auditRows(key.id)).length, 2)
})

test('personal data budget: 429 personal_data_quota_exceeded: all or nothing; nothing is shown, charged or audited', async () => {
  const key = await service.key({ workspace })
  await spend(key.id, 498)
  const refused = await service.get(`/contacts/${await applicant(2, 1)}`, key)
  assert.equal(refused.status, 429)
  assert.equal(refused.body.detail.code, 'personal_data_quota_exceeded')
  assert.equal(refused.body.detail.type, 'rate_limit')
  const midnight = 86_400 - (Math.floor(Date.now() / 1000) % 86_400)
  assert.ok(Math.abs(Number(refused.headers.get('retry-after')) - midnight) <= 2)
  assert.doesNotMatch(refused.text, /@example|555 01/)
  assert.match(refused.body.detail.message, /needs 3 of .*, and 2 of 500 are left/)
  assert.equal(refused.headers.get('service-personal-data-remaining'), '2')
  assert.equal((await auditRows(key.id)).length, 0)
  assert.equal((await service.get('/me', key)).body.rate_limits.personal_data_reads_used_today, 498)
  const fits = await service.get(`/contacts/${await applicant(2, 0)}`, key)
  assert.equal(fits.status, 200)
  assert.equal(fits.headers.get('service-personal-data-remaining'), '0')
})

test('personal data budget: 429: a response larger than a whole day’s budget never passes', async () => {
  const key = await service.key({ workspace })
  assert.equal((await service.get(`/contacts/${await applicant(501, 0)}`, key)).status, 429)
})

test('personal data budget: exact under fifty calls at the same time: the budget holds and audit rows equal the units', async () => {
  const key = await service.key({ workspace })
  await spend(key.id, 470)
  const id = await applicant(3, 0)
  const responses = await Promise.all(Array.from({ length: 50 }, () => service.get(`/contacts/${id}`, key)))
  assert.equal(responses.filter(a => a.status === 200).length, 10)
  assert.equal((await auditRows(key.id)).length, 30)
})

test('personal data budget: resets at midnight UTC', async () => {
  const key = await service.key({ workspace })
  await spend(key.id, 500)
  const id = await applicant(1, 0)
  assert.equal((await service.get(`/contacts/${id}`, key)).status, 429)
  clock.advance(86_400_000 - (Date.now() % 86_400_000) + 1_000)
  assert.equal((await service.get(`/contacts/${id}`, key)).status, 200)
  clock.reset()
})

test('personal data budget: 404: a record that is not there costs nothing', async () => {
  const key = await service.key({ workspace })
  const response = await service.get(`/contacts/${newHandle('applicant')}`, key)
  assert.equal(response.status, 404)
  assert.equal(response.headers.get('service-personal-data-cost'), null)
  assert.equal((await auditRows(key.id)).length, 0)
})

test('personal data budget: an aborted request is still charged: data that may have been sent is on record', async () => {
  const key = await service.key({ workspace })
  const id = await applicant(2, 0)
  const { port } = new URL(service.origin)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`GET /api/partner/v1/contacts/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.secret}\r\n\r\n`)
  await new Promise(resolve => socket.once('data', resolve))
  socket.destroy()
  assert.equal((await auditRows(key.id)).length, 2)
})

test('personal data budget: audit list: the key’s own rows, newest first, in pages', async () => {
  const key = await service.key({ workspace })
  const other = await service.key({ workspace })
  await service.get(`/contacts/${await applicant(1, 1)}`, other)
  const id = await applicant(3, 1)
  const shown = await service.get(`/contacts/${id}`, key)
  const first = await service.get('/audit/personal-data-reads?limit=3', key)
  assert.equal(first.body.data.length, 3)
  assert.equal(first.body.has_more, true)
  const second = await service.get(`/audit/personal-data-reads?limit=3&cursor=${first.body.next_cursor}`, key)
  assert.equal(second.body.data.length, 1)
  assert.equal(second.body.has_more, false)
  const [row] = first.body.data
  assert.deepEqual(Object.keys(row), ['object', 'subject', 'field', 'units', 'request_id', 'acting_user_id', 'at'])
  assert.equal(row.object, 'personal_data_read')
  assert.deepEqual(row.subject, { object: 'applicant', id })
  assert.equal(row.units, 1)
  assert.equal(row.request_id, shown.headers.get('service-request-id'))
  assert.equal(row.acting_user_id, null)
  const fields = [...first.body.data, ...second.body.data].map((r: { field: string }) => r.field)
  assert.deepEqual(fields.toSorted(), ['email', 'email', 'email', 'phone'])
})

test('personal data budget: 200: a file is sent as it is, costs a unit and is audited; an exhausted budget sends nothing', async () => {
  const key = await service.key({ workspace })
  const id = newHandle('applicant')
  const sent = await service.get(`/files/${id}`, key)
  assert.equal(sent.status, 200)
  assert.equal(sent.text, 'bytes of a file')
  assert.equal(sent.headers.get('content-type'), 'application/pdf')
  assert.equal(sent.headers.get('content-length'), '15')
  assert.equal(sent.headers.get('content-disposition'), "attachment; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf")
  assert.equal(sent.headers.get('service-personal-data-cost'), '1')
  assert.equal(sent.headers.get('ratelimit-limit'), '3')
  assert.deepEqual(
    (await auditRows(key.id)).map(r => r.field),
    ['resume_file'],
  )
  await spend(key.id, 500)
  const refused = await service.get(`/files/${id}`, key)
  assert.equal(refused.status, 429)
  assert.doesNotMatch(refused.text, /bytes of a file/)
  assert.equal((await service.call('HEAD', `/files/${id}`, { key })).status, 405)
})
