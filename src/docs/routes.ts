import type { IncomingMessage } from 'node:http'
import { extname } from 'node:path'
import { API_PREFIX } from '../contract/version.ts'
import { DOWNLOADS_PATH, type Downloads, type ReadDownloads } from '../downloads/downloads.ts'
import { present } from '../kernel/errors/present.ts'
import { pack } from '../kernel/http/packed.ts'
import type { Route } from '../kernel/http/route.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import type { FindDemo, Services } from '../kernel/services/services.ts'
import type { Html } from '../pages/html.ts'
import { contentPolicy, isolatedPolicy } from '../pages/send.ts'
import { createPageBuilder, type PageArea, pageRoutes, type Shown } from '../programs/page.ts'
import { noSession, type Visit } from '../programs/policy.ts'
import { demoHandles, type Handles } from './demo-handles.ts'
import { resultsPage } from './search/results-page.ts'
import { buildSite, type SiteOptions } from './site.ts'

/** results on the page of results; the dialog shows fewer */
const PAGE_RESULTS = 30
/** How long a browser may reuse results: after an upgrade, old ones are shown for this long at most. */
const SEARCH_CACHE_SECONDS = 300
const JSON_TYPE = 'application/json; charset=utf-8'

const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.atom': 'application/atom+xml',
  '.txt': 'text/plain',
}

interface DocsVisit extends Visit {
  site: () => Promise<ReturnType<typeof renderPages>>
}

const page = createPageBuilder<never, DocsVisit, Html>()

const document = (path: string) =>
  page({
    path,
    session: 'none',
    cache: 'public',
    show: async ({ site, path: requested }) => (await site()).find(requested.replace(/(?<=.)\/$/, '')),
  })

const queryOf = (request: IncomingMessage) => new URL(request.url ?? '', 'http://docs').searchParams.get('q') ?? ''

/** The documentation: pages about the routes that this service runs. Each is rendered on its first request. */
const docsPages = [
  document('/docs'),
  page({
    path: '/docs/search',
    session: 'none',
    cache: 'public',
    show: async ({ site, request }) => {
      const { search, render } = await site()
      return { show: render(resultsPage((await search()).search(queryOf(request), PAGE_RESULTS))) }
    },
  }),
  page({
    path: '/docs/search.json',
    session: 'none',
    headers: { 'Cache-Control': `public, max-age=${SEARCH_CACHE_SECONDS}` },
    show: async ({ site, request }) => {
      const search = await (await site()).search()
      return { packed: pack(Buffer.from(JSON.stringify(search.search(queryOf(request)))), JSON_TYPE) }
    },
  }),
  document('/docs/*'),
  document(DOWNLOADS_PATH),
  document('/llms.txt'),
  page({ path: '/docs/openapi.json', session: 'none', show: () => ({ to: `${API_PREFIX}/openapi.json` }) }),
]

/** What the pages show of the running service besides its routes. */
interface Shows {
  findDemo: FindDemo
  readDownloads: ReadDownloads | undefined
}

export function docsRoutes(
  routes: readonly Route[],
  services: Services,
  { findDemo, readDownloads }: Shows,
): RawRoute[] {
  let rendered: ReturnType<DocsVisit['site']> | undefined
  const make = (handles?: Handles, downloads?: Downloads) =>
    renderPages(routes, { origin: services.publicUrl, handles, downloads })
  const site = () => {
    rendered ??= Promise.all([demoHandles(services, findDemo), readDownloads?.()])
      .then(([handles, downloads]) => make(handles, downloads))
      .catch(error => {
        // without the database the pages are rendered without handles, and rendered again for the next request
        services.log.warn({ err: error }, 'reading handles and downloads for the documentation failed')
        rendered = undefined
        return make()
      })
    return rendered
  }
  const area: PageArea<never, DocsVisit, Html> = {
    name: 'docs',
    path: '',
    session: noSession,
    open: async (_, arrived) => ({ ...arrived, services, site }),
    frame: (_, shown) => shown,
  }
  return pageRoutes(services, area, docsPages)
}

function renderPages(routes: readonly Route[], options: SiteOptions) {
  const { pages, texts, isolated, missing, search, render } = buildSite(routes, options)
  const rendered = new Map<string, Shown<Html>>()
  const make = (path: string): Shown<Html> | undefined => {
    const page = pages.get(path)
    if (page) return packed(page().text, 'text/html', isolated.has(path) ? isolatedPolicy() : contentPolicy())
    const text = texts.get(path)
    return text === undefined ? undefined : packed(text, present(TEXT_TYPES[extname(path)], path), contentPolicy())
  }
  const find = (path: string): Shown<Html> => {
    const found = rendered.get(path) ?? make(path)
    if (found) rendered.set(path, found)
    return found ?? { show: missing, status: 404 }
  }
  return { find, search, render }
}

const packed = (text: string, type: string, policy: string): Shown<Html> => ({
  packed: pack(Buffer.from(text), `${type}; charset=utf-8`),
  headers: { 'Content-Security-Policy': policy },
})
