import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Role } from '../../src/contract/scopes.ts'
import { ROLE_SCOPES } from '../../src/contract/scopes.ts'
import type { Database } from '../../src/kernel/db/database.ts'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import { makePage } from '../../src/kernel/http/list.ts'
import {
  BY_APPLIED,
  boardCards,
  boardCardsById,
  boardCounts,
  boardNeighbors,
} from '../../src/resources/applications/index.ts'
import { apply, type Job, newJob, newTenant, readEvents, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { explain, listPlanNodes } from '../harness/plans.ts'
import { seedBoard } from './seed-board.ts'

let world: World
let db: Database
const people = {} as Record<Role, Person>

before(async () => {
  world = await sharedWorld()
  db = world.service.services.db
  for (const role of ['owner', 'admin', 'member', 'viewer'] as const)
    people[role] = await signedIn(world.service, world.workspace, { role, program: 'hiring' })
})

/** A job of its own, with three people who applied one after the other. */
async function boardOfThree() {
  const job = await newJob(world.service, world.workspace)
  const own = { ...world, job }
  const ada = await apply(own, {}, { first_name: 'Ada', last_name: 'Lovelace' })
  const grace = await apply(own, {}, { first_name: 'Grace', last_name: 'Hopper' })
  const alan = await apply(own, { stage_id: job.stages[1] }, { first_name: 'Alan', last_name: 'Turing' })
  return { job, ada, grace, alan }
}

const namesOf = async (person: Person, job: Job, query = '') => {
  const { status, body, text } = await person.get(`/jobs/${job.id}/board/cards${query}`)
  assert.equal(status, 200, text)
  return body.data.map((card: { name: string }) => card.name)
}

test('GET /jobs/{id}/board/cards: 200 by score or time in stage, page by page; neighbors follow the same order', async () => {
  const job = await newJob(world.service, world.workspace)
  const own = { ...world, job }
  const names = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara']
  const ids: Record<string, string> = {}
  for (const first_name of names) ids[first_name] = (await apply(own, {}, { first_name, last_name: 'X' })).id
  const score = (name: string, pct: number) =>
    db.query(sql`insert into application_scores (workspace_id, application_id, match_pct, gaps, model_version)
      values (${world.workspace}, ${ids[name]!}, ${pct}, '[]', 'v')`)
  await score('Ada', 40)
  await score('Grace', 90)
  await score('Alan', 70)
  await score('Edsger', 99)
  // the score of a person whose processing was stopped counts for nothing
  await db.query(sql`update applicants set suppressed_at = app_now() where workspace_id = ${world.workspace}
    and id = (select applicant_id from applications where id = ${ids['Edsger']!})`)
  const paged = async (query: string) => {
    const found: string[] = []
    let cursor = ''
    do {
      const { body, text } = await people.member.get(`/jobs/${job.id}/board/cards?limit=2&${query}${cursor}`)
      assert.ok(body.data, text)
      found.push(...body.data.map((card: { id: string }) => names.find(name => ids[name] === card.id)!))
      cursor = body.next_cursor === null ? '' : `&cursor=${encodeURIComponent(body.next_cursor)}`
    } while (cursor !== '')
    return found
  }
  const byScore = await paged('sort=score')
  assert.deepEqual(byScore.slice(0, 3), ['Grace', 'Alan', 'Ada'])
  assert.deepEqual(byScore.slice(3).sort(), ['Barbara', 'Edsger'])
  // Ada was moved last, and Grace is in the stage since she applied
  await people.member.post(`/v1/applications/${ids['Ada']}/move`, { stage_id: job.stages[1] })
  const byTime = await paged('sort=time_in_stage')
  assert.deepEqual([byTime[0], byTime.at(-1)], ['Grace', 'Ada'])
  assert.deepEqual(await paged(`sort=time_in_stage&stage_id=${job.stages[1]}`), ['Ada'])
  for (const [sort, order] of [
    ['score', byScore],
    ['time_in_stage', byTime],
  ] as const) {
    for (const [i, name] of order.entries()) {
      const { body } = await people.member.get(`/jobs/${job.id}/board/neighbors/${ids[name]}?sort=${sort}`)
      assert.deepEqual(
        body,
        { previous: ids[order[i - 1]!] ?? null, next: ids[order[i + 1]!] ?? null },
        `${sort} ${name}`,
      )
    }
  }
  assert.equal((await people.member.get(`/jobs/${job.id}/board/cards?sort=name`)).status, 400)
})

test('GET /jobs/{id}/board/selection: 200 with every application that the filters leave; 403 for a viewer, 404 elsewhere', async () => {
  const job = await newJob(world.service, world.workspace)
  await seedBoard(db, world.workspace, job, 300)
  const { body: board } = await people.member.get(`/jobs/${job.id}/board`)
  const path = `/jobs/${job.id}/board/selection?stage_id=${job.stages[0]}`
  const { status, body } = await people.member.get(path)
  assert.equal(status, 200)
  assert.equal(body.applications.length, board.stages[0].count)
  assert.ok(body.applications.every((one: { stage_id: string }) => one.stage_id === job.stages[0]))
  assert.deepEqual(Object.keys(body.applications[0]).sort(), ['id', 'stage_id', 'status', 'stopped'])
  assert.ok(body.applications.every((one: { stopped: boolean }) => !one.stopped))
  const [{ id: stopped }] = body.applications
  await db.query(sql`update applicants set suppressed_at = app_now() where workspace_id = ${world.workspace}
    and id = (select applicant_id from applications where id = ${stopped})`)
  const again = await people.member.get(path)
  assert.deepEqual(
    again.body.applications.filter((one: { stopped: boolean }) => one.stopped).map((one: { id: string }) => one.id),
    [stopped],
  )
  const rejected = await people.member.get(`${path}&status=rejected`)
  assert.ok(rejected.body.applications.every((one: { status: string }) => one.status === 'rejected'))
  assert.equal((await people.viewer.get(path)).status, 403)
  const other = await newTenant(world.service)
  const stranger = await signedIn(world.service, other.workspace, { role: 'owner', program: 'hiring' })
  assert.equal((await stranger.get(path)).status, 404)
})

test('GET /jobs/{id}/board: 200 with exact counts by stage, status and source; open applications unless asked', async () => {
  const { job, grace } = await boardOfThree()
  const rejected = await people.member.post(`/v1/applications/${grace.id}/reject`, { reason: 'Later.' })
  assert.equal(rejected.status, 200, rejected.text)
  const { status, body } = await people.member.get(`/jobs/${job.id}/board`)
  assert.equal(status, 200)
  assert.deepEqual(body.job, { id: job.id, title: 'Engineer', status: 'published' })
  assert.deepEqual(
    body.stages.map((stage: { name: string; count: number }) => [stage.name, stage.count]),
    [
      ['Applied', 1],
      ['Screen', 1],
      ['Interview', 0],
      ['Hired', 0],
      ['Rejected', 0],
    ],
  )
  assert.deepEqual(
    body.statuses.filter(({ count }: { count: number }) => count > 0),
    [
      { status: 'new', count: 2 },
      { status: 'rejected', count: 1 },
    ],
  )
  assert.deepEqual(body.sources, [{ source: 'partner_api:acme_ats', count: 2 }])
  assert.deepEqual(await namesOf(people.member, job), ['Alan Turing', 'Ada Lovelace'])
  assert.deepEqual(await namesOf(people.member, job, '?status=rejected'), ['Grace Hopper'])
  assert.deepEqual(await namesOf(people.member, job, `?stage_id=${job.stages[0]}&status=new,rejected`), [
    'Grace Hopper',
    'Ada Lovelace',
  ])
})

test('GET /jobs/{id}/board/cards: a role without applicants:read gets no names, and no search or filter that tells them', async () => {
  const { job, ada } = await boardOfThree()
  for (const role of ['owner', 'admin', 'member', 'viewer'] as const) {
    const { status, body } = await people[role].get(`/jobs/${job.id}/board/cards`)
    assert.equal(status, 200)
    const named = ROLE_SCOPES[role].includes('applicants:read')
    assert.equal(named, role !== 'viewer')
    for (const card of body.data) assert.equal('name' in card, named, role)
    const card = body.data.find(({ id }: { id: string }) => id === ada.id)
    assert.deepEqual(
      Object.keys(card).filter(name => name !== 'name'),
      [
        'id',
        'stage_id',
        'status',
        'source',
        'applied_at',
        'updated_at',
        'in_stage_since',
        'score',
        'stopped',
        'resume',
        'owner',
        'tags',
        'check',
        'next_interview_at',
      ],
    )
    for (const query of ['?q=ada', '?skills=sql']) {
      for (const path of ['board', 'board/cards', `board/neighbors/${ada.id}`]) {
        const found = await people[role].get(`/jobs/${job.id}/${path}${query}`)
        assert.equal(found.status, named ? 200 : 403, `${role} ${path}${query}`)
      }
    }
  }
  const change = { id: ada.id, action: 'move', stage_id: job.stages[1] }
  const refused = await people.viewer.post('/applications/changes', { changes: [change] })
  assert.deepEqual([refused.status, refused.body.detail.code], [403, 'role_required'])
})

test('GET /jobs/{id}/board: filters by name, score, source, skills, date and résumé, in counts as in cards', async () => {
  const { job, ada, grace, alan } = await boardOfThree()
  await db.query(sql`
    insert into application_scores (workspace_id, application_id, match_pct, model_version)
    values (${world.workspace}, ${ada.id}, 90, 'v'), (${world.workspace}, ${grace.id}, 60, 'v')`)
  await db.query(sql`update applications set has_resume = true, parse_status = 'parsed' where id = ${ada.id}`)
  await db.query(sql`update applications set source = 'public_board' where id = ${alan.id}`)
  await db.query(sql`
    insert into resumes (workspace_id, id, application_id, filename, mime, bytes, blob_key, parse_status, parsed)
    values (${world.workspace}, 'res_0000000000000000000000001', ${ada.id}, 'a.pdf', 'application/pdf', 1, 'x', 'parsed',
      '{"skills": ["TypeScript", "SQL"]}')`)
  const expectations: [query: string, names: string[]][] = [
    ['q=lov%20ADA', ['Ada Lovelace']],
    ['q=%25', []],
    ['score_from=60', ['Grace Hopper', 'Ada Lovelace']],
    ['score_from=61', ['Ada Lovelace']],
    ['source=public_board', ['Alan Turing']],
    ['skills=sql,typescript', ['Ada Lovelace']],
    ['skills=sql,cobol', []],
    ['has_resume=true', ['Ada Lovelace']],
    ['has_resume=false', ['Alan Turing', 'Grace Hopper']],
    [`applied_after=${grace.applied_at}`, ['Alan Turing', 'Grace Hopper']],
    [`applied_before=${grace.applied_at}`, ['Ada Lovelace']],
  ]
  for (const [query, names] of expectations) {
    assert.deepEqual(await namesOf(people.owner, job, `?${query}`), names, query)
    const { body } = await people.owner.get(`/jobs/${job.id}/board?${query}`)
    const counted = body.stages.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
    assert.equal(counted, names.length, query)
  }
  const [card] = (await people.owner.get(`/jobs/${job.id}/board/cards?ids=${ada.id}`)).body.data
  assert.deepEqual([card.score, card.resume], [90, { parse_status: 'parsed', access: 'open' }])
  for (const query of [
    'score_from=101',
    'status=gone',
    'nothing=1',
    `q=${'a%20'.repeat(3)}${'abcdefghijk'.split('').join('%20')}`,
  ])
    assert.equal((await people.owner.get(`/jobs/${job.id}/board?${query}`)).status, 400, query)
})

test('GET /jobs/{id}/board: the score and skills of a person whose processing was stopped are neither shown nor searched', async () => {
  const { job, ada } = await boardOfThree()
  await db.query(sql`
    insert into application_scores (workspace_id, application_id, match_pct, model_version)
    values (${world.workspace}, ${ada.id}, 90, 'v')`)
  await db.query(sql`update applicants set suppressed_at = app_now() where id = ${ada.applicant_id}`)
  const [card] = (await people.owner.get(`/jobs/${job.id}/board/cards?ids=${ada.id}`)).body.data
  assert.equal(card.score, null)
  assert.deepEqual(await namesOf(people.owner, job, '?score_from=1'), [])
})

test('GET /jobs/{id}/board: 404 for another workspace’s job and stage, as for missing ones', async () => {
  const { job, ada } = await boardOfThree()
  const stranger = await signedIn(world.service, (await newTenant(world.service)).workspace, { program: 'hiring' })
  const paths = [
    `/jobs/${job.id}/board`,
    `/jobs/${job.id}/board/cards`,
    `/jobs/${job.id}/board/cards?ids=${ada.id}`,
    `/jobs/${job.id}/board/neighbors/${ada.id}`,
  ]
  for (const path of paths) {
    const theirs = await stranger.get(path)
    const missing = await people.owner.get(path.replace(job.id, 'job_0000000000000000000000000'))
    for (const { status, body } of [theirs, missing]) {
      assert.equal(status, 404, path)
      assert.equal(body.detail.code, 'not_found')
    }
    assert.equal(theirs.body.detail.message, missing.body.detail.message)
  }
  assert.equal((await people.owner.get(`/jobs/${job.id}/board/cards?stage_id=${world.job.stages[0]}`)).status, 404)
  assert.equal((await people.owner.get(`/jobs/${job.id}/board/neighbors/app_0000000000000000000000000`)).status, 404)
  const { body } = await stranger.post('/applications/changes', {
    changes: [{ id: ada.id, action: 'reject', reason: 'No.' }],
  })
  assert.equal(body.results[0].code, 'not_found')
  assert.equal((await people.owner.get(`/v1/applications/${ada.id}`)).body.status, 'new')
})

test('GET /jobs/{id}/board/cards: pages by cursor without a gap or a repetition, in the order of the neighbors', async () => {
  const job = await newJob(world.service, world.workspace)
  await seedBoard(db, world.workspace, job, 120)
  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await people.member.get(`/jobs/${job.id}/board/cards?limit=50${cursor}`)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.next_cursor ? `&cursor=${encodeURIComponent(body.next_cursor)}` : ''
  } while (cursor)
  const { body: board } = await people.member.get(`/jobs/${job.id}/board`)
  const counted = board.stages.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
  assert.equal(seen.length, counted)
  assert.equal(new Set(seen).size, seen.length)
  for (const [i, id] of [0, 57, seen.length - 1].map(i => [i, seen[i]!] as const)) {
    const { body } = await people.member.get(`/jobs/${job.id}/board/neighbors/${id}`)
    assert.deepEqual(body, { previous: seen[i - 1] ?? null, next: seen[i + 1] ?? null })
  }
})

