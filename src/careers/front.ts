import { fail } from '../kernel/errors/api-error.ts'
import type { FindDemo } from '../kernel/services/services.ts'
import { html } from '../pages/html.ts'
import { SECURITY_HEADERS } from '../pages/send.ts'
import { frontSite } from '../resources/careers/index.ts'
import { page, plainPage, writesItself } from './area.ts'
import { NOINDEX } from './head.ts'
import { plainShell } from './shell.ts'
import { type PlainVisit, sitePath } from './visit.ts'

/** Addresses of no company. */
export const frontPages = (findDemo: FindDemo) => [
  plainPage({
    path: '/careers',
    session: 'none',
    cache: 'public',
    show: async ({ services, texts, path, search, query }) => {
      const site = await services.db.one(frontSite(await findDemo(services)))
      if (site) return { to: sitePath(site) + (search === '' ? '' : `?${search}`) }
      // the page names none of several companies: who uses this service is no one else's business
      const { whichCompany: title, whichCompanyText } = texts.frame
      const body = html`<div class="narrow"><h1>${title}</h1><p class="lead">${whichCompanyText}</p></div>`
      return { show: plainShell({ texts, title, path, query, head: NOINDEX, body }) }
    },
  }),
  plainPage({
    path: '/board',
    session: 'none',
    show: writesItself(({ response }: PlainVisit) => {
      response.writeHead(301, { ...SECURITY_HEADERS, Location: '/careers' }).end()
    }),
  }),
]

/** Addresses that no page of a site has. */
export const otherPaths = page({
  path: '/*',
  session: 'none',
  show: ({ path, search, site }) => {
    if (path !== sitePath(site, '/')) fail('not_found')
    return { to: sitePath(site) + (search === '' ? '' : `?${search}`) }
  },
})
