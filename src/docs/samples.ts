import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EVENTS, type EventType, recordPath } from '../contract/events.ts'
import { PREFIXES } from '../contract/handles.ts'
import { API_PREFIX, API_VERSION } from '../contract/version.ts'
import { present } from '../kernel/errors/present.ts'
import { isNotice, type Notice, PING, type Unlisted } from '../kernel/feed/event-schemas.ts'
import { listSchema } from '../kernel/http/describe-responses.ts'
import type { CallExample } from '../kernel/http/described.ts'
import type { Route } from '../kernel/http/route.ts'
import { type JsonSchema, shapeSchema } from '../kernel/http/shape.ts'
import type { Handles } from './demo-handles.ts'

/** A call and its response. */
export type Sample = CallExample

/** Calls recorded against the demo workspace by tools/samples.ts, by `METHOD /path`. */
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'samples.json'), 'utf8')) as Record<string, Sample>

export const routeName = (route: Pick<Route, 'method' | 'path'>): string => `${route.method} ${route.path}`

/**
 * The recorded call of an endpoint; for one that has not been recorded yet, a call made from its declaration. With
 * handles of the running store it is a call that works there.
 */
export function readSample(route: Route, handles: Handles = {}): Sample {
  const sample = recorded[routeName(route)] ?? madeSample(route)
  const given = (name: string) => handles[`${routeName(route)} ${name}`] ?? handles[name]
  let text = JSON.stringify(sample)
  for (const [name, value] of Object.entries(pathValues(route, sample.path))) {
    const replacement = given(name)
    if (replacement) text = text.replaceAll(value, replacement)
  }
  const filled = JSON.parse(text) as Sample
  return filled.body === undefined ? filled : { ...filled, body: fillBody(filled.body, route, handles) }
}

/** The call as OpenAPI shows it: with a body wherever one can be sent. */
export function describedCall(route: Route): Sample {
  const sample = readSample(route)
  return route.body && sample.body === undefined
    ? { ...sample, body: exampleOf(route.body as JsonSchema, 'body') }
    : sample
}

/** The values of the parameters in a path. */
export function pathValues(route: Pick<Route, 'path'>, path: string): Record<string, string> {
  const pattern = route.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/?]+)')
  return { ...new RegExp(`^${pattern}(?:\\?|$)`).exec(path)?.groups }
}

/** Handles in the body, by the name of their field. */
function fillBody(body: unknown, route: Route, handles: Handles): unknown {
  if (Array.isArray(body)) return body.map(item => fillBody(item, route, handles))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      handles[`${routeName(route)} ${name}`] ?? fillBody(value, route, handles),
    ]),
  )
}

function madeSample(route: Route): Sample {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => exampleParam(present(route.params[name], name)))
  const { output } = route
  const status = output.kind === 'one' ? output.status : 200
  const body = route.body && !route.bodyOptional ? { body: exampleOf(route.body as JsonSchema, 'body') } : {}
  if (!('shape' in output)) return { path, ...body, status, response: null }
  const row = shapeSchema(output.shape)
  const schema = output.kind === 'one' ? row : listSchema(row, output.kind === 'log' ? output.envelopeFields : {})
  return { path, ...body, status, response: exampleOf(schema, output.shape.name) }
}

export const exampleParam = (kind: Route['params'][string]): string =>
  kind === 'uuid'
    ? '0f8c3c1e-6a4d-4b0e-9a53-2f1d7c5b8e10'
    : kind === 'text'
      ? 'senior-data-engineer'
      : typeof kind !== 'string'
        ? present(kind[0], 'a value of the parameter')
        : `${PREFIXES[kind]}1m8x2c4e6g8j0k2m4n6q`

const KNOWN: Readonly<Record<string, unknown>> = {
  object: undefined,
  next_cursor: null,
  has_more: false,
  currency: 'USD',
  email: 'ada.okafor@mail.example',
  subject: 'Your interview on Thursday',
  body_text: 'Hello Ada, are you free on Thursday at 10?',
  filename: 'resume.pdf',
  scope: 'applications:read',
  scopes_pending: ['jobs:read'],
  suspended_by: null,
}

