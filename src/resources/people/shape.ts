import { present } from '../../kernel/errors/present.ts'
import {
  array,
  boolean,
  called,
  type Field,
  guarded,
  handleField,
  integer,
  links,
  literal,
  metered,
  nullable,
  object,
  oneOf,
  optional,
  type Row,
  shape,
  text,
  url,
} from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'

export const IDENTITY_KINDS = ['email', 'linkedin_url'] as const
export type IdentityKind = (typeof IDENTITY_KINDS)[number]

export const PROFILE_OBJECTS = ['applicant', 'sourced_profile', 'pool_profile'] as const
export type ProfileObject = (typeof PROFILE_OBJECTS)[number]

const canonical_id = field(handleField('person'), {
  description: 'The handle of the strongest known identifier. Store this one.',
})

const pointerFields = {
  id: text(),
  workspace_id: nullable(handleField('workspace')),
  match: called(
    'profile_match',
    object({
      on: oneOf(IDENTITY_KINDS),
      confidence: field(oneOf(['exact', 'probable']), {
        description: '`exact` for a LinkedIn URL, `probable` for an email address.',
      }),
      strength: oneOf(['strong', 'moderate']),
    }),
  ),
  provenance: called('profile_origin', object({ origin: text(), provider: nullable(text()) })),
}

const personFields = (identityValue: Field<string>) => ({
  id: handleField('person'),
  canonical_id,
  aliases: field(array(handleField('person')), { description: 'Other handles of the same person.' }),
  identity: object({
    kind: oneOf(IDENTITY_KINDS),
    value: field(identityValue, {
      description:
        'In normalized form. An email address is free when you resolve it yourself, and charged when you read the person by handle.',
    }),
  }),
  authoritative: field(boolean(), { description: 'Always false: a person is a lookup result, not a record.' }),
  display: object({
    full_name: nullable(text()),
    headline: nullable(text()),
    location: nullable(text()),
    photo_url: nullable(url()),
  }),
  display_source: object({
    object: oneOf(PROFILE_OBJECTS),
    id: text(),
    workspace_id: nullable(handleField('workspace')),
  }),
  profiles: array(object({ object: oneOf(PROFILE_OBJECTS), ...pointerFields })),
  counts: object({
    profiles: integer(),
    sourced_profiles: integer(),
    applicants: integer(),
    pool_profiles: integer(),
    exact_matches: integer(),
  }),
  links: links({
    self: '/people/{id}',
    profiles: '/people/{id}/profiles',
    contact_info: '/people/{id}/contact-info',
    resumes: '/people/{id}/resumes',
    applications: '/people/{id}/applications',
  }),
})

const about = 'What the records of the workspace contain about one identifier. A lookup result, not a record.'

/** Where the caller has sent the identifier, it is echoed freely. */
export const personShape = shape('person', about, personFields(text()))

const guardedPerson = personFields(guarded('contact:read', metered('email', text())))
/** The address is that of an applicant, whom the audit names: a person is not a record. */
const emailPersonShape = shape('person', about, guardedPerson, { subject: row => present(row.profiles[0], row.id) })

/** By handle, an email address must not be had for less than it costs elsewhere; a LinkedIn address is not a secret. */
export const personByHandleShape = shape('person', about, guardedPerson, {
  as: row => (row.identity.kind === 'email' ? emailPersonShape : personShape),
  resource: { name: 'people', scope: 'people:resolve' },
})

const pointerShapes = Object.fromEntries(
  PROFILE_OBJECTS.map(name => [name, shape(name, 'A link to a record.', pointerFields)]),
)

export const profilePointerShape = shape(
  'profile_pointer',
  'A link to a record of a person; `object` is the type of the record.',
  { ...pointerFields, object: oneOf(PROFILE_OBJECTS) },
  { as: row => present(pointerShapes[row.object], row.object) },
)

export const resolutionShape = shape('resolution', 'The result for one key of a batch.', {
  input: called('identity_input', object({ kind: oneOf(IDENTITY_KINDS), value: text() })),
  matched: boolean(),
  person: optional(
    object({
      object: literal('person'),
      id: handleField('person'),
      canonical_id,
      counts: object({ profiles: integer(), exact_matches: integer() }),
    }),
  ),
  reason: field(optional(oneOf(['no_match', 'not_an_identity'])), {
    description:
      '`no_match`: the key can read no matching record. `not_an_identity`: a role address, or another value that does not identify one person.',
  }),
})

export type PersonRow = Row<typeof personShape>
export type ResolutionRow = Row<typeof resolutionShape>
