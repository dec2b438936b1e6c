import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hostUrls } from '../db/host-urls.ts'
import { ConfigError, readConfig } from './config.ts'
import { SETTINGS } from './settings.ts'

const authority = join(import.meta.dirname, '../../../test/harness/tls/ca.pem')

const faults = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.faults
  }
}

test('settings: defaults: the embedded store, one process, port 8080', () => {
  const config = readConfig({})
  assert.equal(config.PORT, 8080)
  assert.equal(config.publicUrl, 'http://127.0.0.1:8080')
  assert.equal(config.limiter, 'memory')
  assert.deepEqual([...config.ROLES], ['api', 'worker'])
})

test('settings: the limiter follows what is there: redis before postgres before memory, unless it is named', () => {
  const DATABASE_URL = 'postgres://x@y/z'
  const REDIS_URL = 'redis://x'
  assert.equal(readConfig({ DATABASE_URL }).limiter, 'postgres')
  assert.equal(readConfig({ DATABASE_URL, REDIS_URL }).limiter, 'redis')
  assert.equal(readConfig({ DATABASE_URL, REDIS_URL, LIMITER: 'memory' }).limiter, 'memory')
})

test('settings: the public origin: as set, or from host and port', () => {
  assert.equal(readConfig({ PUBLIC_URL: 'https://api.example.com/' }).publicUrl, 'https://api.example.com')
  assert.equal(readConfig({ HOST: '0.0.0.0', PORT: '9000' }).publicUrl, 'http://127.0.0.1:9000')
  assert.equal(readConfig({ HOST: '::1' }).publicUrl, 'http://[::1]:8080')
  assert.equal(readConfig({ PORT: '0' }).publicUrl, undefined)
})

test('settings: TEST_WORKSPACES: self-serve with the demo, otherwise admins, as set where it is set', () => {
  const own = { DATABASE_URL: 'postgres://db/x' }
  assert.equal(readConfig({}).TEST_WORKSPACES, 'self_serve')
  assert.equal(readConfig({ TEST_WORKSPACES: 'admins' }).TEST_WORKSPACES, 'admins')
  assert.equal(readConfig({ DEMO: 'off' }).TEST_WORKSPACES, 'admins')
  assert.equal(readConfig(own).TEST_WORKSPACES, 'admins')
  assert.equal(readConfig({ ...own, TEST_WORKSPACES: 'self_serve' }).TEST_WORKSPACES, 'self_serve')
})

test('settings: DEMO: on by default, off with a database or a public URL, as set where it is set', () => {
  const own = [{ DATABASE_URL: 'postgres://db/x' }, { PUBLIC_URL: 'https://api.example.com' }]
  assert.equal(readConfig({}).DEMO, 'on')
  assert.equal(readConfig({ DEMO: 'off' }).DEMO, 'off')
  for (const settings of own) {
    assert.equal(readConfig(settings).DEMO, 'off')
    assert.equal(readConfig({ ...settings, DEMO: '' }).DEMO, 'off')
    assert.equal(readConfig({ ...settings, DEMO: 'on' }).DEMO, 'on')
  }
})

test('settings: every error is reported, one line each', () => {
  assert.deepEqual(faults({ PORT: '70000', DEMO: 'maybe', PUBLIC_URL: 'https://x/path' }), [
    'PORT must be a whole number from 0 to 65535',
    'PUBLIC_URL must be an origin without a path, such as https://api.example.com',
    'DEMO must be one of on, off',
  ])
})

test('settings: some require each other', () => {
  assert.deepEqual(faults({ LIMITER: 'redis' }), ['LIMITER=redis needs REDIS_URL'])
  assert.deepEqual(faults({ DATABASE_REPLICA_URL: 'postgres://b/db' }), ['DATABASE_REPLICA_URL needs DATABASE_URL'])
  assert.deepEqual(faults({ TLS_CERT: import.meta.filename }), ['TLS_CERT and TLS_KEY must be set together'])
  assert.deepEqual(faults({ S3_BUCKET: 'b' }), ['S3_BUCKET needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY'])
  assert.deepEqual(faults({ SMTP_URL: 'smtp://mail' }), ['SMTP_URL needs MAIL_FROM'])
  assert.deepEqual(faults({ DKIM_DOMAIN: 'firm.test', DKIM_SELECTOR: 'one' }), [
    'DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY must be set together',
  ])
  assert.deepEqual(faults({ S3_ENDPOINT: 'http://s3' }), ['S3_ENDPOINT needs S3_BUCKET'])
  assert.deepEqual(faults({ S3_PUBLIC_ENDPOINT: 'https://files.test' }), ['S3_PUBLIC_ENDPOINT needs S3_BUCKET'])
})

test('settings: an empty value counts as unset', () => {
  assert.equal(readConfig({ PORT: '', DATABASE_URL: '' }).PORT, 8080)
})

test('settings: the example file names every setting', () => {
  const example = readFileSync(join(import.meta.dirname, '../../../.env.example'), 'utf8')
  for (const name of Object.keys(SETTINGS)) assert.match(example, new RegExp(`^#${name}=`, 'm'))
})

