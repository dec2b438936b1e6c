import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiVersion, VERSIONS } from '../contract/version.ts'
import { type Html, html, trusted } from '../pages/html.ts'
import { PRODUCT } from '../pages/page.ts'
import type { DocPage } from './layout.ts'
import { renderGuide, slug } from './markdown.ts'

const FILE = join(import.meta.dirname, '../../CHANGELOG.md')
const PATH = '/docs/changelog'
const FEED = '/docs/changelog.atom'

interface Release {
  /** `Unreleased`, or the number of a version */
  name: string
  /** undefined: not released */
  date: string | undefined
  body: Html
}

/** The releases of CHANGELOG.md, newest first: `## 0.2.0 - 2026-11-15`. */
export function parseReleases(markdown: string): Release[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map(part => {
      const end = part.indexOf('\n')
      const [name = '', date] = part.slice(0, end).trim().split(' - ')
      return { name, date, body: renderGuide(part.slice(end + 1), `${slug(name)}-`).body }
    })
}

const releases = (): Release[] => parseReleases(readFileSync(FILE, 'utf8'))

const anchorOf = ({ name }: Release): string => slug(name)

const day = (time: string): string => time.slice(0, 10)

const versionRow = ({ version, status, released_at, sunset_at }: ApiVersion): Html =>
  html`<tr><th scope="row"><code>${version}</code></th><td>${status}</td><td>${day(released_at)}</td><td>${sunset_at === null ? 'not planned' : day(sunset_at)}</td></tr>`

export function changelogPage(): DocPage {
  const all = releases()
  const deprecated = VERSIONS.filter(({ status }) => status === 'deprecated')
  return {
    path: PATH,
    title: 'Changelog',
    description: 'Releases of the service, versions of the API, and deprecations.',
    names: ['releases', 'release notes', 'what is new', 'deprecations', 'atom feed', 'rss feed', 'changelog feed'],
    feed: FEED,
    headings: [
      { level: 2, id: 'api-versions', text: 'API versions' },
      { level: 2, id: 'deprecations', text: 'Deprecations' },
      ...all.map(release => ({ level: 2, id: anchorOf(release), text: release.name })),
    ],
    body: html`<h1>Changelog</h1>
<p class="lead">What changes for partners who call the API and for operators who run it. Subscribe to the <a href="${FEED}">Atom feed</a>.</p>
<h2 id="api-versions">API versions</h2>
<p>The version of the API is a date. It changes only for <a href="/docs/guides/versions">breaking changes</a>. <code>GET /versions</code> returns this table.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><thead><tr><th scope="col">Version</th><th scope="col">Status</th><th scope="col">Released</th><th scope="col">Sunset</th></tr></thead><tbody>${VERSIONS.map(versionRow)}</tbody></table></div>
<h2 id="deprecations">Deprecations</h2>
<p>${deprecated.length === 0 ? 'No version of the API is deprecated.' : html`Deprecated, and removed at the sunset: ${deprecated.map(({ version, sunset_at }) => html`<code>${version}</code> (${sunset_at && day(sunset_at)}) `)}`} Deprecated versions and their sunset are entries of the feed too.</p>
${all.map(
  release =>
    html`<h2 id="${anchorOf(release)}"><a class="anchor" href="#${anchorOf(release)}" aria-label="Link to this release"></a>${release.name}${release.date && html` <span class="soft small">${release.date}</span>`}</h2>${release.body}`,
)}`,
  }
}

interface Entry {
  /** what the id is made of: stays the same when the text or the address of the service changes */
  key: string
  title: string
  updated: string
  anchor: string
  content: Html
}

function entries(): Entry[] {
  const released = releases().flatMap(release =>
    release.date === undefined
      ? []
      : [
          {
            key: `release ${release.name}`,
            title: `Release ${release.name}`,
            updated: `${release.date}T00:00:00.000Z`,
            anchor: anchorOf(release),
            content: release.body,
          },
        ],
  )
  const versions = VERSIONS.flatMap(({ version, status, released_at, sunset_at }) => [
    {
      key: `api version ${version}`,
      title: `API version ${version}`,
      updated: released_at,
      anchor: 'api-versions',
      content: html`<p>The version ${version} of the API is available. Send it as <code>Service-Api-Version</code>.</p>`,
    },
    ...(status === 'deprecated' && sunset_at !== null
      ? [
          {
            key: `deprecation ${version}`,
            title: `API version ${version} is deprecated`,
            updated: released_at,
            anchor: 'deprecations',
            content: html`<p>The version ${version} of the API is removed on ${day(sunset_at)}.</p>`,
          },
        ]
      : []),
  ])
  return [...released, ...versions].sort((a, b) => (a.updated < b.updated ? 1 : -1))
}

/** A name-based UUID: the same for the same key, whatever the address of the service. */
function idOf(key: string): string {
  const hex = createHash('sha256').update(`${PRODUCT} ${key}`).digest('hex')
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The releases, versions and deprecations as an Atom feed (RFC 4287). */
export function changelogAtom(origin: string): string {
  const all = entries()
  const entry = ({ key, title, updated, anchor, content }: Entry) =>
    html`<entry><id>${idOf(key)}</id><title>${title}</title><updated>${updated}</updated><link rel="alternate" type="text/html" href="${origin}${PATH}#${anchor}"/><content type="html">${content.text}</content></entry>
`
  return html`${trusted('<?xml version="1.0" encoding="utf-8"?>\n')}<feed xmlns="http://www.w3.org/2005/Atom"><id>${idOf('changelog')}</id><title>${PRODUCT}: changelog</title><updated>${all[0]?.updated}</updated><author><name>${PRODUCT}</name></author><link rel="self" type="application/atom+xml" href="${origin}${FEED}"/><link rel="alternate" type="text/html" href="${origin}${PATH}"/>
${all.map(entry)}</feed>
`.text
}
