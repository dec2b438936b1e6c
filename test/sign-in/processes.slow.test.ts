import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as client from 'openid-client'
import type { IssuedApp } from '../../src/resources/connected-apps/index.ts'
import { freePort } from '../harness/free-port.ts'
import { cloneDatabase, stopOwnServer } from '../harness/postgres.ts'
import { hiring, type Started, startProcess, temporaryFolder } from '../harness/process.ts'
import { allowed, exchange, REDIRECT, relyingParty, request } from './setup.ts'
import { Visitor } from './visitor.ts'

const PUBLIC_URL = 'http://hiring.test'
const ended: Promise<{ stderr: string; stdout: string }>[] = []

after(() => stopOwnServer())

/** Services on one store, as the outside sees them: one address. */
async function store() {
  const database = await cloneDatabase()
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: temporaryFolder(),
    SECRET_KEY: '5'.repeat(64),
    LIMITER: 'postgres',
    LOG_LEVEL: 'debug',
    DEMO: 'off',
    PUBLIC_URL,
  }
  const start = async () => {
    const port = await freePort()
    const started = await startProcess({ ...env, PORT: String(port) })
    ended.push(started.ended)
    return { ...started, origin: `http://127.0.0.1:${port}` }
  }
  const verb = async <T>(...args: string[]): Promise<T> => {
    const done = await hiring([...args, '--json'], env)
    assert.equal(done.code, 0, done.stderr)
    return JSON.parse(done.stdout) as T
  }
  return { database, env, start, verb }
}

test('sign-in processes: two processes, one killed in between: the flow continues; nothing secret in the logs', async () => {
  const { database, start, verb } = await store()
  const workspace = await verb<{ id: string }>('workspaces', 'create', '--name', 'New')
  const email = 'olga@new.example'
  const { password } = await verb<{ password: string }>(
    ...['users', 'create', '--workspace', workspace.id, '--email', email, '--role', 'owner'],
  )
  let one = await start()
  const two = await start()
  let turn = 0
  let up: (Started & { origin: string })[] = [one, two]
  // every request meets the other process than the one before
  const at = () => up[turn++ % up.length]!.origin

  const browser = new Visitor(PUBLIC_URL, at)
  const signedIn = await browser.post('/sign-in', { email, password })
  assert.equal(signedIn.status, 303, signedIn.html)
  assert.equal(signedIn.location, '/console')

  const app = await verb<IssuedApp>(
    ...['apps', 'register', '--workspace', workspace.id, '--name', 'Payroll', '--redirect-uri', REDIRECT],
    ...['--scopes', 'profile,offline_access,jobs:read'],
  )
  const config = await relyingParty(PUBLIC_URL, app, at)
  const asked = await request(config, 'openid jobs:read offline_access', { prompt: 'consent' })
  const code = await allowed(browser, asked)

  up = [two]
  one.child.kill('SIGKILL')
  await one.ended
  const tokens = await exchange(config, code, asked)
  one = await start()
  up = [one, two]
  const jobs = (origin: string, token: string) =>
    fetch(`${origin}/api/partner/v1/jobs`, { headers: { authorization: `Bearer ${token}` } })
  for (const { origin } of up) assert.equal((await jobs(origin, tokens.access_token)).status, 200)
  const fresh = await client.refreshTokenGrant(config, tokens.refresh_token!)
  assert.ok(await client.fetchUserInfo(config, fresh.access_token, tokens.claims()!.sub))
  assert.equal((await browser.get('/account')).status, 200, 'and the session goes on')

  const consents = await verb<{ id: string; user_email: string }[]>('apps', 'consents', '--workspace', workspace.id)
  assert.deepEqual(
    consents.map(consent => consent.user_email),
    [email],
  )
  await verb('apps', 'revoke-consent', consents[0]!.id, '--workspace', workspace.id)
  for (const { origin } of up) assert.equal((await jobs(origin, fresh.access_token)).status, 401)
  await assert.rejects(client.refreshTokenGrant(config, fresh.refresh_token!))

  for (const { child } of up) child.kill('SIGTERM')
  const logs = (await Promise.all(ended)).map(({ stderr }) => stderr).join('\n')
  assert.match(logs, /"level"/, 'there is something to look at')
  const secrets = {
    password,
    cookie: browser.cookie('hiring_session')!,
    secret: app.client_secret!,
    code: code.searchParams.get('code')!,
    verifier: asked.verifier,
    access: tokens.access_token,
    refresh: tokens.refresh_token!,
    identity: tokens.id_token!,
    newAccess: fresh.access_token,
    newRefresh: fresh.refresh_token!,
  }
  for (const [name, secret] of Object.entries(secrets)) assert.ok(!logs.includes(secret), `${name} is in the logs`)
  await database.drop()
})

