import { API_LIMITS } from '../../contract/limits.ts'
import { present } from '../../kernel/errors/present.ts'
import { closed } from '../../kernel/http/closed.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { textParam } from '../../kernel/http/params.ts'
import { postQuery, type Route, readAll, readOne } from '../../kernel/http/route.ts'
import { describeInput } from '../../kernel/record/write.ts'
import { Type } from '../../kernel/schema/types.ts'
import { buildResolveContext, resolveAll, resolveHandle } from './actions.ts'
import { displayName, type PersonIdentifier, PROFILE_SCOPES, readIdentifier, toPersonRow } from './rules.ts'
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
    operationId: 'resolvePerson',
    limited: 'closed',
    summary: 'Find a person by email address or LinkedIn URL',
    description: 'Searches the records that the key can read.',
    group,
    scope: 'people:resolve',
    handlerScopes: PROFILE_SCOPES,
    query: {
      email: textParam('An email address; matches applicants.', MAX_VALUE),
      linkedin_url: textParam('The URL of a LinkedIn profile; matches all types of records.', MAX_VALUE),
    },
    shape: personShape,
    errors: ['not_an_identity'],
    rules: ({ query }) => identifierFaults(query),
    handler: async call => {
      const { email, linkedin_url } = call.query
      const read =
        email === undefined
          ? readIdentifier('linkedin_url', present(linkedin_url, 'linkedin_url'))
          : readIdentifier('email', email)
      const identifier = read as PersonIdentifier
      const person = (await resolveAll(buildResolveContext(call), [identifier])).get(displayName(identifier))
      return person && toPersonRow(person)
    },
  }),
  postQuery({
    path: '/people/resolve:batch',
    operationId: 'resolvePeople',
    limited: 'closed',
    summary: 'Find up to 100 people',
    description: 'Returns one row for each identifier, in the order of the request.',
    group,
    scope: 'people:resolve',
    handlerScopes: PROFILE_SCOPES,
    tier: 'expensive',
    shape: resolutionShape,
    body: Type.Object(
      {
        keys: describeInput(
          Type.Array(
            Type.Object(
              {
                kind: describeInput(Type.Enum([...IDENTITY_KINDS]), 'The kind of identifier.'),
                value: Type.String({ minLength: 1, maxLength: MAX_VALUE }),
              },
              closed,
            ),
            { minItems: 1, maxItems: API_LIMITS.resolveBatchKeys },
          ),
          'Identifiers to resolve. Results are in the same order.',
        ),
      },
      closed,
    ),
    handler: async call => {
      const keys = call.body.keys.map(input => ({ input, identifier: readIdentifier(input.kind, input.value) }))
      const identifiers = keys.flatMap(({ identifier }) => (typeof identifier === 'string' ? [] : [identifier]))
      const people = await resolveAll(buildResolveContext(call), identifiers)
      return keys.map(({ input, identifier }): ResolutionRow => {
        if (typeof identifier === 'string') return { input, matched: false, reason: 'not_an_identity' }
        const found = people.get(displayName(identifier))
        if (!found) return { input, matched: false, reason: 'no_match' }
        const { id, canonical_id, counts } = toPersonRow(found)
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
    operationId: 'getPerson',
    limited: 'closed',
    summary: 'Get a person',
    description: 'The same object as from resolve, by handle.',
    group,
    scope: 'people:resolve',
    handlerScopes: PROFILE_SCOPES,
    params: { person_handle: 'person' },
    shape: personByHandleShape,
    handler: async call => {
      const person = await resolveHandle(buildResolveContext(call), call.params.person_handle)
      return person && toPersonRow(person)
    },
  }),
  readAll({
    path: '/people/{person_handle}/profiles',
    operationId: 'listPersonProfiles',
    limited: 'closed',
    summary: 'List the records of a person',
    description: 'Only handles and links.',
    group,
    scope: 'people:resolve',
    handlerScopes: PROFILE_SCOPES,
    params: { person_handle: 'person' },
    shape: profilePointerShape,
    handler: async call => {
      const person = await resolveHandle(buildResolveContext(call), call.params.person_handle)
      return person && toPersonRow(person).profiles
    },
  }),
]

/** Exactly one identifier, and one that can name a single person. */
function identifierFaults(query: Partial<Record<IdentityKind, string>>): InputFault[] {
  const given = IDENTITY_KINDS.filter(kind => query[kind] !== undefined)
  const faults: InputFault[] = []
  if (given.length !== 1) {
    const param = given.length === 0 ? 'email' : 'linkedin_url'
    faults.push({ param, message: 'exactly one of email and linkedin_url is required' })
  }
  for (const kind of given) {
    const text = present(query[kind], kind)
    const identifier = readIdentifier(kind, text)
    if (identifier === 'role') {
      const message = 'is shared by several people and does not identify a person'
      faults.push({ param: kind, message, code: 'not_an_identity' })
    } else if (identifier === 'malformed') {
      const hint = text.includes(' ') ? ' (write a + as %2B)' : ''
      const message =
        kind === 'email'
          ? `must be an email address${hint}`
          : 'must be the URL of a LinkedIn profile, linkedin.com/in/…'
      faults.push({ param: kind, message })
    }
  }
  return faults
}
