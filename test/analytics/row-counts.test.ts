import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { APPLICATION_STATUSES } from '../../src/contract/application-status.ts'
import type { Transaction } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { ApiError } from '../../src/kernel/errors/api-error.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { addUpFunnel } from '../../src/resources/analytics/index.ts'
import { compareFunnel } from '../../src/resources/analytics/rollup-store.ts'
import { reopenApplication } from '../../src/resources/applications/actions.ts'
import {
  deleteApplication,
  hireApplication,
  moveApplication,
  rejectApplication,
  withdrawApplication,
} from '../../src/resources/applications/index.ts'
import { STAGE_TYPES } from '../../src/resources/jobs/shape.ts'
import { apply, newTenant, startWorld } from '../applications/setup.ts'

const world = await startWorld()
const { service } = world
const { db } = service.services
const NOTHING = { application_funnel: 0, funnel_by_day: 0, funnel_by_job: 0, funnel_by_job_and_source: 0 }

/** Few, so that one is entered again; two of one type, and two exits. */
const STAGES = ['applied', 'interview', 'interview', 'hired', 'rejected', 'rejected']
const START = Date.parse('2026-03-02T10:00:00Z')

type History = Awaited<ReturnType<typeof newHistory>>

async function newHistory() {
  const tenant = await newTenant(service)
  const { workspace, job } = tenant
  const stages = STAGES.map(() => newHandle('pipeline_stage'))
  await db.query(sql`
    insert into pipeline_stages (workspace_id, id, job_id, name, position, type, is_terminal)
    select ${workspace}, id, ${job.id}, type, 10 + place, type, type in ('hired', 'rejected')
    from unnest(${stages}::text[], ${STAGES}::text[]) with ordinality s (id, type, place)`)
  const otherJob = newHandle('job')
  await db.query(sql`
    insert into jobs (workspace_id, id, slug, title, source_system)
    values (${workspace}, ${otherJob}, ${otherJob}, 'Other', 'native')`)
  return { ...tenant, stages, otherJob, applications: [] as string[] }
}

