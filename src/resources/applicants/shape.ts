import {
  array,
  handleField,
  links,
  nullable,
  object,
  type Row,
  shape,
  text,
  time,
  url,
} from '../../kernel/http/shape.ts'
import { provenance } from '../provenance/shape.ts'

export const applicantShape = shape(
  'applicant',
  'A person who applied. Contact details are read apart from the record.',
  {
    id: handleField('applicant'),
    workspace_id: handleField('workspace'),
    full_name: nullable(text()),
    location: nullable(text()),
    linkedin_url: nullable(url()),
    github_url: nullable(url()),
    portfolio_url: nullable(url()),
    created_at: time(),
    updated_at: time(),
    provenance,
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
