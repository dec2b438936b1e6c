import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { EventType } from '../../src/contract/events.ts'
import { emit } from '../harness/events.ts'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { runCommand, startCommand } from './run-cli.ts'

const service = await startTestService()
const { db } = service.services
const { id: workspace, userEmail } = await service.workspace('enterprise')
const { id: second } = await service.workspace('enterprise')
const key = await service.key({ workspace, userEmail })
const env = { HIRING_API_KEY: key.secret, HIRING_BASE_URL: service.origin }

const feed = async () => (await service.get('/events?limit=100', key)).body.data
const emitAll = async (types: EventType[]) => {
  const before = (await feed()).length
  await emit(db, workspace, types)
  await until('they are in the feed', async () => (await feed()).length === before + types.length)
}

const linesOf = (text: string) => text.split('\n').filter(Boolean)

test('hiring-partner events tail: the latest events with sequence, type, record and id; none in an empty feed', async () => {
  const empty = await runCommand(['events', 'tail'], env)
  assert.deepEqual([empty.code, empty.stdout], [0, 'no events\n'], empty.stderr)
  await emitAll(Array.from({ length: 14 }, (_, i) => (i % 7 === 0 ? 'job.closed' : 'job.published')))
  const ten = linesOf((await runCommand(['events', 'tail'], env)).stdout)
  const last = (await feed()).at(-1)
  assert.equal(ten.length, 10)
  assert.match(ten.at(-1)!, new RegExp(` 14  job\\.published +${last.data.object.id} +${last.id}$`))
  assert.equal(linesOf((await runCommand(['events', 'tail', '--lines', '3'], env)).stdout).length, 3)
  const closed = linesOf((await runCommand(['events', 'tail', '--events', 'job.closed'], env)).stdout)
  assert.deepEqual(
    closed.map(line => line.trim().split(/ +/)[2]),
    ['1', '8'],
  )
})

test('hiring-partner events tail: --json prints the rows of the feed; --from starts at a sequence or at start', async () => {
  const { stdout } = await runCommand(['events', 'tail', '--from', '12', '--json'], env)
  assert.deepEqual(
    linesOf(stdout).map(line => JSON.parse(line)),
    (await feed()).slice(12),
  )
  assert.equal(linesOf((await runCommand(['events', 'tail', '--from', 'start'], env)).stdout).length, 14)
  const both = await runCommand(['events', 'tail', '--from', 'start', '--lines', '3'], env)
  assert.deepEqual([both.code, both.stderr], [1, 'hiring-partner: --from and --lines exclude each other\n'])
})

test('hiring-partner events tail: --follow shows the latest and then those that happen, until Ctrl-C', async () => {
  const tail = startCommand(
    ['events', 'tail', '--follow', '--lines', '1', '--events', 'job.deleted,job.published'],
    env,
  )
  await tail.shows('job.published')
  await emitAll(['job.closed', 'job.deleted'])
  await tail.shows('job.deleted')
  assert.equal(await tail.interrupt(), 0)
  assert.equal(linesOf(tail.stdout()).length, 2)
})

test('hiring-partner events tail: a key with access to several workspaces must name one with --workspace', async () => {
  const wide = await service.key({ workspace, userEmail, reach: [workspace, second] })
  const both = { ...env, HIRING_API_KEY: wide.secret }
  const refused = await runCommand(['events', 'tail'], both)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /several workspaces: choose one with --workspace \(wsp_/)
  assert.equal((await runCommand(['events', 'tail', '--workspace', second], both)).stdout, 'no events\n')
})

test('hiring events tail: the service’s own command has the same verb, with its own options and exit codes', async () => {
  const hiring = [process.execPath, join(import.meta.dirname, '../../bin/hiring.js')]
  const args = ['events', 'tail', '--lines', '2', '--json', '--key', key.secret, '--base-url', service.origin]
  const shown = startCommand(args, {}, hiring)
  assert.equal(await shown.ended, 0, shown.stderr())
  assert.deepEqual(
    linesOf(shown.stdout()).map(line => JSON.parse(line)),
    (await feed()).slice(-2),
  )
  const refused = startCommand(['events', 'tail', '--key', 'svc_live_wrong', '--base-url', service.origin], {}, hiring)
  assert.equal(await refused.ended, 1)
  assert.match(refused.stderr(), /^hiring: the service does not accept the API key/)
})