const step = fc.record({
  act: fc.constantFrom(
    ...(['created', 'inserted', 'insertedWithStep', 'insertedInOneStatement'] as const),
    ...(['moved', 'moved', 'moved', 'stepped', 'stepped', 'twoSteps', 'firstAgain', 'toUnknownStage'] as const),
    ...(['rejected', 'reopened', 'hired', 'withdrawn', 'placed', 'edited', 'otherJob'] as const),
    ...(['retyped', 'deleted', 'addedUp'] as const),
  ),
  which: fc.nat(2),
  stage: fc.nat(STAGES.length - 1),
  other: fc.nat(STAGES.length - 1),
  status: fc.constantFrom(...APPLICATION_STATUSES),
  type: fc.constantFrom(...STAGE_TYPES),
  /** a step may be dated before the one that it follows */
  seconds: fc.integer({ min: 1, max: 5_000_000 }),
  /** the type that the stage had when the writer read it; without it the store looks it up */
  givesType: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const at = ({ seconds }: Step) => new Date(START + seconds * 1_001).toISOString()

async function insertApplication(
  tx: Pick<Transaction, 'query'>,
  { workspace, job, stages, applications }: History,
  s: Step,
) {
  const id = newHandle('application')
  const hiredAt = s.status === 'hired' ? at(s) : null
  await tx.query(sql`
    insert into applications (workspace_id, id, job_id, stage_id, status, source, applied_at, hired_at)
    values (${workspace}, ${id}, ${job.id}, ${stages[s.stage]}, ${s.status}, 'direct', ${new Date(START).toISOString()},
      ${hiredAt}::timestamptz)`)
  applications.push(id)
  return id
}

async function insertStep(
  tx: Pick<Transaction, 'query'>,
  { workspace }: History,
  s: Step,
  { id, from, to }: { id: string; from: string | null; to: string },
) {
  await tx.query(sql`
    insert into stage_transitions (workspace_id, application_id, from_stage_id, to_stage_id, to_stage_type, at)
    values (${workspace}, ${id}, ${from}, ${to}, ${s.givesType ? s.type : null}, ${at(s)}::timestamptz)`)
}

const stageOf = async (workspace: string, id: string) =>
  (await db.one(
    sql<{ stage_id: string }>`select stage_id from applications where workspace_id = ${workspace} and id = ${id}`,
  ))!.stage_id

/** An action that the state of the application does not allow changes nothing. */
const act = (work: (tx: Transaction) => Promise<unknown>) =>
  db.transaction(work).catch(error => {
    if (!(error instanceof ApiError)) throw error
  })

const BEGIN: Record<string, (h: History, s: Step) => Promise<unknown>> = {
  created: async (h, s) => {
    const stage = STAGES[s.stage] === 'hired' || STAGES[s.stage] === 'rejected' ? 0 : s.stage
    h.applications.push((await apply({ ...h, service }, { stage_id: h.stages[stage] })).id)
  },
  inserted: (h, s) => insertApplication(db, h, s),
  insertedWithStep: (h, s) =>
    db.transaction(async tx => {
      const id = await insertApplication(tx, h, s)
      const to = h.stages[s.other % 2 === 0 ? s.other : s.stage]!
      await insertStep(tx, h, s, { id, from: null, to })
    }),
  insertedInOneStatement: async (h, s) => {
    const id = newHandle('application')
    // PostgreSQL runs the part in front last: the step is counted before the application
    await db.query(sql`
      with application as (
        insert into applications (workspace_id, id, job_id, stage_id, source)
        values (${h.workspace}, ${id}, ${h.job.id}, ${h.stages[s.stage]}, 'direct')
      )
      insert into stage_transitions (workspace_id, application_id, to_stage_id, at)
      values (${h.workspace}, ${id}, ${h.stages[s.other]}, ${at(s)}::timestamptz)`)
    h.applications.push(id)
  },
}

const CONTINUE: Record<string, (h: History, s: Step, id: string) => Promise<unknown>> = {
  moved: ({ workspace, stages }, s, id) =>
    act(tx => moveApplication(tx, { workspace, id, stageId: stages[s.stage]!, originKeyId: null })),
  stepped: (h, s, id) =>
    db.transaction(async tx => {
      const from = await stageOf(h.workspace, id)
      const to = h.stages[s.stage]!
      await tx.query(sql`update applications set stage_id = ${to} where workspace_id = ${h.workspace} and id = ${id}`)
      await insertStep(tx, h, s, { id, from, to })
    }),
  twoSteps: async ({ workspace, stages }, s, id) => {
    const from = s.givesType ? await stageOf(workspace, id) : null
    await db.transaction(async tx => {
      await tx.query(sql`
        update applications set stage_id = ${stages[s.stage]} where workspace_id = ${workspace} and id = ${id}`)
      await tx.query(sql`
        insert into stage_transitions (workspace_id, application_id, from_stage_id, to_stage_id, at)
        values (${workspace}, ${id}, ${from}, ${stages[s.other]}, ${at(s)}::timestamptz),
          (${workspace}, ${id}, ${from}, ${stages[s.stage]}, ${at(s)}::timestamptz + interval '90 minutes')`)
    })
  },
  firstAgain: async (h, s, id) => insertStep(db, h, s, { id, from: null, to: await stageOf(h.workspace, id) }),
  toUnknownStage: async ({ workspace }, s, id) =>
    db.query(sql`
      insert into stage_transitions (workspace_id, application_id, from_stage_id, to_stage_id, at)
      values (${workspace}, ${id}, ${await stageOf(workspace, id)}, ${newHandle('pipeline_stage')}, ${at(s)}::timestamptz)`),
  rejected: ({ workspace }, _, id) =>
    act(tx => rejectApplication(tx, { workspace, id, reason: 'no', originKeyId: null })),
  reopened: ({ workspace }, _, id) => act(tx => reopenApplication(tx, { workspace, id, originKeyId: null })),
  hired: ({ workspace }, _, id) => act(tx => hireApplication(tx, { workspace, id, originKeyId: null })),
  withdrawn: ({ workspace }, _, id) => act(tx => withdrawApplication(tx, workspace, id)),
  // without a step: an application that has none counts in its stage
  placed: ({ workspace, stages }, s, id) =>
    db.query(sql`
      update applications set stage_id = ${stages[s.stage]}, status = ${s.givesType ? s.status : sql`status`}
      where workspace_id = ${workspace} and id = ${id}`),
  edited: ({ workspace }, s, id) => {
    const changes = [
      sql`source = ${`source ${s.stage}`}`,
      sql`applied_at = ${at(s)}::timestamptz`,
      sql`hired_at = ${at(s)}::timestamptz`,
    ]
    return db.query(sql`
      update applications set ${changes[s.other % 3]!} where workspace_id = ${workspace} and id = ${id}`)
  },
  otherJob: ({ workspace, otherJob }, _, id) =>
    db.query(sql`update applications set job_id = ${otherJob} where workspace_id = ${workspace} and id = ${id}`),
  // a stage in which no application counts by its current type alone
  retyped: ({ workspace, stages }, s) =>
    db.query(sql`
      update pipeline_stages s set type = ${s.type}
      where s.workspace_id = ${workspace} and s.id = ${stages[s.stage]} and not exists (
        select 1 from applications a where a.workspace_id = ${workspace} and a.stage_id = s.id and not exists (
          select 1 from stage_transitions t
          where t.workspace_id = ${workspace} and t.application_id = a.id and t.to_stage_type <> 'rejected'))`),
  deleted: ({ workspace, applications }, _, id) => {
    applications.splice(applications.indexOf(id), 1)
    return db.transaction(tx => deleteApplication(tx, { workspace, id, originKeyId: null }, 'test'))
  },
  addedUp: () => addUpFunnel(db, 3),
}

test('funnel rows: triggers count any history as a full count does, through actions and direct writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async steps => {
      const history = await newHistory()
      const { workspace, applications } = history
      for (const s of steps) {
        const begin = BEGIN[s.act] ?? (applications.length === 0 ? BEGIN['created'] : undefined)
        if (begin) await begin(history, s)
        else await CONTINUE[s.act]!(history, s, applications[s.which % applications.length]!)
        // each time: the next step could count again what this one left wrong
        const { differing } = (await db.one(compareFunnel(workspace)))!
        assert.deepEqual(differing, NOTHING)
      }
    }),
    { numRuns: Number(process.env['HIRING_TEST_RUNS'] ?? 60) },
  )
})

