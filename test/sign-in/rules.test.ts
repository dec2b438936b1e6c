import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import { ALL_SCOPES, ROLE_SCOPES, ROLES, SCOPES } from '../../src/contract/scopes.ts'
import {
  generatePassword,
  PASSWORD_COST,
  Passwords,
  passwordConcurrency,
  samePassword,
} from '../../src/kernel/access/password.ts'
import { readConfig } from '../../src/kernel/config/config.ts'
import { Keyring } from '../../src/kernel/crypto/signing.ts'
import { buildStrictTransport } from '../../src/kernel/http/server.ts'
import { APP_SCOPES, grantable } from '../../src/resources/connected-apps/index.ts'
import { redirectFault } from '../../src/resources/connected-apps/rules.ts'
import { localPath } from '../../src/sign-in/return-to.ts'

const ORIGIN = 'https://hiring.example'

test('localPath: whatever comes in, a browser stays on this origin', () => {
  const fragments = fc.array(
    fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      'evil.example',
      '@',
      ':',
      '%2f',
      '%5c',
      '?',
      '#',
      '\t',
      '\n',
      ' ',
      'a',
      'https:',
      '\u00a0',
    ),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fragments.map(parts => parts.join('')),
        fragments.map(parts => `/${parts.join('')}`),
        fc.webUrl(),
      ),
      text => {
        const path = localPath(text)
        if (path === undefined) return
        assert.equal(new URL(path, ORIGIN).origin, ORIGIN)
        assert.match(path, /^\/(?![/\\])/)
        assert.equal(localPath(path), path, 'what was let through is let through again')
      },
    ),
    { numRuns: 5_000 },
  )
})

test('localPath: paths, queries and fragments of our own pass', () => {
  for (const path of ['/', '/console', '/console/keys?tab=1#top', '/oauth/interaction/abc_-1', '/a%2f%2fb']) {
    assert.equal(localPath(path), path)
  }
  for (const text of [
    undefined,
    null,
    '',
    'console',
    '//evil',
    '/\\evil',
    '/.//evil',
    '/..//evil',
    `/${'a'.repeat(2_001)}`,
  ]) {
    assert.equal(localPath(text), undefined, String(text))
  }
})

test('grantable: never more than requested, than the role sees, than the plan allows', () => {
  fc.assert(
    fc.property(
      fc.subarray([...APP_SCOPES, 'webhooks:write', 'nonsense']),
      fc.constantFrom(...ROLES),
      fc.boolean(),
      (asked, role, plan) => {
        for (const scope of grantable(asked, { role, jobAccess: 'all' }, plan)) {
          assert.ok(asked.includes(scope))
          const row = ALL_SCOPES.find(known => known === scope)
          if (!row) assert.ok(['openid', 'profile', 'email', 'offline_access'].includes(scope))
          else assert.ok(ROLE_SCOPES[role].includes(row) && (plan || !SCOPES[row].paid))
        }
      },
    ),
  )
})

test('redirect addresses: https; http on this machine and own schemes for native apps alone', () => {
  const good: [string, 'web' | 'browser' | 'native'][] = [
    ['https://app.example/cb', 'web'],
    ['https://app.example/cb?tenant=1', 'browser'],
    ['http://127.0.0.1/cb', 'native'],
    ['http://[::1]:9/cb', 'native'],
    ['com.example.app:/cb', 'native'],
  ]
  for (const [uri, kind] of good) assert.equal(redirectFault(uri, kind), undefined, uri)
  const bad: [string, 'web' | 'browser' | 'native'][] = [
    ['http://app.example/cb', 'web'],
    ['http://127.0.0.1/cb', 'web'],
    ['http://localhost/cb', 'browser'],
    ['https://app.example/cb#x', 'web'],
    ['https://app.example/cb#', 'web'],
    ['https://user:pass@app.example/cb', 'web'],
    ['https://*.example/cb', 'web'],
    ['javascript:alert(1)', 'native'],
    ['data:text/html,x', 'native'],
    ['myapp:/cb', 'native'],
    ['http://127.0.0.1.evil.example/cb', 'native'],
    ['/cb', 'web'],
    ['', 'web'],
  ]
  for (const [uri, kind] of bad) assert.ok(redirectFault(uri, kind), uri)
})

