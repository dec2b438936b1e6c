import {
  boolean,
  handleField,
  integer,
  type JsonSchema,
  jsonText,
  links,
  nullable,
  object,
  oneOf,
  optional,
  type Row,
  shape,
  text,
  time,
  url,
} from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'
import { record } from '../../kernel/record/record.ts'
import { MATCH_TIERS } from '../../search/rank.ts'
import { aboutFields, profileNumbers, workFields } from '../shared/profile-fields.ts'
import { provenanceFields } from '../shared/provenance.ts'

const TEXTS: JsonSchema = { type: 'array', items: { type: 'string' } }

/** What a line of an import brings besides skills, languages and numbers. */
export const poolTexts = { ...workFields, github_url: nullable(url()), ...aboutFields }

export const poolProfileRecord = record(
  'pool_profiles',
  {
    person: 'erased',
    erasure: 'emptied; the handle stays and reads as absent',
    stored: {
      linkedin_key: nullable(text()),
      external_id: nullable(text()),
      provider: nullable(text()),
      suppressed_at: field(nullable(time()), { person: 'none' }),
    },
  },
  {
    id: field(handleField('pool_profile'), { person: 'none' }),
    workspace_id: field(nullable(handleField('workspace')), { computed: true }),
    ...poolTexts,
    skills: jsonText(TEXTS),
    languages: jsonText(TEXTS),
    ...profileNumbers,
    first_seen_at: field(time(), { person: 'none' }),
    last_seen_at: field(time(), { person: 'none' }),
    match_score: field(optional(integer('Only in search results: 0 to 100, relative to the search.')), {
      computed: true,
    }),
    match_tier: field(optional(oneOf(MATCH_TIERS)), {
      computed: true,
      description: 'Relative to the search that found the person; not a general rating.',
    }),
    provenance: field(object({ ...provenanceFields, contact_info_available: boolean() }), { computed: true }),
    links: links({ self: '/pool/profiles/{id}' }),
  },
)

export const poolProfileShape = shape(
  'pool_profile',
  'A public professional profile of the shared pool. The pool has no contact details.',
  poolProfileRecord.fields,
  { resource: { name: 'pool_profiles', scope: 'pool:read' } },
)

export type PoolProfileRow = Row<typeof poolProfileShape>