test('funnel rows: a step has the type that its stage has then, given by the writer or looked up', async () => {
  const { workspace, key, job, stages } = await newHistory()
  const { id } = await apply({ service, key, job }, { stage_id: stages[0] })
  await service.post(`/applications/${id}/move`, key, { stage_id: stages[1] })
  // as processes of the last release write it
  await db.query(sql`
    insert into stage_transitions (workspace_id, application_id, from_stage_id, to_stage_id)
    values (${workspace}, ${id}, ${stages[1]}, ${stages[4]})`)
  await service.post(`/applications/${id}/hire`, key)
  await db.query(sql`update pipeline_stages set type = 'custom' where workspace_id = ${workspace}`)
  const types = await db.query(sql<{ type: string }>`
    select to_stage_type as type from stage_transitions
    where workspace_id = ${workspace} and application_id = ${id} order by id`)
  assert.deepEqual(
    types.map(({ type }) => type),
    ['applied', 'interview', 'rejected', 'hired'],
  )
})

test('funnel rows: an application with the handle of one whose retention is over is counted as it is', async () => {
  const { workspace, job, stages } = await newHistory()
  const id = newHandle('application')
  const insert = (stage: string) =>
    db.query(sql`
      insert into applications (workspace_id, id, job_id, stage_id, source)
      values (${workspace}, ${id}, ${job.id}, ${stage}, 'direct')`)
  await insert(stages[0]!)
  await db.query(sql`
    update application_funnel set gone = true where workspace_id = ${workspace} and application_id = ${id}`)
  await db.query(sql`delete from applications where workspace_id = ${workspace} and id = ${id}`)
  await insert(stages[1]!)
  const row = await db.one(sql<{ stages: string[] }>`
    select stages from application_funnel where workspace_id = ${workspace} and application_id = ${id}`)
  assert.deepEqual(row?.stages, [stages[1]])
})
