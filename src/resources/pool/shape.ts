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
import { provenanceFields } from '../provenance/shape.ts'

const TEXTS: JsonSchema = { type: 'array', items: { type: 'string' } }

export const MATCH_TIERS = ['strong', 'good', 'fair', 'weak'] as const
export type MatchTier = (typeof MATCH_TIERS)[number]

export const poolProfileShape = shape(
  'pool_profile',
  'A public professional profile of the shared pool. The pool holds no contact details.',
  {
    id: handleField('pool_profile'),
    workspace_id: nullable(handleField('workspace')),
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
    github_url: nullable(url()),
    photo_url: nullable(url()),
    summary: nullable(text()),
    skills: jsonText(TEXTS),
    languages: jsonText(TEXTS),
    total_experience_months: nullable(integer()),
    connections_count: nullable(integer()),
    follower_count: nullable(integer()),
    first_seen_at: time(),
    last_seen_at: time(),
    match_score: optional(integer('Only in search results: 0 to 100, relative to the search.')),
    match_tier: optional(oneOf(MATCH_TIERS)),
    provenance: object({ ...provenanceFields, contact_info_available: boolean() }),
    links: links({ self: '/pool/profiles/{id}' }),
  },
  { resource: { name: 'pool_profiles', scope: 'pool:read' } },
)

export type PoolProfileRow = Row<typeof poolProfileShape>
