import type { IncomingMessage } from 'node:http'
import { API_PREFIX } from '../contract/version.ts'
import { type Packed, pack } from '../kernel/http/packed.ts'
import type { Route } from '../kernel/http/route.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { sendPacked } from '../pages/packed.ts'
import { contentPolicy, isolatedPolicy, sendPage, sendRedirect } from '../pages/send.ts'
import { demoHandles, type FindDemo } from './demo-handles.ts'
import { resultsPage } from './search/results-page.ts'
import { buildSite, type SiteOptions } from './site.ts'

/** results on the page of results; the dialog shows fewer */
const PAGE_RESULTS = 30
/** How long a browser may reuse results: after an upgrade, old ones are shown for this long at most. */
const SEARCH_CACHE_SECONDS = 300
const JSON_TYPE = 'application/json; charset=utf-8'

interface Ready extends Packed {
  policy: string
}

const TEXT_TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  atom: 'application/atom+xml',
  txt: 'text/plain',
}

/** The documentation: pages about the routes that this service runs. Each is rendered on its first request. */
export function docsRoutes(routes: readonly Route[], services: Services, findDemo: FindDemo): RawRoute[] {
  let rendered: Promise<ReturnType<typeof renderPages>> | undefined
  const make = async () => {
    const handles = await demoHandles(services, findDemo)
    return renderPages(routes, { origin: services.publicUrl, handles })
  }
  const pages = () => {
    rendered ??= make().catch(error => {
      // without the database the pages are rendered without handles, and rendered again for the next request
      services.log.warn({ err: error }, 'reading demo handles for the documentation failed')
      rendered = undefined
      return renderPages(routes, { origin: services.publicUrl })
    })
    return rendered
  }
  const methods = ['GET', 'HEAD']
  const servePage: RawRoute['handler'] = async ({ request, response, path: requested }) => {
    const path = requested.replace(/(?<=.)\/$/, '')
    const { find, missing } = await pages()
    const found = find(path)
    const headers = { 'Cache-Control': 'public, no-cache' }
    if (found) sendPacked(request, response, found, { ...headers, 'Content-Security-Policy': found.policy })
    else sendPage(response, missing, { status: 404, cache: 'public' })
  }
  const queryOf = (request: IncomingMessage) => new URL(request.url!, 'http://docs').searchParams.get('q') ?? ''
  return [
    { methods, path: '/docs', handler: servePage },
    {
      methods,
      path: '/docs/search',
      handler: async ({ request, response }) => {
        const { search, render } = await pages()
        sendPage(response, render(resultsPage((await search()).search(queryOf(request), PAGE_RESULTS))), {
          cache: 'public',
        })
      },
    },
    {
      methods,
      path: '/docs/search.json',
      handler: async ({ request, response }) => {
        const { search } = await pages()
        const found = pack(Buffer.from(JSON.stringify((await search()).search(queryOf(request)))), JSON_TYPE)
        sendPacked(request, response, found, { 'Cache-Control': `public, max-age=${SEARCH_CACHE_SECONDS}` })
      },
    },
    { methods, path: '/docs/*', handler: servePage },
    { methods, path: '/llms.txt', handler: servePage },
    {
      methods,
      path: '/docs/openapi.json',
      handler: ({ response }) => sendRedirect(response, `${API_PREFIX}/openapi.json`),
    },
  ]
}

function renderPages(routes: readonly Route[], options: SiteOptions) {
  const { pages, texts, isolated, missing, search, render } = buildSite(routes, options)
  const rendered = new Map<string, Ready>()
  const make = (path: string): Ready | undefined => {
    const page = pages.get(path)
    if (page) return ready(page().text, 'text/html', isolated.has(path) ? isolatedPolicy() : contentPolicy())
    const text = texts.get(path)
    return text === undefined ? undefined : ready(text, TEXT_TYPES[path.split('.').at(-1)!]!, contentPolicy())
  }
  const find = (path: string): Ready | undefined => {
    const found = rendered.get(path) ?? make(path)
    if (found) rendered.set(path, found)
    return found
  }
  return { find, missing, search, render }
}

const ready = (text: string, type: string, policy: string): Ready => ({
  ...pack(Buffer.from(text), `${type}; charset=utf-8`),
  policy,
})
