import {
  array,
  boolean,
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

export const IDENTITY_KINDS = ['email', 'linkedin_url'] as const
export type IdentityKind = (typeof IDENTITY_KINDS)[number]

export const PROFILE_OBJECTS = ['applicant', 'sourced_profile', 'pool_profile'] as const
export type ProfileObject = (typeof PROFILE_OBJECTS)[number]

const pointerFields = {
  id: text(),
  workspace_id: nullable(handleField('workspace')),
  match: object({
    on: oneOf(IDENTITY_KINDS),
    confidence: oneOf(['exact', 'probable']),
    strength: oneOf(['strong', 'moderate']),
  }),
  provenance: object({ origin: text(), provider: nullable(text()) }),
}

const personFields = (identityValue: Field<string>) => ({
  id: handleField('person'),
  canonical_id: handleField('person'),
  aliases: array(handleField('person')),
  identity: object({ kind: oneOf(IDENTITY_KINDS), value: identityValue }),
  authoritative: boolean(),
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
/** The address is that of an applicant, whom the audit names: a person is no record. */
const emailPersonShape = shape('person', about, guardedPerson, { subject: row => row.profiles[0]! })

/** By handle, an email address must not be had for less than it costs elsewhere; a LinkedIn address is no secret. */
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
  { as: row => pointerShapes[row.object]! },
)

export const resolutionShape = shape('resolution', 'The result for one key of a batch.', {
  input: object({ kind: oneOf(IDENTITY_KINDS), value: text() }),
  matched: boolean(),
  person: optional(
    object({
      object: literal('person'),
      id: handleField('person'),
      canonical_id: handleField('person'),
      counts: object({ profiles: integer(), exact_matches: integer() }),
    }),
  ),
  reason: optional(oneOf(['no_match', 'not_an_identity'])),
})

export type PersonRow = Row<typeof personShape>
export type ResolutionRow = Row<typeof resolutionShape>
