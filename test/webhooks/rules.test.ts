import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { isPublicAddress, sameAddress } from '../../src/kernel/net/public-address.ts'
import { judgeAttempt } from '../../src/resources/webhooks/index.ts'
import {
  RETRY_DELAYS,
  readRetryAfter,
  readUrl,
  signatureHeader,
  type UrlRefused,
  type WebhookTarget,
} from '../../src/resources/webhooks/rules.ts'

test('webhook rules: public addresses: nothing of the private, shared, local, multicast, documentation and translation ranges', () => {
  const hidden =
    `0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1
    172.31.255.255 192.0.0.1 192.0.2.1 192.168.0.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1
    239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 ::ffff:8.8.8.8 ::ffff:127.0.0.1 ::127.0.0.1 64:ff9b::8.8.8.8 64:ff9b:1::1
    100::1 2001::1 2001:10::1 2001:db8::1 2002:7f00:1::1 3fff::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1
    4000::1 2606:4700::1%1 localhost 127.1 0x7f.1 2130706433 8.8.8.8:443 08.8.8.8`.split(/\s+/)
  for (const address of [...hidden, '', ' 8.8.8.8', '8.8.8.8 ']) assert.equal(isPublicAddress(address), false, address)
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '93.184.215.14',
    '172.15.0.1',
    '172.32.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ]) {
    assert.equal(isPublicAddress(address), true, address)
  }
})

test('webhook rules: public addresses: an IPv6 address outside 2000::/3 never is', () => {
  fc.assert(
    fc.property(fc.ipV6(), text => {
      const first = Number.parseInt(text.split(':')[0] || '0', 16)
      return (first >= 0x2000 && first <= 0x3fff) || !isPublicAddress(text)
    }),
  )
})

test('webhook rules: two spellings of one address are the same, two addresses are not', () => {
  assert.ok(sameAddress('::ffff:8.8.8.8', '8.8.8.8'))
  assert.ok(sameAddress('2606:4700:0:0::1', '2606:4700::1'))
  assert.ok(!sameAddress('8.8.8.8', '8.8.4.4'))
  assert.ok(!sameAddress('', '8.8.8.8'))
})

const NO_EXCEPTIONS = { hosts: [], loopback: false }

test('webhook rules: URL: whatever text comes, what is accepted is https to a DNS name on 443 or 8443', () => {
  const fragments = fc.constantFrom(
    ...[
      'https://',
      'http://',
      'HTTPS:',
      '//',
      'a.example.com',
      'b',
      '.',
      '127.0.0.1',
      '[::1]',
      '@',
      ':',
      '443',
      '8443',
      '22',
    ],
    ...['/', '\\', '#', '?', '%00', '%2e', '\t', ' ', 'ö', '。', '0x7f', 'localhost', 'x'.repeat(70)],
  )
  const texts = fc.oneof(
    fc.array(fragments, { maxLength: 8 }).map(parts => parts.join('')),
    fc.webUrl(),
    fc.string(),
  )
  fc.assert(
    fc.property(texts, text => {
      const read = readUrl(text, NO_EXCEPTIONS)
      if ('refused' in read) return true
      const url = new URL(read.url)
      assert.equal(url.protocol, 'https:')
      assert.match(read.hostname, /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/)
      assert.ok(!/^[0-9.]+$/.test(read.hostname))
      assert.ok([443, 8443].includes(read.port))
      assert.equal(url.username + url.password + url.hash, '')
      assert.ok(text.toLowerCase().startsWith(`https://${read.hostname}`), 'the host is the one that was written')
      assert.deepEqual(readUrl(read.url, NO_EXCEPTIONS), read, 'the stored spelling is its own spelling')
      return true
    }),
    { numRuns: 3000 },
  )
})

test('webhook rules: URL: hosts that the operator allows, by host for the two ports or by host and port', () => {
  const allowed = (url: string, ...hosts: string[]) => {
    const read = readUrl(url, { hosts, loopback: false })
    return !('refused' in read) && read.allowed
  }
  assert.ok(allowed('https://localhost:9000/x', 'localhost:9000'))
  assert.ok(allowed('https://receiver/x', 'receiver'))
  assert.ok(allowed('https://10.0.0.5:8443/x', '10.0.0.5'))
  assert.ok(!allowed('https://localhost:9000/x', 'localhost'))
  assert.ok(!allowed('https://localhost:9001/x', 'localhost:9000'))
  assert.ok(!allowed('https://sub.localhost/x', 'localhost'))
  assert.ok(!allowed('http://localhost:9000/x', 'localhost:9000'))
  assert.ok(!allowed('https://user@localhost:9000/x', 'localhost:9000'))
})

