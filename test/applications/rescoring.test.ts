import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Transaction } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { rescoreNext, scoreApplication } from '../../src/resources/applications/index.ts'
import type { JobEditInput } from '../../src/resources/jobs/fields.ts'
import { createJob, editJob } from '../../src/resources/jobs/index.ts'
import { scoreAgain } from '../../src/workers/score-again.ts'
import { lockWaits } from '../harness/lock-waits.ts'
import { newTenant, readEvents, startWorld } from './setup.ts'

const world = await startWorld()
const { service } = world
const { db } = service.services

interface Tenant {
  workspace: string
  job: string
  applications: string[]
}

const PROFILE = { skills: ['Go'], seniority: 'senior', total_years_experience: 5 }

/** Applications with a résumé that has been read and, for the job as it is, scored: half of what is required is there. */
async function tenant(count: number): Promise<Tenant> {
  const { workspace } = await newTenant(service)
  const job = await db.transaction(tx =>
    createJob(tx, workspace, { title: 'Engineer', content: { skills_required: ['Go', 'Rust'] } }),
  )
  const stage = await db.one(sql<{ id: string }>`
    select id from pipeline_stages where workspace_id = ${workspace} and job_id = ${job} order by position limit 1`)
  const applications = Array.from({ length: count }, () => newHandle('application')).toSorted()
  const applicants = applications.map(() => newHandle('applicant'))
  await db.query(sql`
    with people as (
      insert into applicants (workspace_id, id, first_name, last_name, full_name, email, email_key)
      select ${workspace}, id, 'Ada', 'Byron', 'Ada Byron', id || '@example.org', id || '@example.org'
      from unnest(${applicants}::text[]) id
    ), applied as (
      insert into applications (workspace_id, id, job_id, applicant_id, stage_id, source, has_resume, parse_status)
      select ${workspace}, id, ${job}, applicant, ${stage!.id}, 'public_board', true, 'parsed'
      from unnest(${applications}::text[], ${applicants}::text[]) as one (id, applicant)
    )
    insert into resumes (workspace_id, id, application_id, applicant_id, filename, mime, bytes, blob_key, parse_status,
      parsed, raw_text)
    select ${workspace}, 'res_' || substr(id, 5), id, applicant, 'resume.txt', 'text/plain', 1, id, 'parsed',
      ${JSON.stringify(PROFILE)}::jsonb, 'Go'
    from unnest(${applications}::text[], ${applicants}::text[]) as one (id, applicant)`)
  for (const id of applications) await db.transaction(tx => scoreApplication(tx, workspace, id))
  return { workspace, job, applications }
}

const edit = ({ workspace, job }: Tenant, input: JobEditInput) =>
  db.transaction(tx => editJob(tx, workspace, job, input))

const requireOnly = (one: Tenant, ...skills_required: string[]) => edit(one, { content: { skills_required } })

async function finish(): Promise<void> {
  while (await rescoreNext(db));
}

async function scores({ workspace }: Tenant): Promise<number[]> {
  const rows = await db.query(sql<{ match_pct: number }>`
    select match_pct from application_scores where workspace_id = ${workspace} order by application_id`)
  return rows.map(row => row.match_pct)
}

async function scoredEvents(one: Tenant): Promise<{ id: unknown; match_pct: unknown }[]> {
  const events = await readEvents(world, one.workspace)
  return events
    .filter(event => event.type === 'application.scored')
    .map(({ data }) => ({ id: data.object['id'], match_pct: data.object['match_pct'] }))
    .slice(one.applications.length) // the first score of each
}

const all = (count: number, value: number) => Array.from({ length: count }, () => value)

