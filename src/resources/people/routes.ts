import { Type } from 'typebox'
import { LIMITS } from '../../contract/limits.ts'
import { fail, invalid } from '../../kernel/failure.ts'
import { textParam } from '../../kernel/http/params.ts'
import { ask, type Route, readAll, readOne } from '../../kernel/http/route.ts'
import { askingOf, resolveAll, resolveHandle } from './actions.ts'
import { type Identifier, nameOf, personOf, readIdentifier } from './rules.ts'
import {
  IDENTITY_KINDS,
  type IdentityKind,
  personByHandleShape,
  personShape,
  profilePointerShape,
  type ResolutionRow,
  resolutionShape,
} from './shape.ts'

const group = 'People'
const MAX_VALUE = 2_000

export const peopleRoutes: readonly Route[] = [
  readOne({
    path: '/people/resolve',
    about: 'The person behind an e-mail address or a LinkedIn URL, as the records that the key can read know them.',
    group,
    scope: 'people:resolve',
    query: {
      email: textParam('An e-mail address; matches applicants.', MAX_VALUE),
      linkedin_url: textParam('Address of a LinkedIn profile; matches all kinds of record.', MAX_VALUE),
    },
    shape: personShape,
    errors: ['not_an_identity'],
    handler: async call => {
      const { email, linkedin_url } = call.query
      if ((email === undefined) === (linkedin_url === undefined)) {
        return invalid(
          email === undefined ? 'email' : 'linkedin_url',
          'exactly one of email and linkedin_url is wanted',
        )
      }
      const identifier =
        email !== undefined ? identifierOf('email', email) : identifierOf('linkedin_url', linkedin_url!)
      const person = (await resolveAll(askingOf(call), [identifier])).get(nameOf(identifier))
      return person && personOf(person)
    },
  }),
  ask({
    path: '/people/resolve:batch',
    about: 'Resolves up to 100 identifiers at once; one row for each, in the order of the request.',
    group,
    scope: 'people:resolve',
    tier: 'expensive',
    shape: resolutionShape,
    body: Type.Object(
      {
        keys: Type.Array(
          Type.Object(
            { kind: Type.Enum([...IDENTITY_KINDS]), value: Type.String({ minLength: 1, maxLength: MAX_VALUE }) },
            { additionalProperties: false },
          ),
          { minItems: 1, maxItems: LIMITS.resolveBatchKeys },
        ),
      },
      { additionalProperties: false },
    ),
    handler: async call => {
      const keys = call.body.keys.map(input => ({ input, identifier: readIdentifier(input.kind, input.value) }))
      const identifiers = keys.flatMap(({ identifier }) => (typeof identifier === 'string' ? [] : [identifier]))
      const people = await resolveAll(askingOf(call), identifiers)
      return keys.map(({ input, identifier }): ResolutionRow => {
        if (typeof identifier === 'string') return { input, matched: false, reason: 'not_an_identity' }
        const found = people.get(nameOf(identifier))
        if (!found) return { input, matched: false, reason: 'no_match' }
        const { id, canonical_id, counts } = personOf(found)
        const { profiles, exact_matches } = counts
        return {
          input,
          matched: true,
          person: { object: 'person', id, canonical_id, counts: { profiles, exact_matches } },
        }
      })
    },
  }),
  readOne({
    path: '/people/{person_handle}',
    about: 'The same object as resolve, by its handle.',
    group,
    scope: 'people:resolve',
    params: { person_handle: 'person' },
    shape: personByHandleShape,
    handler: async call => {
      const person = await resolveHandle(askingOf(call), call.params.person_handle)
      return person && personOf(person)
    },
  }),
  readAll({
    path: '/people/{person_handle}/profiles',
    about: 'Pointers to the records of a person.',
    group,
    scope: 'people:resolve',
    params: { person_handle: 'person' },
    shape: profilePointerShape,
    handler: async call => {
      const person = await resolveHandle(askingOf(call), call.params.person_handle)
      return person && personOf(person).profiles
    },
  }),
]

function identifierOf(kind: IdentityKind, text: string): Identifier {
  const identifier = readIdentifier(kind, text)
  if (identifier === 'role') return fail('not_an_identity', { param: kind })
  if (identifier !== 'malformed') return identifier
  if (kind === 'linkedin_url') return invalid(kind, 'must be the address of a LinkedIn profile, linkedin.com/in/…')
  const hint = text.includes(' ') ? ' (write a + as %2B)' : ''
  return invalid(kind, `must be an e-mail address${hint}`)
}
