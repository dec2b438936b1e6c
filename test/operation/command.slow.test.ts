import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadVerbs } from '../../src/cli/verbs.ts'
import { cloneDatabase } from '../harness/postgres.ts'
import { hiring, hiringInTurn, temporaryFolder } from '../harness/process.ts'
import { startTestService } from '../harness/service.ts'
import { startMailServer } from '../harness/smtp.ts'

const VERBS = await loadVerbs()
const database = await cloneDatabase()
const env = { DATABASE_URL: database.url, DATA_DIR: temporaryFolder() }
const service = await startTestService({ DATA_DIR: env.DATA_DIR }, { database })

async function ok<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await hiring([...args, '--json'], env)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as T
}

test('command line: every verb has --help that names its options, and the overview lists every verb', async () => {
  const overview = await hiring(['--help'])
  assert.equal(overview.code, 0)
  for (const verb of VERBS) assert.match(overview.stdout, new RegExp(`  ${verb.name}  `))
  const helps = await hiringInTurn(VERBS.map(verb => [...verb.name.split(' '), '--help']))
  assert.equal(helps.length, VERBS.length)
  for (const [i, verb] of VERBS.entries()) {
    assert.match(helps[i]!, new RegExp(`hiring ${verb.name}`))
    for (const option of Object.keys(verb.options ?? {})) assert.match(helps[i]!, new RegExp(`--${option}`))
  }
})

test('hiring --version: prints the version of package.json', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  assert.equal((await hiring(['--version'])).stdout, `${version}\n`)
  assert.deepEqual(JSON.parse((await hiring(['--version', '--json'])).stdout), { version })
})

test('command line: a mistake gets one clear line and a status that is not zero', async () => {
  const mistakes: [string[], RegExp][] = [
    [['nonsense'], /unknown command `nonsense`/],
    [['keys'], /unknown command `keys`: keys create, keys list/],
    [['keys', 'create'], /needs --workspace and --scopes/],
    [['keys', 'create', '--nope'], /--nope/],
    [['keys', 'revoke'], /needs ID/],
    [['keys', 'revoke', 'pk_x', 'extra'], /unexpected `extra`/],
    [['keys', 'revoke', 'pk_x'], /there is no key pk_x/],
    [['keys', 'rotate', 'pk_x', '--overlap-hours', '1000'], /0 to 168/],
    [['workspaces', 'create', '--name', 'X', '--plan', 'gold'], /none, starter, growth, enterprise/],
    [['workspaces', 'create', '--name', ' '], /1 to 200 characters/],
    [['users', 'list', '--workspace', 'wsp_x'], /there is no workspace wsp_x/],
  ]
  const outcomes = await Promise.all(mistakes.map(([args]) => hiring(args, env)))
  for (const [i, [args, message]] of mistakes.entries()) {
    const { code, stderr, stdout } = outcomes[i]!
    assert.notEqual(code, 0, args.join(' '))
    assert.match(stderr, message)
    assert.equal(stderr.trim().split('\n').length, 1, stderr)
    assert.equal(stdout, '')
  }
  const asJson = await hiring(['keys', 'revoke', 'pk_x', '--json'], env)
  assert.deepEqual(JSON.parse(asJson.stderr), { error: 'there is no key pk_x' })
})

test('command line: workspaces, users and keys: made by the command, used over HTTP', async () => {
  const workspace = await ok<{ id: string; plan: string }>(
    'workspaces',
    'create',
    '--name',
    'Command',
    '--plan',
    'growth',
  )
  assert.equal(workspace.plan, 'growth')
  const second = await ok<{ id: string; plan: null }>('workspaces', 'create', '--name', 'Second')
  assert.equal(second.plan, null)
  const user = await ok<{ email: string; role: string }>(
    'users',
    'create',
    '--workspace',
    workspace.id,
    '--email',
    'ada@command.example',
    '--role',
    'admin',
  )
  assert.equal(user.role, 'admin')
  const again = await hiring(
    ['users', 'create', '--workspace', workspace.id, '--email', 'ADA@command.example', '--role', 'member'],
    env,
  )
  assert.match(again.stderr, /already belongs to a member/)
  const key = await ok<{ id: string; secret: string; scopes: string[]; environment: string }>(
    'keys',
    'create',
    '--workspace',
    workspace.id,
    '--user',
    'ada@command.example',
    '--scopes',
    'workspaces:read,users:read',
    '--environment',
    'test',
    '--name',
    'From the command',
    '--allow-ip',
    '127.0.0.1',
    '--allow-ip',
    '10.0.0.0/8',
    '--expires-in-days',
    '30',
  )
  assert.match(key.id, /^pk_/)
  assert.match(key.secret, /^svc_test_/)
  const me = await service.get('/me', key)
  assert.equal(me.status, 200)
  assert.equal(me.body.name, 'From the command')
  assert.equal(me.body.environment, 'test')
  assert.deepEqual(me.body.scopes, ['users:read', 'workspaces:read'])
  assert.equal(me.body.ip_allowlist_active, true)
  assert.ok(me.body.expires_at)
  const users = await service.get(`/workspaces/${workspace.id}/users`, key)
  assert.deepEqual(
    users.body.data.map((u: { email: string }) => u.email),
    ['ada@command.example'],
  )

  const list = await ok<{ secret: string }>(
    'keys',
    'create',
    '--workspace',
    workspace.id,
    '--workspaces',
    `${workspace.id},${second.id}`,
    '--scopes',
    'all',
  )
  assert.equal((await service.get('/me', list)).body.workspace_scope, 'list')
  const all = await ok<{ secret: string }>(
    'keys',
    'create',
    '--workspace',
    workspace.id,
    '--all-workspaces',
    '--scopes',
    'all',
  )
  assert.equal((await service.get('/me', all)).body.workspace_scope, 'all')

  const rotated = await ok<{ id: string; secret: string }>('keys', 'rotate', key.id, '--overlap-hours', '0')
  assert.equal(rotated.id, key.id)
  assert.equal((await service.get('/me', key)).status, 401)
  assert.equal((await service.get('/me', rotated)).status, 200)
  await ok('keys', 'revoke', key.id)
  assert.equal((await service.get('/me', rotated)).status, 401)
  const keys = await ok<{ id: string; revoked_at: string | null }[]>('keys', 'list', '--workspace', workspace.id)
  assert.equal(keys.length, 3)
  assert.ok(keys.find(k => k.id === key.id)!.revoked_at)
  assert.ok(!JSON.stringify(keys).includes('svc_'))
  const text = await hiring(['keys', 'list'], env)
  assert.match(text.stdout, /revoked/)
  const narrow = await hiring(['keys', 'create', '--workspace', workspace.id, '--scopes', 'workspaces:read'], env)
  assert.match(narrow.stdout, /, 1 scope\)/)
})

