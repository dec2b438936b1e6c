import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { getOrCreate } from '../../src/kernel/async/get-or-create.ts'
import { Database, type Transaction } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { appendEvents } from '../../src/kernel/feed/append.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { pinSnapshot } from '../../src/kernel/feed/snapshot.ts'
import { fieldNames } from '../../src/kernel/http/shape.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { deleteApplicant, deleteApplication, withdrawApplication } from '../../src/resources/applications/index.ts'
import { jobRowShape } from '../../src/resources/jobs/shape.ts'
import type { IssuedKey } from '../../src/resources/keys/index.ts'
import { body, newJob } from '../applications/setup.ts'
import { startTestService, type TestResponse } from '../harness/service.ts'
import { ALL, type Any, downloadRows, listed } from './setup.ts'

/** How much is written during the copies before a test has seen enough, however long that takes here. */
const EVENTS = Number(process.env['HIRING_TEST_COPY_EVENTS'] ?? 300)
const PINS = 10

test('export snapshot: shows exactly the changes whose events are numbered up to it, with 16 slow writers and three sequencers', async () => {
  const service = await startTestService({ ROLES: 'api' })
  const { id: workspace } = await service.workspace()
  const open = (connections: number) =>
    new Database(service.database.connection, { connections, log: createLog('error') })
  const writers = open(40)
  let enough = false
  const write = async () => {
    while (!enough) {
      await writers
        .transaction(async tx => {
          const id = newHandle('project')
          await delay(Math.random() * 20)
          await tx.query(sql`insert into projects (workspace_id, id, name) values (${workspace}, ${id}, 'x')`)
          await delay(Math.random() * 20)
          await appendEvents(tx, [
            {
              type: 'list.updated',
              workspaceId: workspace,
              id,
              updatedAt: '2026-11-01T00:00:00.000Z',
              values: { project_id: id, candidate_count: 0 },
              originKeyId: null,
            },
          ])
          await delay(Math.random() * 20)
          if (Math.random() < 0.1) throw new Error('rolled back')
        })
        .catch(error => assert.equal(error.message, 'rolled back'))
    }
  }
  const sequencers = Array.from({ length: 3 }, async () => {
    const db = open(4)
    while (!enough) if ((await sequenceBatch(db)) === 0) await delay(5)
    await db.close()
  })
  const running = Promise.all([...Array.from({ length: 16 }, write), ...sequencers])
  const db = open(8)
  const session = await db.session({ timeouts: 'off' })
  let pins = 0
  let before = 0
  while (!enough) {
    await delay(Math.random() * 20)
    const asOf = await pinSnapshot(db, workspace, session, async () => {})
    const shown = await session.query(sql<{ id: string }>`select id from projects order by id`)
    await delay(Math.random() * 50)
    const again = await session.query(sql<{ id: string }>`select id from projects order by id`)
    const emitted = await db.query(sql<{ id: string }>`
      select body::jsonb #>> '{data,object,id}' as id from events where workspace_id = ${workspace} and sequence <= ${asOf}::bigint order by 1`)
    const ids = (rows: { id: string }[]) => rows.map(row => row.id)
    assert.deepEqual(ids(shown), ids(emitted), `snapshot ${pins} at ${asOf}`)
    assert.deepEqual(ids(again), ids(shown), 'it stays as it is')
    assert.ok(asOf >= before)
    before = asOf
    enough = ++pins >= PINS && asOf >= EVENTS
  }
  await running
  await session.close()
  await writers.close()
  await db.close()
})

const service = await startTestService()
const { db } = service.services
const { id: workspace, userEmail } = await service.workspace('enterprise')
const newKey = () => service.key({ workspace, userEmail })

/** Ends with the test whatever fails. */
const stop = { asked: false }
after(() => {
  stop.asked = true
})

