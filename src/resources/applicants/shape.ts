import {
  array,
  boolean,
  handle,
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

/** Where a record of a person comes from and what may be done with it. */
export const provenanceField = object({
  origin: oneOf(['applicant', 'ats_import', 'sourced', 'shared_pool']),
  acquisition: text('such as inbound_application or ats_sync'),
  provider: nullable(text()),
  owner_workspace_id: handle('workspace'),
  first_seen_at: time(),
  last_seen_at: time(),
  consent: object({
    basis: oneOf(['candidate_submitted', 'customer_provided', 'legitimate_interest_sourcing', 'public_profile']),
    candidate_facing_notice: boolean(),
    unsubscribed: boolean(),
    suppressed: boolean(),
  }),
  licence: object({ redistributable: boolean(), note: text() }),
})

export const applicantShape = shape(
  'applicant',
  'A person who applied. Contact details are read apart from the record.',
  {
    id: handle('applicant'),
    workspace_id: handle('workspace'),
    full_name: nullable(text()),
    location: nullable(text()),
    linkedin_url: nullable(url()),
    github_url: nullable(url()),
    portfolio_url: nullable(url()),
    created_at: time(),
    updated_at: time(),
    provenance: provenanceField,
    external_refs: array(
      object({
        system: text(),
        type: nullable(text()),
        id: text(),
        connection_id: nullable(text()),
        link_origin: nullable(text()),
        last_synced_at: nullable(time()),
      }),
    ),
    links: links({
      self: '/applicants/{id}',
      applications: '/applicants/{id}/applications',
      resumes: '/applicants/{id}/resumes',
      contact_info: '/applicants/{id}/contact-info',
    }),
  },
  { resource: { name: 'applicants', scope: 'applicants:read' } },
)

export type ApplicantRow = Row<typeof applicantShape>
export type ExternalRef = ApplicantRow['external_refs'][number]
