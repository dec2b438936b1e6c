import { sql } from '../../src/kernel/db/sql.ts'
import { BY_UPDATED, makePage } from '../../src/kernel/http/list.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { emailKey } from '../../src/kernel/text/person-keys.ts'
import { adjustApplicationCount, lockApplicantByEmail, lockPerson } from '../../src/resources/applicants/index.ts'
import { applicantRecord } from '../../src/resources/applicants/shape.ts'
import {
  insertApplicant,
  insertContactValue,
  recordedConsent,
  unmailedAddress,
} from '../../src/resources/applicants/store.ts'
import { insertTransition } from '../../src/resources/applications/history-store.ts'
import { applicationById, selectJobStages } from '../../src/resources/applications/index.ts'
import { applicationShape } from '../../src/resources/applications/shape.ts'
import {
  applicationsPage,
  insertApplication,
  jobForApplying,
  lockApplication,
  moveTo,
} from '../../src/resources/applications/store.ts'
import { contactLists } from '../../src/resources/contact-info/rules.ts'
import { contactValues } from '../../src/resources/contact-info/store.ts'
import { APPLICATIONS, applications, JOBS, REACHABLE } from '../datasets/applications.ts'
import { plainObject } from '../kit/plain-object.ts'
import { type Baseline, prepared, type Run, type Scenario, type ScenarioWorld, UNIQUE } from '../kit/scenario.ts'

const PAGE = 25
const FIRST = makePage(BY_UPDATED, {}, undefined)
const FILTERED = prepared(applicationsPage('', { jobId: 'job_', status: ['new'] }, FIRST))
const SYSTEM = 'bench_ats'

const present = plainObject(applicationShape)
/** The response to a create is the same for all keys. */
const presentCreated = plainObject(applicationShape, { restricted: true })

const list: Baseline = {
  route: '/applications',
  respond: async ({ run, query }) => {
    const workspace = query('workspace_id')!
    const rows = await run(FILTERED, [workspace, query('job_id'), query('status')])
    return {
      object: 'list',
      data: rows.slice(0, PAGE).map(row => present(row, workspace)),
      has_more: rows.length > PAGE,
      // a cursor like the service's, for equal work; no request follows it
      next_cursor: rows.length > PAGE ? Buffer.from(rows[PAGE]!.id).toString('base64url') : null,
    }
  },
}

const single: Baseline = {
  route: '/applications/:application_handle',
  respond: async ({ run, params, query }) => {
    const workspace = query('workspace_id')!
    return present((await run(applicationById(workspace, params['application_handle']!)))[0]!, workspace)
  },
}

