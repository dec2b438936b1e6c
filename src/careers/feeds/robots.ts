import { API_PREFIX } from '../../contract/version.ts'

/**
 * What crawlers may read: careers sites, the start page and the documentation. Forms and candidates' pages are left out,
 * and everything that needs a key or a session. `*` also matches slashes, so that a rule for `/me` would leave out jobs
 * whose slug begins with these letters: rules of pages end with `$`, `?` or `/`, and the rule for jobs wins over shorter ones.
 */
const RULES = `User-agent: *
Allow: /careers/*/jobs/*
Disallow: /careers/*/jobs/*/apply
Disallow: /careers/*/applications$
Disallow: /careers/*/applications?
Disallow: /careers/*/applications/
Disallow: /careers/*/link?
Disallow: /careers/*/me$
Disallow: /careers/*/me?
Disallow: /careers/*/me/
Disallow: ${API_PREFIX}/
Disallow: /account
Disallow: /console
Disallow: /mcp
Disallow: /oauth/
Disallow: /partner
Disallow: /sign-in
Disallow: /storage/
Disallow: /unsubscribe
`

export const robotsText = (sitemap: string | undefined): string =>
  sitemap === undefined ? RULES : `${RULES}\nSitemap: ${sitemap}\n`