test('export snapshot: a session that does not respond while a snapshot is pinned delays the feed for seconds, not forever', async () => {
  const service = await startTestService({ ROLES: 'api' })
  const { db } = service.services
  const { id: workspace } = await service.workspace()
  const silent = {
    query: () => new Promise<never>(() => {}),
    one: () => new Promise<never>(() => {}),
    only: () => new Promise<never>(() => {}),
  }
  await assert.rejects(
    pinSnapshot(db, workspace, silent, async () => {}),
    /does not respond/,
  )
  await db.transaction(tx =>
    tx.query(sql`select 1 from event_logs where workspace_id = ${workspace} for update nowait`),
  )
})

test('export snapshot: a snapshot outlasts what the server does to long statements and idle transactions', async () => {
  const service = await startTestService({ ROLES: 'api' })
  const { db } = service.services
  const { id: workspace } = await service.workspace()
  await db.query(sql`do $$ begin
    execute format('alter database %I set idle_in_transaction_session_timeout = 300', current_database());
    execute format('alter database %I set statement_timeout = 300', current_database());
  end $$`)
  const session = await db.session({ timeouts: 'off' })
  try {
    await pinSnapshot(db, workspace, session, async () => {})
    await delay(600)
    await session.query(sql`select pg_sleep(0.6)`)
  } finally {
    await session.close()
  }
})

test('export snapshot: copied while twelve writers continue, then followed from as_of_sequence: the copy equals the source', async () => {
  const jobs = [await newJob(service, workspace), await newJob(service, workspace)]
  const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(Math.random() * of.length)]
  const known = { applications: [] as Any[], lists: [] as Any[], members: [] as Any[], applicants: [] as string[] }
  const profiles = Array.from({ length: 60 }, () => newHandle('sourced_profile'))
  for (const id of profiles)
    await db.query(sql`insert into sourced_profiles (workspace_id, id, full_name, origin, acquisition)
      values (${workspace}, ${id}, ${`Person ${id}`}, 'xray', 'xray_search')`)
  let writes = 0
  const post = async (key: IssuedKey, path: string, sent: unknown) => {
    const response = await service.post(path, key, sent)
    assert.ok([200, 201, 404, 409].includes(response.status), `${path} ${response.text}`)
    writes++
    return response
  }
  const write = async (n: number): Promise<void> => {
    const key = await newKey()
    while (!stop.asked) {
      const roll = Math.random()
      const application = pick(known.applications)
      if (roll < 0.3 || !application) {
        // a few addresses, so that people apply twice
        const email = `p${Math.floor(Math.random() * 400)}@example.org`
        const made = await post(key, '/applications', body(pick(jobs)!, {}, { email }))
        if (made.status === 201) known.applications.push(made.body)
        if (made.status === 201) known.applicants.push(made.body.applicant_id)
      } else if (roll < 0.5) {
        const stages = jobs.find(job => job.id === application.job_id)!.stages
        await post(key, `/applications/${application.id}/move`, { stage_id: pick(stages) })
      } else if (roll < 0.6) await post(key, `/applications/${application.id}/reject`, { reason: 'no' })
      else if (roll < 0.63) await post(key, `/applications/${application.id}/reopen`, {})
      else if (roll < 0.65) await post(key, `/applications/${application.id}/hire`, {})
      else if (roll < 0.7) {
        const made = await post(key, '/lists', { name: `List ${n}` })
        known.lists.push(made.body)
      } else if (roll < 0.8) {
        const list = pick(known.lists)
        if (!list) continue
        const members = [{ sourced_profile_id: pick(profiles) }, { sourced_profile_id: pick(profiles) }]
        const made = await post(key, `/lists/${list.id}/members`, { members })
        for (const { membership } of made.body.results) if (membership) known.members.push(membership)
      } else if (roll < 0.85) {
        const member = pick(known.members)
        if (!member) continue
        const stage = pick(['requested', 'connected', 'hired', 'none'])
        await post(key, `/lists/${member.list_id}/members/${member.id}/stage`, { stage })
      } else if (roll < 0.95) {
        const external_id = String(Math.floor(Math.random() * 30))
        const job = { source: { system: 'acme_ats', external_id }, title: `Title ${Math.random()}` }
        const made = await post(key, '/jobs', { ...job, content: { summary: 'x' }, publish: Math.random() < 0.3 })
        if (Math.random() < 0.3) await post(key, `/jobs/${made.body.id}/unpublish`, {})
      } else await changeInProduct(application.id)
    }
  }
  const changeInProduct = (id: string) =>
    db
      .transaction(async (tx: Transaction) => {
        const change = { workspace, id, originKeyId: null }
        const roll = Math.random()
        if (roll < 0.3) await deleteApplication(tx, change, 'test')
        else if (roll < 0.4) await deleteApplicant(tx, { ...change, id: pick(known.applicants)! }, 'test')
        else await withdrawApplication(tx, workspace, id)
        await delay(Math.random() * 20)
      })
      .catch(error => assert.match(error.constructor.name, /UserError|ApiError/, error.stack))

  const writers = Array.from({ length: 12 }, (_, n) => write(n))
  const reader = await newKey()
  const copies: Any[] = []
  const untilWritten = async (more: number) => {
    const enough = writes + more
    while (writes < enough) await delay(20)
  }
  for (let i = 0; i < 3; i++) {
    await untilWritten(EVENTS / 4)
    const asked = await service.post('/exports', reader, { resources: ALL })
    assert.equal(asked.status, 201, asked.text)
    let made = asked.body
    while (made.status !== 'ready') {
      assert.ok(['pending', 'running'].includes(made.status), JSON.stringify(made))
      await delay(20)
      made = (await service.get(`/exports/${asked.body.id}`, reader)).body
    }
    copies.push(made)
  }
  await untilWritten(EVENTS / 4)
  stop.asked = true
  await Promise.all(writers)
  while ((await sequenceBatch(db)) > 0);

  const events: Any[] = []
  for (let after = 0, more = true; more; ) {
    const page = (await service.get(`/events?after=${after}&limit=100`, reader)).body
    events.push(...page.data)
    after = page.next_after
    more = page.has_more
  }
  const source = await readSource(reader)
  assert.ok(source.applications!.size > 10 && source.list_memberships!.size > 3)
  let followed = 0
  for (const made of copies) {
    const copy = await readCopy(made)
    checkAgainstEvents(copy, events, made.as_of_sequence)
    followed += await follow(
      reader,
      copy,
      events.filter(event => event.sequence > made.as_of_sequence),
    )
    for (const resource of ALL) {
      assert.deepEqual(sorted(copy[resource]!), sorted(source[resource]!), `${resource} of ${made.as_of_sequence}`)
    }
  }
  assert.ok(followed > 30, `${followed} events followed say little`)
})

