import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { sql } from '../../src/kernel/db/sql.ts'
import { startOwnCluster, withoutCitus } from '../harness/citus.ts'
import type { RecordedStatement } from '../harness/record-statements.ts'
import { normal } from '../harness/routing.ts'

// A join or a subquery is planned again on coordinator and worker at each execution, which takes milliseconds. Frequent calls
// have none: each statement names one table and the workspace, and Citus sends it to the shard as it is ("fast path").
const opts = { skip: withoutCitus }

type World = typeof import('../applications/setup.ts')
let setup: World
let world: Awaited<ReturnType<World['startWorld']>>

if (!withoutCitus) {
  const { stop } = await startOwnCluster()
  // the harness chooses the store when it is loaded
  setup = await import('../applications/setup.ts')
  world = await setup.startWorld({ REQUEST_LOG: 'off' })
  await world.service.services.usage.stop() // its statements belong to no request
  // after the hooks of the service, which end its connections
  after(stop)
}

/** Runs `work` with a connection to the store of the service. */
async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const store = await world.service.services.db.one(
    sql<{ port: number; database: string }>`select inet_server_port() as port, current_database() as database`,
  )
  const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${store!.port}/${store!.database}` })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

type Sent = Pick<RecordedStatement, 'text' | 'values'>

/** What the service sends while `work` runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<Sent[]> {
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const sent: Sent[] = []
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [given] = args as [{ name?: string; text: string; values?: unknown[] } | string]
    // what the `sql` tag made has a name
    if (typeof given === 'object' && given.name) sent.push({ text: given.text, values: given.values ?? [] })
    return original.apply(this, args)
  } as typeof pg.Client.prototype.query
  try {
    await work()
    return sent
  } finally {
    pg.Client.prototype.query = original as typeof pg.Client.prototype.query
  }
}

/** Rows that are written out go to their shard as they are, too. */
const WRITTEN_OUT = /^insert into \w+ (as \w+ )?\([^)]*\) values /
const PLANNED = /router|subplan|shard|Distributed/i

/** Whether Citus plans a statement itself. One that is about tables of the coordinator alone it does not see. */
async function isPlanned(client: pg.Client, { text, values }: Sent): Promise<boolean> {
  if (WRITTEN_OUT.test(normal(text))) return false
  const said: string[] = []
  const listen = ({ message }: { message?: string | undefined }) => said.push(message ?? '')
  await client.query('begin')
  await client.query('set local client_min_messages = debug2')
  client.on('notice', listen)
  // one that cannot be repeated was planned before it failed
  await client.query(text, values as unknown[]).catch(() => {})
  client.off('notice', listen)
  await client.query('rollback')
  return !said.some(line => line.includes('fast-path')) && said.some(line => PLANNED.test(line))
}

async function plannedIn(work: () => Promise<{ status: number; text: string }>): Promise<string[]> {
  const sent = await statementsOf(async () => {
    const response = await work()
    assert.ok(response.status < 300, response.text)
  })
  assert.ok(sent.length > 0)
  return withClient(async client => {
    const planned: string[] = []
    for (const one of sent) if (await isPlanned(client, one)) planned.push(normal(one.text).slice(0, 200))
    return planned
  })
}

const once = () => ({ headers: { 'Idempotency-Key': crypto.randomUUID() } })

test('fast path: a join is found to be planned', opts, async () => {
  const text = `select a.id from applications a join jobs j on j.workspace_id = a.workspace_id and j.id = a.job_id
    where a.workspace_id = $1`
  assert.equal(await withClient(client => isPlanned(client, { text, values: [world.workspace] })), true)
})

test(
  'fast path: POST /applications sends no statement that is planned, for new and for known people',
  opts,
  async () => {
    const { service, key, job, workspace } = world
    const another = await setup.newJob(service, workspace)
    const known = { email: 'known@example.org' }
    const source = { system: 'acme_ats', external_id: 'x-1' }
    for (const [name, body] of Object.entries({
      'a new person': setup.body(job, { source }, known),
      'the same again': setup.body(job, { source }, known),
      'a known person': setup.body(another, {}, known),
      'with a profile': setup.body(
        job,
        {},
        { linkedin_url: 'https://www.linkedin.com/in/known', phone: '+4915112345678' },
      ),
    }))
      assert.deepEqual(await plannedIn(() => service.post('/applications', key, body, once())), [], name)
  },
)

test('fast path: changes of an application send no statement that is planned', opts, async () => {
  const { service, key, job } = world
  const { id } = await setup.apply(world)
  for (const [path, body] of [
    ['move', { stage_id: job.stages[1] }],
    ['notes', { body: 'x' }],
    ['reject', { reason: 'x' }],
    ['reopen', {}],
    ['hire', {}],
  ] as const)
    assert.deepEqual(await plannedIn(() => service.post(`/applications/${id}/${path}`, key, body, once())), [], path)
})

test('fast path: frequent reads send no statement that is planned', opts, async () => {
  const { service, key, job } = world
  const { id, applicant_id } = await setup.apply(world)
  for (const path of [
    `/applications/${id}`,
    '/applications',
    `/applications?job_id=${job.id}&status=new`,
    `/applications?job_id=${job.id}&stage_id=${job.stages[4]}`,
    `/jobs/${job.id}/applications`,
    `/applicants/${applicant_id}/applications`,
    `/applicants/${applicant_id}/contact-info`,
    `/jobs/${job.id}`,
    '/jobs',
  ])
    assert.deepEqual(await plannedIn(() => service.get(path, key)), [], path)
})

test('fast path: POST /jobs of an unchanged job sends no statement that is planned', opts, async () => {
  const { service, key } = world
  const job = { source: { system: 'acme_ats', external_id: 'job-1' }, title: 'Welder' }
  assert.equal((await service.post('/jobs', key, job, once())).status, 201)
  assert.deepEqual(await plannedIn(() => service.post('/jobs', key, job, once())), [])
})
