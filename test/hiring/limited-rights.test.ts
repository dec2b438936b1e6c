import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { keyVerbs } from '../../src/cli/keys.ts'
import { userVerbs } from '../../src/cli/users.ts'
import { LIVE_SCOPES } from '../../src/contract/scopes.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { apply, type Job, newJob, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { runVerb } from '../harness/verb.ts'
import * as signIn from '../sign-in/setup.ts'

let world: World
/** in the console */
let owner: Person
let lead: Person
let elsewhere: Job

before(async () => {
  world = await sharedWorld()
  owner = await signedIn(world.service, world.workspace)
  lead = await signedIn(world.service, world.workspace, { program: 'hiring' })
  elsewhere = await newJob(world.service, world.workspace)
})

const setAccess = (person: { userId: string }, job_access: string) =>
  owner.post(`/people/${person.userId}/job-access`, { job_access })

const enter = (role: 'admin' | 'member' | 'viewer') =>
  signedIn(world.service, world.workspace, { role, program: 'hiring' })

const join = (job: Job, person: Person) => lead.post(`/jobs/${job.id}/team`, { add: [person.userId], remove: [] })

const leave = (job: Job, person: Person) => lead.post(`/jobs/${job.id}/team`, { add: [], remove: [person.userId] })

test('job access: owners and admins have all jobs: 400 for limiting them; who stops being one has the limit of before', async () => {
  const person = await enter('member')
  assert.equal((await setAccess(owner, 'team')).status, 400)
  const limited = await setAccess(person, 'team')
  assert.deepEqual([limited.status, limited.body.jobs], [200, 0])
  await join(world.job, person)
  const listed = async () =>
    (await owner.get('/people')).body.data.find((row: { id: string }) => row.id === person.userId)
  assert.deepEqual([(await listed()).jobs, (await listed()).role], [1, 'member'])
  assert.equal((await person.get('/session')).body.limited, true)

  const promoted = await owner.post(`/people/${person.userId}/role`, { role: 'admin' })
  assert.deepEqual([promoted.status, promoted.body.jobs], [200, null])
  assert.equal((await person.get('/v1/applicants')).status, 200)
  assert.equal((await person.get('/session')).body.limited, false)
  assert.equal((await setAccess(person, 'team')).status, 400)
  const { service, workspace } = world
  const key = await service.key({ workspace, userEmail: person.email })
  assert.equal((await service.get('/jobs', key)).status, 200)
  assert.deepEqual([(await listed()).jobs, (await listed()).job_access], [null, 'team'])
  const team = (await lead.get(`/jobs/${world.job.id}/team`)).body.people
  assert.equal(team.find((row: { id: string }) => row.id === person.userId).limited, false)
  const hidden = await apply({ ...world, job: elsewhere })
  const ask = () => lead.post(`/applications/${hidden.id}/scorecard-requests`, { user_ids: [person.userId] })
  assert.equal((await ask()).status, 200)

  const demoted = await owner.post(`/people/${person.userId}/role`, { role: 'viewer' })
  assert.deepEqual([demoted.body.jobs, demoted.body.job_access], [1, 'team'])
  assert.equal((await person.get('/session')).body.limited, true)
  assert.equal((await person.get('/v1/applicants')).status, 403)
  assert.equal((await person.get(`/v1/jobs/${elsewhere.id}`)).status, 404)
  assert.equal((await service.get('/jobs', key)).status, 403, 'a key that was made in between')
  assert.equal((await ask()).status, 400)
})

test('job access: an invitation can limit a member from the first sign-in on; 400 job_access for an admin', async () => {
  const name = { first_name: 'Kim', last_name: 'Lee' }
  const invite = (role: string, email: string) => owner.post('/people', { ...name, email, role, job_access: 'team' })
  const invited = await invite('member', 'kim@acme.example')
  assert.deepEqual([invited.status, invited.body.person.jobs], [200, 0])
  const refused = await invite('admin', 'lee@acme.example')
  assert.deepEqual([refused.status, refused.body.detail.param], [400, 'job_access'])
})

test('hiring users set-job-access: limits a member; a key made for them says how many scopes it has in effect', async () => {
  const person = await enter('member')
  const { service, workspace } = world
  const set = (email: string, jobs: string) =>
    runVerb(service, userVerbs, 'users set-job-access', [email, jobs], { workspace })
  const { text } = await set(person.email, 'team')
  assert.equal(text, `${person.email} has access to the jobs whose team they are on`)
  assert.equal((await person.get('/session')).body.limited, true)
  const options = { workspace, user: person.email, scopes: 'jobs:read,users:read' }
  const key = await runVerb(service, keyVerbs, 'keys create', [], options)
  assert.match(key.text, /2 scopes, 1 in effect for its user/)
  await set(person.email, 'all')
  assert.equal((await person.get('/session')).body.limited, false)
  await assert.rejects(set(person.email, 'some'), /must be one of all, team/)
  await assert.rejects(set(owner.email, 'team'), /owners and admins have access to all jobs/)
})