test('POST /jobs: changed skills score the applications again, with application.scored', async () => {
  const { workspace, key } = await newTenant(service)
  const push = (skills_required: string[]) =>
    service.post('/jobs', key, {
      source: { system: 'acme_ats', external_id: 'rescored' },
      title: 'Engineer',
      content: { summary: 'Builds engines.', skills_required },
      publish: true,
    })
  const job = (await push(['Go', 'Rust'])).body
  const applied = await service.post('/applications', key, {
    job_id: job.id,
    candidate: { first_name: 'Ada', last_name: 'Byron', email: 'ada@rescored.example' },
    source: { system: 'acme_ats' },
  })
  await db.query(sql`
    insert into resumes (workspace_id, id, application_id, filename, mime, bytes, blob_key, parse_status, parsed)
    values (${workspace}, ${newHandle('resume')}, ${applied.body.id}, 'a.txt', 'text/plain', 1, 'a', 'parsed',
      ${JSON.stringify(PROFILE)}::jsonb)`)
  await db.query(sql`update applications set has_resume = true where id = ${applied.body.id}`)
  await db.transaction(tx => scoreApplication(tx, workspace, applied.body.id))
  const score = async () => (await service.get(`/applications/${applied.body.id}/score`, key)).body
  assert.deepEqual([(await score()).match_pct, (await score()).gaps], [50, ['required skill not found: Rust']])
  const before = await service.get(`/applications/${applied.body.id}`, key)

  assert.equal((await push(['Go'])).status, 200)
  await finish()
  assert.deepEqual([(await score()).match_pct, (await score()).gaps], [100, []])
  const event = (await readEvents(world, workspace)).at(-1)!
  const after = await service.get(`/applications/${applied.body.id}`, key)
  assert.deepEqual(
    [event.type, event.data.object['match_pct'], event.data.object['updated_at']],
    ['application.scored', 100, after.body.updated_at],
  )
  assert.ok(after.body.updated_at > before.body.updated_at)
})

for (const [what, input, changedTo] of [
  ['required skills', { content: { skills_required: ['Go'] } }, 100],
  ['preferred skills', { content: { skills_preferred: ['Go', 'SQL'] } }, 50],
  ['experience_level', { experience_level: 'senior' }, 57],
  ['years_min', { years_min: 10 }, 50],
] as const) {
  test(`job edited in the product: changed ${what} score its applications again`, async () => {
    const one = await tenant(2)
    await edit(one, input as JobEditInput)
    await finish()
    assert.deepEqual(await scores(one), all(2, changedTo))
    assert.equal((await scoredEvents(one)).length, 2, 'the gaps or the figure changed')
  })
}

test('job edited: other fields score nothing again, and an equal score emits nothing', async () => {
  const one = await tenant(1)
  await edit(one, { title: 'Engineer II', years_max: 9 })
  const waiting = await db.query(sql`select 1 from job_rescores where workspace_id = ${one.workspace}`)
  assert.equal(waiting.length, 0)
  await requireOnly(one, 'Rust', 'Go')
  await requireOnly(one, 'Go', 'Rust')
  await finish()
  assert.deepEqual(await scoredEvents(one), [])
})

test('scoring again: changes that follow each other are done once, with the last state of the job', async () => {
  const one = await tenant(3)
  for (const skills of [['Rust'], ['Haskell'], ['Go']]) await requireOnly(one, ...skills)
  await finish()
  assert.deepEqual(
    await scoredEvents(one),
    one.applications.map(id => ({ id, match_pct: 100 })),
  )
})

/** A worker to which something happens right after a statement of its batch. */
const workerWith = (after: RegExp, happens: () => Promise<unknown>): Database =>
  Object.assign(Object.create(db) as Database, {
    query: db.query.bind(db),
    transaction: <T>(work: (tx: Transaction) => Promise<T>) =>
      db.transaction(tx => {
        const query: Transaction['query'] = async statement => {
          const rows = await tx.query(statement)
          if (after.test(statement.text)) await happens()
          return rows
        }
        return work(
          Object.assign(Object.create(tx) as Transaction, {
            query,
            one: tx.one.bind(tx),
            only: tx.only.bind(tx),
            afterCommit: tx.afterCommit.bind(tx),
            defer: tx.defer.bind(tx),
          }),
        )
      }),
  })

const killed = workerWith(/insert into application_scores/, async () => {
  throw new Error('killed')
})

test('scoring again: a process that dies in the middle loses and repeats nothing', async () => {
  const one = await tenant(120)
  await requireOnly(one, 'Go')
  assert.equal(await rescoreNext(db), true)
  await assert.rejects(rescoreNext(killed), /killed/)
  assert.deepEqual(await scores(one), [...all(50, 100), ...all(70, 50)])
  assert.equal(await rescoreNext(db), false, 'the lease of the dead process still holds')
  clock.advance(61_000)
  await finish()
  clock.reset()
  assert.deepEqual(await scores(one), all(120, 100))
  assert.deepEqual((await scoredEvents(one)).map(event => event.id).toSorted(), one.applications)
})

