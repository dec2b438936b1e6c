import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ERROR_CODES, ERRORS } from '../../src/contract/errors.ts'
import {
  EVENT_GROUPS,
  EVENT_TYPES,
  EVENTS,
  type EventType,
  readableTypes,
  receivableTypes,
} from '../../src/contract/events.ts'
import { PREFIXES } from '../../src/contract/handles.ts'
import { NO_PLAN, PLANS } from '../../src/contract/plans.ts'
import { ALL_SCOPES, READ_SCOPES, ROLE_SCOPES, SCOPES, type Scope } from '../../src/contract/scopes.ts'
import { readConfig } from '../../src/kernel/config/config.ts'
import { connectionLimits } from '../../src/kernel/http/connections.ts'
import { LIMIT_EVIDENCE } from '../harness/evidence.ts'

/** Written by hand from the specification, so that a row that is lost or renamed fails here. A new row needs its name here. */
const SPECIFIED_ERRORS: Record<number, string> = {
  400: `invalid_request invalid_cursor invalid_timestamp workspace_id_required unpublished_requires_opt_in
    unknown_event_type not_an_identity result_window_exceeded unsupported_source_system invalid_idempotency_key
    idempotency_key_required invalid_stage invalid_event_type event_type_not_permitted webhook_url_not_allowed
    invalid_upload candidate_url_not_allowed unknown_answer_field duplicate_answer_field invalid_answer_value answer_field_not_accepted
    answer_field_reserved missing_required_answers upload_not_found resume_rejected`,
  401: 'unauthenticated',
  403: 'insufficient_scope test_workspace_required write_requires_api_key webhooks_self_serve_disabled resume_locked',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: `job_modified_concurrently invalid_job_transition stale_resource application_modified_concurrently
    invalid_application_state invalid_order_state package_not_available order_limit_reached idempotency_key_reused idempotency_in_flight recipient_unsubscribed sender_email_missing
    job_not_accepting_applications applicant_suppressed applicant_unsubscribed candidate_consent_required
    upload_already_used upload_not_completed application_conflict webhook_endpoint_exists
    webhook_endpoint_limit_reached webhook_endpoint_disabled`,
  413: 'payload_too_large',
  422: 'job_not_publishable',
  429: `rate_limit_exceeded personal_data_quota_exceeded message_quota_exceeded too_many_pending_uploads
    suppression_check_unavailable limiter_unavailable datastore_unavailable pool_search_unavailable delivery_failed`,
  500: 'internal_error',
}

const SPECIFIED_TYPES: Record<number, string[]> = {
  400: ['invalid_request'],
  401: ['authentication'],
  403: ['permission', 'payment_required'],
  404: ['not_found'],
  405: ['invalid_request'],
  408: ['invalid_request'],
  409: ['conflict'],
  413: ['invalid_request'],
  422: ['invalid_request'],
  429: ['rate_limit', 'unavailable'],
  500: ['server'],
}

test('errors: exactly the codes of the specification, each with its status', () => {
  for (const [status, codes] of Object.entries(SPECIFIED_ERRORS)) {
    const found = ERROR_CODES.filter(code => ERRORS[code].status === Number(status))
    assert.deepEqual(found.toSorted(), codes.split(/\s+/).toSorted(), `codes with status ${status}`)
  }
  assert.equal(ERROR_CODES.length, Object.values(SPECIFIED_ERRORS).join(' ').split(/\s+/).length)
})

test('errors: types fit their status, and every 429 says how long to wait', () => {
  for (const code of ERROR_CODES) {
    const { status, type, needs } = ERRORS[code]
    assert.ok(SPECIFIED_TYPES[status]?.includes(type), `${code}: ${type} with ${status}`)
    assert.equal(status === 429, needs?.includes('retry_after_seconds') ?? false, code)
  }
  assert.equal(ERRORS.resume_locked.type, 'payment_required')
  const unavailable = ERROR_CODES.filter(code => ERRORS[code].type === 'unavailable')
  assert.deepEqual(
    unavailable.toSorted(),
    'datastore_unavailable delivery_failed limiter_unavailable pool_search_unavailable suppression_check_unavailable'.split(
      ' ',
    ),
  )
})

