import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ERROR_CODES, ERRORS } from '../contract/errors.ts'
import { EVENT_TYPES, EVENTS } from '../contract/events.ts'
import { ALL_SCOPES, SCOPES } from '../contract/scopes.ts'
import { API_PREFIX } from '../contract/version.ts'
import type { Route } from '../kernel/http/route.ts'
import { assetText } from '../pages/assets.ts'
import { type Html, html, prose } from '../pages/html.ts'
import { PRODUCT } from '../pages/page.ts'
import { errorsPage, eventsPage, limitsPage, neverExposedPage, scopesPage } from './catalogues.ts'
import type { Handles } from './demo-handles.ts'
import { codeBlock } from './highlight.ts'
import { type DocPage, docPage, type NavGroup } from './layout.ts'
import { type Guide, renderGuide } from './markdown.ts'
import { type Area, anchorOf, areaBody, areaHeadings, areasOf, methodMark } from './reference.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The guides in the order in which they are read; each is docs/guides/<name>.md. */
export const GUIDES = [
  'first-call',
  'choosing-scopes',
  'paging-and-syncing',
  'webhooks',
  'personal-data',
  'erasure',
  'idempotency',
  'errors',
  'limits',
  'sign-in',
  'mcp',
  'versions',
] as const

interface NamedGuide extends Guide {
  path: string
  source: string
}

/** Everything under /docs, rendered once. */
export interface Site {
  pages: ReadonlyMap<string, Html>
  /** raw texts: the guides as Markdown, llms.txt */
  texts: ReadonlyMap<string, string>
  missing: Html
}

/** `handles` are existing handles of the running service, used in the samples. */
export function buildSite(routes: readonly Route[], handles?: Handles): Site {
  const areas = areasOf(routes)
  const guides = GUIDES.map(readGuide)
  const catalogues = [errorsPage(), eventsPage(), scopesPage(areas), limitsPage(areas), neverExposedPage()]
  const nav: NavGroup[] = [
    { title: 'Guides', links: [{ path: '/docs', title: 'Start' }, ...guides.map(shortTitle)] },
    { title: 'Reference', links: [{ path: '/docs/reference', title: 'All endpoints' }, ...areas.map(asLink)] },
    { title: 'Catalogues', links: catalogues.map(({ path, title }) => ({ path, title })) },
  ]
  const index = assetText('search.json', JSON.stringify(searchEntries(areas, guides, catalogues)))
  const docs: DocPage[] = [
    startPage(areas, guides),
    ...guides.map(guidePage),
    referencePage(areas),
    ...areas.map(area => areaPage(area, handles)),
    ...catalogues,
  ]
  return {
    pages: new Map(docs.map(doc => [doc.path, docPage(doc, nav, index)])),
    texts: new Map([['/llms.txt', llmsText(areas, guides)], ...guides.map(g => [`${g.path}.md`, g.source] as const)]),
    missing: docPage(missingPage(), nav, index),
  }
}

