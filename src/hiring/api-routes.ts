import { PERSON_ALLOWANCES } from '../contract/plans.ts'
import { isAppScope } from '../contract/scopes.ts'
import { serveToPerson } from '../kernel/http/pipeline.ts'
import type { Route } from '../kernel/http/route.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { RESPONDED, requireOwnPost, requireSession, respond } from '../sign-in/endpoints/serve.ts'
import { personOf } from './person.ts'

/** Below it, the pages call the endpoints of the API as the person who is signed in. */
const API_PATH = '/hiring/api/v1'

/**
 * Not for people: endpoints about the calling key, the webhooks of a key, the feed, and the list of scorecards, because
 * the pages show cards of others only to who has written one (`scorecards.ts`).
 */
export const isForPeople = ({ access, group, operationId }: Route): boolean =>
  typeof access !== 'string' &&
  isAppScope(access.scope) &&
  access.scope !== 'events:read' &&
  group !== 'exports' &&
  operationId !== 'listScorecards'

/**
 * The endpoints of the API for the team's own pages: the same actions, guards, budget and audit rows as for partners. The
 * session replaces the key; a change needs the CSRF token of our pages.
 */
export const apiForPeople = (services: Services, routes: readonly Route[]): RawRoute[] =>
  routes.filter(isForPeople).map(route => ({
    methods: [route.method],
    path: API_PATH + route.path,
    handler: arrived =>
      respond(services, arrived.response, async () => {
        const session = await requireSession(services, arrived, route.tier)
        if (route.method !== 'GET') requireOwnPost(services, arrived, session)
        const person = personOf(services.db, session, await services.db.now())
        const limits = { tier: route.tier, allowances: PERSON_ALLOWANCES, counted: session.counted }
        await serveToPerson(route, services, arrived, { ...person, limits })
        return RESPONDED
      }),
  }))