test('Strict-Transport-Security: as long as said, never for this machine’s own names nor without TLS', () => {
  const sent = (settings: Record<string, string>) => buildStrictTransport(readConfig(settings))
  assert.equal(sent({ PUBLIC_URL: 'https://hiring.example' }), 'max-age=31536000')
  assert.equal(sent({ PUBLIC_URL: 'https://hiring.example', HSTS_SECONDS: '300' }), 'max-age=300')
  assert.equal(sent({ PUBLIC_URL: 'https://hiring.example', HSTS_SECONDS: '0' }), undefined)
  assert.equal(sent({ PUBLIC_URL: 'https://localhost:8443' }), undefined)
  assert.equal(sent({ PUBLIC_URL: 'http://hiring.example' }), undefined)
  assert.equal(sent({ PORT: '0' }), undefined)
})

test('passwords: the hash depends on password, address and installation; generated ones are long and differ', async () => {
  const cheap = { N: 1_024, r: 8, p: 1 }
  const passwords = new Passwords(new Keyring(Buffer.alloc(32, 1)), cheap)
  const other = new Passwords(new Keyring(Buffer.alloc(32, 2)), cheap)
  const hash = await passwords.hash('Ada@Acme.example', 'correct horse')
  assert.ok(samePassword(await passwords.hash(' ada@acme.example', 'correct horse'), hash))
  assert.ok(!samePassword(await passwords.hash('ada@acme.example', 'correct horse '), hash))
  assert.ok(!samePassword(await passwords.hash('eve@acme.example', 'correct horse'), hash))
  assert.ok(!samePassword(await other.hash('ada@acme.example', 'correct horse'), hash))
  assert.ok(!samePassword(hash, null))
  const made = new Set(Array.from({ length: 200 }, () => generatePassword()))
  assert.equal(made.size, 200)
  for (const password of made) assert.match(password, /^[a-hjkmnp-z2-9]{5}(-[a-hjkmnp-z2-9]{5}){3}$/)
})

test('passwords: the product spends 2^15 · 8 · 3 on each unless configured otherwise', async () => {
  assert.deepEqual(PASSWORD_COST, { N: 32_768, r: 8, p: 3 })
  const keyring = new Keyring(Buffer.alloc(32, 1))
  const salt = keyring.sign('password', 'ada@acme.example')
  const expected = scryptSync('correct horse', salt, 32, { N: 32_768, r: 8, p: 3, maxmem: 64 << 20 })
  const hash = await new Passwords(keyring).hash('ada@acme.example', 'correct horse')
  assert.equal(hash, `scrypt:32768:8:3:${expected.toString('base64url')}`)
})

test('passwords: files and names do not wait behind them, and a core is left to the requests', async () => {
  for (const [cores, concurrency] of [
    [1, 1],
    [2, 1],
    [3, 2],
    [64, 2],
  ] as const) {
    assert.equal(passwordConcurrency(cores), concurrency)
  }
  const passwords = new Passwords(new Keyring(Buffer.alloc(32, 1)), PASSWORD_COST, 600_000)
  const done: string[] = []
  const note = (what: string) => () => void done.push(what)
  const hashes = Array.from({ length: 6 }, (_, i) =>
    passwords.hash('ada@acme.example', `guess ${i}`, { from: String(i) }).then(note('hash')),
  )
  await Promise.all([readFile(import.meta.filename), lookup('localhost')]).then(note('file and name'))
  await Promise.all(hashes)
  assert.ok(done.indexOf('file and name') < 2, done.join(', '))
})
