import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { linkedinKey } from '../../src/kernel/text/person-keys.ts'
import { type IssuedKey, revokeKey } from '../../src/resources/keys/index.ts'
import { startTestService } from '../harness/service.ts'
import { recordStatements } from '../harness/statements.ts'

// No background loops, no request log, and no usage figures that are stored once a second: what is recorded belongs to a request.
const service = await startTestService({ ROLES: 'api', REQUEST_LOG: 'off' })
const { db, usage } = service.services
await usage.stop()
const statements = recordStatements(db)

const LINKEDIN_URL = 'https://www.linkedin.com/in/refused'
const PER_MINUTE = { general: 60, expensive: 6 }
const QUOTA = 10_000

/** Every kind of request a limit protects: a list, a search, a read that stores rows, an expensive read, a metered one, writes. */
const CALLS: readonly { method: 'GET' | 'POST'; path: string; body?: object; tier: keyof typeof PER_MINUTE }[] = [
  { method: 'GET', path: '/me', tier: 'general' },
  { method: 'GET', path: '/jobs?q=engineer&limit=100', tier: 'general' },
  { method: 'GET', path: `/people/resolve?linkedin_url=${encodeURIComponent(LINKEDIN_URL)}`, tier: 'general' },
  { method: 'GET', path: '/analytics/hiring-funnel', tier: 'expensive' },
  { method: 'GET', path: '/applicants/apl_00000000000000000000/contact-info', tier: 'expensive' },
  {
    method: 'POST',
    path: '/people/resolve:batch',
    body: { keys: [{ kind: 'linkedin_url', value: LINKEDIN_URL }] },
    tier: 'expensive',
  },
  { method: 'POST', path: '/lists', body: { name: 'Refused' }, tier: 'general' },
]

const send = (call: (typeof CALLS)[number], key: IssuedKey | string, workspace?: string) => {
  const path = workspace ? `${call.path}${call.path.includes('?') ? '&' : '?'}workspace_id=${workspace}` : call.path
  return call.method === 'GET' ? service.get(path, key) : service.post(path, key, call.body)
}

const KEY_CHECK = /^with clock as materialized .* from clock, api_key_secrets s join api_keys k /
const QUOTA_CHECK = /^with before as \( select requests from monthly_usage /

/**
 * Sends every kind of request with a key and asserts its refusal and each statement that it caused. A key that is cached
 * need not be looked for, but may be: the lease of a busy machine runs out.
 */
async function assertCostsOnly(
  key: IssuedKey | string,
  refusal: { status: number; code: string },
  allowed: readonly RegExp[],
  opts: { workspace?: string; calls?: typeof CALLS } = {},
): Promise<void> {
  for (const call of opts.calls ?? CALLS) {
    const what = `${call.method} ${call.path}`
    const caused = await statements.during(async () => {
      const { status, body } = await send(call, key, opts.workspace)
      assert.deepEqual({ status, code: body.detail.code }, refusal, what)
    })
    const others = KEY_CHECK.test(caused[0] ?? '') ? caused.slice(1) : caused
    assert.equal(others.length, allowed.length, `${what}: ${caused.join('\n')}`)
    for (const [i, text] of others.entries()) assert.match(text, allowed[i]!, what)
  }
}

const identities = async () => (await db.one(sql<{ count: number }>`select count(*) from identities`))!.count

/** A workspace whose records /people/resolve would store identities for, and a key that this process knows. */
async function knownKey(scopes: 'all' | 'workspaces:read' = 'all') {
  const { id: workspace, userEmail } = await service.workspace('none')
  await db.query(sql`
    insert into sourced_profiles (workspace_id, id, full_name, headline, linkedin_url, linkedin_key, origin, acquisition)
    values (${workspace}, ${newHandle('sourced_profile')}, 'Sourced', 'Engineer', ${LINKEDIN_URL},
      ${linkedinKey(LINKEDIN_URL)!}, 'xray', 'xray_search')`)
  const key = await service.key({ workspace, userEmail, scopes: scopes === 'all' ? 'all' : [scopes] })
  assert.equal((await service.get('/workspaces', key)).status, 200)
  return { workspace, key }
}

const UNAUTHENTICATED = { status: 401, code: 'unauthenticated' }

test('refused requests: 401 unknown key: the service looks for the key at most and does nothing else', async () => {
  const { key } = await knownKey()
  const unknown = await service.key({ workspace: (await service.workspace()).id })
  await db.query(sql`delete from api_key_secrets where key_id = ${unknown.id}`)
  await assertCostsOnly(unknown, UNAUTHENTICATED, [])
  await assertCostsOnly(`${key.secret.slice(0, -1)}~`, UNAUTHENTICATED, [])
})

test('refused requests: 401 revoked key: the service looks for the key and does nothing else, although it knew the key before', async () => {
  const before = await identities()
  for (const call of CALLS) {
    // a key each: the first refusal ends what the process knows of it
    const { key } = await knownKey()
    await revokeKey(db, key.id)
    await assertCostsOnly(key, UNAUTHENTICATED, [], { calls: [call] })
  }
  assert.equal(await identities(), before)
})

test('refused requests: 403 insufficient_scope: the service looks for the key at most and does nothing else', async () => {
  const { key } = await knownKey('workspaces:read')
  const calls = CALLS.filter(call => call.path !== '/me')
  await assertCostsOnly(key, { status: 403, code: 'insufficient_scope' }, [], { calls })
})

test('refused requests: 404 foreign workspace: the service looks for the key at most and does nothing else', async () => {
  const { key } = await knownKey()
  const { id: workspace } = await service.workspace()
  await assertCostsOnly(key, { status: 404, code: 'not_found' }, [], { workspace })
})

const LIMITED = { status: 429, code: 'rate_limit_exceeded' }

test('refused requests: 429 limit of a minute: the service looks for the key at most and does nothing else', async () => {
  const { key } = await knownKey()
  const before = await identities()
  for (const [tier, limit] of Object.entries(PER_MINUTE)) {
    for (let i = 0; i < limit; i++) await service.services.limiter.count(key.id, tier as keyof typeof PER_MINUTE)
  }
  await assertCostsOnly(key, LIMITED, [])
  assert.equal(await identities(), before)
})

test('refused requests: 429 monthly quota: the service looks for the key, counts the request and does nothing else', async () => {
  const { key, workspace } = await knownKey()
  const before = await identities()
  await usage.flush()
  await db.query(sql`update monthly_usage set requests = ${QUOTA} where workspace_id = ${workspace}`)
  await usage.flush()
  // the process learns of it with the first refused request, which stores what it has counted itself
  await send(CALLS[0]!, key)
  await send(CALLS[0]!, key)
  await assertCostsOnly(key, LIMITED, [QUOTA_CHECK])
  assert.equal(await identities(), before)
})

test('refused requests: a request that is let through does its work: the refusals above refuse something', async () => {
  const { key } = await knownKey()
  const before = await identities()
  for (const call of CALLS) {
    const caused = await statements.during(() => send(call, key))
    assert.ok(
      caused.some(text => !KEY_CHECK.test(text)),
      `${call.method} ${call.path}: ${caused.join('\n')}`,
    )
  }
  assert.ok((await identities()) > before)
})
