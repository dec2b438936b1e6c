import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { freePort } from '../harness/free-port.ts'
import { hasHaproxy, startHaproxy } from '../harness/haproxy.ts'
import { startTestService } from '../harness/service.ts'
import { createMember, PASSWORD } from '../sign-in/setup.ts'

/** Loopback has many addresses: HAProxy and the service are at the first, clients at others. */
const CLIENT = '127.0.0.2'
const OTHER = '127.0.0.3'

if (!hasHaproxy()) {
  test('TRUST_PROXY behind HAProxy', t => t.skip('haproxy is not installed'))
} else {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const service = await startTestService({ TRUST_PROXY: '127.0.0.1', PUBLIC_URL: publicUrl, ROLES: 'api' })
  const direct = new URL(service.base)
  await startHaproxy(
    `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  option forwardfor
frontend public
  bind 127.0.0.1:${port}
  default_backend hiring
backend hiring
  server api ${direct.host}`,
    port,
  )
  const { db, usage } = service.services
  const { id: workspace } = await service.workspace()

  interface Call {
    path: string
    from: string
    /** past the proxy */
    to?: string
    headers?: Record<string, string>
    /** fields of a form, which is posted */
    form?: Record<string, string>
  }
  const call = ({ path, from, to = String(port), headers = {}, form }: Call) =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
      const posted = { 'content-type': 'application/x-www-form-urlencoded', origin: publicUrl }
      const options = {
        host: '127.0.0.1',
        port: to,
        path,
        method: form ? 'POST' : 'GET',
        headers: { ...(form ? posted : {}), ...headers },
        localAddress: from,
        agent: false,
      }
      request(options, response => {
        const { statusCode, headers } = response
        text(response).then(body => resolve({ status: statusCode!, headers, body }), reject)
      })
        .on('error', reject)
        .end(form && new URLSearchParams(form).toString())
    })
  const forge = (forged?: string): Record<string, string> => (forged ? { 'x-forwarded-for': forged } : {})

  test('TRUST_PROXY behind HAProxy: 200 and 401 by the IP address of the client; a forged X-Forwarded-For changes nothing', async () => {
    const key = await service.key({ workspace, allowIp: [CLIENT] })
    const status = async (from: string, forged?: string, to?: string) => {
      const headers = { authorization: `Bearer ${key.secret}`, ...forge(forged) }
      return (await call({ path: `${direct.pathname}/me`, from, headers, ...(to ? { to } : {}) })).status
    }
    assert.equal(await status(CLIENT), 200)
    assert.equal(await status(CLIENT, OTHER), 200)
    assert.equal(await status(OTHER), 401)
    assert.equal(await status(OTHER, CLIENT), 401)
    assert.equal(await status(OTHER, `${CLIENT}, 127.0.0.1`), 401)
    // past the proxy: only the proxy may say for whom it calls
    assert.equal(await status(OTHER, CLIENT, direct.port), 401)
    assert.equal(await status(CLIENT, undefined, direct.port), 200)
  })

  test('TRUST_PROXY behind HAProxy: 429 by the IP address of the client that guesses, whatever it forges; others sign in', async () => {
    const email = 'ada@acme.example'
    await createMember(service, workspace, email)
    const signIn = (from: string, password: string, forged?: string) =>
      call({ path: '/sign-in', from, form: { email, password }, headers: forge(forged) })
    for (let i = 0; i < 10; i++) {
      assert.equal((await signIn(CLIENT, 'a wrong password', `198.51.100.${i}`)).status, 401)
    }
    assert.equal((await signIn(CLIENT, 'a wrong password', '198.51.100.99')).status, 429)
    assert.equal((await signIn(CLIENT, PASSWORD)).status, 429)
    const signedIn = await signIn(OTHER, PASSWORD, CLIENT)
    assert.equal(signedIn.status, 303)

    // what the console shows of the session
    const cookie = signedIn.headers['set-cookie']!.map(line => line.split(';')[0]).join('; ')
    const { body } = await call({ path: '/console/api/sessions', from: OTHER, headers: { cookie } })
    const sessions: { address: string }[] = JSON.parse(body).data
    assert.deepEqual(
      sessions.map(({ address }) => address),
      [OTHER],
    )
  })

  test('TRUST_PROXY behind HAProxy: the last use of a key has the IP address of the client, not of the proxy or a forged one', async () => {
    const key = await service.key({ workspace })
    const headers = { authorization: `Bearer ${key.secret}`, ...forge('198.51.100.7') }
    assert.equal((await call({ path: `${direct.pathname}/me`, from: CLIENT, headers })).status, 200)
    const lastUse = sql<{ address: string | null }>`
      select last_used_address as address from api_key_secrets where key_id = ${key.id}`
    let used: { address: string | null } | undefined
    // a call is recorded after its response was sent
    while (!used?.address) {
      await usage.flush()
      used = await db.one(lastUse)
    }
    assert.equal(used.address, CLIENT)
  })
}