test('errors guide: its table has one row for each status and type, and says when to retry as the catalogue does', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/errors.md'), 'utf8')
  const section = guide.split('\n## ').find(text => text.startsWith('When to retry'))!
  const rows = [...section.matchAll(/^\| (\d[\d, ]*) \| (.+?) \| (\w+)/gm)].flatMap(([, statuses, types, retry]) =>
    statuses!.split(', ').flatMap(status => [...types!.matchAll(/`(\w+)`/g)].map(([, type]) => [status, type, retry])),
  )
  const WORDS = { no: 'no', once: 'once', after_wait: 'after', with_new_key: 'after' }
  const expected = ERROR_CODES.map(code => {
    const { status, type, retry } = ERRORS[code]
    // what to do after a conflict depends on its code
    return [String(status), type, status === 409 ? 'read' : WORDS[retry]]
  })
  const unique = (all: readonly unknown[]) => [...new Set(all.map(row => JSON.stringify(row)))].toSorted()
  assert.equal(rows.length, unique(rows).length)
  assert.deepEqual(unique(rows), unique(expected))
  assert.match(section, /^\| 408 .*did not arrive in time and was not processed/m)
})

test('errors: request_timeout names the time limits that hold unless the operator sets others', () => {
  const { headMs, bodyMs } = connectionLimits(readConfig({}))
  assert.match(
    ERRORS.request_timeout.cause,
    new RegExp(`${headMs / 1000} seconds for the headers and ${bodyMs / 1000} for the body`),
  )
})

const SPECIFIED_EVENTS: Record<string, string> = {
  'jobs:read': 'job.published job.updated job.closed job.reopened job.unpublished job.deleted job.sections_updated',
  'applications:read': `application.created application.updated application.status_changed application.stage_changed
    application.withdrawn application.deleted application.scored`,
  'resume:read': 'application.resume_parsed resume.access_changed',
  'screening:metadata:read': 'application.screening_completed',
  'applicants:read': 'applicant.created applicant.updated applicant.deleted applicant.unsubscribed',
  'sourced_profiles:read': 'sourced_profile.created sourced_profile.updated sourced_profile.deleted',
  'contact:read': 'sourced_profile.contact_info_revealed',
  'attachments:read': 'sourced_profile.attachment_added',
  'orders:read': 'order.created order.updated order.deleted',
  'lists:read': `list.created list.updated list.deleted list_membership.added list_membership.removed
    list_membership.stage_changed`,
  'pool:read': 'pool.batch_upserted',
  'people:resolve': 'person.identity_linked person.canonical_id_changed',
  'events:read': 'data_subject.suppression_applied data_subject.erasure_completed',
}

test('events: exactly the types of the specification, each with its scope', () => {
  for (const [scope, types] of Object.entries(SPECIFIED_EVENTS)) {
    const found = EVENT_TYPES.filter(type => EVENTS[type].scope === scope)
    assert.deepEqual(found.toSorted(), types.split(/\s+/).toSorted(), scope)
  }
  assert.equal(EVENT_TYPES.length, Object.values(SPECIFIED_EVENTS).join(' ').split(/\s+/).length)
})

test('events: deletions of people and jobs carry their reason', () => {
  for (const type of ['job.deleted', 'application.deleted', 'applicant.deleted', 'sourced_profile.deleted'] as const) {
    assert.ok(EVENTS[type].values.includes('reason'), type)
  }
})

test('events: readable only with events:read and the scope of the resource', () => {
  assert.deepEqual(readableTypes(new Set<Scope>(['jobs:read'])), [])
  assert.deepEqual(readableTypes(new Set<Scope>(['events:read', 'pool:read'])).toSorted(), [
    'data_subject.erasure_completed',
    'data_subject.suppression_applied',
    'pool.batch_upserted',
  ])
  assert.deepEqual(readableTypes(new Set(ALL_SCOPES)), EVENT_TYPES)
})