test('POST /applications/changes: 200 with a result for each; each its own transaction and event, in order', async () => {
  const { job, ada, grace, alan } = await boardOfThree()
  const { status, body } = await people.member.post('/applications/changes', {
    changes: [
      { id: ada.id, action: 'move', stage_id: job.stages[2], expected: { stage_id: job.stages[0], status: 'new' } },
      { id: grace.id, action: 'move', stage_id: world.job.stages[0] },
      { id: 'app_0000000000000000000000000', action: 'reopen' },
      { id: alan.id, action: 'reject', reason: 'Not now.' },
    ],
  })
  assert.equal(status, 200)
  const [moved, foreign, missing, rejected] = body.results
  assert.deepEqual([moved.id, moved.ok, moved.stage_id, moved.status], [ada.id, true, job.stages[2], 'advanced'])
  assert.deepEqual([foreign.ok, foreign.code], [false, 'invalid_stage'])
  assert.deepEqual([missing.ok, missing.code], [false, 'not_found'])
  assert.deepEqual([rejected.ok, rejected.status], [true, 'rejected'])
  const events = (await readEvents(world, world.workspace)).slice(-3)
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.object.id]),
    [
      ['application.stage_changed', ada.id],
      ['application.status_changed', ada.id],
      ['application.status_changed', alan.id],
    ],
  )
  const back = await people.member.post('/applications/changes', {
    changes: [
      { id: alan.id, action: 'reopen' },
      { id: ada.id, action: 'undo' },
    ],
  })
  assert.deepEqual(
    back.body.results.map((result: { ok: boolean; status: string; stage_id: string }) => [
      result.status,
      result.stage_id,
    ]),
    [
      ['in_review', job.stages[1]],
      ['new', job.stages[0]],
    ],
  )
})