test('webhook rules: URL: http is for localhost, 127.0.0.1 and [::1] of a demo, in one spelling, and for nothing else', () => {
  const read = (url: string, loopback = true) => readUrl(url, { hosts: ['receiver', 'receiver:3000'], loopback })
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    for (const [port, url] of [
      [3000, `http://${host}:3000/hooks?x=1`],
      [80, `HTTP://${host}/hooks?x=1`],
    ] as const) {
      const { insecure, allowed, hostname, port: to, path } = read(url) as WebhookTarget
      assert.deepEqual([insecure, allowed, hostname, to, path], [true, true, host, port, '/hooks?x=1'])
      assert.match((read(url, false) as UrlRefused).refused, /hiring-partner listen/)
    }
  }
  const others =
    `http://localhost.:3000/ http://a.localhost:3000/ http://127.1:3000/ http://0x7f.1/ http://127.0.0.2:3000/
    http://[0:0:0:0:0:0:0:1]:3000/ http://[::ffff:127.0.0.1]/ http://0.0.0.0:3000/ http://example.com/ http://receiver:3000/
    http://user@localhost:3000/ http://localhost:3000/#x http://localhost:99999/ http://127.0.0.1@example.com/
    ftp://localhost/ http:localhost:3000/`.split(/\s+/)
  for (const url of others) assert.ok('refused' in read(url), url)
  assert.match(
    (read('https://localhost:3000/', false) as UrlRefused).refused,
    /WEBHOOK_ALLOW_HOSTS.*hiring-partner listen/,
  )
})

test('signature: t and one v1 for each secret over {t}.{raw_body}', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 33 }),
      fc.string({ unit: 'binary' }),
      fc.array(fc.string(), { minLength: 1, maxLength: 2 }),
      (t, body, secrets) => {
        const hex = (secret: string) =>
          createHmac('sha256', Buffer.from(secret))
            .update(Buffer.from(`${t}.${body}`))
            .digest('hex')
        assert.equal(signatureHeader(t, body, secrets), `t=${t}${secrets.map(s => `,v1=${hex(s)}`).join('')}`)
      },
    ),
  )
})

test('webhook rules: verdict: 2xx delivers, the tenth failure expires, 410 ends immediately, one attempt for pings and redeliveries', () => {
  const failed = { error: 'http_status', responseStatus: 500, retryAfterSeconds: null } as const
  assert.equal(
    judgeAttempt('event', 3, { error: null, responseStatus: 204, retryAfterSeconds: null }, 0.5).status,
    'delivered',
  )
  for (let attempt = 1; attempt <= 9; attempt++) {
    assert.deepEqual(judgeAttempt('event', attempt, failed, 0.5), {
      status: 'retrying',
      error: 'http_status',
      delaySeconds: RETRY_DELAYS[attempt - 1],
      gone: false,
    })
  }
  assert.deepEqual(judgeAttempt('event', 10, failed, 0.5), {
    status: 'failed',
    error: 'event_expired',
    delaySeconds: null,
    gone: false,
  })
  assert.deepEqual(judgeAttempt('ping', 1, failed, 0.5).status, 'failed')
  assert.deepEqual(judgeAttempt('redelivery', 1, failed, 0.5).error, 'http_status')
  assert.deepEqual(judgeAttempt('event', 1, { ...failed, responseStatus: 410 }, 0.5), {
    status: 'failed',
    error: 'http_status',
    delaySeconds: null,
    gone: true,
  })
  assert.equal(RETRY_DELAYS.reduce<number>((sum, s) => sum + s, 0) / 86_400 > 2.7, true)
})

test('webhook rules: retry schedule: waits vary by a fifth either way, and by no more', () => {
  const failed = { error: 'timeout', responseStatus: null, retryAfterSeconds: null } as const
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
      const share = judgeAttempt('event', attempt, failed, random).delaySeconds! / RETRY_DELAYS[attempt - 1]!
      return share >= 0.8 - 1e-9 && share <= 1.2 + 1e-9
    }),
  )
  assert.notEqual(judgeAttempt('event', 1, failed, 0).delaySeconds, judgeAttempt('event', 1, failed, 1).delaySeconds)
})

test('webhook rules: Retry-After: never shorter than the schedule, never longer than the longer of it and 24 hours', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.bigInt({ min: 0n, max: 10n ** 20n }), (attempt, seconds) => {
      const retryAfterSeconds = readRetryAfter(String(seconds))
      const outcome = { error: 'http_status', responseStatus: 503, retryAfterSeconds } as const
      const { delaySeconds } = judgeAttempt('event', attempt, outcome, 0.5)
      return delaySeconds === Math.max(RETRY_DELAYS[attempt - 1]!, Math.min(Number(seconds), 86_400))
    }),
  )
  const none = ['', 'x', '-1', '1.5', '1e3', 'Wed, 21 Oct 2026 07:28:00 GMT', undefined]
  for (const header of none) assert.equal(readRetryAfter(header), null, header)
  assert.deepEqual(
    ['5', ' 7 ', '86401', '99999999999', '9'.repeat(400)].map(readRetryAfter),
    [5, 7, 86_400, 86_400, 86_400],
  )
})
