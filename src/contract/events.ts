import { isVendorAlone, type Scope } from './scopes.ts'

/**
 * The event catalogue: what each type describes, the read scope it needs besides events:read, where the record that
 * changed is read, and the plain values its thin object carries beyond `object`, `id`, `workspace_id` and `updated_at`.
 */
export interface EventRow {
  object: string
  scope: Scope
  /** with this scope a vendor reads those events whose audience it is */
  ownScope?: Scope
  /**
   * `links.record`: the path of what changed, filled in with `id` or one of the values. Its endpoint needs the scope of
   * the event and no other. Null where the record is gone, or where no endpoint reads it.
   */
  record: string | null
  values: readonly string[]
  description: string
}

const row = (
  object: string,
  scope: Scope,
  record: string | null,
  description: string,
  ...values: string[]
): EventRow => ({
  object,
  scope,
  record,
  values,
  description,
})

/** An order, which its vendor reads as well. */
const ownRow = (record: string | null, description: string, ...values: string[]): EventRow => ({
  ...row('order', 'orders:read', record, description, ...values),
  ownScope: 'orders:fulfill',
})

const table = {
  'job.published': row('job', 'jobs:read', '/jobs/{id}', 'A job was published.', 'status'),
  'job.updated': row('job', 'jobs:read', '/jobs/{id}', 'Fields of a job changed; `changed` names them.', 'status'),
  'job.closed': row('job', 'jobs:read', '/jobs/{id}', 'A job was closed.', 'status'),
  'job.reopened': row('job', 'jobs:read', '/jobs/{id}', 'A closed job was published again.', 'status'),
  'job.unpublished': row('job', 'jobs:read', '/jobs/{id}', 'A job was unpublished and is a draft again.', 'status'),
  'job.deleted': row('job', 'jobs:read', null, 'A job was deleted.', 'reason'),
  'job.sections_updated': row(
    'job',
    'jobs:read',
    '/jobs/{id}/sections',
    'The stages, form or questions of a job changed.',
    'status',
  ),
  'application.created': row(
    'application',
    'applications:read',
    '/applications/{id}',
    'A candidate applied.',
    'status',
    'stage_id',
    'job_id',
    'applicant_id',
  ),
  'application.updated': row(
    'application',
    'applications:read',
    '/applications/{id}',
    'An application changed; `changed` names what.',
    'status',
    'stage_id',
    'job_id',
  ),
  'application.status_changed': row(
    'application',
    'applications:read',
    '/applications/{id}',
    'The status of an application changed.',
    'status',
    'stage_id',
    'job_id',
  ),
  'application.stage_changed': row(
    'application',
    'applications:read',
    '/applications/{id}',
    'An application moved to another stage.',
    'status',
    'stage_id',
    'job_id',
  ),
  'application.withdrawn': row(
    'application',
    'applications:read',
    '/applications/{id}',
    'The applicant withdrew.',
    'status',
    'stage_id',
    'job_id',
  ),
  'application.deleted': row(
    'application',
    'applications:read',
    null,
    'An application was deleted.',
    'reason',
    'job_id',
  ),
  'application.scored': row(
    'application',
    'applications:read',
    '/applications/{id}/score',
    'The match score was computed or changed.',
    'job_id',
    'match_pct',
  ),
  'application.resume_parsed': row(
    'application',
    'resume:read',
    '/applications/{id}/resume',
    'Parsing of the résumé finished or failed.',
    'job_id',
    'parse_status',
    'parse_error',
  ),
  'application.screening_completed': row(
    'application',
    'screening:metadata:read',
    '/applications/{id}/screening',
    'A phone pre-screen took place.',
    'job_id',
    'call_status',
    'completion_state',
  ),
  'resume.access_changed': row(
    'resume',
    'resume:read',
    '/applications/{application_id}/resume',
    'The access state of a résumé changed.',
    'application_id',
    'state',
  ),
  'applicant.created': row(
    'applicant',
    'applicants:read',
    '/applicants/{id}',
    'An applicant was created in the workspace.',
  ),
  'applicant.updated': row(
    'applicant',
    'applicants:read',
    '/applicants/{id}',
    'Details of an applicant changed. `contact_info` in `changed` means an email address or phone number.',
  ),
  'applicant.deleted': row('applicant', 'applicants:read', null, 'An applicant was deleted.', 'reason'),
  'applicant.unsubscribed': row(
    'applicant',
    'applicants:read',
    '/applicants/{id}',
    'The applicant unsubscribed. Stop emailing this person.',
  ),
  'sourced_profile.created': row(
    'sourced_profile',
    'sourced_profiles:read',
    '/sourced-profiles/{id}',
    'A profile was saved.',
  ),
  'sourced_profile.updated': row(
    'sourced_profile',
    'sourced_profiles:read',
    '/sourced-profiles/{id}',
    'A saved profile changed.',
  ),
  'sourced_profile.deleted': row(
    'sourced_profile',
    'sourced_profiles:read',
    null,
    'A saved profile was deleted.',
    'reason',
  ),
  'sourced_profile.contact_info_revealed': row(
    'sourced_profile',
    'contact:read',
    '/sourced-profiles/{id}/contact-info',
    'Contact details were revealed; `changed` names the fields, never the values.',
  ),
  'sourced_profile.attachment_added': row(
    'sourced_profile',
    'attachments:read',
    '/sourced-profiles/{id}/attachments',
    'A file was attached to a saved profile.',
    'attachment_type',
  ),
  'order.created': ownRow(
    '/orders/{id}',
    'A check or assessment was ordered.',
    'status',
    'application_id',
    'job_id',
    'package_id',
    'attempt',
  ),
  'order.updated': ownRow(
    '/orders/{id}',
    'An order or its result changed; `changed` names what.',
    'status',
    'waiting_on',
    'package_id',
  ),
  'order.deleted': ownRow(null, 'An order was deleted. Delete your copy.', 'reason', 'package_id'),
  'list.created': row('list', 'lists:read', '/lists/{id}', 'A list was created.', 'project_id'),
  'list.updated': row(
    'list',
    'lists:read',
    '/lists/{id}',
    'A list or its membership changed.',
    'project_id',
    'candidate_count',
  ),
  'list.deleted': row('list', 'lists:read', null, 'A list was deleted.', 'project_id'),
  'list_membership.added': row(
    'list_membership',
    'lists:read',
    '/lists/{list_id}/members',
    'A profile was added to a list.',
    'list_id',
    'sourced_profile_id',
    'stage',
  ),
  'list_membership.removed': row(
    'list_membership',
    'lists:read',
    null,
    'A profile was removed from a list. Delete your stored row.',
    'list_id',
    'sourced_profile_id',
  ),
  'list_membership.stage_changed': row(
    'list_membership',
    'lists:read',
    '/lists/{list_id}/members',
    'The stage of a list member changed.',
    'list_id',
    'sourced_profile_id',
    'stage',
  ),
  'pool.batch_upserted': row('pool_batch', 'pool:read', null, 'A batch of pool profiles was loaded.', 'count'),
  'person.identity_linked': row(
    'person',
    'people:resolve',
    '/people/{id}',
    'Two identifiers were found to belong to one person.',
    'canonical_id',
    'linked_id',
  ),
  'person.canonical_id_changed': row(
    'person',
    'people:resolve',
    '/people/{id}',
    'The canonical handle of a person changed. Update your stored handle.',
    'canonical_id',
    'previous_canonical_id',
  ),
  'data_subject.suppression_applied': row(
    'suppression',
    'events:read',
    null,
    'Delete your copies of these records within seven days.',
    'status',
    'reason',
    'subjects',
    'delete_by',
  ),
  'data_subject.erasure_completed': row(
    'suppression',
    'events:read',
    null,
    'These records were erased.',
    'status',
    'reason',
    'subjects',
    'delete_by',
  ),
} as const satisfies Record<string, EventRow>