test('events: a vendor without other rights reads those of its orders, and none about people of the workspace', () => {
  const vendor: Scope[] = ['orders:fulfill', 'orders:candidate:read', 'events:read', 'webhooks:read', 'webhooks:write']
  const orders: EventType[] = ['order.created', 'order.updated', 'order.deleted']
  assert.deepEqual(receivableTypes(new Set(vendor)).toSorted(), orders.toSorted())
  const wider = receivableTypes(new Set<Scope>([...vendor, 'jobs:read']))
  assert.ok(wider.includes('data_subject.suppression_applied'))
  assert.ok(receivableTypes(new Set<Scope>(['events:read'])).includes('data_subject.suppression_applied'))
})

test('scopes: 26 to read, 11 to write, with the specified marks', () => {
  assert.equal(READ_SCOPES.length, 26)
  assert.equal(ALL_SCOPES.length, 37)
  const marked = (mark: 'personal' | 'metered' | 'paid' | 'own') =>
    ALL_SCOPES.filter(scope => SCOPES[scope][mark]).toSorted()
  assert.deepEqual(marked('metered'), [
    'contact:phone:read',
    'contact:read',
    'orders:candidate:read',
    'orders:results:read',
    'resume:download',
    'resume:raw_text:read',
  ])
  assert.deepEqual(marked('paid'), [
    'messages:send',
    'notes:write',
    'orders:fulfill',
    'orders:write',
    'scorecards:write',
    'webhooks:write',
  ])
  assert.deepEqual(marked('own'), ['orders:candidate:read', 'orders:fulfill'])
  assert.deepEqual(
    ALL_SCOPES.filter(scope => SCOPES[scope].testOnly),
    ['test:manage'],
  )
  assert.deepEqual(
    marked('personal'),
    `applications:answers:read applications:internal:read screening:metadata:read pool:read pool:search contact:read
      contact:phone:read resume:read resume:raw_text:read resume:download attachments:read orders:read orders:results:read
      orders:candidate:read`
      .split(/\s+/)
      .toSorted(),
  )
})

test('scopes: what each role can see', () => {
  assert.equal(ROLE_SCOPES.owner.length, 37)
  assert.equal(ROLE_SCOPES.admin.length, 37)
  assert.equal(ROLE_SCOPES.member.length, 33)
  assert.equal(ROLE_SCOPES.viewer.length, 7)
})

test('handles: the twenty-two prefixes', () => {
  assert.deepEqual(
    Object.values(PREFIXES).toSorted(),
    'pk_ ins_ wsp_ usr_ job_ stg_ app_ apl_ res_ upl_ cnd_ pool_ per_ prj_ lst_ mem_ msg_ pkg_ ord_ evt_ req_ cur_'
      .split(' ')
      .toSorted(),
  )
})

test('plans: the allowances of each', () => {
  const figures = [NO_PLAN, PLANS.starter, PLANS.growth, PLANS.enterprise].map(p => [
    ...Object.values(p.perMinute),
    p.personalDataReadsPerDay,
    p.requestsPerMonth,
  ])
  assert.deepEqual(figures, [
    [60, 6, 3, 500, 10_000],
    [600, 60, 30, 5_000, 1_000_000],
    [1_200, 120, 60, 20_000, 10_000_000],
    [6_000, 600, 300, 100_000, null],
  ])
})

test('events: every type is in exactly one of the groups that the webhook form offers', () => {
  const grouped = EVENT_GROUPS.flatMap(group => group.types)
  assert.deepEqual(grouped.toSorted(), EVENT_TYPES.toSorted())
})

test('limits: one that no single response shows names the test that shows it', () => {
  const root = join(import.meta.dirname, '../..')
  const named = Object.values(LIMIT_EVIDENCE).flatMap(shows => (typeof shows === 'function' ? [] : [shows.test]))
  assert.deepEqual(
    named.filter(file => !existsSync(join(root, file))),
    [],
  )
})
