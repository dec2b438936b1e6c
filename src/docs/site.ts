import { API_PREFIX } from '../contract/version.ts'
import { DOWNLOADS_PATH, type Downloads } from '../downloads/downloads.ts'
import { runCooperatively } from '../kernel/async/cooperative.ts'
import type { Route } from '../kernel/http/route.ts'
import { type Html, html, prose } from '../pages/html.ts'
import { PRODUCT } from '../pages/page.ts'
import { errorsPage, eventsPage, limitsPage, neverExposedPage, scopesPage } from './catalogues.ts'
import { changelogAtom, changelogPage } from './changelog.ts'
import type { Handles } from './demo-handles.ts'
import { downloadsPage } from './downloads.ts'
import { GUIDE_GROUPS, type NamedGuide, readGuide, readOperating } from './guides.ts'
import { headersPage } from './headers.ts'
import { codeBlock } from './highlight.ts'
import { type DocPage, docPage, type NavGroup } from './layout.ts'
import { slug } from './markdown.ts'
import { areaBody, areaHeadings, buildAnchor, groupByArea, methodMark, type ReferenceArea } from './reference.ts'
import { searchDocuments } from './search/documents.ts'
import { DocsSearch } from './search/engine.ts'
import { settingsPage } from './settings.ts'
import { signaturePage } from './signature.ts'

/** Everything under /docs. A page is rendered when it is first requested. */
export interface DocsSite {
  pages: ReadonlyMap<string, () => Html>
  /** raw texts: the guides as Markdown, llms.txt */
  texts: ReadonlyMap<string, string>
  /** paths of pages that send no request */
  isolated: ReadonlySet<string>
  missing: Html
  /** made when it is first needed */
  search: () => Promise<DocsSearch>
  /** the layout of a page that is made for one request */
  render: (doc: DocPage) => Html
}

export interface SiteOptions {
  /** existing handles of the running service, used in the samples */
  handles?: Handles | undefined
  /** where the service is reached; the Atom feed has whole URLs */
  origin?: string | undefined
  /** undefined: the service offers none */
  downloads?: Downloads | undefined
}