type Copy = Record<string, Map<string, Any>>

/** The same stage again refreshes `stage_updated_at` and is, by the specification, no event: it cannot be followed. */
const comparable = ({ stage_updated_at: _, ...row }: Any) => row
const sorted = (rows: Map<string, Any>) =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, row]) => [id, Array.isArray(row) ? row : comparable(row)])
const byId = (rows: Any[]) => new Map(rows.map(row => [row.id, row]))

const byApplication = (rows: Any[]) =>
  new Map([...Map.groupBy(rows, row => row.application_id as string)].map(([id, steps]) => [id, steps]))

async function readCopy(made: Any): Promise<Copy> {
  const copy: Copy = {}
  for (const resource of ALL) {
    const rows = await downloadRows(made, resource)
    if (resource !== 'stage_transitions') assert.equal(byId(rows).size, rows.length, `${resource}: none twice`)
    copy[resource] = resource === 'stage_transitions' ? byApplication(rows) : byId(rows)
  }
  return copy
}

async function readSource(key: IssuedKey): Promise<Copy> {
  const applications = byId(await listed(service, key, '/applications'))
  const lists = byId(await listed(service, key, '/lists'))
  const inLists = await Promise.all([...lists.keys()].map(id => listed(service, key, `/lists/${id}/members`)))
  const ways = await Promise.all([...applications.keys()].map(id => readSteps(key, id)))
  return {
    jobs: byId(await listed(service, key, '/jobs?include_unpublished=true')),
    applications,
    applicants: byId(await listed(service, key, '/applicants')),
    sourced_profiles: byId(await listed(service, key, '/sourced-profiles')),
    lists,
    list_memberships: byId(inLists.flat()),
    stage_transitions: byApplication(ways.flat()),
  }
}

