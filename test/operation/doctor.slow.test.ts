// What `hiring doctor` says when something that it has to ask is missing: it is called most in these situations.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findUnknown } from '../../src/kernel/config/unknown-settings.ts'
import { admin, cloneDatabase, serverConnection, stopOwnServer } from '../harness/postgres.ts'
import { hiring, temporaryFolder } from '../harness/process.ts'

interface Line {
  name: string
  state: string
  detail: string
}

const AFTER_SCHEMA = ['clock', 'background work', 'backup', 'sending', 'search']
const database = await cloneDatabase()
after(async () => {
  await database.drop()
  await stopOwnServer()
})

async function doctor(env: Record<string, string>, folder?: string) {
  const settings = { SECRET_KEY: 'ab'.repeat(32), DATA_DIR: temporaryFolder(), DEMO: 'off', PORT: '0', ...env }
  const { code, stdout, stderr } = await hiring(['doctor', '--json'], settings, folder)
  assert.equal(stderr, '')
  const { checks, settings: shown } = JSON.parse(stdout) as { checks: Line[]; settings: Record<string, string> }
  return { code, checks, shown, of: (name: string) => checks.find(check => check.name === name)! }
}

/** The same server with another database. */
const urlOf = (name: string) => database.url.replace(/\/test_\w+/, `/${name}`)

test('doctor: database and Redis down: both fail, what needs the database is unknown, and all other lines are there', async () => {
  const well = await doctor({ DATABASE_URL: database.url })
  assert.equal(well.code, 0)
  assert.match(well.of('database').detail, /^PostgreSQL \d+\.\d+, test_\w+ at a socket of this machine$/)
  const { code, checks, shown, of } = await doctor({
    DATABASE_URL: 'postgres://none@127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
  })
  assert.equal(code, 1)
  assert.deepEqual(
    checks.map(({ name }) => name),
    well.checks.map(({ name }) => name),
  )
  assert.deepEqual([of('database').state, of('database').detail], ['failing', 'connect ECONNREFUSED 127.0.0.1:1'])
  assert.equal(of('redis').state, 'failing')
  for (const name of ['schema', ...AFTER_SCHEMA]) {
    assert.deepEqual([of(name).state, of(name).detail], ['unknown', 'needs the database'], name)
  }
  for (const name of ['files', 'disk', 'mail']) assert.equal(of(name).state, 'ok', name)
  assert.equal(shown['PORT'], '0')
})

test('doctor: settings that cannot be used are lines of their own, and every other part is checked', async () => {
  const { code, checks, of } = await doctor({
    DATABASE_URL: database.url,
    LOG_LEVEL: 'loud',
    TLS_CERT: '/nowhere/cert.pem',
    HIRING_LOGLEVEL: 'info',
  })
  assert.equal(code, 1)
  const failing = checks.filter(({ state }) => state === 'failing')
  assert.ok(failing.every(({ name }) => name === 'settings'))
  for (const name of ['LOG_LEVEL', 'TLS_CERT'])
    assert.ok(
      failing.some(({ detail }) => detail.startsWith(name)),
      name,
    )
  for (const name of ['database', 'schema', 'files', 'mail']) assert.equal(of(name).state, 'ok', name)
})

test('doctor: a database that is down hides the line of its replica as little as the others', async () => {
  const url = 'postgres://none@127.0.0.1:1/none'
  const { of } = await doctor({ DATABASE_URL: url, DATABASE_REPLICA_URL: url })
  assert.deepEqual([of('replica').state, of('replica').detail], ['unknown', 'needs the database'])
})

test('doctor: a host with several addresses, none of which responds: the reason is not empty', async () => {
  const { of } = await doctor({ DATABASE_URL: 'postgres://none@localhost:1/none' })
  assert.match(of('database').detail, /ECONNREFUSED/)
})

test('doctor: a PostgreSQL that is too old fails with the text of the start', async () => {
  const name = `old_${process.pid}`
  const connection = await serverConnection()
  await admin(connection, `create database ${name}`)
  const inside = { ...connection, database: name }
  const { default: pg } = await import('pg')
  const client = new pg.Client({ ...inside, ssl: false })
  await client.connect()
  // a function of the same name that is found first
  await client.query(`create schema old;
    create function old.current_setting(text) returns text language sql as
      $$ select case $1 when 'server_version_num' then '140023' else pg_catalog.current_setting($1) end $$;
    alter database ${name} set search_path = old, pg_catalog, public`)
  await client.end()
  const { code, of } = await doctor({ DATABASE_URL: urlOf(name) })
  assert.equal(code, 1)
  const detail = 'DATABASE_URL is a PostgreSQL 14; 15 or newer is needed'
  assert.deepEqual([of('database').state, of('database').detail], ['failing', detail])
  const started = await hiring(['migrate'], { DATABASE_URL: urlOf(name), DATA_DIR: temporaryFolder() })
  assert.equal(started.stderr, `hiring: ${detail}\n`)
  await admin(connection, `drop database ${name} with (force)`)
})