test('doctor: says what is reachable, and fails when something is not', async () => {
  const well = await ok<{
    healthy: boolean
    checks: { name: string; state: string }[]
    settings: Record<string, string>
  }>('doctor')
  assert.equal(well.healthy, true)
  assert.deepEqual(well.checks.find(c => c.name === 'database')?.state, 'ok')
  assert.ok(!JSON.stringify(well).includes(database.connection.password), 'no secret is printed')
  const webhooks = { name: 'webhooks', configured: '-', state: 'ok', detail: 'sent only to public IP addresses' }
  assert.deepEqual(
    well.checks.find(c => c.name === 'webhooks'),
    webhooks,
  )
  const open = await hiring(['doctor'], { ...env, WEBHOOK_ALLOW_HOSTS: 'localhost:9000,inside.test' })
  assert.equal(open.code, 0, 'a warning is no failure')
  assert.match(open.stdout, /WARNING\s+webhooks.*private IP addresses: localhost:9000, inside\.test/)
  const ill = await hiring(['doctor', '--json'], { ...env, REDIS_URL: 'redis://127.0.0.1:1', DEMO: 'on' })
  assert.equal(ill.code, 1)
  const found = (name: string) => JSON.parse(ill.stdout).checks.find((c: { name: string }) => c.name === name)
  assert.equal(found('redis').state, 'failing')
  // it listens on loopback
  const detail = `${webhooks.detail}; with demo data also to http://localhost and the receiver of the demo`
  assert.deepEqual(found('webhooks'), { ...webhooks, detail })
})

test('doctor: says where mail goes, and what prevents delivery', async () => {
  const mail = async (settings: Record<string, string>) => {
    const { stdout } = await hiring(['doctor', '--json'], { ...env, ...settings })
    const found = JSON.parse(stdout).checks.find((c: { name: string }) => c.name === 'mail')
    return `${found.state}: ${found.detail}`
  }
  assert.match(await mail({}), /^ok: .*\/outbox \(emails are not sent\); from Hiring <no-reply@localhost>$/)
  const { url } = await startMailServer()
  const server = { SMTP_URL: url, MAIL_FROM: 'jobs@firm.dev' }
  assert.match(
    await mail({ ...server, PUBLIC_URL: 'https://jobs.firm.dev' }),
    /^ok: 127\.0\.0\.1:\d+ responds; from jobs@firm\.dev$/,
  )
  assert.match(await mail(server), /^warning: .*unsubscribe links lead to http:.*: set PUBLIC_URL$/)
  assert.match(
    await mail({ ...server, SMTP_URL: 'smtp://user:hidden-word@127.0.0.1:1' }),
    /^failing: (?!.*hidden-word)/,
  )
})

test('migrate: brings an empty database up to date, and says so the second time', async () => {
  const { admin } = await import('../harness/postgres.ts')
  const name = `empty_${process.pid}`
  await admin(database.connection, `create database ${name}`)
  const url = database.url.replace(/\/test_\w+/, `/${name}`)
  const first = await hiring(['migrate', '--json'], { ...env, DATABASE_URL: url })
  assert.equal(first.code, 0, first.stderr)
  assert.ok(JSON.parse(first.stdout).applied.length >= 9)
  const second = await hiring(['migrate'], { ...env, DATABASE_URL: url })
  assert.equal(second.stdout.trim(), 'the schema is up to date')
  await admin(database.connection, `drop database ${name} with (force)`)
})
