import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../harness/process.ts'
import { startTestService } from '../harness/service.ts'

const service = await startTestService()
const { id: workspace } = await service.workspace()
const key = await service.key({ workspace })
const port = Number(new URL(service.origin).port)

/** Sends bytes and returns everything that comes back until the other side closes. */
function exchange(bytes: string | Buffer, opts: { halfClose?: boolean } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setTimeout(10_000, () => reject(new Error(`no end; got ${received}`)))
    socket.on('data', chunk => (received += chunk))
    socket.on('close', () => resolve(received))
    socket.on('error', () => resolve(received))
    socket.write(bytes)
    if (opts.halfClose) socket.end()
  })
}

/** The service's error body, or nothing but a closed connection. Never a stack, never a 500. */
function assertPolite(response: string, what: string): void {
  if (response === '') return
  assert.match(response, /^HTTP\/1\.1 4\d\d /, `${what}: ${response.slice(0, 100)}`)
  const body = response.slice(response.indexOf('\r\n\r\n') + 4)
  const { detail } = JSON.parse(body) as { detail: { code: string; request_id: string } }
  assert.ok(detail.code && detail.request_id, what)
  assert.doesNotMatch(response, /node_modules|at \w+ \(|\.ts:/, what)
}

test('HTTP: what is not HTTP gets the error body or a closed connection', async () => {
  const nonsense: Record<string, string | Buffer> = {
    garbage: 'this is not http\r\n\r\n',
    'TLS hello': Buffer.from('16030100a5010000a10303', 'hex'),
    binary: Buffer.from(Array.from({ length: 300 }, (_, i) => i % 256)),
    'no version': 'GET /nothing\r\n\r\n',
    'wrong version': 'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
    'bad header': 'GET /healthz HTTP/1.1\r\nHost x\r\n\r\n',
    'space in header': 'GET /healthz HTTP/1.1\r\nBad Header: x\r\n\r\n',
    'two lengths': 'POST /api/partner/v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
    'length and chunks':
      'POST /api/partner/v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'bad chunk': 'POST /api/partner/v1/me HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'negative length': 'POST /api/partner/v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n',
    'unknown method': 'BREW /api/partner/v1/me HTTP/1.1\r\nHost: x\r\n\r\n',
    connect: 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n',
  }
  for (const [what, bytes] of Object.entries(nonsense)) assertPolite(await exchange(bytes, { halfClose: true }), what)
})

test('HTTP: 400: a head of more than 16 KB', async () => {
  const response = await exchange(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'y'.repeat(20_000)}\r\n\r\n`)
  assertPolite(response, 'long header')
  assert.match(response, /^HTTP\/1\.1 400/)
  assertPolite(await exchange(`GET /${'a'.repeat(30_000)} HTTP/1.1\r\nHost: x\r\n\r\n`), 'long target')
})

test('HTTP: 404 or 400 for malformed request targets', async () => {
  const targets = [
    '*',
    '/..',
    '/../../etc/passwd',
    '/%2e%2e/',
    '/api/partner/v1/%',
    '/api/partner/v1/me%0d%0aX: y',
    '//api//partner',
    'http://elsewhere/api/partner/v1/ping/x',
    '/api/partner/v1/users/\u00ff',
    '/storage/../x',
    '/storage/',
    '/storage/%00',
  ]
  for (const target of targets) {
    const response = await exchange(
      Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1'),
    )
    assertPolite(response, target)
    assert.notEqual(response, '', target)
  }
})

test('HTTP: unusual content types and methods are a 4xx, never a 5xx', async () => {
  const head = (method: string, path: string, type: string) =>
    `${method} /api/partner/v1${path} HTTP/1.1\r\nHost: x\r\n${type}Content-Length: 2\r\nConnection: close\r\n\r\n{}`
  for (const type of [
    '',
    'Content-Type: foo\r\n',
    'Content-Type: ;;\r\n',
    'Content-Type: a/b/c\r\n',
    'Content-Type: \r\n',
  ]) {
    for (const method of ['POST', 'PATCH', 'DELETE', 'QUERY', 'PUT']) {
      for (const path of ['/ping', '/nope', '/me']) {
        const response = await exchange(head(method, path, type))
        assertPolite(response, `${method} ${path} ${type}`)
        assert.match(response, /^HTTP\/1\.1 40[45]/, `${method} ${path} ${type}`)
      }
    }
  }
})

test('HTTP: 413: a large body is refused on every path', async () => {
  const response = await exchange(
    `GET /api/partner/v1/ping HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\nConnection: close\r\n\r\n${'x'.repeat(300_000)}`,
  )
  assert.match(response, /^HTTP\/1\.1 413/)
  assertPolite(response, 'large body')
})

test('HTTP: an unknown expectation and a missing host are no obstacle', async () => {
  const response = await exchange(
    'GET /api/partner/v1/ping HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nConnection: close\r\n\r\n',
  )
  assert.match(response, /^HTTP\/1\.1 200/)
  assert.match(await exchange('GET /api/partner/v1/ping HTTP/1.1\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 200/)
})

test('HTTP: a response in flight is not cut off by a malformed request behind it', async () => {
  const response = await exchange('GET /api/partner/v1/ping HTTP/1.1\r\nHost: x\r\n\r\nthis is not http\r\n\r\n')
  assert.match(response, /^HTTP\/1\.1 200/)
  assert.match(response, /"object":"ping"/)
})

test('HTTP: the 400 for malformed HTTP has the headers of every response', async () => {
  const response = await exchange('this is not http\r\n\r\n')
  for (const name of ['Service-Request-Id', 'Service-Api-Version', 'RateLimit-Limit', 'RateLimit-Policy']) {
    assert.match(response, new RegExp(`\r\n${name}: `))
  }
})

test('HTTP: an unfinished request does not block others', async () => {
  const slow = Array.from({ length: 50 }, () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `POST /api/partner/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.secret}\r\nContent-Length: 1000\r\n`,
    )
    return socket
  })
  assert.equal((await service.get('/me', key)).status, 200)
  for (const socket of slow) socket.destroy()
  assert.equal((await service.get('/me', key)).status, 200)
})

test('HTTP: pipelined requests on one connection get their responses in order', async () => {
  const one = `GET /api/partner/v1/ping HTTP/1.1\r\nHost: x\r\n\r\n`
  const last = `GET /api/partner/v1/versions HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
  const response = await exchange(one + one + last)
  assert.equal(response.match(/"object":"ping"/g)?.length, 2)
  assert.ok(response.lastIndexOf('api_version') > response.lastIndexOf('"ping"'))
})

test('HTTP: a disconnected caller leaves nothing behind', async () => {
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < 200; i++) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`GET /api/partner/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.secret}\r\n\r\n`)
    await new Promise(resolve => setImmediate(resolve))
    socket.destroy()
  }
  assert.equal((await service.get('/me', key)).status, 200)
  assert.ok(process.memoryUsage().heapUsed - before < 200_000_000)
})

test('TLS: with a certificate the service speaks https, and its links say so', async t => {
  const folder = temporaryFolder()
  const [cert, certKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  try {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', certKey, '-out', cert], {
      stdio: 'ignore',
    })
  } catch {
    return t.skip('openssl is not installed')
  }
  const secure = await startTestService({ TLS_CERT: cert, TLS_KEY: certKey })
  const { port: securePort } = new URL(secure.origin)
  const body = await new Promise<string>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: securePort, path: '/api/partner/v1/me', ca: readFileSync(cert) }
    request(options, response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve(text))
    })
      .on('error', reject)
      .end()
  })
  assert.equal(JSON.parse(body).detail.doc_url, `https://127.0.0.1:${securePort}/docs/errors#unauthenticated`)
})