/** A plausible value of a schema: constants and first choices, known words, then something of the type. */
function exampleOf(given: JsonSchema, name: string): unknown {
  const schema = given as Record<string, unknown>
  if (schema['const'] !== undefined) return schema['const']
  if (KNOWN[name] !== undefined) return KNOWN[name]
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  if (Array.isArray(schema['examples'])) return schema['examples'][0]
  if (Array.isArray(schema['anyOf'])) return exampleOf(schema['anyOf'][0] as JsonSchema, name)
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type']
  switch (type) {
    case 'object': {
      const fields = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
      const shown = fields.filter(([field]) => field !== 'restricted' && field !== 'restricted_reason')
      return Object.fromEntries(shown.map(([field, inner]) => [field, exampleOf(inner, field)]))
    }
    case 'array':
      return [exampleOf((schema['items'] ?? {}) as JsonSchema, name.replace(/s$/, ''))]
    case 'integer':
      return Math.max(Number(schema['minimum'] ?? 0), 3)
    case 'number':
      return 0.5
    case 'boolean':
      return true
    default:
      if (schema['format'] === 'date-time' || name.endsWith('_at')) return '2026-11-03T09:24:18.402Z'
      if (schema['format'] === 'uuid') return exampleParam('uuid')
      if (schema['format'] === 'uri-reference') return `${API_PREFIX}/me`
      if (schema['format'] === 'uri') return 'https://example.com/'
      return name.endsWith('_id') ? `${name.slice(0, 3)}_1m8x2c4e6g8j0k2m4n6q` : `${name.replaceAll('_', ' ')}`
  }
}

const AT = '2026-11-03T09:24:18.402Z'
const id = (prefix: string) => `${prefix}1m8x2c4e6g8j0k2m4n6q`

/** A value for each name that the event catalogue lets an event carry. */
const EVENT_VALUES: Readonly<Record<string, unknown>> = {
  status: 'published',
  'application.status': 'in_review',
  'suppression.status': 'suppressed',
  reason: 'created by mistake',
  'suppression.reason': 'erasure_request',
  'order.status': 'requested',
  'order.reason': 'application_deleted',
  waiting_on: 'vendor',
  package_id: id('pkg_'),
  attempt: 1,
  stage_id: id('stg_'),
  job_id: id('job_'),
  applicant_id: id('apl_'),
  application_id: id('app_'),
  match_pct: 84,
  parse_status: 'parsed',
  parse_error: null,
  call_status: 'completed',
  completion_state: 'complete',
  state: 'view_only',
  attachment_type: 'resume',
  project_id: id('prj_'),
  candidate_count: 12,
  list_id: id('lst_'),
  sourced_profile_id: id('cnd_'),
  stage: 'interviewing',
  count: 250,
  canonical_id: 'per_1m8x2c4e6g8j0k2m4n7r',
  linked_id: id('per_'),
  previous_canonical_id: id('per_'),
  subjects: [
    { object: 'applicant', id: id('apl_') },
    { object: 'application', id: id('app_') },
  ],
  delete_by: '2026-11-10T09:24:18.402Z',
}

/** What changes with the type and is not in the catalogue. */
const EVENT_EXTRAS: Readonly<Partial<Record<EventType, { values?: object; changed?: string[]; previous?: object }>>> = {
  'job.published': { changed: ['status', 'published_at'], previous: { status: 'draft', published_at: null } },
  'job.updated': {
    changed: ['title', 'compensation.salary_max'],
    previous: { title: 'Data Engineer', 'compensation.salary_max': 88_000 },
  },
  'job.closed': { values: { status: 'closed' }, changed: ['status'], previous: { status: 'published' } },
  'job.reopened': { changed: ['status'], previous: { status: 'closed' } },
  'job.unpublished': {
    values: { status: 'draft' },
    changed: ['status', 'published_at'],
    previous: { status: 'published', published_at: '2026-10-19T08:00:00.000Z' },
  },
  'job.deleted': { previous: { status: 'draft' } },
  'job.sections_updated': { changed: ['application_form'] },
  'application.created': { values: { status: 'new' } },
  'application.updated': { changed: ['notes'] },
  'application.status_changed': { values: { status: 'rejected' }, previous: { status: 'in_review' } },
  'application.stage_changed': { previous: { stage_id: 'stg_1m8x2c4e6g8j0k2m4n5p' } },
  'application.withdrawn': { values: { status: 'withdrawn' }, previous: { status: 'in_review' } },
  'resume.access_changed': { previous: { state: 'open' } },
  'applicant.updated': { changed: ['location'] },
  'order.updated': {
    values: { status: 'invited', waiting_on: 'candidate' },
    changed: ['status', 'waiting_on', 'external_id', 'candidate_url', 'accepted_at', 'due_at'],
    previous: { status: 'requested' },
  },
  'sourced_profile.updated': { changed: ['job_title', 'company_name'] },
  'sourced_profile.contact_info_revealed': { changed: ['work_email', 'phone'] },
  'list.updated': { changed: ['candidate_count'] },
  'list_membership.stage_changed': { previous: { stage: 'connected' } },
  'data_subject.erasure_completed': { values: { status: 'erased' } },
}

