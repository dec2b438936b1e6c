import { html } from '../pages/html.ts'
import { accentVariants, OWN_COLOR } from './accent-variants.ts'
import { page, writesItself } from './area.ts'
import { sendMade } from './cached.ts'
import { companyOf } from './shell.ts'
import type { SiteVisit } from './visit.ts'

const ICON_SECONDS = 3600

/** The sign of a site in the tab of a browser: the first letter of the company on its colour. */
export const iconPage = page({ path: '/icon.svg', session: 'none', show: writesItself(sendIcon) })

function sendIcon(visit: SiteVisit): Promise<void> {
  const { site } = visit
  const { fill, onFill } = accentVariants(site.accent_color ?? OWN_COLOR, 'light')
  const letter = /[\p{L}\p{N}]/u.exec(companyOf(site))?.[0].toUpperCase() ?? ''
  const { text } =
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${fill}"/><text x="16" y="23" font-family="system-ui, sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="${onFill}">${letter}</text></svg>`
  return sendMade(visit, { type: 'image/svg+xml', version: [text], seconds: ICON_SECONDS }, async function* () {
    yield text
  })
}
