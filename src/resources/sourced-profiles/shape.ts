import type { Scope } from '../../contract/scopes.ts'
import {
  boolean,
  handleField,
  integer,
  links,
  nullable,
  oneOf,
  type Row,
  shape,
  text,
  time,
  url,
} from '../../kernel/http/shape.ts'
import { provenance } from '../provenance/shape.ts'

export const PROFILE_MATCH_TIERS = ['strong', 'good', 'fair', 'weak'] as const

export const sourcedProfileShape = shape(
  'sourced_profile',
  'A candidate that the workspace found and saved. Any field can be null.',
  {
    id: handleField('sourced_profile'),
    workspace_id: handleField('workspace'),
    full_name: nullable(text()),
    headline: nullable(text()),
    job_title: nullable(text()),
    company_name: nullable(text()),
    company_industry: nullable(text()),
    company_website: nullable(url()),
    company_linkedin_url: nullable(url()),
    department: nullable(text()),
    management_level: nullable(text()),
    location_full: nullable(text()),
    location_country: nullable(text()),
    linkedin_url: nullable(url()),
    photo_url: nullable(url()),
    summary: nullable(text()),
    total_experience_months: nullable(integer()),
    connections_count: nullable(integer()),
    follower_count: nullable(integer()),
    match_score: nullable(integer('Relative to the search that found the person; not a general rating.')),
    match_tier: nullable(oneOf(PROFILE_MATCH_TIERS)),
    created_at: time(),
    updated_at: time(),
    has_contact_info: boolean(),
    has_resume: boolean(),
    has_business_card: boolean(),
    has_profile_photo: boolean(),
    has_linkedin_capture: boolean(),
    provenance,
    links: links({
      self: '/sourced-profiles/{id}',
      contact_info: '/sourced-profiles/{id}/contact-info',
      attachments: '/sourced-profiles/{id}/attachments',
      list_memberships: '/sourced-profiles/{id}/list-memberships',
    }),
  },
  { resource: { name: 'sourced_profiles', scope: 'sourced_profiles:read' } },
)

export type AttachmentType = 'resume' | 'business_card' | 'profile_photo'

/** The scope that opens each kind of file, besides attachments:read. */
export const ATTACHMENT_SCOPES: Readonly<Record<AttachmentType, Scope>> = {
  profile_photo: 'attachments:read',
  resume: 'resume:download',
  business_card: 'contact:read',
}

export const ATTACHMENT_TYPES = Object.keys(ATTACHMENT_SCOPES) as AttachmentType[]

export const attachmentShape = shape(
  'attachment',
  'A file attached to a sourced profile.',
  {
    type: oneOf(['resume', 'business_card', 'profile_photo']),
    filename: text(),
    mime: text(),
    bytes: integer(),
    uploaded_at: text('UTC, without a zone suffix.'),
    required_scope: text('The scope that opens the file.'),
    readable: boolean(),
    links: links({
      content: { path: '/sourced-profiles/{profile_id}/attachments/{type}/content', when: row => row.readable },
    }),
  },
  { resource: { name: 'attachments', scope: 'attachments:read' } },
)

export type SourcedProfileRow = Row<typeof sourcedProfileShape>
