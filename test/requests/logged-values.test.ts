import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/app.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { declaredQuery, type Route } from '../../src/kernel/http/route.ts'
import { PLANT, personalIn } from '../harness/personal-data.ts'
import { startTestService } from '../harness/service.ts'

const service = await startTestService({ ROLES: 'api', LOG_LEVEL: 'silent' })
const { db, requestLog } = service.services

/** What a careless partner could send anywhere: it must be nowhere in the log. */
const CANARIES = [`${PLANT}@example.org`, `https://www.linkedin.com/in/${PLANT}`, PLANT]

const pathOf = (route: Route, value: string) => route.path.replace(/\{\w+\}/g, encodeURIComponent(value))

/** Not by the harness, which refuses the echo of a made-up name in the response. */
const send = async (method: string, path: string, key: { secret: string }, canary: string) => {
  const response = await fetch(service.base + path, {
    method,
    headers: {
      authorization: `Bearer ${key.secret}`,
      'idempotency-key': canary,
      'user-agent': canary,
      'x-forwarded-for': canary,
      referer: canary,
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(method === 'POST' ? { body: JSON.stringify({ [canary]: canary, name: canary, email: canary }) } : {}),
  })
  await response.text()
}

test('request log: no value or name that a caller made up is stored, wherever in a call it is', async () => {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const keyed = routes.filter(({ access }) => access !== 'public')
  let calls = 0
  for (const [i, canary] of CANARIES.entries()) {
    // another key for each, because of the limits of a minute
    const keys = await Promise.all(Array.from({ length: 8 }, () => service.key({ workspace, userEmail })))
    for (const [n, route] of keyed.entries()) {
      const key = keys[n % keys.length]!
      const query = new URLSearchParams(
        Object.keys(declaredQuery(route)).map((name): [string, string] => [name, canary]),
      )
      // declared names with such a value, a name of the caller's own, a value that follows a valid one
      const queries = [`?${query}`, `?${encodeURIComponent(canary)}=1&limit=5&limit=${encodeURIComponent(canary)}`]
      for (const search of queries) {
        await send(route.method, pathOf(route, canary) + search, key, canary)
        calls++
      }
    }
    // paths and methods that do not exist
    for (const path of [`/${canary}`, `/jobs/${canary}/${canary}`, `/people/${canary}?email=${canary}`]) {
      await send(i === 0 ? 'DELETE' : 'GET', path, keys[0]!, canary)
    }
  }
  await requestLog.flush()
  const rows = await db.query(sql<{ text: string }>`select l::text as text from request_log l`)
  assert.ok(rows.length >= calls, 'every call was logged')
  for (const { text } of rows) assert.equal(personalIn(text), undefined, text)
})

test('request log: a valid email address, name or text is stored as null under the name of its parameter', async () => {
  const { id: workspace } = await service.workspace('enterprise')
  const key = await service.key({ workspace })
  const paramsOf = async (path: string) => {
    const id = (await service.get(path, key)).headers.get('service-request-id')
    await requestLog.flush()
    return (await db.one(sql<{ params: object }>`select params from request_log where id = ${id}`))?.params
  }
  assert.deepEqual(await paramsOf('/applicants?email=anna.berg@example.org&has_applications=true&limit=10'), {
    email: null,
    has_applications: 'true',
    limit: '10',
  })
  assert.deepEqual(await paramsOf('/people/resolve?linkedin_url=https://www.linkedin.com/in/anna'), {
    linkedin_url: null,
  })
  assert.deepEqual(await paramsOf('/sourced-profiles?q=Anna%20Berg&updated_after=2026-11-01T10:00:00%2B02:00'), {
    q: null,
    updated_after: '2026-11-01T08:00:00.000Z',
  })
  assert.deepEqual(await paramsOf(`/applications?applicant_id=apl_00000000000000000000&workspace_id=${workspace}`), {
    applicant_id: 'apl_00000000000000000000',
    workspace_id: workspace,
  })
  assert.deepEqual(await paramsOf('/jobs/by-slug/anna-berg'), { slug: null })
})

/** Free text, in the words of the declarations. A parameter that is not in this list has values that cannot be personal. */
const NOT_LOGGED = `company country cursor department email external_id linkedin_url origin q route slug source
  source_system title to`.split(/\s+/)

test('request log: exactly these parameters have values that are never stored', () => {
  const hidden = routes.flatMap(route => [
    ...Object.entries(declaredQuery(route)).flatMap(([name, { logged }]) => (logged ? [] : [name])),
    ...Object.entries(route.params).flatMap(([name, kind]) => (kind === 'text' ? [name] : [])),
  ])
  assert.deepEqual([...new Set(hidden)].sort(), NOT_LOGGED)
})
