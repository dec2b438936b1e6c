import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyVerbs } from '../../src/cli/keys.ts'
import { checksum, newKeySecret } from '../../src/kernel/access/key-format.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { revokeKey, rotateKey } from '../../src/resources/keys/index.ts'
import { startTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'

const service = await startTestService({ TRUST_PROXY: '127.0.0.1' })
const { db } = service.services
const { id: workspace, userEmail } = await service.workspace()
const key = await service.key({ workspace, userEmail })

const withoutId = (text: string) => text.replace(/req_\w+/, 'req_x')

test('authentication: 200: the key opens the service, whatever the case of the scheme', async () => {
  assert.equal((await service.get('/me', key)).status, 200)
  assert.equal(
    (await service.get('/me', undefined, { headers: { authorization: `bearer ${key.secret}` } })).status,
    200,
  )
})

test('authentication: 401 unauthenticated: every cause gives the same body and headers', async () => {
  const revoked = await service.key({ workspace })
  await revokeKey(db, revoked.id)
  const elsewhere = await service.key({ workspace, allowIp: ['203.0.113.0/24'] })
  const expired = await service.key({ workspace, expiresInDays: 1 })
  const rotated = await service.key({ workspace })
  await rotateKey(db, rotated.id, 0)
  clock.advance(25 * 3_600_000)
  const mistyped = key.secret.slice(0, 20) + (key.secret[20] === 'a' ? 'b' : 'a') + key.secret.slice(21)
  const causes: Record<string, Record<string, string>> = {
    missing: {},
    'basic auth': { authorization: `Basic ${Buffer.from(`${key.secret}:`).toString('base64')}` },
    cookie: { cookie: `key=${key.secret}` },
    'no scheme': { authorization: key.secret },
    'two tokens': { authorization: `Bearer ${key.secret} ${key.secret}` },
    garbage: { authorization: 'Bearer %00\u00ff' },
    truncated: { authorization: `Bearer ${key.secret.slice(0, -1)}` },
    mistyped: { authorization: `Bearer ${mistyped}` },
    unknown: { authorization: `Bearer ${newKeySecret('live')}` },
    revoked: { authorization: `Bearer ${revoked.secret}` },
    expired: { authorization: `Bearer ${expired.secret}` },
    'rotated away': { authorization: `Bearer ${rotated.secret}` },
    'address not allowed': { authorization: `Bearer ${elsewhere.secret}` },
  }
  const expected = await service.get('/me')
  clock.reset()
  assert.equal(expected.status, 401)
  assert.equal(expected.body.detail.code, 'unauthenticated')
  assert.equal(expected.body.detail.type, 'authentication')
  for (const [cause, headers] of Object.entries(causes)) {
    if (cause === 'expired') clock.advance(25 * 3_600_000)
    const response = await service.get('/me', undefined, { headers })
    clock.reset()
    assert.equal(response.status, 401, cause)
    assert.equal(withoutId(response.text), withoutId(expected.text), cause)
    assert.deepEqual([...response.headers.keys()].sort(), [...expected.headers.keys()].sort(), cause)
  }
  const inQuery = await service.get(`/me?api_key=${key.secret}`)
  assert.equal(inQuery.status, 401)
})

test('authentication: 401: a revoked key is refused by the very next request, also while others are in flight', async () => {
  const revocable = await service.key({ workspace })
  const before = await Promise.all(Array.from({ length: 20 }, () => service.get('/workspaces', revocable)))
  assert.ok(before.every(a => a.status === 200))
  await revokeKey(db, revocable.id)
  const after = await Promise.all(Array.from({ length: 20 }, () => service.get('/workspaces', revocable)))
  assert.ok(after.every(a => a.status === 401))
})

test('authentication: 401: no success for a request that began after the revocation, under a burst of requests', async () => {
  const revocable = await service.key({ workspace })
  let revokedAt = Number.POSITIVE_INFINITY
  let late = 0
  let served = 0
  const caller = async () => {
    for (;;) {
      const beganAt = performance.now()
      const { status } = await service.get('/workspaces', revocable)
      if (status !== 200) return status
      served++
      if (beganAt > revokedAt) late++
    }
  }
  const storm = Promise.all(Array.from({ length: 8 }, caller))
  while (served < 40) await new Promise(resolve => setImmediate(resolve))
  await revokeKey(db, revocable.id)
  revokedAt = performance.now()
  assert.deepEqual([...new Set(await storm)], [401])
  assert.equal(late, 0)
})

test('authentication: 200 then 401: after a rotation the old secret works for the overlap and no longer', async () => {
  const first = await service.key({ workspace })
  const second = await rotateKey(db, first.id, 2)
  assert.equal(second.id, first.id)
  assert.equal((await service.get('/me', first)).status, 200)
  const me = await service.get('/me', second)
  assert.equal(me.body.id, first.id)
  assert.ok(me.body.previous_secret_expires_at)
  clock.advance(2 * 3_600_000 - 30_000)
  assert.equal((await service.get('/me', first)).status, 200)
  clock.advance(31_000)
  assert.equal((await service.get('/me', first)).status, 401)
  assert.equal((await service.get('/me', second)).status, 200)
  clock.reset()
})

test('authentication: 200 then 401: `hiring keys rotate` leaves the old secret valid for 24 hours by default', async () => {
  const first = await service.key({ workspace })
  const second = (await runVerb(service, keyVerbs, 'keys rotate', [first.id])).json as { secret: string }
  clock.advance(24 * 3_600_000 - 30_000)
  assert.equal((await service.get('/me', first)).status, 200)
  clock.advance(31_000)
  assert.equal((await service.get('/me', first)).status, 401)
  assert.equal((await service.get('/me', second)).status, 200)
  clock.reset()
})

test('authentication: 401: a second rotation ends the oldest secret immediately; never more than two work', async () => {
  const first = await service.key({ workspace })
  const second = await rotateKey(db, first.id, 24)
  const third = await rotateKey(db, first.id, 24)
  const statuses = await Promise.all([first, second, third].map(async k => (await service.get('/me', k)).status))
  assert.deepEqual(statuses, [401, 200, 200])
})

test('authentication: 401 after expiry: the database decides, to the millisecond shown', async () => {
  const brief = await service.key({ workspace, expiresInDays: 1 })
  assert.equal((await service.get('/me', brief)).body.expires_at, brief.expires_at)
  clock.advance(86_400_000 - 30_000)
  assert.equal((await service.get('/me', brief)).status, 200)
  clock.advance(31_000)
  assert.equal((await service.get('/me', brief)).status, 401)
  clock.reset()
})

test('authentication: allowlist: addresses, ranges and both families; the address of a trusted proxy is looked through', async () => {
  const listed = await service.key({ workspace, allowIp: ['203.0.113.7', '198.51.100.0/24', '2001:db8::/32'] })
  const from = async (address: string) =>
    (await service.get('/me', listed, { headers: { 'x-forwarded-for': address } })).status
  assert.equal(await from('203.0.113.7'), 200)
  assert.equal(await from('203.0.113.8'), 401)
  assert.equal(await from('198.51.100.200'), 200)
  assert.equal(await from('::ffff:198.51.100.1'), 200)
  assert.equal(await from('2001:db8:1::5'), 200)
  assert.equal(await from('2001:db9::1'), 401)
  assert.equal(await from('nonsense'), 401)
  assert.equal((await service.get('/me', listed)).status, 401)
  const local = await service.key({ workspace, allowIp: ['127.0.0.1'] })
  const me = await service.get('/me', local)
  assert.equal(me.status, 200)
  assert.equal(me.body.ip_allowlist_active, true)
})

test('authentication: 401 and nothing counted: calls from an address that is not allowed, also when the key is well known', async () => {
  const free = await service.workspace('none')
  const listed = await service.key({ workspace: free.id, allowIp: ['203.0.113.7'] })
  const from = (address: string) => service.get('/workspaces', listed, { headers: { 'x-forwarded-for': address } })
  assert.equal((await from('203.0.113.7')).status, 200)
  for (let i = 0; i < 70; i++) assert.equal((await from('203.0.113.8')).status, 401)
  const allowed = await from('203.0.113.7')
  assert.equal(allowed.status, 200)
  assert.equal(allowed.headers.get('ratelimit-remaining'), '58')
})

test('authentication: key format: 43 characters and 4 of checksum', () => {
  for (const environment of ['live', 'test'] as const) {
    const secret = newKeySecret(environment)
    assert.match(secret, new RegExp(`^svc_${environment}_[0-9A-Za-z]{47}$`))
    assert.equal(checksum(secret.slice(0, -4)), secret.slice(-4))
  }
  // CRC-32 of the empty text is 0; of "123456789" it is cbf43926, the check value every implementation shares
  assert.equal(checksum(''), '0000')
  assert.equal(checksum('123456789'), '3jZR')
})