test('POST /applications/changes: stale_resource if the stage or status is another than expected; a note is no conflict', async () => {
  const { job, ada } = await boardOfThree()
  const move = (stage: string | undefined, expected: { stage_id: string | undefined; status: string }) =>
    people.member.post('/applications/changes', {
      changes: [{ id: ada.id, action: 'move', stage_id: stage, expected }],
    })
  const seen = { stage_id: job.stages[0], status: 'new' }
  await people.owner.post(`/v1/applications/${ada.id}/notes`, { body: 'Good portfolio.' })
  assert.equal((await move(job.stages[1], seen)).body.results[0].ok, true)
  const [late] = (await move(job.stages[2], seen)).body.results
  assert.deepEqual([late.ok, late.code], [false, 'stale_resource'])
  await people.owner.post(`/v1/applications/${ada.id}/reject`, { reason: 'No.' })
  const [rejected] = (await move(job.stages[2], { stage_id: job.stages[1], status: 'new' })).body.results
  assert.equal(rejected.code, 'stale_resource')
  assert.equal((await people.owner.get(`/v1/applications/${ada.id}`)).body.stage_id, job.stages[1])
})

test('POST /applications/changes: 400 names each missing or unknown part; nothing is changed', async () => {
  const { job, ada, grace } = await boardOfThree()
  const good = { id: ada.id, action: 'move', stage_id: job.stages[1] }
  const { status, body } = await people.member.post('/applications/changes', {
    changes: [good, { id: grace.id, action: 'move' }, { id: grace.id, action: 'reject' }],
  })
  assert.equal(status, 400)
  assert.deepEqual(
    body.detail.errors.map(({ param }: { param: string }) => param),
    ['changes[1].stage_id', 'changes[2].reason_id'],
  )
  for (const changes of [[], Array(51).fill(good), [{ ...good, more: 1 }], [{ ...good, action: 'promote' }]])
    assert.equal((await people.member.post('/applications/changes', { changes })).status, 400)
  assert.equal((await people.owner.get(`/v1/applications/${ada.id}`)).body.stage_id, job.stages[0])
})

