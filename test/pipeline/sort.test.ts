import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { apply, newTenant, sharedWorld } from '../applications/setup.ts'
import { nextInstant } from '../harness/next-instant.ts'

const { service } = await sharedWorld()
const { db } = service.services
type Tenant = Awaited<ReturnType<typeof newTenant>>

const score = ({ workspace }: Tenant, application: string, percent: number) =>
  db.query(sql`
    insert into application_scores (workspace_id, application_id, match_pct, gaps, rationale, model_version)
    values (${workspace}, ${application}, ${percent}, '[]', null, 'rules-1')`)

/** Every row of a list, page by page. */
async function readAll({ key }: Tenant, path: string, limit = 3) {
  // biome-ignore lint/suspicious/noExplicitAny: rows of any list
  const rows: any[] = []
  let cursor = ''
  do {
    const { status, body, text } = await service.get(`${path}&limit=${limit}${cursor && `&cursor=${cursor}`}`, key)
    assert.equal(status, 200, text)
    rows.push(...body.data)
    cursor = body.next_cursor ?? ''
  } while (cursor)
  return rows
}

const faultsOf = async ({ key }: Tenant, path: string) => {
  const { status, body } = await service.get(path, key)
  assert.equal(status, 400, path)
  return body.detail.errors.map((fault: { param: string; message: string }) => `${fault.param} ${fault.message}`)
}

test('sort=score: applications of a job, best match first, those without a score last, none twice, none missed', async () => {
  const own = await newTenant(service)
  const scores = [40, null, 90, 90, 10, null, 70, 0]
  const made: string[] = []
  for (const percent of scores) {
    const { id } = await apply({ service, ...own })
    made.push(id)
    if (percent !== null) await score(own, id, percent)
  }
  for (const path of [`/jobs/${own.job.id}/applications?sort=score`, `/applications?job_id=${own.job.id}&sort=score`]) {
    const rows = await readAll(own, `${path}&include=score`)
    assert.deepEqual(
      rows.map(row => row.included.score?.match_pct ?? null),
      [90, 90, 70, 40, 10, 0, null, null],
    )
    assert.deepEqual(new Set(rows.map(row => row.id)), new Set(made))
  }
  const best = await readAll(own, `/jobs/${own.job.id}/applications?sort=score&min_score=40&status=new,in_review`)
  assert.equal(best.length, 4)
  assert.ok(!('score' in best[0]))
  assert.equal((await readAll(own, `/applications?job_id=${own.job.id}&min_score=90`)).length, 2)
})

test('sort=score: a person whose processing was stopped counts as without a score, and min_score leaves them out', async () => {
  const own = await newTenant(service)
  const stopped = await apply({ service, ...own })
  const other = await apply({ service, ...own })
  await score(own, stopped.id, 99)
  await score(own, other.id, 1)
  await db.query(sql`
    update applicants set suppressed_at = app_now()
    where workspace_id = ${own.workspace} and id = ${stopped.applicant_id}`)
  const path = `/jobs/${own.job.id}/applications?sort=score`
  assert.deepEqual(
    (await readAll(own, path)).map(row => row.id),
    [other.id, stopped.id],
  )
  assert.deepEqual(
    (await readAll(own, `${path}&min_score=0`)).map(row => row.id),
    [other.id],
  )
})

test('sort=applied_at: applications of a job in the order in which they arrived, newest first or last', async () => {
  const own = await newTenant(service)
  const made: string[] = []
  for (let i = 0; i < 4; i++) made.push((await apply({ service, ...own })).id)
  await service.post(`/applications/${made[0]}/reject`, own.key, { reason: 'no' })
  const ids = async (query: string) =>
    (await readAll(own, `/jobs/${own.job.id}/applications?${query}`)).map(row => row.id)
  assert.deepEqual(await ids('sort=applied_at'), made.toReversed())
  assert.deepEqual(await ids('sort=applied_at&order=asc'), made)
  assert.equal((await ids('sort=updated_at'))[0], made[0])
  assert.deepEqual(await ids('sort=updated_at'), await ids(''))
})

test('sort: 400 says what it needs and what it does not go with; a cursor belongs to its sort', async () => {
  const own = await newTenant(service)
  for (let i = 0; i < 2; i++) await apply({ service, ...own })
  assert.deepEqual(await faultsOf(own, '/applications?sort=score'), ['sort score needs job_id'])
  assert.deepEqual(await faultsOf(own, '/applications?sort=applied_at'), ['sort applied_at needs job_id'])
  assert.deepEqual(await faultsOf(own, '/applications?min_score=5'), ['min_score needs job_id'])
  const path = `/jobs/${own.job.id}/applications`
  assert.deepEqual(await faultsOf(own, `${path}?sort=score&order=asc`), ['order cannot be combined with sort=score'])
  assert.deepEqual(await faultsOf(own, `${path}?sort=name`), ['sort must be one of updated_at, applied_at, score'])
  assert.deepEqual(await faultsOf(own, `${path}?min_score=101`), ['min_score must be a whole number from 0 to 100'])
  assert.deepEqual(await faultsOf(own, '/jobs?sort=relevance'), ['sort relevance needs q'])
  assert.deepEqual(await faultsOf(own, '/sourced-profiles?sort=relevance&order=asc'), [
    'sort relevance needs q',
    'order cannot be combined with sort=relevance',
  ])
  const { body } = await service.get(`${path}?sort=score&limit=1`, own.key)
  const other = await service.get(`${path}?sort=applied_at&limit=1&cursor=${body.next_cursor}`, own.key)
  assert.deepEqual([other.status, other.body.detail.code], [400, 'invalid_cursor'])
})

