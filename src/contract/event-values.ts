/**
 * What the plain values of events are, by their name, or by object and name where it means something else there. A type
 * of a value never changes; a value that is added to a type later is `optional`, because older events lack it.
 */
export interface EventValue {
  type: 'string' | 'integer' | 'subjects'
  about: string
  /** the name of its enumeration */
  enum?: string
  format?: 'date-time'
  nullable?: true
  optional?: true
}

const text = (about: string, more: Partial<EventValue> = {}): EventValue => ({ type: 'string', about, ...more })
const oneOf = (name: string, about: string): EventValue => ({ type: 'string', about, enum: name })

const table: Readonly<Record<string, EventValue>> = {
  'job.status': oneOf('job_status', 'The status after the change.'),
  'application.status': oneOf('application_status', 'The status after the change.'),
  'suppression.status': oneOf('suppression_status', 'How far the erasure is.'),
  'suppression.reason': oneOf('suppression_reason', 'Why the data must no longer be processed.'),
  'order.status': oneOf('order_status', 'The status after the change.'),
  'order.reason': text('Why it was deleted: `application_deleted`, `retention` or `erasure_request`.'),
  'order.application_id': text('The application that it is about.'),
  waiting_on: { ...oneOf('order_waiting_on', 'Who is to do something; null: no one.'), nullable: true },
  package_id: text('The package that was ordered.'),
  attempt: { type: 'integer', about: '1, and one more for each repetition.' },
  reason: text('Why it was deleted.'),
  stage_id: text('The stage of the application.'),
  job_id: text('The job of the application.'),
  applicant_id: text('The person who applied; null if the person is not known.', { nullable: true }),
  application_id: text('The application of the résumé.'),
  match_pct: { type: 'integer', about: 'The match score, 0 to 100.' },
  parse_status: oneOf('parse_status', 'The result of parsing.'),
  parse_error: {
    ...oneOf('parse_error', 'Why parsing failed; null if it did not.'),
    nullable: true,
    optional: true,
  },
  call_status: oneOf('call_status', 'How the call ended.'),
  completion_state: oneOf('completion_state', 'How much was answered.'),
  state: oneOf('resume_access_state', 'The access state after the change.'),
  attachment_type: oneOf('attachment_type', 'The kind of file.'),
  project_id: text('The project of the list; null if it has none.', { nullable: true }),
  candidate_count: { type: 'integer', about: 'The number of members after the change.' },
  list_id: text('The list.'),
  sourced_profile_id: text('The profile in the list.'),
  stage: text('The stage after the change: a stage key or a custom label; null if there is none.', { nullable: true }),
  count: { type: 'integer', about: 'The number of profiles in the batch.' },
  canonical_id: text('The handle to store for the person.'),
  linked_id: text('The handle that was found to belong to the same person.'),
  previous_canonical_id: text('The handle that was canonical before.'),
  subjects: { type: 'subjects', about: 'The records of the person in this workspace.' },
  delete_by: text('Delete your copies by this time.', { format: 'date-time' }),
}

export const eventValue = (object: string, name: string): EventValue | undefined =>
  table[`${object}.${name}`] ?? table[name]
