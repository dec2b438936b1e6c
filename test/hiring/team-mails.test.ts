import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Role } from '../../src/contract/scopes.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sendNextMails } from '../../src/kernel/mail/queue.ts'
import { putOffQueues } from '../../src/resources/deletions/store.ts'
import { TEAM_MAILS, teamMails } from '../../src/resources/hiring-team/index.ts'
import { apply, newTenant, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { startMailServer } from '../harness/smtp.ts'

/** Emails to members about mentions and requests for scorecards: how many there can be in a day. */

const smtp = await startMailServer()
let service: World['service']

before(async () => {
  const world = await startWorld({ SMTP_URL: smtp.url, MAIL_FROM: 'jobs@acme.dev' })
  service = world.service
})

interface Team extends World {
  application: string
  enter: (role?: Role) => Promise<Person>
}

/** A workspace of its own for each test, so that nothing else is counted. */
async function newTeam(): Promise<Team> {
  const tenant = await newTenant(service)
  const world = { service, ...tenant }
  const enter = (role: Role = 'admin') => signedIn(service, tenant.workspace, { role, program: 'hiring' })
  return { ...world, application: (await apply(world)).id, enter }
}

const query = <T>(statement: ReturnType<typeof sql<T>>) => service.services.db.query(statement)

const mention = async (from: Person, to: Person, { application }: Pick<Team, 'application'>) => {
  const written = await from.post(`/applications/${application}/notes`, { body: 'Look', mentions: [to.userId] })
  assert.equal(written.status, 200)
}

const ask = async (from: Person, to: readonly Person[], { application }: Team) => {
  const user_ids = to.map(person => person.userId)
  const asked = await from.post(`/applications/${application}/scorecard-requests`, { user_ids })
  assert.equal(asked.status, 200)
}

/** As if so many had been sent today. */
const sentToday = (
  { workspace, application }: Team,
  { kind, to, by, emails }: { kind: string; to: string; by: string; emails: number },
) =>
  query(sql`
    insert into team_mails (workspace_id, kind, user_id, application_id, sent_by, due_at)
    select ${workspace}, ${kind}, ${to}, ${application}, ${by}, null from generate_series(1, ${emails}::integer)`)

/** Emails of the member that are queued: single ones, and how much more is in summaries. */
const queuedFor = async ({ workspace }: Team, person: Person) => {
  const [row] = await query(sql<{ single: number; more: number[] }>`
    select count(*) filter (where kind <> 'summary')::integer as single,
      coalesce(array_agg(more order by created_at) filter (where kind = 'summary'), '{}') as more
    from team_mails where workspace_id = ${workspace} and user_id = ${person.userId} and due_at is not null`)
  return row!
}

const sendAll = async () => {
  const before = smtp.arrived.length
  while (await sendNextMails(service.services, teamMails));
  return smtp.arrived.slice(before).map(({ raw }) =>
    String(raw)
      .replaceAll(/=\r?\n/g, '')
      .replaceAll('=3D', '='),
  )
}

const endWait = ({ workspace }: Team) =>
  query(sql`
    update team_mails set due_at = app_now() where workspace_id = ${workspace} and due_at is not null`)

test('team emails: twenty mentions of a day have an email each, the others are in one summary; every mention stays a task', async () => {
  const team = await newTeam()
  const [from, other, to] = [await team.enter('member'), await team.enter(), await team.enter()]
  for (let i = 0; i < 23; i++) await mention(from, to, team)
  assert.deepEqual(await queuedFor(team, to), { single: 20, more: [3] })
  assert.equal((await to.get('/tasks')).body.mentions.length, 23)
  assert.equal((await sendAll()).length, 20, 'the summary waits for more')
  await mention(other, to, team)
  assert.equal((await sendAll()).length, 1, 'what someone else writes has an email of its own')
  await endWait(team)
  const [summary, ...further] = await sendAll()
  assert.deepEqual(further, [])
  assert.match(summary!, /Subject: More mentions and requests for scorecards/)
  assert.match(summary!, /mentioned you or asked for your scorecard 3 more times/)
  assert.ok(summary!.includes('/hiring/tasks'))
  assert.ok(!/Ada|Byron|Look|\/hiring\/applications/.test(summary!), 'nothing about a candidate or a note')
  // a summary that was sent takes nothing more
  await mention(from, to, team)
  assert.deepEqual(await queuedFor(team, to), { single: 0, more: [1] })
  await ask(from, [to], team)
  assert.deepEqual(await queuedFor(team, to), { single: 1, more: [1] }, 'requests for scorecards are counted apart')
  // the next day
  await query(sql`
    update team_mails set created_at = (created_at at time zone 'UTC' - interval '1 day') at time zone 'UTC'
    where workspace_id = ${team.workspace}`)
  await mention(from, to, team)
  assert.deepEqual(await queuedFor(team, to), { single: 2, more: [1] })
})

test('team emails: a request that is withdrawn and made again counts each time', async () => {
  const team = await newTeam()
  const [from, to] = [await team.enter('member'), await team.enter()]
  for (let i = 0; i < 22; i++) {
    await ask(from, [to], team)
    const path = `/applications/${team.application}/scorecard-requests/${to.userId}/withdraw`
    assert.equal((await from.post(path)).status, 200)
  }
  assert.deepEqual(await queuedFor(team, to), { single: 20, more: [2] })
})

test('team emails: a member gets forty of a kind in a day, also if several write at the same time', async () => {
  const team = await newTeam()
  const [to, gone, ...writers] = await Promise.all(Array.from({ length: 6 }, () => team.enter()))
  await sentToday(team, { kind: 'mention', to: to!.userId, by: gone!.userId, emails: 38 })
  // about different candidates: notes about one are written one after the other
  const candidates: { application: string }[] = []
  for (const _ of writers) candidates.push({ application: (await apply(team)).id })
  await Promise.all(writers.map((from, i) => mention(from, to!, candidates[i]!)))
  assert.deepEqual(await queuedFor(team, to!), { single: 2, more: [2] })
})

test('team emails: a member causes two hundred in a day, to any receivers', async () => {
  const team = await newTeam()
  const [from, ...others] = await Promise.all(Array.from({ length: 4 }, () => team.enter()))
  await sentToday(team, { kind: 'mention', to: from!.userId, by: from!.userId, emails: 199 })
  await ask(from!, others, team)
  const queued = await Promise.all(others.map(person => queuedFor(team, person)))
  assert.equal(
    queued.reduce((sum, { single }) => sum + single, 0),
    1,
  )
  assert.deepEqual(
    queued.flatMap(({ more }) => more),
    [1, 1],
  )
  const due = await Promise.all(others.map(async person => (await person.get('/tasks')).body.scorecards.length))
  assert.deepEqual(due, [1, 1, 1], 'everyone has the task')
})

test('team emails: a failure that is recorded late changes neither what another process sent nor what was put off', async () => {
  // those of the other tests come first
  await sendAll()
  const team = await newTeam()
  const [from, to] = [await team.enter(), await team.enter()]
  await mention(from, to, team)
  const { db } = service.services
  const claim = async () => (await TEAM_MAILS.claim(db)).find(({ workspace_id }) => workspace_id === team.workspace)
  const state = async () =>
    (
      await query(sql<{ sent: boolean; due: boolean; far: boolean }>`
        select sent_at is not null as sent, due_at is not null as due,
          coalesce(due_at > app_now() + interval '50 years', false) as far
        from team_mails where workspace_id = ${team.workspace}`)
    )[0]
  const first = await claim()
  assert.ok(first)
  await endWait(team)
  const second = await claim()
  assert.ok(second)
  // the first process is slow: its failure says nothing about the second attempt
  await query(TEAM_MAILS.settle(first, 'failed', 0))
  assert.equal(await claim(), undefined)
  for (const statement of putOffQueues(team.workspace)) await query(statement)
  await query(TEAM_MAILS.settle(second, 'failed', 0))
  assert.deepEqual(await state(), { sent: false, due: true, far: true })
  await query(TEAM_MAILS.settle(first, 'sent', 0))
  await query(TEAM_MAILS.settle(second, 'failed', 0))
  assert.deepEqual(await state(), { sent: true, due: false, far: false })
})
