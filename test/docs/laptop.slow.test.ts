import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from '../harness/free-port.ts'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'hiring-laptop-'))
const terminals: { pid: number; output: string }[] = []
after(() => {
  for (const { pid } of terminals) process.kill(-pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const section = /## Try it on your laptop\n([\s\S]*?)\n## /.exec(
  readFileSync(join(ROOT, 'docs/guides/webhooks.md'), 'utf8'),
)![1]!
const blocks = (language: string) =>
  [...section.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].filter(block => block[1] === language).map(block => block[2]!)

const service = await startTestService()
const { id: workspace, userEmail } = await service.workspace('enterprise')
const key = await service.key({ workspace, userEmail, name: 'Demo key' })

/** `npx hiring` as it runs in a checkout; the packed package has a test of its own. */
mkdirSync(join(folder, 'bin'))
writeFileSync(
  join(folder, 'bin/npx'),
  `#!/bin/sh\ntest "$1" = hiring || exit 64\nshift\nexec ${process.execPath} ${join(ROOT, 'bin/hiring.js')} "$@"\n`,
  { mode: 0o755 },
)
copyFileSync(join(ROOT, 'docs/examples/receivers/receiver.mjs'), join(folder, 'receiver.mjs'))

/** Pastes commands into a terminal of their own, in which they keep running. */
function openTerminal(commands: string) {
  const child = spawn('bash', ['-c', commands], {
    cwd: folder,
    env: {
      PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: folder,
      BASE_URL: service.base,
      API_KEY: key.secret,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const terminal = { pid: child.pid!, output: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      terminal.output += text
    })
  child.on('close', () => terminals.splice(terminals.indexOf(terminal), 1))
  terminals.push(terminal)
  return terminal
}

test('webhooks.md: "Try it on your laptop" works as written, in three terminals, and shows what it says', async () => {
  const port = String(await freePort())
  const [startReceiver, listen, cause] = blocks('console').map(code => code.replaceAll('3000', port))
  const receiver = openTerminal(startReceiver!)
  await until('the receiver runs', () => receiver.output.includes(`listening on ${port}`))
  const listening = openTerminal(listen!)
  await until('it listens', () => listening.output.includes('Ctrl-C stops.'))
  const causing = openTerminal(cause!)
  await until('the list is created', () => causing.output.includes('"object":"list"'))
  await until('the event is forwarded', () => listening.output.includes('list.created'))
  await until('the receiver stored it', () =>
    readFileSync(join(folder, 'events.ndjson'), 'utf8').includes('"type":"list.created"'),
  )

  // the times, handles and ports differ
  const comparable = (text: string) =>
    text
      .replaceAll(port, '3000')
      .replace(/\d\d:\d\d:\d\d/g, 'TIME')
      .replace(/evt_\w+/g, 'EVENT')
      .replace(/\d+ ms/g, 'MS')
  assert.equal(comparable(listening.output), comparable(blocks('text')[0]!))
})
