import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { grantCredits } from '../../src/resources/credits/index.ts'
import { apply, newJob, sharedWorld, upload, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

/** What is there and must not be shown: locked résumés, people whose processing was stopped, the history of stages. */

let world: World
let owner: Person
let viewer: Person

before(async () => {
  world = await sharedWorld()
  owner = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
  viewer = await signedIn(world.service, world.workspace, { role: 'viewer', program: 'hiring' })
})

const query = (statement: ReturnType<typeof sql>) => world.service.services.db.query(statement)

test('skills of a locked résumé: no filter finds them, no response has them; unlocking shows both again', async () => {
  const job = await newJob(world.service, world.workspace)
  const { id, applicant_id } = await apply({ ...world, job }, { resume_upload_id: await upload(world) })
  const parsed = JSON.stringify({ skills: ['Oxyacetylene'], current_title: 'Welder' })
  await query(sql`
    update resumes set parse_status = 'parsed', parsed = ${parsed}::jsonb, parsed_at = app_now()
    where application_id = ${id}`)
  const seen = async () => {
    const board = await owner.get(`/jobs/${job.id}/board?skills=oxyacetylene`)
    const cards = await owner.get(`/jobs/${job.id}/board/cards?skills=oxyacetylene`)
    const texts = await Promise.all(
      [
        `/candidates/${id}`,
        `/v1/applicants/${applicant_id}/resumes`,
        `/v1/applications/${id}/resume?raw_text=false`,
        `/jobs/${job.id}/board/cards`,
      ].map(async path => (await owner.get(path)).text),
    )
    return {
      counted: board.body.stages.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
      found: cards.body.data.length,
      shown: texts.some(text => text.includes('Oxyacetylene')),
    }
  }
  assert.deepEqual(await seen(), { counted: 1, found: 1, shown: true })
  await query(sql`update applications set applied_at = app_now() - interval '120 days' where id = ${id}`)
  assert.deepEqual(await seen(), { counted: 0, found: 0, shown: false })
  const refused = await owner.get(`/v1/applications/${id}/resume`)
  assert.deepEqual([refused.status, refused.body.detail.code], [403, 'resume_locked'])
  await grantCredits(world.service.services.db, world.workspace, { amount: 50, note: 'Order 1' })
  assert.equal((await owner.post(`/applications/${id}/unlock-resume`)).status, 200)
  assert.deepEqual(await seen(), { counted: 1, found: 1, shown: true })
})

test('score of a person whose processing was stopped: in no row of insight, on no card, found by no filter', async () => {
  const job = await newJob(world.service, world.workspace)
  const [shown, stopped] = [await apply({ ...world, job }), await apply({ ...world, job })]
  await query(sql`
    insert into application_scores (workspace_id, application_id, match_pct, gaps, model_version)
    values (${world.workspace}, ${shown.id}, 61, '[]', 'test'), (${world.workspace}, ${stopped.id}, 87, '["Pipes"]', 'test')`)
  const scores = async () => {
    const behind = (await owner.get(`/insight/applications?job_id=${job.id}`)).body.data
    const cards = (await owner.get(`/jobs/${job.id}/board/cards`)).body.data
    return {
      insight: behind.map((row: { match_pct: number | null }) => row.match_pct).toSorted(),
      cards: cards.map((card: { score: number | null }) => card.score).toSorted(),
      good: (await owner.get(`/jobs/${job.id}/board/cards?score_from=80`)).body.data.length,
      candidate: (await owner.get(`/candidates/${stopped.id}`)).text.includes('Pipes'),
    }
  }
  assert.deepEqual(await scores(), { insight: [61, 87], cards: [61, 87], good: 1, candidate: true })
  await query(sql`update applicants set suppressed_at = app_now() where id = ${stopped.applicant_id}`)
  assert.deepEqual(await scores(), { insight: [61, null], cards: [61, null], good: 0, candidate: false })
})

test('résumé of a person whose processing was stopped: on no card, and the filter counts it as none', async () => {
  const job = await newJob(world.service, world.workspace)
  const { id, applicant_id } = await apply({ ...world, job }, { resume_upload_id: await upload(world) })
  const seen = async () => {
    const cards = async (query: string) => (await owner.get(`/jobs/${job.id}/board/cards?${query}`)).body.data
    const [card] = await cards('')
    const candidate = (await owner.get(`/candidates/${id}`)).body
    return {
      card: card.resume !== null,
      candidate: [candidate.application.has_resume, candidate.application.resume_access.can_view],
      with: (await cards('has_resume=true')).length,
      without: (await cards('has_resume=false')).length,
    }
  }
  assert.deepEqual(await seen(), { card: true, candidate: [true, true], with: 1, without: 0 })
  await query(sql`update applicants set suppressed_at = app_now() where id = ${applicant_id}`)
  assert.deepEqual(await seen(), { card: false, candidate: [false, false], with: 0, without: 1 })
})

test('time in the stage: on every card, as in the events of a stage, for everyone who reads applications; the steps before are history', async () => {
  const job = await newJob(world.service, world.workspace)
  const { id } = await apply({ ...world, job })
  await owner.post(`/v1/applications/${id}/move`, { stage_id: job.stages[1] })
  const transitions = await owner.get(`/v1/applications/${id}/stage-transitions`)
  const [card] = (await viewer.get(`/jobs/${job.id}/board/cards?ids=${id}`)).body.data
  assert.equal(card.in_stage_since, transitions.body.data.at(-1).at)
  for (const path of [
    `/v1/applications/${id}/stage-transitions`,
    `/insight/applications?job_id=${job.id}&stage_id=${job.stages[0]}&outcome=advanced`,
  ]) {
    assert.equal((await viewer.get(path)).status, 403, path)
  }
  const { history: part } = (await viewer.get(`/candidates/${id}`)).body
  assert.equal(part.refused.required_scope, 'applications:internal:read')
})