test('job access: admins set it, but not of owners; members and viewers are refused; 404 for strangers', async () => {
  const admin = await signedIn(world.service, world.workspace, { role: 'admin' })
  const person = await enter('viewer')
  const path = `/people/${person.userId}/job-access`
  assert.equal((await admin.post(path, { job_access: 'team' })).status, 200)
  assert.equal((await admin.post(`/people/${owner.userId}/job-access`, { job_access: 'team' })).status, 403)
  const member = await signedIn(world.service, world.workspace, { role: 'member' })
  assert.equal((await member.post(path, { job_access: 'all' })).status, 403)
  const other = await world.service.workspace()
  const stranger = await signedIn(world.service, other.id)
  assert.equal((await stranger.post(path, { job_access: 'all' })).status, 404)
  assert.equal((await admin.post(path, { job_access: 'some' })).status, 400)
  assert.equal((await person.get('/session')).body.limited, true)
})

test('job team: who has access to all jobs and may manage jobs changes it; viewers and strangers do not', async () => {
  const member = await enter('member')
  const viewer = await enter('viewer')
  const path = `/jobs/${world.job.id}/team`
  assert.equal((await member.post(path, { add: [viewer.userId], remove: [] })).status, 200)
  assert.equal((await viewer.post(path, { add: [], remove: [viewer.userId] })).status, 403)
  assert.equal((await viewer.get(path)).status, 200)
  const other = await world.service.workspace()
  const stranger = await signedIn(world.service, other.id, { program: 'hiring' })
  assert.equal((await stranger.get(path)).status, 404)
  assert.equal((await stranger.post(path, { add: [], remove: [] })).status, 404)
  // a member of another workspace
  assert.equal((await member.post(path, { add: [stranger.userId], remove: [] })).status, 400)
})

test('job team: two people change it at the same time: both changes are kept', async () => {
  const job = await newJob(world.service, world.workspace)
  const people = await Promise.all([enter('member'), enter('member'), enter('viewer')])
  await Promise.all(people.map(person => join(job, person)))
  const { body } = await lead.get(`/jobs/${job.id}/team`)
  const on = body.people.filter((row: { on_team: boolean }) => row.on_team).map((row: { id: string }) => row.id)
  assert.deepEqual(on.sort(), people.map(person => person.userId).sort())
})

test('keys of a limited person: 403 from the next request on for everything that shows jobs or candidates', async () => {
  const person = await enter('member')
  const { workspace, service } = world
  const key = await service.key({ workspace, userEmail: person.email })
  assert.equal((await service.get('/jobs', key)).status, 200)
  await setAccess(person, 'team')
  const scopes = async () => (await service.get('/me', key)).body.scopes
  assert.deepEqual([...(await scopes())].sort(), ['users:read', 'workspaces:read'])
  for (const path of ['/jobs', '/applications', '/events', '/lists', '/analytics/hiring-funnel']) {
    assert.equal((await service.get(path, key)).status, 403, path)
  }
  const created = await service.key({ workspace, userEmail: person.email, scopes: LIVE_SCOPES })
  assert.deepEqual([...created.scopes].sort(), ['users:read', 'workspaces:read'])
  // being on a team does not matter for keys
  await join(world.job, person)
  assert.equal((await service.get(`/jobs/${world.job.id}`, created)).status, 403)
  await setAccess(person, 'all')
  assert.equal((await service.get('/jobs', key)).status, 200)
  assert.equal((await service.get('/jobs', created)).status, 200)
})

test('keys of a limited person: a key that is made while its person is being limited has no more than later ones', async () => {
  const { service, workspace } = world
  for (let round = 0; round < 5; round++) {
    const person = await enter('member')
    const [key] = await Promise.all([
      service.key({ workspace, userEmail: person.email }),
      setAccess(person, 'team'),
      enter('viewer').then(viewer => join(world.job, viewer)),
    ])
    const { scopes } = (await service.get('/me', key)).body
    assert.deepEqual([...scopes].sort(), ['users:read', 'workspaces:read'])
  }
})

test('apps of a limited person: tokens lose the scopes that show jobs or candidates; a consent does not offer them', async () => {
  const { service, workspace } = world
  const email = 'apps@acme.example'
  const member = await signIn.createMember(service, workspace, email, 'member')
  const scopes = ['jobs:read', 'applications:read', 'users:read'] as const
  const app = await signIn.appFor(service, workspace, { scopes: [...scopes] })
  const config = await signIn.relyingParty(service.origin, app)
  const browser = await signIn.signedIn(service, email)
  const { access_token: token } = await signIn.tokensFor(config, browser, ['openid', ...scopes])
  assert.equal((await service.get('/jobs', token)).status, 200)
  await setAccess({ userId: member.id }, 'team')
  assert.equal((await service.get('/jobs', token)).status, 403)
  assert.equal((await service.get('/applications', token)).status, 403)
  assert.equal((await service.get(`/users/${member.id}`, token)).status, 200)
  const again = await signIn.tokensFor(config, browser, ['openid', ...scopes], { prompt: 'consent' })
  assert.deepEqual(again.scope?.split(' ').sort(), ['openid', 'users:read'])
})