/** Kinds of scans of a statement, and the rows that they touched. */
async function scansOf(statement: Sql): Promise<{ kinds: string[]; touched: number }> {
  const plan = await db.transaction(tx => explain(tx, statement))
  const scans = listPlanNodes(plan).filter(node => node['Relation Name'] !== undefined)
  return {
    kinds: [...new Set(scans.map(node => node['Node Type']))].sort(),
    touched: scans.reduce(
      (sum, node) => sum + node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
      0,
    ),
  }
}

test('board: a page of a column reads a page of an index, however many applications its stage and the table have', async () => {
  const small = await newJob(world.service, world.workspace)
  const large = await newJob(world.service, world.workspace)
  await seedBoard(db, world.workspace, small, 200)
  await seedBoard(db, world.workspace, large, 5_000)
  const { workspace } = world
  const open = { statuses: ['new', 'in_review', 'advanced'] as const }
  const page = makePage(BY_APPLIED, { limit: 50 }, undefined)
  for (const job of [small, large]) {
    const [first] = await db.query(boardCards(workspace, [job.stages[0]!], open, page))
    const column = await scansOf(boardCards(workspace, [job.stages[0]!], open, page))
    const table = await scansOf(boardCards(workspace, job.stages, open, page))
    const around = await scansOf(boardNeighbors(workspace, job.stages, open, first!.id))
    const byId = await scansOf(boardCardsById(workspace, job.stages, open, [first!.id]))
    for (const { kinds } of [column, table, around, byId])
      for (const kind of kinds) assert.match(kind, /^(Index Scan|Index Only Scan|Bitmap (Heap|Index) Scan)$/)
    // three statuses of 51 rows at most, and three lookups for each row of the page
    assert.ok(column.touched <= 3 * 51 + 3 * 51 + 5, `column: ${column.touched}`)
    assert.ok(table.touched <= 15 * 51 + 3 * 51 + 20, `table: ${table.touched}`)
    assert.ok(around.touched <= 40, `neighbors: ${around.touched}`)
    const counts = await scansOf(boardCounts(workspace, job.stages, open))
    for (const kind of counts.kinds) assert.match(kind, /^(Index Only Scan|Index Scan|Bitmap (Heap|Index) Scan)$/)
    assert.ok(counts.touched <= (job === small ? 200 : 5_000), `counts: ${counts.touched}`)
  }
})