const appendEvent = (workspace: string, id: string, type: string, tail: string) => sql`
  insert into outbox (workspace_id, event_id, type, head, tail)
  values (${workspace}, ${id}, ${type}, ${`{"object":"event","id":"${id}","type":"${type}","sequence":`}, ${tail})`

const event = (run: Run, workspace: string, type: string, object: object) =>
  run(appendEvent(workspace, newHandle('event'), type, `,"data":${JSON.stringify({ object })}}`))

/** What is new of a person and an application, with the events; the rules of forms and suppression are left out. */
const create: Baseline = {
  route: '/applications',
  respond: ({ transaction, query, body }) =>
    transaction(async run => {
      const workspace = query('workspace_id')!
      const { first_name, last_name, email } = body.candidate
      const key = emailKey(email)!
      const [job] = await run(jobForApplying(workspace, body.job_id))
      await run(lockPerson(workspace, key))
      const [person] = await run(lockApplicantByEmail(workspace, key))
      const stages = await run(selectJobStages(workspace, job!.id))
      if (person) throw new Error('the person was to be new')
      const applicantId = newHandle('applicant')
      await run(
        insertApplicant({
          workspace,
          id: applicantId,
          origin: 'applicant',
          acquisition: 'partner_api',
          provider: SYSTEM,
          consentBasis: 'candidate_submitted',
          details: {
            ...applicantRecord.merge(undefined, { first_name, last_name, email }),
            full_name: `${first_name} ${last_name}`,
            email_key: key,
            linkedin_key: null,
          },
        }),
      )
      await run(insertContactValue(workspace, applicantId, 'email', email))
      await event(run, workspace, 'applicant.created', { object: 'applicant', id: applicantId })
      const [made] = await run(
        insertApplication({
          workspace,
          id: newHandle('application'),
          jobId: job!.id,
          applicantId,
          stageId: stages[0]!.id,
          status: 'new',
          source: `partner_api:${SYSTEM}`,
          sourceSystem: SYSTEM,
          sourceExternalId: null,
          hasResume: false,
          voiceScreeningOptedOut: false,
          screeningPhone: null,
          unproved: false,
          appliedAt: null,
        }),
      )
      await run(insertTransition({ workspace, id: made!.id, at: made!.applied_at, author: 'bench' }, null, stages[0]!))
      await run(adjustApplicationCount(workspace, applicantId, 1))
      const created = presentCreated(made!, workspace)
      const { links: _, ...shown } = created
      await event(run, workspace, 'application.created', shown)
      return created
    }),
}

const move: Baseline = {
  route: '/applications/:application_handle/move',
  respond: ({ transaction, params, query, body }) =>
    transaction(async run => {
      const workspace = query('workspace_id')!
      const id = params['application_handle']!
      const [before] = await run(lockApplication(workspace, id))
      if (before!.stage_id === body.stage_id) return present(before!, workspace)
      const stages = await run(selectJobStages(workspace, before!.job_id))
      const stage = stages.find(({ id }) => id === body.stage_id)
      if (!stage) throw new Error('not a stage of the job')
      const [moved] = await run(moveTo(workspace, id, stage.id))
      await run(insertTransition({ workspace, id, at: moved!.updated_at, author: 'bench' }, before!.stage_id, stage))
      await event(run, workspace, 'application.stage_changed', {
        object: 'application',
        id,
        stage_id: moved!.stage_id,
        origin: 'api:bench',
      })
      return present(moved!, workspace)
    }),
}

const someKeys = () => sql<{ id: string }>`select id from api_keys order by id`
const audit = (workspace: string, key: string, subject: string, fields: readonly string[]) => sql`
  with charged as (
    insert into personal_data_usage as u (workspace_id, key_id, day, used)
    values (${workspace}, ${key}, app_now()::date, ${fields.length}::integer)
    on conflict (workspace_id, key_id, day) do update set used = u.used + excluded.used returning used
  )
  insert into personal_data_reads (workspace_id, key_id, subject_object, subject_id, field, units, request_id)
  select ${workspace}, ${key}, 'applicant', ${subject}, f, 1, 'req_bench' from charged, unnest(${fields}::text[]) as f`

let keyIds: string[] | undefined
let asked = 0

/** The values, a counter for each key, and a row for every value that is shown. */
const contact: Baseline = {
  route: '/applicants/:applicant_handle/contact-info',
  respond: async ({ run, transaction, params, query }) => {
    keyIds ??= (await run(someKeys())).map(row => row.id)
    const key = keyIds[asked++ % keyIds.length]!
    return transaction(async inside => {
      const workspace = query('workspace_id')!
      const id = params['applicant_handle']!
      const [consent] = await inside(recordedConsent(workspace, id))
      const [unmailed] = await inside(unmailedAddress(workspace, consent!.email_key!))
      const values = await inside(contactValues(workspace, 'applicant', [id]))
      await inside(
        audit(
          workspace,
          key,
          id,
          values.map(value => value.field),
        ),
      )
      return {
        object: 'contact_info',
        subject: { object: 'applicant', id },
        ...contactLists(workspace, values),
        unsubscribed: consent!.unsubscribed || unmailed !== undefined,
      }
    })
  },
}

const ids = async (db: ScenarioWorld['db'], table: string, count: number) =>
  (await db.query<{ id: string }>(`select id from ${table} order by id limit $1`, [count])).rows.map(row => row.id)

async function pages({ db, keys, workspace }: ScenarioWorld, more = '') {
  const jobs = await ids(db, 'jobs', JOBS)
  return keys.map((key, i) => ({
    key,
    path: `/applications?workspace_id=${workspace}&job_id=${jobs[i % JOBS]}&status=new${more}`,
  }))
}

async function singles({ db, keys, workspace }: ScenarioWorld) {
  const { rows } = await db.query<{ id: string }>('select id from applications order by md5(id) limit $1', [
    keys.length,
  ])
  return rows.map(({ id }, i) => ({ key: keys[i]!, path: `/applications/${id}?workspace_id=${workspace}` }))
}

async function contacts({ db, keys, workspace }: ScenarioWorld) {
  const some = await ids(db, 'applicants', REACHABLE)
  return keys.map((key, i) => ({
    key,
    path: `/applicants/${some[(i * 17) % REACHABLE]}/contact-info?workspace_id=${workspace}`,
  }))
}

/** Each application to its second stage, then each back to its first; the baseline has others, of the same jobs. */
async function moves({ db, keys, workspace }: ScenarioWorld) {
  const { rows } = await db.query<{ id: string; stages: string[] }>(
    `select a.id, array(select s.id::text from pipeline_stages s where s.workspace_id = a.workspace_id and s.job_id = a.job_id
       order by position limit 2) as stages
     from applications a order by a.id limit $1`,
    [2 * keys.length],
  )
  const path = (at: number) => `/applications/${rows[at]!.id}/move?workspace_id=${workspace}`
  const to = (stage: 0 | 1) =>
    keys.map((key, i) => ({
      key,
      method: 'POST' as const,
      path: path(i),
      baselinePath: path(keys.length + i),
      body: { stage_id: rows[i]!.stages[stage] },
    }))
  return [...to(1), ...to(0)]
}

async function newApplications({ db, keys, workspace }: ScenarioWorld) {
  const jobs = await ids(db, 'jobs', JOBS)
  return keys.map((key, i) => ({
    key,
    method: 'POST' as const,
    path: `/applications?workspace_id=${workspace}`,
    body: {
      job_id: jobs[i % JOBS],
      candidate: { first_name: 'New', last_name: 'Person', email: `new-${UNIQUE}@people.example` },
      source: { system: SYSTEM },
    },
  }))
}

const common = { dataset: applications, servers: ['fastify', 'service'] } as const
const NEW = ['id', 'applicant_id', 'applied_at', 'updated_at', 'links']

export const scenarios: Scenario[] = [
  {
    ...common,
    name: `applications list of 25 with filters, ${APPLICATIONS} applications`,
    requests: pages,
    baseline: list,
  },
  ...[
    ['plain', ''],
    ['with applicant and score', '&include=applicant,score'],
    ['with applicant, score and stage', '&include=applicant,score,stage'],
    ['best scores first', '&sort=score'],
  ].map(([what, more]) => ({
    ...common,
    servers: ['service'] as const,
    name: `applications list of 100, ${what}`,
    requests: (world: ScenarioWorld) => pages(world, `&limit=100${more}`),
    group: 'include',
  })),
  { ...common, name: 'single application', requests: singles, baseline: single },
  { ...common, name: 'contact info of an applicant, audited', requests: contacts, baseline: contact },
  { ...common, name: 'move of an application', requests: moves, baseline: move, differing: NEW },
  // last, since it makes the tables larger
  {
    ...common,
    name: 'creation of an application',
    requests: newApplications,
    baseline: create,
    status: 201,
    differing: NEW,
  },
]