export function buildSite(routes: readonly Route[], { handles, origin = '', downloads }: SiteOptions = {}): DocsSite {
  const areas = groupByArea(routes)
  const groups = Object.entries(GUIDE_GROUPS).map(([title, names]) => ({
    title,
    guides: names.map(name => readGuide(name, routes, downloads)),
  }))
  const guides = groups.flatMap(group => group.guides)
  const operating = readOperating()
  const catalogues = [
    errorsPage(),
    eventsPage(),
    scopesPage(areas),
    headersPage(),
    limitsPage(areas),
    neverExposedPage(),
  ]
  const settings = settingsPage()
  const tools = [...(downloads ? [downloadsPage(downloads)] : []), signaturePage(), changelogPage()]
  const nav: NavGroup[] = [
    ...groups.map((group, i) => ({
      title: group.title,
      links: [...(i === 0 ? [{ path: '/docs', title: 'Start' }] : []), ...group.guides.map(shortTitle)],
    })),
    { title: 'Reference', links: [{ path: '/docs/reference', title: 'All endpoints' }, ...areas.map(asLink)] },
    { title: 'Catalogues', links: catalogues.map(({ path, title }) => ({ path, title })) },
    { title: 'Tools', links: tools.map(shortTitle) },
    { title: 'Running the service', links: [...operating, settings].map(shortTitle) },
  ]
  const docs: DocPage[] = [
    startPage(areas, groups),
    ...guides.map(guidePage),
    referencePage(areas),
    ...areas.map(area => areaPage(area, handles)),
    ...catalogues,
    ...tools,
    ...operating.map(guidePage),
    settings,
  ]
  const render = (doc: DocPage) => docPage(doc, nav)
  return {
    pages: new Map(docs.map(doc => [doc.path, () => render(doc)])),
    texts: new Map([
      ['/llms.txt', llmsText(areas, guides, downloads)],
      ['/docs/changelog.atom', changelogAtom(origin)],
      ...[...guides, ...operating].map(g => [`${g.path}.md`, g.source] as const),
    ]),
    isolated: new Set(docs.filter(({ isolatedScripts }) => isolatedScripts).map(({ path }) => path)),
    missing: render(missingPage()),
    search: once(() => {
      const pages = [...catalogues, ...tools, settings]
      return runCooperatively(DocsSearch.build(searchDocuments(areas, [...guides, ...operating], pages)))
    }),
    render,
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const shortTitle = ({ path, title }: Pick<DocPage, 'path' | 'title'>) => ({ path, title })
const asLink = ({ path, name }: ReferenceArea) => ({ path, title: name })

const guidePage = ({ path, title, summary, body, headings }: NamedGuide): DocPage => ({
  path,
  title,
  description: summary,
  headings,
  body: html`${body}<p class="small soft">This page as <a href="${path}.md">Markdown</a>.</p>`,
})

const areaPage = (area: ReferenceArea, handles: Handles | undefined): DocPage => ({
  path: area.path,
  title: area.name,
  description: area.description,
  headings: areaHeadings(area),
  wide: true,
  body: () => areaBody(area, handles),
})

const referencePage = (areas: readonly ReferenceArea[]): DocPage => ({
  path: '/docs/reference',
  title: 'All endpoints',
  description: 'Every endpoint of the API on one page.',
  headings: areas.map(area => ({ level: 2, id: area.path.split('/').at(-1) ?? '', text: area.name })),
  body: html`<h1>All endpoints</h1>
<p class="lead">Generated from the route definitions of the service, like <a href="${API_PREFIX}/openapi.json">its OpenAPI description</a>. All paths start with <code>${API_PREFIX}</code>.</p>
${areas.map(area => {
  const id = area.path.split('/').at(-1) ?? ''
  return html`<h2 id="${id}"><a class="anchor" href="#${id}" aria-label="Link to this section"></a><a href="${area.path}">${area.name}</a></h2><p class="soft">${area.description}</p>
<ul class="endpoint-rows">${area.routes.map(
    route =>
      html`<li>${methodMark(route)}<div><a href="${area.path}#${buildAnchor(route)}"><code>${route.path}</code></a><p>${prose(route.summary)}</p></div></li>`,
  )}</ul>`
})}`,
})

interface GuideGroup {
  title: string
  guides: readonly NamedGuide[]
}

const startPage = (areas: readonly ReferenceArea[], groups: readonly GuideGroup[]): DocPage => ({
  path: '/docs',
  title: PRODUCT,
  description: 'A JSON API for the data of a hiring workspace.',
  headings: [
    { level: 2, id: 'first-call', text: 'First call' },
    ...groups.map(({ title }) => ({ level: 2, id: slug(title), text: title })),
    { level: 2, id: 'reference', text: 'Reference' },
  ],
  body: html`<h1>Build on a hiring workspace</h1>
<p class="lead">Jobs, applications, candidates, lists and an ordered feed of all changes, as plain JSON. Personal data is protected by scopes, a daily budget and an audit log.</p>
<h2 id="first-call">First call</h2>
<p>Put the base URL and your key into variables and check the key. <a href="/docs/guides/first-call">First call in five minutes</a> continues from here.</p>
${codeBlock(`curl -s "$BASE_URL/me" -H "Authorization: Bearer $API_KEY"`, 'sh')}
${groups.map(
  ({ title, guides }) => html`<h2 id="${slug(title)}">${title}</h2>
<ul class="cards">${guides.map(guide => html`<li><a href="${guide.path}"><strong>${guide.title}</strong>${guide.summary}</a></li>`)}</ul>`,
)}
<h2 id="reference">Reference</h2>
<ul class="cards">${areas.map(area => html`<li><a href="${area.path}"><strong>${area.name}</strong>${area.description}</a></li>`)}</ul>
<p class="small soft">Machine-readable: <a href="${API_PREFIX}/openapi.json">OpenAPI 3.1</a>, <a href="/llms.txt">llms.txt</a>, and every guide as Markdown (add <code>.md</code> to its URL).</p>`,
})

const missingPage = (): DocPage => ({
  path: '',
  title: 'Not found',
  description: '',
  body: html`<h1>There is no such page</h1>
<p class="lead">It may have moved. Use the navigation, or press <kbd>/</kbd> to search.</p>
<p><a href="/docs">Documentation home</a> · <a href="/docs/reference">All endpoints</a> · <a href="/docs/errors">All errors</a></p>`,
})

const DOWNLOADS_LINE = `
- [Downloads](${DOWNLOADS_PATH}/index.json): SDKs for TypeScript and Python and the command for partners, with their hashes`

/** A short overview for language models. */
function llmsText(
  areas: readonly ReferenceArea[],
  guides: readonly NamedGuide[],
  downloads: Downloads | undefined,
): string {
  return `# ${PRODUCT}

> A JSON-over-HTTPS API for the data of one hiring workspace: jobs, applications, applicants, sourced profiles, a
> shared pool, people, lists, analytics, an ordered change feed and signed webhooks. Paths start with ${API_PREFIX}.

- Authenticate with \`Authorization: Bearer <API_KEY>\`, or with an access token of the sign-in flow.
- Lists return \`{object, data, has_more, next_cursor}\`; send \`next_cursor\` as \`cursor\` with the same filters.
- Errors return \`{detail: {code, type, message, param, doc_url, …}}\`. Branch on \`code\`. On 429 wait \`Retry-After\` seconds.
- Unknown query parameters and body fields are rejected. Handles are opaque.
- A field that the key cannot read is listed in \`restricted\`, with the scope it needs in \`restricted_reason\`.
- Personal-data values cost units of a daily budget and are audited.

## Machine-readable

- [OpenAPI 3.1](${API_PREFIX}/openapi.json): every endpoint, field, error and webhook payload${downloads ? DOWNLOADS_LINE : ''}

## Guides

${guides.map(g => `- [${g.title}](${g.path}.md): ${g.summary}`).join('\n')}

## Reference

${areas.map(area => `- [${area.name}](${area.path}): ${area.description}\n${area.routes.map(r => `  - ${r.method} ${r.path}: ${r.summary}`).join('\n')}`).join('\n')}
- [Errors](/docs/errors), [Events](/docs/events), [Scopes](/docs/scopes), [Headers](/docs/headers), [Limits](/docs/limits), [Never exposed](/docs/never-exposed), [Changelog](/docs/changelog)
- [Operating](/docs/operating.md), [Settings](/docs/settings): for those who run the service
`
}
