import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { clusterStatus } from '../../src/kernel/citus/cluster.ts'
import { WORKSPACE_TABLES } from '../../src/kernel/citus/placement.ts'
import { LOCKS } from '../../src/kernel/db/locks.ts'
import { raw, sql } from '../../src/kernel/db/sql.ts'
import { openErasures } from '../../src/resources/erasures/index.ts'
import { readiness, startInstallation } from '../faults/cluster.ts'
import { assertNothingLost, Load } from '../faults/load.ts'
import { startCitus, withoutCitus } from '../harness/citus.ts'
import { hiring, startHiring } from '../harness/process.ts'
import { createRandom, seedOfRun } from '../harness/random.ts'
import { until } from '../harness/receiver.ts'

const DISTRIBUTE = ['cluster', 'distribute', '--yes', '--shards', '4']
/** how often the command is killed, each time after one of the first lines that it prints, or at the latest in the last step */
const KILLS = 2
const FIRST_LINES = 15
const LAST_STEP = / are the same /

const REFUSALS = [
  '429 datastore_unavailable',
  '429 suppression_check_unavailable',
  '409 idempotency_in_flight',
  '409 application_modified_concurrently',
]

const LOCKED = sql`select 1 from pg_locks where locktype = 'advisory' and objid = ${LOCKS.distribution}`

test('cluster distribution under a service that writes, erases and delivers, killed and repeated: nothing lost, nothing twice, no gap, no trace of the erased', {
  skip: withoutCitus,
}, async t => {
  const seed = seedOfRun()
  t.diagnostic(`FAULTS_SEED=${seed}`)
  const random = createRandom(seed)
  const citus = await startCitus(2, { fast: true })
  const first = await startInstallation({ url: citus.url })
  const homes = [first, await first.another()]
  const nodes = [await first.start('api'), await first.start('worker')]
  const api = () => nodes.slice(0, 1)
  const loads = homes.map(home => new Load(home, api, { pauseMs: 50 }))

  const third = await first.another()
  const visitor = new Load(third, api)
  const source = { system: 'acme_ats', external_id: 'one' }
  const job = { source, title: 'Welder', content: { summary: 'Work.' }, publish: true }
  const { id } = await visitor.call('POST', '/jobs', job)
  const email = 'gone@people.example'
  const candidate = { first_name: 'Kim', last_name: 'Gone', email }
  await visitor.call('POST', '/applications', { job_id: id, candidate, source })
  await Promise.all(loads.map(load => load.start()))

  for (let i = 0; i < KILLS; i++) {
    const lines = 1 + Math.floor(random() * FIRST_LINES)
    const { child, ended } = startHiring(DISTRIBUTE, first.settings)
    let printed = ''
    child.stderr!.on('data', chunk => (printed += chunk))
    const isSeen = () => printed.split('\n').length > lines || LAST_STEP.test(printed)
    await until(`${lines} lines`, () => isSeen() || child.exitCode !== null)
    await delay(random() * 20)
    child.kill('SIGKILL')
    const { code, stderr } = await ended
    assert.equal(code, null, `it was running: ${stderr}`)
    await until('the end of the session', async () => !(await first.db.one(LOCKED)))
    assert.equal((await clusterStatus(first.db)).distributed, 0)
    await Promise.all(loads.map(load => load.progress(2)))
    if (i > 0) continue
    // copies may have the person: then the erasure completes when they are gone
    const { distribution } = await clusterStatus(first.db)
    const erased = await hiring(['erase', '--email', email, '--yes'], first.settings)
    if (!distribution) assert.equal(erased.code, 0, erased.stderr)
    else assert.match(erased.stderr, /the erasure completes when hiring cluster distribute has ended/)
  }
  const done = await hiring([...DISTRIBUTE, '--json'], first.settings)
  assert.equal(done.code, 0, done.stderr)
  const { tables, writes_waited_ms } = JSON.parse(done.stdout)
  assert.equal(tables.length, WORKSPACE_TABLES.length)
  await Promise.all(loads.map(load => load.progress(10)))
  await Promise.all(loads.map(load => load.stop()))
  for (const node of nodes) await until('ready', async () => (await readiness(node)).status === 200)

  const slowest = Math.max(...loads.map(load => load.slowestMs()))
  const changes = loads.reduce((sum, load) => sum + load.acknowledged.length, 0)
  t.diagnostic(`${changes} changes; writes waited for ${writes_waited_ms} ms, the slowest call took ${slowest} ms`)
  for (const [i, load] of loads.entries()) {
    assert.deepEqual(
      load.refusals().filter(refusal => !REFUSALS.includes(refusal)),
      [],
    )
    await assertNothingLost(homes[i]!, load)
  }
  assert.deepEqual((await clusterStatus(first.db)).not_distributed, [])
  await until('the erasure is completed', async () => (await first.db.one(openErasures())) === undefined)
  for (const table of WORKSPACE_TABLES) {
    const found = await first.db.query(sql`
      select 1 from ${raw(table)} as t where workspace_id = ${third.workspace} and strpos(t::text, ${email}) > 0`)
    assert.equal(found.length, 0, `${table} has the address of a person who was erased`)
  }
})
