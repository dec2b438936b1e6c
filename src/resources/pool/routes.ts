import { API_LIMITS } from '../../contract/limits.ts'
import { withRules } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import { textParam, timeParam } from '../../kernel/http/params.ts'
import { postQuery, type Route, readOne, readPage } from '../../kernel/http/route.ts'
import { describeInput } from '../../kernel/record/write.ts'
import { Type } from '../../kernel/schema/types.ts'
import { poolFor } from './actions.ts'
import { poolProfileShape } from './shape.ts'
import { toPoolProfile } from './store.ts'

const group = 'Shared pool'

const terms = (max: number) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: max }))

/** At least one word must be given. */
const requireTerms = (body: unknown) => {
  const { query, terms } = body as { query?: unknown; terms?: unknown }
  const texts = [query, ...(typeof terms === 'object' && terms !== null ? Object.values(terms).flat() : [])]
  const given = texts.some(text => (typeof text !== 'string' ? text !== undefined : text.trim() !== ''))
  return given ? [] : [{ param: 'query', message: 'is required, unless there is at least one term' }]
}

export const poolRoutes: readonly Route[] = [
  readPage({
    path: '/pool/profiles',
    operationId: 'listPoolProfiles',
    limited: 'closed',
    tool: { omit: ['provenance'] },
    summary: 'List profiles of the shared pool',
    description: 'Public professional profiles, most recently seen first.',
    group,
    scope: 'pool:read',
    query: {
      country: textParam('The exact country; case is ignored.'),
      company: textParam('A part of the company name; case is ignored.'),
      title: textParam('A part of the title; case is ignored.'),
      updated_after: timeParam('Only profiles seen after this time.'),
    },
    shape: poolProfileShape,
    order: { by: 'last_seen_at', tiebreaker: 'id', direction: 'desc' },
    handler: ({ db, caller, query, page }) => poolFor(caller.workspaceEnvironment).page(db, query, page),
  }),
  readOne({
    path: '/pool/profiles/{profile_handle}',
    operationId: 'getPoolProfile',
    limited: 'closed',
    summary: 'Get a profile of the shared pool',
    group,
    scope: 'pool:read',
    params: { profile_handle: 'pool_profile' },
    shape: poolProfileShape,
    handler: async ({ db, caller, params }) => {
      const [row] = await poolFor(caller.workspaceEnvironment).read(db, [params.profile_handle])
      return row && toPoolProfile(row)
    },
  }),
  postQuery({
    path: '/pool/search',
    operationId: 'searchPool',
    limited: 'closed',
    tool: { omit: ['provenance'] },
    summary: 'Search the shared pool',
    description:
      'Best matches first. Word order, word endings and accents do not matter; small misspellings and common synonyms match too. Does not cost personal-data units.',
    group,
    scope: 'pool:search',
    tier: 'expensive',
    shape: poolProfileShape,
    errors: ['pool_search_unavailable'],
    body: withRules(
      Type.Object(
        {
          query: describeInput(
            Type.Optional(Type.String({ maxLength: 500 })),
            'Free text that describes the person you are looking for.',
          ),
          terms: describeInput(
            Type.Optional(
              Type.Object({ titles: terms(10), skills: terms(20), companies: terms(10), locations: terms(10) }, closed),
            ),
            'Words that must match a certain field. One match per list is enough.',
          ),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: API_LIMITS.maxPageSize })),
        },
        closed,
      ),
      requireTerms,
    ),
    handler: async ({ services, caller, body }) => {
      const { titles = [], skills = [], companies = [], locations = [] } = body.terms ?? {}
      const search = {
        titles,
        skills,
        companies,
        locations,
        ...(body.query === undefined ? {} : { query: body.query }),
      }
      return poolFor(caller.workspaceEnvironment).search(services.db, search, body.limit ?? API_LIMITS.defaultPageSize)
    },
  }),
]
