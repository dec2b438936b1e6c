/**
 * What fields mean that have the same name and meaning in several resources, where their declaration says nothing. What
 * belongs to one resource is the `description` of its declaration.
 */
export const NOTES: Readonly<Record<string, string>> = {
  id: 'Opaque. Store and compare it; do not parse it.',
  updated_at: 'Changes with every update. Send it as `expected_updated_at` where a call accepts it.',
  links: 'Paths of related endpoints.',
  expected_updated_at:
    'The `updated_at` you last read. If the record has changed since, the call returns 409 `stale_resource` and changes nothing.',
  workspace_id: 'The workspace that the record belongs to.',
  job_id: 'The job.',
  application_id: 'The application.',
  applicant_id: 'The person who applied.',
  stage_id: 'Stages belong to a job.',
  acting_user_id: 'The person who signed in to the connected app.',
  previous_secret_expires_at: 'During a rotation: when the old secret expires.',
  provenance: 'Where the record comes from, and how you may use it.',
  redistributable: 'Always false: do not pass the data on.',
  unsubscribed: 'If true, do not email the person.',
}