function readGuide(name: string): NamedGuide {
  const source = readFileSync(join(ROOT, 'docs/guides', `${name}.md`), 'utf8')
  // A fence that names a file shows that file, which the tests run. In the repository guides lead to each other's files;
  // on the site the pages have no ending.
  const whole = source
    .replace(/```(\w+) file=(\S+)\n```/g, (_, language, file) => {
      const code = readFileSync(join(ROOT, file), 'utf8')
      return `\`\`\`${language} title=${basename(file)}\n${code}\`\`\``
    })
    .replace(/\]\(([a-z-]+)\.md(#[\w-]+)?\)/g, '](/docs/guides/$1$2)')
  return { ...renderGuide(whole), path: `/docs/guides/${name}`, source: whole }
}

const shortTitle = ({ path, title }: NamedGuide) => ({ path, title })
const asLink = ({ path, name }: Area) => ({ path, title: name })

const guidePage = ({ path, title, summary, body, headings }: NamedGuide): DocPage => ({
  path,
  title,
  description: summary,
  headings,
  body: html`${body}<p class="small soft">This page as <a href="${path}.md">Markdown</a>.</p>`,
})

const areaPage = (area: Area, handles: Handles | undefined): DocPage => ({
  path: area.path,
  title: area.name,
  description: area.description,
  headings: areaHeadings(area),
  wide: true,
  body: areaBody(area, handles),
})

const referencePage = (areas: readonly Area[]): DocPage => ({
  path: '/docs/reference',
  title: 'All endpoints',
  description: 'Every endpoint of the API on one page.',
  headings: areas.map(area => ({ level: 2, id: area.path.split('/').at(-1)!, text: area.name })),
  body: html`<h1>All endpoints</h1>
<p class="lead">Generated from the route definitions of the service, like <a href="${API_PREFIX}/openapi.json">its OpenAPI description</a>. All paths start with <code>${API_PREFIX}</code>.</p>
${areas.map(area => {
  const id = area.path.split('/').at(-1)!
  return html`<h2 id="${id}"><a class="anchor" href="#${id}" aria-label="Link to this section"></a><a href="${area.path}">${area.name}</a></h2><p class="soft">${area.description}</p>
<ul class="endpoint-rows">${area.routes.map(
    route =>
      html`<li>${methodMark(route)}<div><a href="${area.path}#${anchorOf(route)}"><code>${route.path}</code></a><p>${prose(route.summary)}</p></div></li>`,
  )}</ul>`
})}`,
})

const startPage = (areas: readonly Area[], guides: readonly NamedGuide[]): DocPage => ({
  path: '/docs',
  title: PRODUCT,
  description: 'A JSON API for the data of a hiring workspace.',
  headings: [
    { level: 2, id: 'first-call', text: 'First call' },
    { level: 2, id: 'guides', text: 'Guides' },
    { level: 2, id: 'reference', text: 'Reference' },
  ],
  body: html`<h1>Build on a hiring workspace</h1>
<p class="lead">Jobs, applications, candidates, lists and an ordered feed of all changes, as plain JSON. Personal data is protected by scopes, a daily budget and an audit log.</p>
<h2 id="first-call">First call</h2>
<p>Put your key into a variable and check it. <a href="/docs/guides/first-call">First call in five minutes</a> continues from here.</p>
${codeBlock(`curl -s "$BASE_URL/me" -H "Authorization: Bearer $API_KEY"`, 'sh')}
<h2 id="guides">Guides</h2>
<ul class="cards">${guides.map(guide => html`<li><a href="${guide.path}"><strong>${guide.title}</strong>${guide.summary}</a></li>`)}</ul>
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

interface SearchEntry {
  kind: string
  title: string
  text: string
  path: string
}

function searchEntries(
  areas: readonly Area[],
  guides: readonly NamedGuide[],
  pages: readonly DocPage[],
): SearchEntry[] {
  return [
    ...guides.map(g => ({ kind: 'Guide', title: g.title, text: g.summary, path: g.path })),
    ...guides.flatMap(g =>
      g.headings.map(h => ({ kind: 'Guide', title: h.text, text: g.title, path: `${g.path}#${h.id}` })),
    ),
    ...areas.flatMap(area =>
      area.routes.map(route => ({
        kind: 'Endpoint',
        title: `${route.method} ${route.path}`,
        text: route.summary,
        path: `${area.path}#${anchorOf(route)}`,
      })),
    ),
    ...ERROR_CODES.map(code => ({
      kind: 'Error',
      title: code,
      text: `${ERRORS[code].status}: ${ERRORS[code].message}`,
      path: `/docs/errors#${code}`,
    })),
    ...EVENT_TYPES.map(type => ({
      kind: 'Event',
      title: type,
      text: EVENTS[type].description,
      path: `/docs/events#${type}`,
    })),
    ...ALL_SCOPES.map(scope => ({
      kind: 'Scope',
      title: scope,
      text: SCOPES[scope].description,
      path: `/docs/scopes#${scope}`,
    })),
    ...pages.map(page => ({ kind: 'Page', title: page.title, text: page.description, path: page.path })),
  ]
}

/** A short overview for language models. */
function llmsText(areas: readonly Area[], guides: readonly NamedGuide[]): string {
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

- [OpenAPI 3.1](${API_PREFIX}/openapi.json): every endpoint, field, error and webhook payload

## Guides

${guides.map(g => `- [${g.title}](${g.path}.md): ${g.summary}`).join('\n')}

## Reference

${areas.map(area => `- [${area.name}](${area.path}): ${area.description}\n${area.routes.map(r => `  - ${r.method} ${r.path}: ${r.summary}`).join('\n')}`).join('\n')}
- [Errors](/docs/errors), [Events](/docs/events), [Scopes](/docs/scopes), [Limits](/docs/limits), [Never exposed](/docs/never-exposed)
`
}
