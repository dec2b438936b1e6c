import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { temporaryFolder } from '../harness/process.ts'
import { CA_FILE, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const FOLDER = join(import.meta.dirname, '../../docs/examples/receivers')

/**
 * The command is the one of the guide; compiled the quickest way, since a machine that has never built a Go program builds
 * the standard library first: without C, HTTP/2, optimization and symbols it takes 25 seconds of computing instead of 43.
 */
const GO = {
  CGO_ENABLED: '0',
  GOFLAGS: "-buildvcs=false -tags=nethttpomithttp2 '-gcflags=all=-N -l' '-ldflags=-s -w'",
}

/** The interpreter of each language, the one that the search path finds. */
const LANGUAGES: readonly Language[] = [
  { name: 'Node', program: process.execPath, args: ['receiver.mjs'] },
  { name: 'Python', program: 'python3', args: ['receiver.py'] },
  { name: 'Go', program: 'go', args: ['run', 'receiver.go'], check: ['version'], env: GO },
  { name: 'Ruby', program: 'ruby', args: ['receiver.rb'] },
]

interface Language {
  name: string
  program: string
  args: readonly string[]
  /** asks for its version, where that is not --version */
  check?: readonly string[]
  env?: Readonly<Record<string, string>>
}

const running = new Set<ChildProcess>()
after(() => {
  // a group of its own: `go run` starts the program as a child
  for (const child of running) process.kill(-child.pid!, 'SIGKILL')
})

const folder = temporaryFolder()

async function startExample(language: Language, secret: string, events: string) {
  const child = spawn(language.program, [...language.args], {
    cwd: FOLDER,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...language.env,
      WEBHOOK_SECRET: secret,
      PORT: '0',
      EVENTS_FILE: events,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  let output = ''
  child.stderr.on('data', chunk => (output += chunk))
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', chunk => {
      output += chunk
      const match = /listening on (\d+)/.exec(output)
      if (match) resolve(Number(match[1]))
    })
    child.on('exit', code => reject(new Error(`${language.name} ended with ${code}: ${output}`)))
  })
  const stop = () => {
    running.delete(child)
    child.removeAllListeners('exit')
    process.kill(-child.pid!, 'SIGKILL')
  }
  return { port, stop }
}

for (const language of LANGUAGES) {
  const missing = spawnSync(language.program, [...(language.check ?? ['--version'])]).error
  const skip = missing && `${language.program} is not installed`
  test(`${language.name}: takes real deliveries, also during a rotation, and refuses forged, altered and old ones`, {
    skip,
    // Go compiles its library when it runs a program for the first time.
    timeout: 400_000,
  }, async () => {
    const tls = await startReceiver()
    const service = await startTestService(
      { WEBHOOK_ALLOW_HOSTS: tls.host, WEBHOOK_CA: CA_FILE },
      { resolveName: testNames() },
    )
    const { id: workspace, userEmail } = await service.workspace()
    const key = await service.key({ workspace, userEmail })
    const made = await service.post('/webhooks/endpoints', key, { url: tls.url, event_types: ['list.created'] })
    const secret: string = made.body.signing_secret
    const events = join(folder, `${language.name}.ndjson`)
    rmSync(events, { force: true })
    const example = await startExample(language, secret, events)
    const post = (body: string, signature: string) =>
      fetch(`http://127.0.0.1:${example.port}/`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'service-signature': signature, connection: 'close' },
      }).then(response => response.status)
    const stored = () =>
      existsSync(events)
        ? readFileSync(events, 'utf8')
            .trim()
            .split('\n')
            .map(line => JSON.parse(line) as { id: string; type: string })
        : []
    // What serves HTTPS in front of it: passes bytes and headers on.
    tls.respond = async (request, response, body) => {
      const status = await post(body, String(request.headers['service-signature']))
      response.writeHead(status).end()
    }
    const delivered = async (count: number) => {
      await until(`${count} deliveries`, async () => {
        const { data } = (await service.get('/webhooks/deliveries?status=delivered', key)).body
        return data.length === count
      })
      assert.equal(stored().length, count)
    }

    await service.post('/lists', key, { name: 'Größe & “quotes” 漢字' })
    await delivered(1)
    assert.equal(stored()[0]!.type, 'list.created')

    // During a rotation two secrets sign, and the receiver still holds the old one.
    await service.post(`/webhooks/endpoints/${made.body.id}/rotate-secret`, key, { overlap_seconds: 3600 })
    await service.post('/lists', key, { name: 'Second' })
    await delivered(2)
    assert.equal(String(tls.received.at(-1)!.headers['service-signature']).match(/v1=/g)?.length, 2)

    const { body } = tls.received[0]!
    const now = Math.floor(Date.now() / 1000)
    const sign = (time: number, text: string, by = secret) =>
      `t=${time},v1=${createHmac('sha256', by).update(`${time}.${text}`).digest('hex')}`
    assert.equal(await post(body, sign(now, body)), 204, 'an event that is known is acknowledged again')
    assert.equal(stored().length, 2, 'and not stored twice')
    const other = body.replace(/evt_\w{3}/, 'evt_zzz')
    const refused: Record<string, [string, string]> = {
      'another secret': [other, sign(now, other, 'whsec_another')],
      'altered bytes': [`${other} `, sign(now, other)],
      'signed 301 seconds ago': [other, sign(now - 301, other)],
      'signed in 310 seconds': [other, sign(now + 310, other)],
      'no signature': [other, ''],
      'no time': [other, sign(now, other).replace(/^t=\d+,/, '')],
      'no v1': [other, `t=${now}`],
      'v1 of another length': [other, `t=${now},v1=00`],
      'v1 that is no hex': [other, `t=${now},v1=${'ü'.repeat(64)}`.normalize()],
    }
    for (const [what, [text, signature]] of Object.entries(refused)) {
      const header = Buffer.from(signature, 'utf8').toString('latin1')
      assert.equal(await post(text, header), 400, what)
    }
    assert.equal(stored().length, 2)
    assert.equal(await post(other, `${sign(now, other, 'whsec_another')},${sign(now, other).split(',')[1]}`), 204)
    assert.equal(stored().length, 3)
    example.stop()
  })
}
