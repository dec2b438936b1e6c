import { get as consoleGet, post as consolePost } from '../../src/console/program.ts'
import { get } from '../../src/hiring/program.ts'
import { page } from '../../src/sign-in/area.ts'

/*
 * Mistakes in a record that do not compile: `npm run types` fails if one of them does. Nothing imports this file, and nothing
 * runs it. Those of the browser are in `web/console/calls.types.ts` and `web/hiring/calls.types.ts`.
 */

export const correct = [
  consoleGet({ path: '/things/{id}', handler: async ({ params }) => ({ id: params.id }) }),
  get({ path: '/things', limited: 'open', handler: async () => ({}) }),
  page({ path: '/things', session: 'needed', csrf: 'session', submit: ({ session }) => ({ to: session.userId }) }),
]

// @ts-expect-error another name than that of the path
consoleGet({ path: '/things/{id}', handler: async ({ params }) => ({ id: params.thing }) })
// @ts-expect-error a call without a declared body has none
consolePost({ path: '/things', handler: async ({ body }) => ({ name: body.name }) })
// @ts-expect-error a call of the hiring pages says what people may do with it who are limited to jobs
get({ path: '/things', handler: async () => ({}) })
// @ts-expect-error a call about a job says which right it needs there
get({ path: '/things/{job}', limited: 'record', handler: async () => ({}) })
// @ts-expect-error a page with a form says how the form proves where it comes from
page({ path: '/things', session: 'needed', submit: () => ({ to: '/' }) })
// @ts-expect-error a page says which session it needs
page({ path: '/things', show: () => ({ to: '/' }) })
// @ts-expect-error a page that needs no session has none
page({ path: '/things', session: 'none', show: ({ session }) => ({ to: session.userId }) })