test('doctor: an empty database and one that lacks migrations: one line says so, and the others wait for it', async () => {
  const connection = await serverConnection()
  const empty = `empty_doctor_${process.pid}`
  await admin(connection, `create database ${empty}`)
  const behind = await cloneDatabase()
  const { default: pg } = await import('pg')
  const client = new pg.Client({ ...behind.connection, ssl: false })
  await client.connect()
  const { rowCount } = await client.query('delete from schema_migrations where version > 30')
  await client.end()
  for (const [url, words] of [
    [urlOf(empty), /^empty: run hiring migrate$/],
    [behind.url, new RegExp(`^${rowCount} of \\d+ migrations are missing: run hiring migrate$`)],
  ] as const) {
    const { code, checks, of } = await doctor({ DATABASE_URL: url })
    assert.equal(code, 1)
    assert.deepEqual([of('database').state, of('schema').state], ['ok', 'failing'])
    assert.match(of('schema').detail, words)
    for (const name of AFTER_SCHEMA) {
      assert.deepEqual([of(name).state, of(name).detail], ['unknown', 'needs the schema'], name)
    }
    assert.doesNotMatch(JSON.stringify(checks), /does not exist/)
  }
  await admin(connection, `drop database ${empty} with (force)`)
  await behind.drop()
})

test('unknown settings: doctor and start name a misspelled variable; every other name of .env that is no setting is named, too', async () => {
  const { code, of } = await doctor({ DATABASE_URL: database.url, DATABSE_URL: 'postgres://x', UNRELATED: '1' })
  assert.equal(code, 0)
  assert.deepEqual(
    [of('settings').state, of('settings').detail],
    ['warning', 'names that are not settings are ignored: DATABSE_URL (did you mean DATABASE_URL?)'],
  )
  const { stderr } = await hiring(['start'], {
    LOG_LEVEL: 'warn',
    DATABSE_URL: 'postgres://x',
    DATABASE_URL: 'postgres://none@127.0.0.1:1/none',
    DATA_DIR: temporaryFolder(),
    PORT: '0',
  })
  assert.match(stderr, /"msg":"names that are not settings are ignored: DATABSE_URL \(did you mean DATABASE_URL\?\)"/)
  const file = { PORT: '1', PORTT: '2', GREETING: 'x', NODE_ENV: 'production', POSTGRES_PASSWORD: 'x' }
  assert.deepEqual(findUnknown(file, { PORTT: '2', HOSTNAME: 'web', PATH: '/bin', LOG_LEVL: 'info' }), [
    { name: 'PORTT', meant: 'PORT' },
    { name: 'GREETING', meant: undefined },
    { name: 'LOG_LEVL', meant: 'LOG_LEVEL' },
  ])
})

test('unknown settings: doctor and start name those of a .env file, whose settings they use', async () => {
  const folder = temporaryFolder()
  const lines = [`DATABASE_URL=${database.url}`, 'DATABSE_URL=postgres://x', 'PORTT=8081', 'GREETING=hello', '#PROT=1']
  writeFileSync(join(folder, '.env'), lines.join('\n'))
  const named =
    'names that are not settings are ignored: DATABSE_URL (did you mean DATABASE_URL?), GREETING, PORTT (did you mean PORT?)'
  const { code, of } = await doctor({}, folder)
  assert.equal(code, 0)
  assert.deepEqual([of('settings').state, of('settings').detail], ['warning', named])
  assert.equal(of('database').state, 'ok')
  // what the environment has wins: no database listens there
  const env = {
    LOG_LEVEL: 'warn',
    DATABASE_URL: 'postgres://none@127.0.0.1:1/none',
    DATA_DIR: temporaryFolder(),
    PORT: '0',
  }
  const { stderr } = await hiring(['start'], env, folder)
  assert.ok(stderr.includes(`"msg":${JSON.stringify(named)}`), stderr)
})
