import { fail } from '../kernel/errors/api-error.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { html } from '../pages/html.ts'
import { SECURITY_HEADERS, sendRedirect } from '../pages/send.ts'
import { frontSite } from '../resources/careers/index.ts'
import { NOINDEX } from './head.ts'
import { languageOf } from './language.ts'
import { sendSitePage } from './send.ts'
import { plainShell } from './shell.ts'
import { sitePage, sitePath } from './visit.ts'

/** Finds the demo workspace of a store. */
export type FindDemo = (services: Pick<Services, 'db' | 'keyring'>) => Promise<string | undefined>

const GET = ['GET', 'HEAD'] as const

/** Addresses of no company, and those that no page of a site has. */
export const frontRoutes = (services: Services, findDemo: FindDemo): RawRoute[] => [
  {
    methods: GET,
    path: '/careers',
    handler: async arrived => {
      const query = new URLSearchParams(arrived.search)
      const texts = languageOf(arrived.request, query)
      const site = await services.db.one(frontSite(await findDemo(services)))
      const search = arrived.search === '' ? '' : `?${arrived.search}`
      if (site) return sendRedirect(arrived.response, sitePath(site) + search)
      // of several companies none is named: who uses this service is no one else's business
      const { whichCompany: title, whichCompanyText } = texts.frame
      const body = html`<div class="narrow"><h1>${title}</h1><p class="lead">${whichCompanyText}</p></div>`
      const page = plainShell({ texts, title, path: arrived.path, query, head: NOINDEX, body })
      sendSitePage(arrived, page, { cache: 'public' })
    },
  },
  {
    methods: GET,
    path: '/board',
    handler: ({ response }) => {
      response.writeHead(301, { ...SECURITY_HEADERS, Location: '/careers' }).end()
    },
  },
  sitePage(services, '/*', ({ response, path, search, site }) => {
    if (path !== sitePath(site, '/')) fail('not_found')
    sendRedirect(response, sitePath(site) + (search === '' ? '' : `?${search}`))
  }),
]
