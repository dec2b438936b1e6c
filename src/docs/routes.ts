import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { API_PREFIX } from '../contract/version.ts'
import type { Route } from '../kernel/http/route.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { type Packed, pack, sendPacked } from '../pages/packed.ts'
import { contentPolicy, SECURITY_HEADERS, sendPage, sendRedirect } from '../pages/send.ts'
import { demoHandles, type FindDemo, type Handles } from './demo-handles.ts'
import { buildSite } from './site.ts'

interface Ready extends Packed {
  etag: string
}

/** The documentation: pages about the routes that this service runs. Rendered on the first request. */
export function docsRoutes(routes: readonly Route[], services: Services, findDemo: FindDemo): RawRoute[] {
  let rendered: Promise<ReturnType<typeof renderPages>> | undefined
  const make = async () => renderPages(routes, await demoHandles(services, findDemo))
  const pages = () => {
    rendered ??= make().catch(error => {
      // without the database the pages are rendered without handles, and rendered again for the next request
      services.log.warn({ err: error }, 'reading demo handles for the documentation failed')
      rendered = undefined
      return renderPages(routes)
    })
    return rendered
  }
  const methods = ['GET', 'HEAD']
  const servePage: RawRoute['handler'] = async ({ request, response, path: requested }) => {
    const path = requested.replace(/(?<=.)\/$/, '')
    const { byPath, missing } = await pages()
    const found = byPath.get(path)
    if (found) send(request, response, found)
    else sendPage(response, missing, { status: 404, cache: 'public' })
  }
  return [
    { methods, path: '/docs', handler: servePage },
    { methods, path: '/docs/*', handler: servePage },
    { methods, path: '/llms.txt', handler: servePage },
    {
      methods,
      path: '/docs/openapi.json',
      handler: ({ response }) => sendRedirect(response, `${API_PREFIX}/openapi.json`),
    },
  ]
}

function renderPages(routes: readonly Route[], handles?: Handles) {
  const { pages, texts, missing } = buildSite(routes, handles)
  const byPath = new Map<string, Ready>()
  for (const [path, page] of pages) byPath.set(path, ready(page.text, 'text/html; charset=utf-8'))
  for (const [path, text] of texts) {
    byPath.set(path, ready(text, `${path.endsWith('.md') ? 'text/markdown' : 'text/plain'}; charset=utf-8`))
  }
  return { byPath, missing }
}

function ready(text: string, type: string): Ready {
  const bytes = Buffer.from(text)
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { ...pack(bytes, type), etag }
}

function send(request: IncomingMessage, response: ServerResponse, page: Ready): void {
  const { etag } = page
  const headers = { 'Content-Security-Policy': contentPolicy(), 'Cache-Control': 'public, no-cache', ETag: etag }
  if (!request.headers['if-none-match']?.includes(etag)) return void sendPacked(request, response, page, headers)
  response.writeHead(304, { ...SECURITY_HEADERS, ...headers, Vary: 'Accept-Encoding' }).end()
}
