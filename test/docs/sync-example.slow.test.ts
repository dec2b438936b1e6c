import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startTestService } from '../harness/service.ts'

const PROGRAM = join(import.meta.dirname, '../../docs/examples/sync/sync.mjs')
const folder = mkdtempSync(join(tmpdir(), 'hiring-sync-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const service = await startTestService()
const { id: workspace, userEmail } = await service.workspace('enterprise')
const key = await service.key({ workspace, userEmail })
const file = join(folder, 'copy.json')

async function sync(): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, file], {
    env: { BASE_URL: service.base, API_KEY: key.secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  assert.equal(code, 0)
  return output
}

const copy = () =>
  JSON.parse(readFileSync(file, 'utf8')) as {
    epoch: string
    after: number
    records: Record<string, { title?: string }>
  }

const push = async (title: string) => {
  const source = { system: 'acme_ats', external_id: 'req-1' }
  return (await service.post('/jobs', key, { source, title })).body.id as string
}

/** The sequencer has numbered what was written. */
async function sequenced(after: number): Promise<void> {
  for (;;) {
    const { body } = await service.get(`/events?after=${after}`, key)
    if (body.data.length > 0) return
  }
}

test('sync-from-zero.md: the program copies everything, then every change, and starts again after a gap or a restore', async () => {
  const job = await push('Welder')
  await sequenced(0)
  assert.match(await sync(), /^full copy at \d+: 1 records\n$/)
  assert.equal(copy().records[job]!.title, 'Welder')

  const before = copy()
  await push('Senior Welder')
  await sequenced(before.after)
  assert.match(await sync(), /^up to \d+, 1 records\n$/)
  assert.equal(copy().records[job]!.title, 'Senior Welder')
  assert.ok(copy().after > before.after)

  // stopped before the position was stored: the same events again, with the same result
  writeFileSync(file, JSON.stringify(before))
  await sync()
  assert.equal(copy().records[job]!.title, 'Senior Welder')

  for (const wrong of [{ after: 9_000_000 }, { epoch: 'another' }]) {
    writeFileSync(file, JSON.stringify({ ...before, records: {}, ...wrong }))
    assert.match(await sync(), /^full copy at/)
    assert.equal(copy().records[job]!.title, 'Senior Welder')
  }
})