const EVENT_PREFIXES: Readonly<Record<string, string>> = { ...PREFIXES, suppression: '', pool_batch: '' }

/** An event of each type, in the very form of the feed and of webhooks. */
export function sampleEvent(type: EventType | Unlisted): object {
  if (type === PING) return samplePing()
  if (isNotice(type)) return sampleNotice(type)
  const { object, values } = EVENTS[type]
  const extras = EVENT_EXTRAS[type] ?? {}
  const prefix = EVENT_PREFIXES[object]
  const workspace = type === 'pool.batch_upserted' ? null : id('wsp_')
  const eventId = id('evt_')
  const about = {
    object,
    id: prefix ? id(prefix) : exampleParam('uuid'),
    workspace_id: workspace,
    updated_at: AT,
    ...Object.fromEntries(values.map(name => [name, EVENT_VALUES[`${object}.${name}`] ?? EVENT_VALUES[name]])),
    ...extras.values,
    ...(extras.changed ? { changed: extras.changed } : {}),
  }
  const record = recordPath(type, about)
  return {
    object: 'event',
    id: eventId,
    type,
    api_version: API_VERSION,
    created_at: AT,
    sequence: 48_213,
    workspace_id: workspace,
    data: {
      object: about,
      ...(extras.previous ? { previous_attributes: extras.previous } : {}),
    },
    links: { self: `${API_PREFIX}/events/${eventId}`, ...(record ? { record: API_PREFIX + record } : {}) },
  }
}

const NOTICE_EXTRAS: Readonly<Record<Notice, object>> = {
  'installation.created': { status: 'active', scopes_pending: [], reason: 'installed', delete_by: null },
  'installation.updated': {
    status: 'active',
    scopes_pending: ['jobs:read'],
    reason: 'access_requested',
    delete_by: null,
  },
  'installation.deleted': {
    status: 'ended',
    scopes_pending: [],
    reason: 'uninstalled_by_workspace',
    delete_by: '2026-12-15T09:30:00.000Z',
  },
}

function sampleNotice(type: Notice): object {
  const [workspace, installation] = [id('wsp_'), id('ins_')]
  return {
    object: 'event',
    id: id('evt_'),
    type,
    api_version: API_VERSION,
    created_at: AT,
    sequence: 0,
    workspace_id: workspace,
    data: {
      object: {
        object: 'installation',
        id: installation,
        workspace_id: workspace,
        updated_at: AT,
        environment: 'live',
        scopes: ['events:read', 'applications:read'],
        ...NOTICE_EXTRAS[type],
      },
    },
    links: { self: `${API_PREFIX}/installations/${installation}` },
  }
}

function samplePing(): object {
  const workspace = id('wsp_')
  const endpoint = exampleParam('uuid')
  return {
    object: 'event',
    id: id('evt_'),
    type: PING,
    api_version: API_VERSION,
    created_at: AT,
    sequence: 0,
    workspace_id: workspace,
    data: { object: { object: 'webhook_endpoint', id: endpoint, workspace_id: workspace, updated_at: AT } },
    links: { self: `${API_PREFIX}/webhooks/endpoints/${endpoint}` },
  }
}
