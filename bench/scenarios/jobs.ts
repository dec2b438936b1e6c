import { sql } from '../../src/kernel/db/sql.ts'
import { BY_UPDATED, makePage } from '../../src/kernel/http/list.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { slugify } from '../../src/kernel/text/slug.ts'
import { defaultStages } from '../../src/resources/jobs/defaults.ts'
import { changesBetween, merge, pushBody } from '../../src/resources/jobs/fields.ts'
import { listJobs, toJob, toJobRow } from '../../src/resources/jobs/index.ts'
import { searchQuery } from '../../src/resources/jobs/search-query.ts'
import { searchJobs, searchWords } from '../../src/resources/jobs/search-store.ts'
import { writeStages } from '../../src/resources/jobs/sections-store.ts'
import { jobRecord, jobRowShape, jobShape } from '../../src/resources/jobs/shape.ts'
import { applicationCount, insertJob, jobById, lockJob, pushedJob } from '../../src/resources/jobs/store.ts'
import { DEPARTMENTS, jobs, PARTNER, RARE, SKILLS } from '../datasets/jobs.ts'
import { plainObject } from '../kit/plain-object.ts'
import { type Baseline, prepared, type Run, type Scenario, type ScenarioWorld, UNIQUE } from '../kit/scenario.ts'

const PAGE = 25
const FIRST = makePage(BY_UPDATED, {}, undefined)
const FILTERED = prepared(listJobs('', { statuses: ['published'], department: '' }, FIRST))

const presentRow = plainObject(jobRowShape)
const presentJob = plainObject(jobShape)

/** The workspaces of the benchmark have no careers site, so no row has a URL of it. */
const NO_SITE = null

const page = (rows: ReturnType<typeof toJobRow>[], workspace: string) => ({
  object: 'list',
  data: rows.slice(0, PAGE).map(job => presentRow(job, workspace)),
  has_more: rows.length > PAGE,
  // a cursor like the service's, for equal work; no request follows it
  next_cursor: rows.length > PAGE ? Buffer.from(rows[PAGE]!.id).toString('base64url') : null,
})

const list: Baseline = {
  route: '/jobs',
  respond: async ({ run, query }) => {
    const workspace = query('workspace_id')!
    return page(
      (await run(FILTERED, [workspace, query('status'), query('department')])).map(row => toJobRow(row, NO_SITE)),
      workspace,
    )
  },
}

/** The words are looked up and the query is made as the service does it; only misspelt words are not cared for. */
const search: Baseline = {
  route: '/jobs',
  respond: async ({ run, query }) => {
    const workspace = query('workspace_id')!
    const words = await run(searchWords(workspace, query('q')!))
    const asked = searchQuery(words, { similar: new Map() })!
    const found = await run(searchJobs(workspace, asked, { statuses: ['published', 'closed'] }, FIRST))
    return page(
      found.map(row => toJobRow(row, NO_SITE)),
      workspace,
    )
  },
}

async function single(run: Run, workspace: string, id: string) {
  const [found] = await run(jobById(workspace, id))
  const [count] = await run(applicationCount(workspace, id))
  // PostgreSQL counts in numbers that `pg` reads as text
  const job = toJob({ ...found!, application_count: Number(count!.application_count) }, NO_SITE)
  return presentJob(job, workspace)
}

const appendEvent = (workspace: string, id: string, head: string, tail: string) => sql`
  insert into outbox (workspace_id, event_id, type, head, tail)
  values (${workspace}, ${id}, 'job.updated', ${head}, ${tail})`

/** The pushed job is locked, or made with its stages and its event; then it is read. */
const push = (): Baseline => ({
  route: '/jobs',
  respond: ({ transaction, query, body }) =>
    transaction(async run => {
      const workspace = query('workspace_id')!
      const { system, external_id: externalId } = body.source
      const [seen] = await run(pushedJob({ workspace, system, externalId }))
      const [known] = seen ? await run(lockJob(workspace, seen.id)) : []
      const fields = merge(known, body)
      if (known) {
        if (changesBetween(known, fields).changed.length > 0) throw new Error('the job was to stay as it is')
        return single(run, workspace, known.id)
      }
      const id = newHandle('job')
      const code = () => String(Math.floor(Math.random() * 1_000_000)).padStart(6, '0')
      const [made] = await run(
        insertJob({
          workspace,
          id,
          slug: slugify(fields.title, 'job'),
          slugSuffix: id.slice(-8),
          status: 'draft',
          system,
          externalId,
          pushed: true,
          dialInCodes: [code(), code(), code()],
          fields,
        }),
      )
      await run(writeStages(workspace, id, defaultStages()))
      const eventId = newHandle('event')
      const changed = changesBetween(undefined, fields).changed
      const object = {
        object: 'job',
        id,
        workspace_id: workspace,
        updated_at: made!.updated_at,
        status: 'draft',
        changed,
      }
      const head = `{"object":"event","id":"${eventId}","type":"job.updated","sequence":`
      await run(appendEvent(workspace, eventId, head, `,"data":${JSON.stringify({ object })}}`))
      return single(run, workspace, id)
    }),
})

