import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { demoSecret, loadDemo } from '../../demo/index.ts'
import { activityVerbs } from '../../src/cli/activity.ts'
import { EVENT_TYPES, EVENTS, type EventType } from '../../src/contract/events.ts'
import type { Scope } from '../../src/contract/scopes.ts'
import { API_PREFIX } from '../../src/contract/version.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceEvents } from '../../src/workers/sequence-events.ts'
import { hiring } from '../harness/process.ts'
import { startTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'

// The sequencer is the only loop: changes that other loops make to the demo's records would look like the test's.
const service = await startTestService({ ROLES: 'api' })
const { db, keyring } = service.services
const stopping = new AbortController()
// as its supervisor does: started again when its connection is lost, or not had in time
const sequencing = (async () => {
  while (!stopping.signal.aborted) {
    await sequenceEvents({ db })
      .run(stopping.signal)
      .catch(() => setImmediate())
  }
})()
// the sequencer ends before the service, and with it the database, is gone
const stopService = service.stop
service.stop = async () => {
  stopping.abort()
  await sequencing
  await stopService()
}
const summary = await loadDemo(service.services)
const [acme, globex] = summary!.workspaces.map(workspace => workspace.id)
const key = demoSecret(keyring)

interface Shown {
  type: EventType
  workspace: string
  event: { id: string; sequence: number }
  handles: Record<string, string>
}
const trigger = async (type: string, options: Record<string, string> = {}) =>
  (await runVerb(service, activityVerbs, 'trigger', [type], options)).json as Shown

/** What the demo was loaded with, and how it looks now. */
const TABLES = ['jobs', 'applications', 'applicants', 'sourced_profiles', 'lists', 'list_memberships'] as const
const rowsOf = (table: (typeof TABLES)[number]) =>
  db.query(sql<{ row: string }>`
    select case ${table}
      when 'jobs' then (select jsonb_object_agg(id, to_jsonb(t) - 'search') from jobs t)
      when 'applications' then (select jsonb_object_agg(id, to_jsonb(t)) from applications t)
      when 'applicants' then (select jsonb_object_agg(id, to_jsonb(t)) from applicants t)
      when 'sourced_profiles' then (select jsonb_object_agg(id, to_jsonb(t)) from sourced_profiles t)
      when 'lists' then (select jsonb_object_agg(id, to_jsonb(t)) from lists t)
      else (select jsonb_object_agg(id, to_jsonb(t)) from list_memberships t) end as row`)
const picture = async () =>
  Object.fromEntries(
    await Promise.all(
      TABLES.map(
        async table =>
          [table, (await rowsOf(table))[0]!.row as unknown as Record<string, Record<string, unknown>>] as const,
      ),
    ),
  )

test('trigger: every event type: a real operation, the printed event is in the feed, about a printed handle, and links to what changed; twice', async () => {
  const before = await picture()
  for (const [i, type] of [...EVENT_TYPES, ...EVENT_TYPES].entries()) {
    const shown = await trigger(type)
    const read = await service.get(`/events/${shown.event.id}`, key)
    assert.equal(read.status, 200, `${type}: ${read.text}`)
    assert.equal(read.body.type, type)
    assert.equal(read.body.sequence, shown.event.sequence)
    assert.equal(read.body.workspace_id, type === 'pool.batch_upserted' ? null : acme)
    assert.equal(read.body.data.object.object, EVENTS[type].object)
    assert.ok(Object.values(shown.handles).includes(read.body.data.object.id), type)
    assert.equal(read.body.data.object.origin, undefined, 'a change of the product')
    if (i >= EVENT_TYPES.length) await followRecord(type, shown.event.id)
  }
  const after = await picture()
  for (const table of TABLES) {
    for (const [id, row] of Object.entries(before[table]!)) {
      assert.deepEqual(after[table]![id], row, `${table} ${id} was there before and is as it was`)
    }
  }
})

/** Follows `links.record` with a key that holds the scope of the event alone. */
async function followRecord(type: EventType, eventId: string): Promise<void> {
  const { scope, record } = EVENTS[type]
  // a person is made of the records that a key may read
  const others: Scope[] = scope === 'people:resolve' ? ['applicants:read', 'sourced_profiles:read'] : []
  const narrow = await service.key({ workspace: acme!, scopes: [...new Set<Scope>(['events:read', scope, ...others])] })
  const { links, data } = (await service.get(`/events/${eventId}`, narrow)).body
  assert.deepEqual(Object.keys(links), record === null ? ['self'] : ['self', 'record'], type)
  if (record === null) return
  assert.ok(links.record.startsWith(`${API_PREFIX}/`))
  const read = await service.get(links.record.slice(API_PREFIX.length), narrow)
  // a résumé may be locked by now, which is what the event says
  assert.equal(read.status, data.object.state === 'locked' ? 403 : 200, `${type}: ${links.record} ${read.text}`)
  if (record.endsWith('{id}')) assert.equal(read.body.id, data.object.id, type)
}

test('trigger application.screening_completed: the call ends as long after its start as it lasts', async () => {
  const { handles } = await trigger('application.screening_completed')
  const { body } = await service.get(`/applications/${handles['application']}/screening`, key)
  const seconds = (Date.parse(body.ended_at) - Date.parse(body.started_at)) / 1000
  assert.deepEqual([seconds, seconds >= 180], [body.duration_sec, true])
})

test('event catalogue: links.record: absent where the record is gone or no endpoint reads it', () => {
  assert.deepEqual(
    EVENT_TYPES.filter(type => EVENTS[type].record === null),
    [
      'job.deleted',
      'application.deleted',
      'applicant.deleted',
      'sourced_profile.deleted',
      'order.deleted',
      'list.deleted',
      'list_membership.removed',
      'pool.batch_upserted',
      'data_subject.suppression_applied',
      'data_subject.erasure_completed',
    ],
  )
})

test('trigger: what it did can be read over HTTP with the handles it prints', async () => {
  const { handles } = await trigger('application.withdrawn')
  const application = await service.get(`/applications/${handles['application']}`, key)
  assert.equal(application.body.status, 'withdrawn')
  const revealed = await trigger('sourced_profile.contact_info_revealed')
  const contact = await service.get(`/sourced-profiles/${revealed.handles['sourced_profile']}/contact-info`, key)
  assert.equal(contact.body.emails.length, 1)
  const changed = await trigger('person.canonical_id_changed')
  const person = await service.get(`/people/${changed.handles['person']}`, key)
  assert.equal(person.body.canonical_id, changed.handles['canonical_person'])
  const scored = await trigger('application.scored')
  const score = await service.get(`/applications/${scored.handles['application']}/score`, key)
  assert.equal(score.status, 200)
})

test('trigger: changes another workspace only when it is named, and then only with records created for it', async () => {
  const count = async (workspace: string) =>
    (await db.one(sql<{ n: number }>`select count(*) as n from events where workspace_id = ${workspace}`))!.n
  const before = await count(globex!)
  await trigger('application.stage_changed')
  assert.equal(await count(globex!), before)
  const { now } = (await db.one(sql<{ now: string }>`select app_now() as now`))!
  const shown = await trigger('application.stage_changed', { workspace: globex! })
  assert.equal(shown.workspace, globex)
  const job = await db.one(sql<{ made: boolean }>`
    select created_at >= ${now}::timestamptz as made from jobs where id = ${shown.handles['job']!}`)
  assert.equal(job!.made, true, 'no application to a job that was there before')
  await assert.rejects(trigger('pool.batch_upserted', { workspace: globex! }), /shared by all workspaces/)
  await assert.rejects(trigger('job.closed', { workspace: 'wsp_nowhere' }), /there is no workspace wsp_nowhere/)
})

test('trigger: a database without the demo is rejected in one line that says what to do', async () => {
  const other = await startTestService()
  const { id: workspace } = await other.workspace()
  await assert.rejects(
    runVerb(other, activityVerbs, 'trigger', ['job.closed']),
    /no demo workspace; choose a workspace/,
  )
  const shown = (await runVerb(other, activityVerbs, 'trigger', ['job.closed'], { workspace })).json as Shown
  assert.equal(shown.type, 'job.closed')
})

test('trigger: --list shows every type on a line; an unknown type is rejected', async () => {
  const { json, text } = await runVerb(service, activityVerbs, 'trigger', [], { list: '' })
  assert.deepEqual(
    (json as { type: string }[]).map(row => row.type),
    EVENT_TYPES,
  )
  assert.equal(text.split('\n').length, EVENT_TYPES.length)
  await assert.rejects(trigger('job.exploded'), /unknown event type job.exploded/)
  await assert.rejects(runVerb(service, activityVerbs, 'trigger', []), /name an event type/)
})

test('trigger: the command, as a second process next to the running service', async () => {
  const env = { DATABASE_URL: service.database.url, DATA_DIR: service.services.config.DATA_DIR }
  const { code, stdout, stderr } = await hiring(['trigger', 'application.created', '--json'], env)
  assert.equal(code, 0, stderr)
  const shown = JSON.parse(stdout) as Shown
  assert.equal((await service.get(`/events/${shown.event.id}`, key)).body.type, 'application.created')
  const text = await hiring(['trigger', 'list.created'], env)
  assert.match(text.stdout, /^list\.created: Creates a list\.\nevent +evt_\w+\nsequence +\d+\nlist +lst_\w+\n$/)
})