export type EventType = keyof typeof table

export const EVENTS: Readonly<Record<EventType, EventRow>> = table

export const EVENT_TYPES = Object.keys(table) as EventType[]

type EventPrefix = EventType extends `${infer Prefix}.${string}` ? Prefix : never

/** The title under which types of this prefix are offered. A type with a new prefix does not compile without one. */
const GROUP_TITLES: Readonly<Record<EventPrefix, string>> = {
  job: 'Jobs',
  application: 'Applications',
  resume: 'Résumés',
  applicant: 'Applicants',
  sourced_profile: 'Sourced profiles',
  order: 'Checks and assessments',
  list: 'Lists',
  list_membership: 'Lists',
  pool: 'Pool',
  person: 'People',
  data_subject: 'Data subjects',
}

/** Every type, in groups for people to choose from. */
export const EVENT_GROUPS: readonly { title: string; types: readonly EventType[] }[] = [
  ...new Set(Object.values(GROUP_TITLES)),
].map(title => ({
  title,
  types: EVENT_TYPES.filter(type => GROUP_TITLES[type.slice(0, type.indexOf('.')) as EventPrefix] === title),
}))

/** Where the record that an event is about can be read after the event; undefined where it cannot. */
export function recordPath(type: EventType, values: Readonly<Record<string, unknown>>): string | undefined {
  const [before, name, after] = EVENTS[type].record?.split(/[{}]/) ?? []
  const value = name === undefined ? undefined : values[name]
  return typeof value === 'string' ? `${before}${value}${after}` : undefined
}

/** The scopes with which a reader gets events of a type: `ownScope` for those of its own orders. */
export const scopesOfEvent = (type: EventType): readonly Scope[] => {
  const { scope, ownScope } = EVENTS[type]
  return ['events:read', scope, ...(ownScope ? [ownScope] : [])]
}

export const EVENT_SCOPES: readonly Scope[] = [...new Set(EVENT_TYPES.flatMap(scopesOfEvent))]

export const isEventType = (name: string): name is EventType => Object.hasOwn(table, name)

/**
 * The one filter for feed, registration and delivery: the types that a holder of these scopes may read, for any audience. Events
 * that need `events:read` alone are about people of the whole workspace; a vendor reads the notices of its own orders instead.
 */
export function readableTypes(scopes: ReadonlySet<Scope>): EventType[] {
  if (!scopes.has('events:read')) return []
  const isVendor = isVendorAlone(scopes)
  return EVENT_TYPES.filter(type => {
    const { scope } = EVENTS[type]
    return scopes.has(scope) && !(isVendor && scope === 'events:read')
  })
}

/** The types of which a holder of these scopes may read only the events whose audience is their vendor. */
export function ownTypes(scopes: ReadonlySet<Scope>): EventType[] {
  if (!scopes.has('events:read')) return []
  return EVENT_TYPES.filter(type => {
    const { scope, ownScope } = EVENTS[type]
    return !scopes.has(scope) && ownScope !== undefined && scopes.has(ownScope)
  })
}

/** Every type of which a holder of these scopes may read some events. */
export const receivableTypes = (scopes: ReadonlySet<Scope>): EventType[] => {
  const types = new Set([...readableTypes(scopes), ...ownTypes(scopes)])
  return EVENT_TYPES.filter(type => types.has(type))
}