test('scoring again: a change in the middle begins from the start', async () => {
  const one = await tenant(60)
  await requireOnly(one, 'Go')
  await rescoreNext(db)
  await requireOnly(one, 'Rust')
  await finish()
  assert.deepEqual(await scores(one), all(60, 0))
})

test('scoring again: a change while a batch is being computed is not lost', async () => {
  for (const count of [3, 60]) {
    const one = await tenant(count)
    await requireOnly(one, 'Go')
    await rescoreNext(workerWith(/from applications.*for update/s, () => requireOnly(one, 'Rust')))
    await finish()
    assert.deepEqual(await scores(one), all(count, 0))
  }
})

test('scoring again: a résumé whose reading ends at the same moment is scored for the changed job', async () => {
  const one = await tenant(1)
  const [id] = one.applications
  await db.query(sql`delete from application_scores where application_id = ${id}`)
  await db.query(sql`update resumes set parsed = null where application_id = ${id}`)
  let rescoring: Promise<boolean> | undefined
  await db.transaction(async tx => {
    await tx.query(sql`select 1 from applications where workspace_id = ${one.workspace} and id = ${id} for update`)
    await tx.query(sql`update resumes set parsed = ${JSON.stringify(PROFILE)}::jsonb where application_id = ${id}`)
    await scoreApplication(tx, one.workspace, id!)
    await requireOnly(one, 'Rust')
    rescoring = rescoreNext(db)
    await until(async () => (await lockWaits(db)) > 0)
  })
  assert.equal(await rescoring, true)
  assert.deepEqual(await scores(one), [0])
})

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if (await condition()) return
    await delay(50)
  }
  throw new Error('the condition did not come true')
}

test('scoring again: nothing of a person whose processing was stopped', async () => {
  const one = await tenant(3)
  await db.query(sql`
    update applicants set suppressed_at = app_now() where workspace_id = ${one.workspace} and id = (
      select applicant_id from applications where workspace_id = ${one.workspace} and id = ${one.applications[1]})`)
  await requireOnly(one, 'Go')
  await finish()
  assert.deepEqual(await scores(one), [100, 50, 100])
  assert.deepEqual(
    (await scoredEvents(one)).map(event => event.id),
    [one.applications[0], one.applications[2]],
  )
})

test('scoring again: a locked résumé is scored from its stored profile', async () => {
  const one = await tenant(1)
  await db.query(sql`
    update applications set applied_at = app_now() - interval '200 days' where workspace_id = ${one.workspace}`)
  await requireOnly(one, 'Go')
  await finish()
  assert.deepEqual(await scores(one), [100])
})

test('scoring again: a job without requirements loses its scores; application.updated names the change', async () => {
  const one = await tenant(1)
  await requireOnly(one)
  await finish()
  const key = await service.key({ workspace: one.workspace })
  assert.equal((await service.get(`/applications/${one.applications[0]}/score`, key)).status, 404)
  const event = (await readEvents(world, one.workspace)).at(-1)!
  assert.deepEqual([event.type, event.data.object['changed']], ['application.updated', ['score']])
})

test('scoring again: workspaces take turns, a batch each', async () => {
  const [large, small] = [await tenant(160), await tenant(2)]
  await requireOnly(large, 'Go')
  await requireOnly(small, 'Go')
  for (let i = 0; i < 2; i++) assert.equal(await rescoreNext(db), true)
  assert.deepEqual(await scores(small), [100, 100])
  assert.deepEqual((await scores(large)).filter(score => score === 100).length, 50)
  await finish()
  assert.deepEqual(await scores(large), all(160, 100))
})

test('score-again worker: begins with the commit of the change', async () => {
  const one = await tenant(2)
  const stop = new AbortController()
  const running = scoreAgain({ db }).run(stop.signal)
  await requireOnly(one, 'Go')
  await until(async () => (await scores(one)).every(score => score === 100))
  stop.abort()
  await running
})