/** A read for each key, with parameters of its own. */
const forEachKey =
  (params: (i: number) => string) =>
  ({ keys, workspace }: ScenarioWorld) =>
    keys.map((key, i) => ({ key, path: `/jobs?workspace_id=${workspace}${params(i)}` }))

const departments = (i: number) => `&status=published&department=${DEPARTMENTS[i % DEPARTMENTS.length]}`

/** A frequent word, two of them, a beginning, a rare word. */
function words(i: number): string {
  const skill = SKILLS[i % SKILLS.length]!
  const searches = [skill, `senior ${skill}`, skill.slice(0, 4), `x${(i * 7) % RARE}`]
  return `&q=${encodeURIComponent(searches[i % searches.length]!.toLowerCase())}`
}

const newJobs = ({ keys, workspace }: ScenarioWorld) =>
  keys.map((key, i) => ({
    key,
    method: 'POST' as const,
    path: `/jobs?workspace_id=${workspace}`,
    body: {
      source: { system: PARTNER, external_id: `new-${UNIQUE}`, company_name: 'Bench' },
      title: `Senior ${SKILLS[i % SKILLS.length]} Engineer ${i}`,
      department: DEPARTMENTS[i % DEPARTMENTS.length],
      employment_type: 'full_time',
      location_type: 'hybrid',
      locations: ['Berlin', 'Lisbon'],
      compensation: { salary_min: 50_000, salary_max: 70_000, currency: 'EUR', interval: 'annual' },
      content: {
        summary: `Works on ${SKILLS[i % SKILLS.length]} in a small team.`,
        description_md: 'You join a small team that owns its part of the product. '.repeat(10),
        skills_required: [SKILLS[i % SKILLS.length], SKILLS[(i + 7) % SKILLS.length]],
      },
    },
  }))

/** Every key pushes another job as it is, with every field that a push can set. */
async function sameJobs({ db, keys, workspace }: ScenarioWorld) {
  const { rows } = await db.query(
    `select * from jobs where workspace_id = $1 and source_system = $2 and source_external_id like 'seed-%'
     order by md5(id) limit $3`,
    [workspace, PARTNER, keys.length],
  )
  return rows.map((job, i) => ({
    key: keys[i]!,
    method: 'POST' as const,
    path: `/jobs?workspace_id=${workspace}`,
    body: pushOf(job),
  }))
}

function pushOf(job: Record<string, unknown>) {
  const body: Record<string, Record<string, unknown>> = {
    source: { system: PARTNER, external_id: job['source_external_id'] },
  }
  for (const column of jobRecord.written) {
    const [name, member] = jobRecord.pathOf(column).split('.') as [string, string?]
    if (!(name in pushBody.properties)) continue
    if (member === undefined) Object.assign(body, { [name]: job[column] })
    else body[name] = { ...body[name], [member]: job[column] }
  }
  return body
}

const common = { dataset: jobs, servers: ['fastify', 'service'] } as const

export const scenarios: Scenario[] = [
  { ...common, name: 'jobs list of 25 with filters', requests: forEachKey(departments), baseline: list },
  { ...common, name: 'jobs full-text search', requests: forEachKey(words), baseline: search },
  { ...common, name: 'push of an unchanged job', requests: sameJobs, baseline: push() },
  // last, since it makes the table larger
  {
    ...common,
    name: 'push of a new job',
    requests: newJobs,
    baseline: push(),
    status: 201,
    differing: ['id', 'slug', 'external_id', 'created_at', 'updated_at', 'links', 'dial_in_code'],
  },
]