test('settings: no private host and no authority of one’s own by default', () => {
  const config = readConfig({})
  assert.deepEqual(config.WEBHOOK_ALLOW_HOSTS, [])
  assert.equal(config.WEBHOOK_CA, undefined)
})

test('settings: hosts with or without a port, in one spelling; an authority in PEM', () => {
  const config = readConfig({ WEBHOOK_ALLOW_HOSTS: 'Localhost:9000, receiver,[::1]:8443', WEBHOOK_CA: authority })
  assert.deepEqual(config.WEBHOOK_ALLOW_HOSTS, ['localhost:9000', 'receiver', '[::1]:8443'])
  assert.match(config.WEBHOOK_CA!.toString(), /BEGIN CERTIFICATE/)
})

test('settings: what is neither is named at start', () => {
  assert.match(faults({ WEBHOOK_ALLOW_HOSTS: 'https://localhost' })[0]!, /^WEBHOOK_ALLOW_HOSTS .*https:\/\/localhost/)
  assert.match(faults({ WEBHOOK_ALLOW_HOSTS: '*.example.com' })[0]!, /^WEBHOOK_ALLOW_HOSTS/)
  assert.match(faults({ WEBHOOK_CA: '/nowhere.pem' })[0]!, /^WEBHOOK_CA .*cannot be read/)
  assert.match(faults({ WEBHOOK_CA: import.meta.filename })[0]!, /^WEBHOOK_CA .*not a PEM certificate/)
})

test('settings: CORS_ORIGINS is a list of origins, none by default; anything else is named at start', () => {
  assert.deepEqual(readConfig({}).CORS_ORIGINS, [])
  const CORS_ORIGINS = 'https://app.example.com, http://localhost:5173/'
  assert.deepEqual(readConfig({ CORS_ORIGINS }).CORS_ORIGINS, ['https://app.example.com', 'http://localhost:5173'])
  for (const wrong of ['*', 'app.example.com', 'https://app.example.com/path']) {
    assert.match(faults({ CORS_ORIGINS: wrong })[0]!, /^CORS_ORIGINS must be/)
  }
})

test('settings: a sender that is not an address and a key that signs no email are named at start', () => {
  assert.deepEqual(faults({ MAIL_FROM: 'a@b, c@d' }), ['MAIL_FROM must be an email address, or Name <email address>'])
  assert.match(faults({ DKIM_PRIVATE_KEY: authority })[0]!, /^DKIM_PRIVATE_KEY .*not an RSA private key/)
  assert.match(faults({ DKIM_DOMAIN: 'no domain' })[0]!, /^DKIM_DOMAIN must be a domain name/)
})

test('OTEL_EXPORTER_OTLP_HEADERS and OTEL_TRACES_SAMPLER_ARG: read as OpenTelemetry writes them; a fault does not repeat a value', () => {
  const read = (name: string, text: string) => readConfig({ [name]: text }) as unknown as Record<string, unknown>
  const given = read('OTEL_EXPORTER_OTLP_HEADERS', 'Api-Key=a%20b==, x-team = one,')
  assert.deepEqual(given['OTEL_EXPORTER_OTLP_HEADERS'], { 'api-key': 'a b==', 'x-team': 'one' })
  for (const wrong of ['hidden', 'a b=hidden', 'a=hidden%zz', '=hidden']) {
    assert.throws(
      () => read('OTEL_EXPORTER_OTLP_HEADERS', wrong),
      (error: Error) => error.message === 'OTEL_EXPORTER_OTLP_HEADERS must be a list of name=value',
      wrong,
    )
  }
  for (const [text, value] of [
    ['0', 0],
    ['0.25', 0.25],
    ['1', 1],
    ['1.0', 1],
  ] as const) {
    assert.equal(read('OTEL_TRACES_SAMPLER_ARG', text)['OTEL_TRACES_SAMPLER_ARG'], value)
  }
  for (const wrong of ['1.1', '-1', 'x']) assert.throws(() => read('OTEL_TRACES_SAMPLER_ARG', wrong), /from 0 to 1/)
})

test('DATABASE_URL: several hosts as in libpq; the server that accepts writes is what is asked for', () => {
  const urls = (text: string) => hostUrls(readConfig({ DATABASE_URL: text }).DATABASE_URL!)
  assert.deepEqual(urls('postgres://u:p@a:1,b:2,[::1]:3/db?target_session_attrs=read-write&sslmode=require'), [
    'postgres://u:p@a:1/db?sslmode=require',
    'postgres://u:p@b:2/db?sslmode=require',
    'postgres://u:p@[::1]:3/db?sslmode=require',
  ])
  assert.deepEqual(urls('postgresql://a,b/db?target_session_attrs=primary'), ['postgresql://a/db', 'postgresql://b/db'])
  assert.deepEqual(urls('postgres://u:p%40x@a/db'), ['postgres://u:p%40x@a/db'])
  assert.deepEqual(urls('postgres:///db?host=/run/postgresql'), ['postgres:///db?host=/run/postgresql'])
  for (const wrong of [
    'mysql://a/db',
    'postgres://a,,b/db',
    'postgres://a:x,b/db',
    'postgres://a,b/db?target_session_attrs=standby',
  ]) {
    assert.throws(() => readConfig({ DATABASE_URL: wrong }), /DATABASE_URL must be a URL that starts with postgres/)
  }
})
