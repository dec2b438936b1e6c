import {
  array,
  handleField,
  integer,
  links,
  nullable,
  object,
  oneOf,
  type Row,
  shape,
  text,
  time,
  url,
} from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'
import { record } from '../../kernel/record/record.ts'
import { provenance } from '../shared/provenance.ts'

export const applicantRecord = record(
  'applicants',
  {
    person: 'erased',
    erasure: 'the row is deleted',
    stored: {
      first_name: nullable(text()),
      last_name: nullable(text()),
      email: nullable(text()),
      email_key: nullable(text()),
      phone: nullable(text()),
      linkedin_key: nullable(text()),
      origin: oneOf(['applicant', 'ats_import']),
      acquisition: text(),
      provider: nullable(text()),
      consent_basis: oneOf(['candidate_submitted', 'customer_provided']),
      first_seen_at: time(),
      last_seen_at: time(),
      unsubscribed_at: nullable(time()),
      suppressed_at: nullable(time()),
      application_count: integer(),
    },
  },
  {
    id: field(handleField('applicant'), { person: 'none' }),
    workspace_id: field(handleField('workspace'), { person: 'none' }),
    full_name: nullable(text()),
    location: nullable(text()),
    linkedin_url: nullable(url()),
    github_url: nullable(url()),
    portfolio_url: nullable(url()),
    created_at: field(time(), { person: 'none' }),
    updated_at: field(time(), { person: 'none' }),
    provenance: field(provenance, { computed: true }),
    external_refs: field(
      array(
        object({
          system: text(),
          type: nullable(text()),
          id: text(),
          connection_id: nullable(text()),
          link_origin: nullable(text()),
          last_synced_at: nullable(time()),
        }),
      ),
      { description: 'The same person in other systems. Match on `system` and `id`.' },
    ),
    links: links({
      self: '/applicants/{id}',
      applications: '/applicants/{id}/applications',
      resumes: '/applicants/{id}/resumes',
      contact_info: '/applicants/{id}/contact-info',
    }),
  },
)

export const applicantShape = shape(
  'applicant',
  'A person who applied. Contact details have their own endpoint.',
  applicantRecord.fields,
  { resource: { name: 'applicants', scope: 'applicants:read' } },
)

export type ApplicantRow = Row<typeof applicantShape>
export type ExternalRef = ApplicantRow['external_refs'][number]