const readSteps = async (key: IssuedKey, id: string): Promise<Any[]> => {
  const steps = await listed(service, key, `/applications/${id}/stage-transitions`)
  return steps.map(({ object, ...step }) => ({ object, application_id: id, ...step }))
}

// There are no more writes when the feed is followed: what was read once need not be read again.
const responses = new Map<string, Promise<TestResponse>>()
const steps = new Map<string, Promise<Any[]>>()
const members = new Map<string, Promise<Any[]>>()

/** What a partner does: for each event, read the record that it names again, or drop it. */
async function follow(key: IssuedKey, copy: Copy, events: Any[]): Promise<number> {
  const read = async (resource: string, path: string, id: string, shown = (row: Any) => row) => {
    const { status, body } = await getOrCreate(responses, path, () => service.get(path, key))
    if (status === 200) copy[resource]!.set(id, shown(body))
    else copy[resource]!.delete(id)
  }
  for (const event of events) {
    const { object, id, list_id, applicant_id } = event.data.object
    if (object === 'job') await read('jobs', `/jobs/${id}`, id, asRow)
    else if (object === 'application') {
      await read('applications', `/applications/${id}`, id)
      if (event.type === 'application.deleted') copy['stage_transitions']!.delete(id)
      else if (copy['applications']!.has(id)) {
        copy['stage_transitions']!.set(id, await getOrCreate(steps, id, () => readSteps(key, id)))
      }
      // who applies is seen again, which the person's record shows
      if (applicant_id) await read('applicants', `/applicants/${applicant_id}`, applicant_id)
    } else if (object === 'applicant') await read('applicants', `/applicants/${id}`, id)
    else if (object === 'list') await read('lists', `/lists/${id}`, id)
    else if (object === 'list_membership') {
      const rows = getOrCreate(members, list_id, () => listed(service, key, `/lists/${list_id}/members`))
      const member = (await rows).find(row => row.id === id)
      if (member) copy['list_memberships']!.set(id, member)
      else copy['list_memberships']!.delete(id)
    }
  }
  return events.length
}

/** A single read has more than the row of a list. */
function asRow(job: Any): Any {
  const whole = { ...job, summary: job.content.summary }
  return Object.fromEntries(['object', ...fieldNames(jobRowShape)].map(name => [name, whole[name]]))
}

/**
 * No gap and no overlap, row by row: the last change of a record up to the number is the one its row shows, and every
 * later one is later than the row.
 */
function checkAgainstEvents(copy: Copy, events: Any[], asOf: number): void {
  const resources = { job: 'jobs', application: 'applications', applicant: 'applicants', list: 'lists' } as const
  const last = new Map<string, Any>()
  for (const event of events) {
    const { object, id, updated_at } = event.data.object
    const resource = resources[object as keyof typeof resources]
    if (!resource) continue
    const row = copy[resource]!.get(id)
    if (event.sequence <= asOf) last.set(`${resource} ${id}`, event)
    else if (row) assert.ok(updated_at > row.updated_at, `${event.type} ${event.sequence} is in the copy of ${asOf}`)
    else assert.ok(last.get(`${resource} ${id}`)?.type.endsWith('.deleted') ?? true, `${id} is missing`)
  }
  for (const [name, event] of last) {
    const [resource, id] = name.split(' ') as [string, string]
    const row = copy[resource]!.get(id)
    if (event.type.endsWith('.deleted')) assert.equal(row, undefined, `${name} was deleted before ${asOf}`)
    else assert.equal(row?.updated_at, event.data.object.updated_at, `${name} at ${asOf}`)
  }
}
