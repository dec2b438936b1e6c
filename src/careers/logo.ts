import { pipeline } from 'node:stream/promises'
import { fail } from '../kernel/errors/api-error.ts'
import { isKnown } from '../kernel/http/packed.ts'
import { SECURITY_HEADERS } from '../pages/send.ts'
import { page, writesItself } from './area.ts'
import { logoPath } from './shell.ts'
import { type SiteVisit, sitePath } from './visit.ts'

export const logoPage = page({ path: '/logo', session: 'none', show: writesItself(sendLogo) })

async function sendLogo({ services, site, request, response, query }: SiteVisit): Promise<void> {
  const { logo_blob_key: key, logo_mime: mime } = site
  if (key === null || mime === null) return fail('not_found')
  // each logo has a key of its own in the store, whose last part names this version
  const version = key.slice(key.lastIndexOf('/') + 1)
  const headers = {
    ...SECURITY_HEADERS,
    // the file is a stranger's: should a browser open it as a page, it runs nothing and loads nothing
    'Content-Security-Policy': "sandbox; default-src 'none'",
    // feeds and the list on the company's own site show it
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ETag: `"${version}"`,
    'Cache-Control':
      logoPath(site) === sitePath(site, `/logo?v=${query.get('v')}`)
        ? 'public, max-age=31536000, immutable'
        : 'public, max-age=300',
  }
  if (isKnown(request.headers['if-none-match'] ?? '', `"${version}"`))
    return void response.writeHead(304, headers).end()
  const found = await services.blobs.get(key)
  if (!found) return fail('not_found')
  try {
    response.writeHead(200, { ...headers, 'Content-Type': mime, 'Content-Length': found.stat.bytes })
    if (request.method === 'HEAD') return void response.end()
    await pipeline(found.stream, response)
  } catch (error) {
    // a reader that leaves is not a failure
    if (!response.destroyed) throw error
  } finally {
    found.stream.destroy()
  }
}
