import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/app.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { probeRoutes } from '../harness/probe-routes.ts'
import { startTestService, type TestResponse } from '../harness/service.ts'

const service = await startTestService({}, { routes: [...routes, ...probeRoutes] })
const { db } = service.services
const { id: workspace, userEmail } = await service.workspace('enterprise')
const key = await service.key({ workspace, userEmail })

/** Rows with few different times, so that ties matter. */
async function fill(into: string, rows: number): Promise<void> {
  const ids = Array.from({ length: rows }, () => newHandle('project'))
  await db.query(sql`
    insert into projects (workspace_id, id, name, updated_at)
    select ${into}, id, 'p', '2026-01-01T00:00:00Z'::timestamptz + (n / 7) * interval '1 second'
    from unnest(${ids}::text[]) with ordinality as t (id, n)`)
}
await fill(workspace, 120)

async function readAll(path: string, by = key): Promise<{ ids: string[]; pages: TestResponse[] }> {
  const pages: TestResponse[] = []
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const page: TestResponse = await service.get(
      path + (cursor ? `${path.includes('?') ? '&' : '?'}cursor=${cursor}` : ''),
      by,
    )
    assert.equal(page.status, 200, page.text)
    pages.push(page)
    ids.push(...page.body.data.map((row: { id: string }) => row.id))
    cursor = page.body.next_cursor
    assert.equal(page.body.has_more, cursor !== null)
  } while (cursor)
  return { ids, pages }
}

test('list endpoints: 200: the envelope, 25 rows by default, most recently updated first', async () => {
  const { body } = await service.get('/probes', key)
  assert.deepEqual(Object.keys(body), ['object', 'data', 'has_more', 'next_cursor'])
  assert.equal(body.object, 'list')
  assert.equal(body.data.length, 25)
  assert.match(body.next_cursor, /^cur_/)
  const times = body.data.map((r: { updated_at: string }) => r.updated_at)
  assert.deepEqual(times, times.toSorted().toReversed())
})

test('list endpoints: 200: every row once, whatever the page size and the ties', async () => {
  for (const limit of [1, 7, 40, 100]) {
    const { ids, pages } = await readAll(`/probes?limit=${limit}`)
    assert.equal(ids.length, 120)
    assert.equal(new Set(ids).size, 120)
    assert.equal(pages.length, Math.ceil(120 / limit))
  }
})

test('list endpoints: order=asc is the exact reverse', async () => {
  const down = await readAll('/probes?limit=50')
  const up = await readAll('/probes?limit=50&order=asc')
  assert.deepEqual(up.ids, down.ids.toReversed())
})

test('list endpoints: updated_after and updated_before cut windows without their ends', async () => {
  const count = async (query: string) => (await readAll(`/probes?${query}`)).ids.length
  assert.equal(await count('updated_after=2026-01-01T00:00:10Z'), 120 - 76)
  assert.equal(await count('updated_before=2026-01-01T00:00:10Z'), 69)
  assert.equal(await count('updated_after=2026-01-01T00:00:09Z&updated_before=2026-01-01T00:00:11Z'), 7)
  assert.equal(await count('updated_after=2026-01-01T02:00:10%2B02:00'), 120 - 76)
})

test('list endpoints: rows that arrive while paging are neither lost nor shown twice among the old ones', async () => {
  const { id } = await service.workspace('enterprise')
  const own = await service.key({ workspace: id })
  await fill(id, 30)
  const first = await service.get('/probes?limit=10', own)
  await db.query(sql`
    insert into projects (workspace_id, id, name, updated_at)
    values (${id}, ${newHandle('project')}, 'new', '2026-06-01T00:00:00Z')`)
  const second = await service.get(`/probes?limit=10&cursor=${first.body.next_cursor}`, own)
  const third = await service.get(`/probes?limit=10&cursor=${second.body.next_cursor}`, own)
  const ids = [first, second, third].flatMap(page => page.body.data.map((r: { id: string }) => r.id))
  assert.equal(new Set(ids).size, 30)
  assert.equal(third.body.has_more, false)
})

test('list endpoints: 400 invalid_cursor: altered, of another key, path, filter or workspace, or no cursor at all', async () => {
  const { body } = await service.get('/probes?limit=10', key)
  const cursor: string = body.next_cursor
  const other = await service.key({ workspace })
  const middle = Math.floor(cursor.length / 2)
  const altered = cursor.slice(0, middle) + (cursor[middle] === 'A' ? 'B' : 'A') + cursor.slice(middle + 1)
  const cases: [string, typeof key][] = [
    [`/probes?cursor=${altered}`, key],
    [`/probes?cursor=${cursor}`, other],
    [`/workspaces?cursor=${cursor}`, key],
    [`/probes?cursor=${cursor}&order=asc`, key],
    [`/probes?cursor=${cursor}&name=x`, key],
    [`/probes?cursor=${cursor}x`, key],
    [`/probes?cursor=${cursor.slice(0, -3)}`, key],
    ['/probes?cursor=cur_', key],
    ['/probes?cursor=nonsense', key],
  ]
  for (const [path, by] of cases) {
    const response = await service.get(path, by)
    assert.equal(response.status, 400, path)
    assert.equal(response.body.detail.code, 'invalid_cursor', path)
    assert.equal(response.body.detail.param, 'cursor')
  }
})

test('list endpoints: 200: another limit with the same cursor is fine, and so is naming the workspace', async () => {
  const { body } = await service.get('/probes?limit=10', key)
  assert.equal((await service.get(`/probes?limit=50&cursor=${body.next_cursor}`, key)).body.data.length, 50)
  assert.equal((await service.get(`/probes?workspace_id=${workspace}&cursor=${body.next_cursor}`, key)).status, 200)
})

test('list endpoints: 400 invalid_cursor: older than one hour', async () => {
  const { body } = await service.get('/probes?limit=10', key)
  clock.advance(3_590_000)
  assert.equal((await service.get(`/probes?cursor=${body.next_cursor}`, key)).status, 200)
  clock.advance(20_000)
  const response = await service.get(`/probes?cursor=${body.next_cursor}`, key)
  assert.equal(response.body.detail.code, 'invalid_cursor')
  clock.reset()
})

test('list endpoints: 400 result_window_exceeded: 10000 rows of a listing are shown, not one more', async () => {
  const { id } = await service.workspace('enterprise')
  const own = await service.key({ workspace: id })
  await fill(id, 10_020)
  let cursor = ''
  let rows = 0
  for (let page = 0; page < 100; page++) {
    const { body } = await service.get(`/probes?limit=100${cursor && `&cursor=${cursor}`}`, own)
    rows += body.data.length
    cursor = body.next_cursor
  }
  assert.equal(rows, 10_000)
  const response = await service.get(`/probes?limit=100&cursor=${cursor}`, own)
  assert.equal(response.status, 400)
  assert.equal(response.body.detail.code, 'result_window_exceeded')
})

test('list endpoints: limit: 1 to 100', async () => {
  for (const bad of ['0', '101', '-1', '1.5', 'ten', '', '99999999999999999999']) {
    const response = await service.get(`/probes?limit=${bad}`, key)
    assert.equal(response.status, 400, bad)
    assert.equal(response.body.detail.code, 'invalid_request')
    assert.equal(response.body.detail.param, 'limit')
  }
})