const push = async ({ key }: Tenant, title: string, content: object = {}) => {
  await nextInstant(db)
  const made = await service.post('/jobs', key, {
    source: { system: 'acme_ats', external_id: newHandle('job') },
    title,
    content: { summary: 'A job.', ...content },
    publish: true,
  })
  assert.equal(made.status, 201, made.text)
  return made.body
}

test('sort=relevance: jobs with exactly this title first, then all words in the title, then by rank, then the newest', async () => {
  const own = await newTenant(service)
  await push(own, 'Perception engineer')
  await push(own, 'Senior perception engineer')
  await push(own, 'Data analyst', { summary: 'Works with a perception engineer.' })
  await push(own, 'Team lead', { skills_required: ['perception', 'engineer'] })
  await push(own, 'Perception engineers, all levels')
  const path = '/jobs?q=perception+engineer'
  const titles = (await readAll(own, `${path}&sort=relevance`, 2)).map(row => row.title)
  assert.equal(titles[0], 'Perception engineer')
  assert.deepEqual(
    new Set(titles.slice(1, 3)),
    new Set(['Senior perception engineer', 'Perception engineers, all levels']),
  )
  assert.deepEqual(titles.slice(3), ['Team lead', 'Data analyst'])
  assert.deepEqual(
    (await readAll(own, path)).map(row => row.title),
    [
      'Perception engineers, all levels',
      'Team lead',
      'Data analyst',
      'Senior perception engineer',
      'Perception engineer',
    ],
  )
  const misspelt = await readAll(own, '/jobs?q=perceptoin+engineer&sort=relevance')
  assert.equal(misspelt.length, 5)
  const [{ updated_at }] = await readAll(own, '/jobs?q=analyst')
  const later = await readAll(own, `${path}&sort=relevance&updated_after=${updated_at}`)
  assert.deepEqual(
    later.map(row => row.title),
    ['Perception engineers, all levels', 'Team lead'],
  )
})

test('sort=relevance: sourced profiles with exactly this name first, then names, titles and companies that have it', async () => {
  const own = await newTenant(service)
  const people = [
    ['Kim', 'Engineer', null],
    ['Lee Kim', null, null],
    ['Ana', 'Kim expert', null],
    ['Kimberly Stone', null, null],
    ['Bo', null, 'Kim & Sons'],
  ] as const
  for (const [name, title, company] of people) {
    await db.query(sql`
      insert into sourced_profiles (workspace_id, id, full_name, job_title, company_name, origin, acquisition)
      values (${own.workspace}, ${newHandle('sourced_profile')}, ${name}, ${title}, ${company}, 'import', 'import')`)
    await nextInstant(db)
  }
  const names = async (path: string) => (await readAll(own, path, 2)).map(row => row.full_name)
  assert.deepEqual(await names('/sourced-profiles?q=kim&sort=relevance'), [
    'Kim',
    'Kimberly Stone',
    'Lee Kim',
    'Ana',
    'Bo',
  ])
  assert.deepEqual(await names('/sourced-profiles?q=kim'), ['Bo', 'Kimberly Stone', 'Ana', 'Lee Kim', 'Kim'])
})

test('sort=relevance: 400 result_window_exceeded after a thousand rows', async () => {
  const own = await newTenant(service)
  await db.query(sql`
    insert into sourced_profiles (workspace_id, id, full_name, origin, acquisition)
    select ${own.workspace}, 'cnd_1m8x2c4e6g8j' || to_char(n, 'FM00000000'), 'Kim ' || n, 'import', 'import'
    from generate_series(1, 1003) n`)
  const rows = []
  let cursor = ''
  for (;;) {
    const path = `/sourced-profiles?q=kim&sort=relevance&limit=100${cursor && `&cursor=${cursor}`}`
    const { status, body } = await service.get(path, own.key)
    if (status === 400) {
      assert.equal(body.detail.code, 'result_window_exceeded')
      assert.match(body.detail.message, /ends after 1000 rows/)
      break
    }
    rows.push(...body.data)
    cursor = body.next_cursor
  }
  assert.equal(rows.length, 1000)
  assert.equal(new Set(rows.map(row => row.id)).size, 1000)
})
