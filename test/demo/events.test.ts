import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activityVerbs } from '../../src/cli/activity.ts'
import { EVENT_TYPES, type EventType } from '../../src/contract/events.ts'
import { loadDemo } from '../../src/demo/load.ts'
import { sampleEvent } from '../../src/docs/samples.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { eventsOf, type FeedEvent } from '../applications/setup.ts'
import { startTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'

/** The demo's events beside those that the product's own operations cause in a store without demo history. */
const service = await startTestService({ ROLES: 'api' })
const { db } = service.services
const summary = await loadDemo(service.services)
const acme = summary!.workspaces[0]!.id

const all = async () => {
  await eventsOf({ service }, acme)
  const rows = await db.query(
    sql<{
      body: string
    }>`select body from events where workspace_id = ${acme} or workspace_id is null order by sequence`,
  )
  return rows.map(row => JSON.parse(row.body) as FeedEvent)
}

const byType = (events: readonly FeedEvent[]) => Map.groupBy(events, event => event.type)

/** The names of the values; `origin` says who wrote, and is compared by a test of its own. */
const formsOf = (events: readonly FeedEvent[]): string[] => [
  ...new Set(
    events.map(({ data }) =>
      JSON.stringify({
        values: Object.keys(data.object)
          .filter(name => name !== 'origin')
          .toSorted(),
        previous: data.previous_attributes ? 'yes' : 'no',
      }),
    ),
  ),
]

const loaded = byType(await all())
const before = (await all()).length
for (const type of EVENT_TYPES) await runVerb(service, activityVerbs, 'trigger', [type])
const made = byType((await all()).slice(before))

for (const type of EVENT_TYPES) {
  test(`demo event ${type}: has the values that the product gives it`, () => {
    const [demo, product] = [loaded.get(type) ?? [], made.get(type) ?? []]
    assert.notEqual(demo.length, 0, 'the demo shows it')
    assert.notEqual(product.length, 0, 'the operation causes it')
    // previous_attributes of a changed job name simple fields only: without one among them there are none
    const formed = formsOf(product)
    for (const form of formsOf(demo)) assert.ok(formed.includes(form), `${form}\nproduct: ${formed.join('\n')}`)
  })
}

for (const type of EVENT_TYPES) {
  test(`documented event ${type}: the sample has the values that the product gives it`, () => {
    const formed = formsOf(made.get(type) ?? [])
    for (const form of formsOf([sampleEvent(type) as FeedEvent])) {
      assert.ok(formed.includes(form), `${form}\nproduct: ${formed.join('\n')}`)
    }
  })
}

/** Names that the product puts into `changed`, for the types that have it. */
const CHANGED: Readonly<Partial<Record<EventType, RegExp>>> = {
  'job.published': /^(status|published_at|[a-z_.]+)$/,
  'job.updated':
    /^(title|department|team|locations|years_(min|max)|compensation\.(salary_min|salary_max|equity)|content\.[a-z_]+)$/,
  'job.closed': /^status$/,
  'job.reopened': /^status$/,
  'job.unpublished': /^(status|published_at)$/,
  'job.sections_updated': /^(pipeline_stages|application_form|prescreen_questions)$/,
  'application.updated': /^(notes|scorecards|score)$/,
  'applicant.updated': /^(full_name|email|phone|location|(linkedin|github|portfolio)_url|external_refs)$/,
  'sourced_profile.updated': /^(has_(contact_info|resume|business_card|profile_photo)|headline|job_title|[a-z_]+)$/,
  'sourced_profile.contact_info_revealed': /^((work|personal)_email|email|phone)$/,
  'list.updated': /^(name|description|candidate_count)$/,
}

test('demo events: `changed` holds names of fields as the product writes them', () => {
  for (const [type, events] of loaded) {
    for (const { data } of events) {
      const changed = data.object['changed'] as string[] | undefined
      const allowed = CHANGED[type as EventType]
      assert.equal(changed !== undefined, allowed !== undefined, type)
      for (const name of changed ?? []) assert.match(name, allowed!, type)
    }
  }
})

/** What partners can do over the API; everything else happens in the product. */
const API_WRITES = new Set<string>([
  ...['job.published', 'job.updated', 'job.closed', 'job.reopened', 'job.unpublished'],
  ...['application.created', 'application.updated', 'application.status_changed', 'application.stage_changed'],
  ...['applicant.created', 'applicant.updated', 'person.identity_linked', 'person.canonical_id_changed'],
  ...['list.created', 'list.updated', 'list_membership.added', 'list_membership.stage_changed'],
])

test('demo events: only what an API call can cause has an origin', () => {
  for (const [type, events] of loaded) {
    if (API_WRITES.has(type)) continue
    for (const { data } of events) assert.equal(data.object['origin'], undefined, type)
  }
})

test('demo events: records that exist are as the last event about them says', async () => {
  const applications = await db.query(
    sql<{ id: string; match_pct: number }>`
      select application_id as id, match_pct from application_scores where workspace_id = ${acme}`,
  )
  const scores = new Map(applications.map(row => [row.id, row.match_pct]))
  for (const { data } of loaded.get('application.scored')!) {
    assert.equal(scores.get(data.object['id'] as string), data.object['match_pct'])
  }
})
