import type { Scope } from '../../contract/scopes.ts'
import {
  boolean,
  handleField,
  int64,
  integer,
  links,
  nullable,
  oneOf,
  type Row,
  shape,
  text,
  time,
} from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'
import { record } from '../../kernel/record/record.ts'
import { aboutFields, profileNumbers, workFields } from '../shared/profile-fields.ts'
import { provenance } from '../shared/provenance.ts'

export const PROFILE_MATCH_TIERS = ['strong', 'good', 'fair', 'weak'] as const

/** The fields that an import can set. */
export const importedFields = {
  ...workFields,
  ...aboutFields,
  ...profileNumbers,
  match_score: nullable(integer('Relative to the search that found the person; not a general rating.')),
  match_tier: field(nullable(oneOf(PROFILE_MATCH_TIERS)), {
    description: 'Relative to the search that found the person; not a general rating.',
  }),
}

export const sourcedProfileRecord = record(
  'sourced_profiles',
  {
    person: 'erased',
    erasure: 'the row is deleted',
    stored: {
      linkedin_key: nullable(text()),
      external_id: nullable(text()),
      origin: text(),
      acquisition: text(),
      provider: nullable(text()),
      first_seen_at: time(),
      last_seen_at: time(),
      suppressed_at: nullable(time()),
      unsubscribed_at: nullable(time()),
    },
  },
  {
    id: field(handleField('sourced_profile'), { person: 'none' }),
    workspace_id: field(handleField('workspace'), { person: 'none' }),
    ...importedFields,
    created_at: field(time(), { person: 'none' }),
    updated_at: field(time(), { person: 'none' }),
    has_contact_info: field(boolean(), { description: 'Whether contact details have been revealed.' }),
    has_resume: field(boolean(), { computed: true }),
    has_business_card: field(boolean(), { computed: true }),
    has_profile_photo: field(boolean(), { computed: true }),
    has_linkedin_capture: field(boolean(), {
      description: 'Whether the profile was copied from a LinkedIn page. This version does not do that: always false.',
    }),
    provenance: field(provenance, { computed: true }),
    links: links({
      self: '/sourced-profiles/{id}',
      contact_info: '/sourced-profiles/{id}/contact-info',
      attachments: '/sourced-profiles/{id}/attachments',
      list_memberships: '/sourced-profiles/{id}/list-memberships',
    }),
  },
)

export const sourcedProfileShape = shape(
  'sourced_profile',
  'A candidate that the workspace found and saved. Any field can be null.',
  sourcedProfileRecord.fields,
  { resource: { name: 'sourced_profiles', scope: 'sourced_profiles:read' } },
)

export const ATTACHMENT_TYPES = ['profile_photo', 'resume', 'business_card'] as const
export type AttachmentType = (typeof ATTACHMENT_TYPES)[number]

/** The scope that each kind of file needs in addition to attachments:read. */
export const ATTACHMENT_SCOPES: Readonly<Record<AttachmentType, Scope>> = {
  profile_photo: 'attachments:read',
  resume: 'resume:download',
  business_card: 'contact:read',
}

export const attachmentRecord = record(
  'attachments',
  {
    person: 'erased',
    erasure: 'the row goes with the sourced profile, its file is removed',
    stored: {
      workspace_id: field(handleField('workspace'), { person: 'none' }),
      profile_id: field(handleField('sourced_profile'), { person: 'none' }),
      blob_key: field(text(), { person: 'none' }),
    },
  },
  {
    type: field(oneOf(ATTACHMENT_TYPES), { person: 'none' }),
    filename: text(),
    mime: text(),
    bytes: int64(),
    uploaded_at: text('UTC, without a zone suffix.'),
    required_scope: field(text('The scope that you need to download the file.'), { computed: true }),
    readable: field(boolean(), { computed: true, description: 'Whether this key can download the file.' }),
    links: links({
      content: { path: '/sourced-profiles/{profile_id}/attachments/{type}/content', when: row => row.readable },
    }),
  },
)

export const attachmentShape = shape('attachment', 'A file attached to a sourced profile.', attachmentRecord.fields, {
  resource: { name: 'attachments', scope: 'attachments:read' },
})

export type SourcedProfileRow = Row<typeof sourcedProfileShape>