test('hiring users and hiring apps: the first owner of a new installation, and all that follows', async () => {
  const { database, env, verb } = await store()
  const workspace = await verb<{ id: string }>('workspaces', 'create', '--name', 'New')
  const inside = ['--workspace', workspace.id]
  const owner = await verb<{ id: string; password: string }>(
    ...['users', 'create', ...inside, '--email', 'olga@new.example', '--role', 'owner'],
  )
  assert.match(owner.password, /^[a-z2-9-]{23}$/)
  const text = await hiring(['users', 'create', ...inside, '--email', 'kim@new.example', '--role', 'admin'], env)
  assert.match(
    text.stdout,
    /^created usr_\w+ \(kim@new\.example, admin\)\npassword: \S+\nStore it now. It is not shown again\.\n$/,
  )
  const none = await verb<{ password?: string }>(
    ...['users', 'create', ...inside, '--email', 'lee@new.example', '--role', 'viewer', '--no-password'],
  )
  assert.equal(none.password, undefined)
  const changed = await verb<{ password: string }>('users', 'set-password', 'olga@new.example', ...inside)
  assert.notEqual(changed.password, owner.password)
  assert.equal(
    (await verb<{ role: string }>('users', 'set-role', 'lee@new.example', 'member', ...inside)).role,
    'member',
  )
  await verb('users', 'remove', 'lee@new.example', ...inside)
  const users = await verb<{ email: string }[]>('users', 'list', ...inside)
  assert.deepEqual(
    users.map(user => user.email),
    ['olga@new.example', 'kim@new.example'],
  )
  assert.ok(!JSON.stringify(users).includes('scrypt'))

  const app = await verb<IssuedApp>(
    ...['apps', 'register', ...inside, '--name', 'Phone', '--kind', 'native', '--redirect-uri', 'http://127.0.0.1/cb'],
  )
  assert.equal(app.client_secret, null)
  const web = await verb<IssuedApp>('apps', 'register', ...inside, '--name', 'Web', '--redirect-uri', REDIRECT)
  const rotated = await verb<IssuedApp>('apps', 'rotate-secret', web.id, '--overlap-hours', '0')
  assert.notEqual(rotated.client_secret, web.client_secret)
  await verb('apps', 'revoke', web.id)
  const apps = await verb<IssuedApp[]>('apps', 'list', ...inside)
  assert.deepEqual(apps.map(row => [row.name, row.revoked_at !== null]).toSorted(), [
    ['Phone', false],
    ['Web', true],
  ])
  const mistakes: [string[], RegExp][] = [
    [['users', 'set-role', 'olga@new.example', 'member', ...inside], /needs at least one owner/],
    [['users', 'remove', 'olga@new.example', ...inside], /needs at least one owner/],
    [['users', 'set-role', 'kim@new.example', 'king', ...inside], /the role must be one of owner/],
    [['users', 'remove', 'unknown@new.example', ...inside], /has no user unknown@new\.example/],
    [['apps', 'register', ...inside, '--name', 'X', '--redirect-uri', 'http://x.example'], /must start with https/],
    [
      ['apps', 'register', ...inside, '--name', 'X', '--redirect-uri', REDIRECT, '--scopes', 'webhooks:write'],
      /cannot request webhooks:write/,
    ],
    [['apps', 'rotate-secret', app.id], /has no secret/],
    [['apps', 'revoke', 'nonsense'], /there is no app nonsense/],
  ]
  const outcomes = await Promise.all(mistakes.map(([args]) => hiring(args, env)))
  for (const [i, [args, message]] of mistakes.entries()) {
    assert.equal(outcomes[i]!.code, 1, args.join(' '))
    assert.match(outcomes[i]!.stderr, message)
  }
  await database.drop()
})
