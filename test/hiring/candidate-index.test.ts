import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Database } from '../../src/kernel/db/database.ts'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import { editApplicant } from '../../src/resources/applicants/index.ts'
import { deleteApplication } from '../../src/resources/applications/index.ts'
import { rebuildNext, requestRebuild } from '../../src/resources/candidate-search/index.ts'
import { editJob } from '../../src/resources/jobs/index.ts'
import { noteAccess } from '../../src/resources/resumes/index.ts'
import { apply, endlessKeys, type Job, newJob, sharedWorld, upload, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { createRandom, seedOfRun } from '../harness/random.ts'

let world: World
let db: Database
let owner: Person

before(async () => {
  world = await sharedWorld()
  db = world.service.services.db
  owner = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
})

interface IndexRow {
  application_id: string
}

const stored = () => sql<IndexRow>`
  select application_id, job_id, applicant_id, name_key, names::text, terms::text from application_search
  where workspace_id = ${world.workspace} order by application_id`

const computed = () => sql<IndexRow>`
  select a.id as application_id, r.job_id, r.applicant_id, r.name_key, r.names::text, r.terms::text
  from applications a, application_search_row(a.workspace_id, a.id) r
  where a.workspace_id = ${world.workspace} order by a.id`

const ACTIONS = 60
const NAMES = ['Zoë', 'Jürgen', 'Ada', 'Søren', 'Ñandú', 'Grace', 'Ωmega', "O'Hara"]
const WORDS = ['Kubernetes', 'C++', 'Welding', 'Node.js', '.NET', 'Café', 'Führung', 'lidar']

test('application_search: after random actions, also at the same time, its rows are those of a rebuild', async t => {
  const seed = seedOfRun()
  t.diagnostic(`FAULTS_SEED=${seed}`)
  const random = createRandom(seed)
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!
  const key = endlessKeys(world)
  const jobs: Job[] = [world.job, await newJob(world.service, world.workspace)]
  const people: { id: string; applicant_id: string }[] = []
  const here = () => ({ workspace: world.workspace, id: one(people).id })

  // which is run again where it ends in a deadlock
  const inTransaction = (statement: Sql) => db.transaction(tx => tx.query(statement))

  const actions: Record<string, () => Promise<unknown>> = {
    apply: async () => {
      const own = { ...world, job: one(jobs), key: await key() }
      const email = `someone${Math.floor(random() * 12)}@random.example.org`
      const made = await apply(
        own,
        { resume_upload_id: await upload(own) },
        {
          first_name: one(NAMES),
          last_name: one(NAMES),
          email,
        },
      ).catch(() => undefined) // applied already
      if (made) people.push(made)
    },
    rename: () =>
      db.transaction(tx =>
        editApplicant(
          tx,
          world.workspace,
          one(people).applicant_id,
          { first_name: one(NAMES), last_name: one(WORDS) },
          null,
        ),
      ),
    tag: () => owner.post(`/applications/${here().id}/tags`, { add: one(WORDS) }),
    untag: () => owner.post(`/applications/${here().id}/tags`, { remove: one(WORDS) }),
    title: () =>
      db.transaction(tx => editJob(tx, world.workspace, one(jobs).id, { title: `${one(WORDS)} ${one(NAMES)}` })),
    read: () =>
      inTransaction(
        sql`update resumes set parse_status = 'parsed', parsed = ${JSON.stringify({
          current_title: one(WORDS),
          current_company: one(NAMES),
          skills: [one(WORDS), one(WORDS)],
        })}::jsonb where workspace_id = ${world.workspace} and application_id = ${here().id}`,
      ),
    lock: () =>
      inTransaction(noteAccess(world.workspace, here().id, one(['open', 'locked', 'unlocked'] as const), null)),
    forgetResume: () =>
      inTransaction(sql`delete from resumes where workspace_id = ${world.workspace} and application_id = ${here().id}`),
    stop: () =>
      inTransaction(sql`update applicants set suppressed_at = ${random() < 0.5 ? null : '2026-01-01T00:00:00Z'}::timestamptz
        where workspace_id = ${world.workspace} and id = ${one(people).applicant_id}`),
    delete: async () => {
      if (people.length < 5) return
      const [gone] = people.splice(Math.floor(random() * people.length), 1)
      await db.transaction(tx =>
        deleteApplication(tx, { workspace: world.workspace, id: gone!.id, originKeyId: null }, 'retention'),
      )
    },
  }
  for (let i = 0; i < 4; i++) await actions['apply']!()
  const names = Object.keys(actions)
  for (let i = 0; i < ACTIONS; i++) {
    const both = [one(names), one(names)]
    await Promise.all(
      both.map(name =>
        actions[name]!().catch((error: Error) => {
          // someone deleted the record, or stopped the person, before the other action came to it
          if (!/processing stop|no applicant|no application|not found|does not exist/i.test(`${error.message}`))
            throw error
        }),
      ),
    )
    assert.deepEqual(await db.query(stored()), await db.query(computed()), both.join(' and '))
  }
})

test('hiring reindex: the worker writes every row again; until then a search says that people may be missing', async () => {
  const expected = await db.query(computed())
  await db.query(sql`delete from application_search where workspace_id = ${world.workspace}`)
  await db.transaction(tx => requestRebuild(tx, world.workspace))
  assert.equal((await owner.get('/search?q=zoe')).body.rebuilding, true)
  assert.deepEqual((await owner.get('/search/state')).body, { rebuilding: true })
  while (await rebuildNext(db));
  assert.deepEqual(await db.query(stored()), expected)
  assert.equal((await owner.get('/search?q=zoe')).body.rebuilding, false)
})