/** A live stream: what it sent until a text was in it, or until it ended. */
async function listen(person: Person) {
  const response = await fetch(`${world.service.origin}/hiring/api/live`, { headers: { cookie: person.cookie } })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (part: string) => {
    while (!text.includes(part)) {
      const { value, done } = await reader.read()
      if (done) break
      text += value
    }
    return text
  }
  await until('event: ready')
  return { until, close: () => reader.cancel() }
}

const publish = async () => {
  while ((await sequenceBatch(world.service.services.db)) > 0);
}

test('live: a limited person gets what happens in their jobs alone, also after the team changed while they listen', async () => {
  const person = await enter('member')
  await join(world.job, person)
  // limited while they listen; with other rights the stream ends within seconds, and the browser connects again
  const before = await listen(person)
  await setAccess(person, 'team')
  const hidden = await apply({ ...world, job: elsewhere })
  const seen = await apply(world)
  await publish()
  const first = await before.until(seen.id)
  await before.close()
  assert.ok(!first.includes(hidden.id) && !first.includes(elsewhere.id) && !first.includes(hidden.applicant_id))

  const stream = await listen(person)
  await leave(world.job, person)
  await join(elsewhere, person)
  const now = await apply(world)
  const theirs = await apply({ ...world, job: elsewhere })
  await publish()
  const second = await stream.until(theirs.id)
  assert.ok(!second.includes(now.id))
  await stream.close()
})

test('live: a limited person who is removed while they listen gets nothing more until the stream ends', async () => {
  const person = await enter('member')
  await setAccess(person, 'team')
  await join(world.job, person)
  const stream = await listen(person)
  assert.equal((await owner.post(`/people/${person.userId}/remove`)).status, 200)
  const one = await apply({ ...world, job: elsewhere })
  const two = await apply(world)
  await publish()
  const text = await stream.until('event: signed_out')
  assert.ok(!text.includes(one.id) && !text.includes(two.id))
})

test('tasks: who waits in the jobs that one recruits for; none for people on no team; closed jobs never', async () => {
  const { service, workspace } = world
  const { db } = service.services
  const person = await enter('member')
  const [one, two, over] = [
    await newJob(service, workspace),
    await newJob(service, workspace),
    await newJob(service, workspace),
  ]
  const ids: string[] = []
  for (const job of [one, two, over]) ids.push((await apply({ ...world, job })).id)
  await db.query(sql`
    update applications set stage_entered_at = app_now() - interval '20 days' where id = any(${ids}::text[])`)
  await db.query(sql`update jobs set status = 'closed' where id = ${over.id}`)
  const waiting = async () =>
    (await person.get('/tasks')).body.waiting.map((row: { application_id: string }) => row.application_id)
  assert.deepEqual(await waiting(), [])
  assert.equal((await person.get('/tasks/count')).body.waiting, 0)
  await join(one, person)
  await join(over, person)
  assert.deepEqual(await waiting(), [ids[0]])
  assert.equal((await person.get('/tasks/count')).body.waiting, 1)
  await setAccess(person, 'team')
  assert.deepEqual(await waiting(), [ids[0]])
  const until = new Date(Date.now() + 86_400_000).toISOString()
  const snooze = (subject = '') =>
    person.post('/tasks/states', { states: [{ kind: 'candidate', subject, snoozed_until: until }] })
  assert.deepEqual((await snooze(ids[1])).body.states, [], 'a candidate of another job')
  assert.equal((await snooze(ids[0])).body.states.length, 1)
  await leave(one, person)
  assert.deepEqual(await waiting(), [])
})

test('include for a limited person: of an applicant, only applications for jobs of their teams, and what those say of the person', async () => {
  const person = await enter('member')
  const team = await newJob(world.service, world.workspace)
  const email = 'two.jobs@example.org'
  const other = await apply({ ...world, job: elsewhere }, {}, { email })
  const own = await apply({ ...world, job: team }, {}, { email })
  assert.equal((await setAccess(person, 'team')).status, 200)
  await join(team, person)
  const read = await person.get(`/v1/applicants/${own.applicant_id}?include=applications`)
  assert.deepEqual(
    read.body.included.applications.map((row: { id: string }) => row.id),
    [own.id],
  )
  const listed = await person.get(`/v1/jobs/${team.id}/applications?include=applicant,job`)
  const [row] = listed.body.data
  assert.equal(row.included.job.id, team.id)
  assert.equal(row.included.applicant.created_at, own.applied_at)
  assert.notEqual(own.applied_at, other.applied_at)
})
