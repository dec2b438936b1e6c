import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { loadDemo, simulate as runSimulation, Scene, type SimulationResult, seeded } from '../../demo/index.ts'
import { activityVerbs } from '../../src/cli/activity.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { readFeed, typesOf } from '../harness/feed.ts'
import { until } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'

// no worker runs: the feed holds what the simulation did, and nothing else
const demoStore = async () => {
  const service = await startTestService({ ROLES: 'api' })
  const workspace = (await loadDemo(service.services))!.workspaces[0]!.id
  const before = (await readFeed(service, workspace)).length
  return { service, workspace, news: async () => (await readFeed(service, workspace)).slice(before) }
}
const first = await demoStore()
const simulate = async (service: TestService, options: Record<string, string>) =>
  (await runVerb(service, activityVerbs, 'simulate', [], options)).json as SimulationResult & { seed: string }

/** So many operations, however long they take. */
async function operate({ service, workspace }: typeof first, seed: string, count: number): Promise<SimulationResult> {
  const { db, blobs, outbox, log } = service.services
  const scene = new Scene({ db, blobs, outbox, log, workspace, isDemo: true, random: seeded(seed), subject: seed })
  const stop = new AbortController()
  const onProgress = ({ operations, refused }: SimulationResult) => {
    if (operations + refused >= count) stop.abort()
  }
  return runSimulation(scene, { perSecond: 100, signal: stop.signal, onProgress })
}

/** Loads a second demo: a busy machine needs more than the usual limit. */
const timeout = 400_000

test('simulate: performs a mix of the actions of the product, the same for the same seed', { timeout }, async () => {
  const second = await demoStore()
  const result = await operate(first, 'seven', 80)
  assert.deepEqual([result.operations, result.refused], [80, 0])
  const types = typesOf(await first.news())
  for (const type of ['application.created', 'applicant.created', 'application.stage_changed', 'application.updated'])
    assert.ok(types.includes(type), type)
  assert.ok(new Set(types).size >= 10, `${new Set(types).size} types`)

  await operate(second, 'seven', 80)
  const again = typesOf(await second.news())
  assert.deepEqual(again, types)

  await operate(second, 'eight', 40)
  const other = typesOf(await second.news()).slice(again.length)
  assert.notDeepEqual(other.slice(0, 20), types.slice(0, 20))
})

test('simulate: --seconds and --rate limit it: two per second for two seconds are at most four operations', async () => {
  const result = await simulate(first.service, { rate: '2', seconds: '2', seed: 'four' })
  assert.equal(result.seed, 'four')
  const done = result.operations + result.refused
  // a machine that needs longer for one than half a second does fewer
  assert.ok(done >= 1 && done <= 4, `${done} operations`)
  assert.ok(done < 4 || result.seconds >= 1.4, `${done} operations in ${result.seconds} s`)
})

test('simulate: rejects impossible settings, and a database without the demo unless a workspace is named', async () => {
  for (const rate of ['0', '-1', '101', 'many', '5/m'])
    await assert.rejects(simulate(first.service, { rate }), /--rate must be/)
  for (const seconds of ['0', '1.5', 'x']) await assert.rejects(simulate(first.service, { seconds }), /--seconds must/)
  const bare = await startTestService({ ROLES: 'api' })
  const { id: workspace } = await bare.workspace()
  await assert.rejects(simulate(bare, { seconds: '1' }), /no demo workspace/)
  const result = await simulate(bare, { seconds: '1', rate: '10', workspace })
  assert.ok(result.operations > 0)
})

test('simulate: --job: everything is about candidates of that job; other jobs and other workspaces are refused', async () => {
  const { service, workspace } = first
  const jobs = await service.services.db.query(sql<{ id: string; status: string }>`
    select id, status from jobs where workspace_id = ${workspace} and external_apply_url is null
      and (status <> 'published' or accept_applications and close_at is null) order by id`)
  const job = jobs.find(({ status }) => status === 'published')!.id
  const counts = async () =>
    service.services.db.query(sql<{ job_id: string; n: number }>`
      select job_id, count(*) as n from applications where workspace_id = ${workspace} group by job_id order by job_id`)
  const before = new Map((await counts()).map(({ job_id, n }) => [job_id, n]))
  const result = await simulate(service, { rate: '100', seconds: '3', seed: 'one job', job })
  assert.ok(result.operations > 0)
  const grown = (await counts()).filter(({ job_id, n }) => n !== before.get(job_id))
  assert.deepEqual(
    grown.map(({ job_id }) => job_id),
    [job],
  )
  const closed = jobs.find(({ status }) => status !== 'published')!.id
  await assert.rejects(simulate(service, { job: closed }), /is not a published job/)
  const { id: other } = await service.workspace()
  await assert.rejects(simulate(service, { job, workspace: other }), /--job works in the demo workspace/)
})

test('simulate: Ctrl-C: the running operation finishes, the summary is printed, status 0', async () => {
  const { service, workspace } = first
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../bin/hiring.js'), 'simulate', '--rate', '20', '--json'],
    {
      env: {
        ...process.env,
        DATABASE_URL: service.database.url,
        DATA_DIR: service.services.config.DATA_DIR,
      },
    },
  )
  const out = text(child.stdout)
  const count = async () =>
    (await service.services.db.one(
      sql<{ n: number }>`select count(*) as n from applications where workspace_id = ${workspace}`,
    ))!.n
  const before = await count()
  await until('a person applied', async () => (await count()) > before + 2)
  const ended = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGINT')
  assert.equal(await ended, 0)
  const result = JSON.parse(await out) as SimulationResult
  assert.ok(result.operations > 2)
})
