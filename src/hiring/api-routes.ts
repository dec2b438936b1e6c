import { PERSON_ALLOWANCES } from '../contract/plans.ts'
import { serveToPerson } from '../kernel/http/pipeline.ts'
import type { Route } from '../kernel/http/route.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { RESPONDED } from '../programs/endpoint.ts'
import { respond } from '../programs/respond.ts'
import { checkVisit } from '../programs/serve-endpoints.ts'
import { callerFor } from './person.ts'
import { hiringArea } from './program.ts'

/** Below it, the pages call the endpoints of the API as the person who is signed in. */
const API_PATH = '/hiring/api/v1'

/** Not for people: endpoints about the calling key, its webhooks, the feed, exports. */
export const isForPeople = ({ limited }: Route): boolean => limited !== 'keys'

/**
 * The endpoints of the API for the team's own pages: the same actions, guards, budget and audit rows as for partners. The
 * session replaces the key; a change needs the CSRF token of our pages. The pipeline checks scope and reach.
 */
export const apiForPeople = (services: Services, routes: readonly Route[]): RawRoute[] =>
  routes.filter(isForPeople).map(route => {
    const { method, path, tier } = route
    const record = { csrf: 'session', tier } as const
    const handler: RawRoute['handler'] = arrived =>
      respond(services, arrived.response, async () => {
        const visit = await checkVisit(services, hiringArea, record, arrived)
        const person = callerFor(services.db, visit.session, await services.db.now())
        const limits = { tier, allowances: PERSON_ALLOWANCES, counted: visit.counted }
        await serveToPerson(route, services, arrived, { ...person, limits })
        return RESPONDED
      })
    return { methods: [method], path: API_PATH + path, record, handler }
  })
