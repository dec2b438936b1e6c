import { ERROR_CODES, ERRORS } from '../../contract/errors.ts'
import { EVENT_TYPES, EVENTS } from '../../contract/events.ts'
import { EVERY_SCOPE, SCOPES } from '../../contract/scopes.ts'
import { SETTINGS } from '../../kernel/config/settings.ts'
import type { Route } from '../../kernel/http/route.ts'
import { LIMIT_ROWS, NEVER_EXPOSED } from '../catalogues.ts'
import type { FieldDoc } from '../fields.ts'
import type { NamedGuide } from '../guides.ts'
import { HEADERS, headerAnchor } from '../headers.ts'
import type { DocPage } from '../layout.ts'
import { plain, slug } from '../markdown.ts'
import { buildAnchor, documentedFields, type ReferenceArea } from '../reference.ts'
import { routeName } from '../samples.ts'
import type { DocsDocument } from './engine.ts'
import { splitMarkdown } from './sections.ts'

/** Guides for those who come from another API have sections about everything; few readers mean them. */
const COMPARISON = /\/moving-from-/
const COMPARISON_WEIGHT = 0.45

/** Everything that can be found. Of equally good documents the first is shown first. */
export function* searchDocuments(
  areas: readonly ReferenceArea[],
  guides: readonly NamedGuide[],
  pages: readonly DocPage[],
): Generator<DocsDocument> {
  for (const guide of guides) yield* guideDocuments(guide)
  yield* pages.map(pageDocument)
  // every area has the parameters of lists: `cursor` is shown at an endpoint that everyone knows
  for (const area of areas.toSorted((a, b) => familiarity(a) - familiarity(b))) yield* areaDocuments(area)
  yield* catalogueDocuments()
}

const FAMILIAR = ['Applications', 'Jobs', 'Applicants']
const familiarity = ({ name }: ReferenceArea): number =>
  FAMILIAR.includes(name) ? FAMILIAR.indexOf(name) : FAMILIAR.length

/** A guide as a whole, by all of its text, and each of its sections. */
function guideDocuments(guide: NamedGuide): DocsDocument[] {
  const sections = splitMarkdown(guide.source)
  const rest = sections.map(({ heading, text }) => `${heading} ${text}`).join(' ')
  const kind = guide.path.startsWith('/docs/guides/') ? 'Guide' : 'Page'
  return [
    { kind, path: guide.path, title: guide.title, where: '', text: guide.summary, hidden: rest },
    ...sections
      .filter(({ heading }) => heading !== '')
      .map(({ heading, id, text, code }) => ({
        kind,
        path: `${guide.path}#${id}`,
        title: heading,
        where: guide.title,
        text,
        hidden: code,
        ...(COMPARISON.test(guide.path) ? { weight: COMPARISON_WEIGHT } : {}),
      })),
  ] as DocsDocument[]
}

const pageDocument = ({ path, title, description, names = [] }: DocPage): DocsDocument => ({
  kind: 'Page',
  path,
  title,
  where: '',
  text: description,
  names,
})

function* areaDocuments(area: ReferenceArea): Generator<DocsDocument> {
  yield { kind: 'Page', path: area.path, title: area.name, where: 'Reference', text: area.description }
  for (const route of area.routes) yield endpointDocument(area, route)
  for (const route of area.routes) yield* parameterDocuments(area, route)
  yield* fieldDocuments(area)
}

function endpointDocument(area: ReferenceArea, route: Route): DocsDocument {
  const { query, body } = documentedFields(route)
  return {
    kind: 'Endpoint',
    path: `${area.path}#${buildAnchor(route)}`,
    title: routeName(route),
    where: area.name,
    text: plain(route.description ? `${route.summary}. ${route.description}` : `${route.summary}.`),
    names: [route.operationId, route.path],
    hidden: [...query, ...body].map(({ name }) => name).join(' '),
  }
}

/** Parameters of the query and fields of the body. */
function* parameterDocuments(area: ReferenceArea, route: Route): Generator<DocsDocument> {
  const { query, body } = documentedFields(route)
  const document = (place: 'query' | 'body') => (path: string, row: FieldDoc) => ({
    kind: 'Parameter' as const,
    path: `${area.path}#${buildAnchor(route)}.${place}.${path}`,
    title: path,
    where: `${area.name} › ${routeName(route)}`,
    text: describe(row),
    names: [row.name],
  })
  yield* flatten(query, document('query'))
  yield* flatten(body, document('body'))
}

/** Fields of responses: each object once, at the endpoint that returns one of it if there is one. */
function* fieldDocuments(area: ReferenceArea): Generator<DocsDocument> {
  const shown = new Map<string, Route>()
  const ranked = area.routes.toSorted((a, b) => Number(isSingleRead(b)) - Number(isSingleRead(a)))
  for (const route of ranked) {
    if ('shape' in route.output && !shown.has(route.output.shape.component)) {
      shown.set(route.output.shape.component, route)
    }
  }
  for (const [component, route] of shown) {
    const { response, envelope } = documentedFields(route)
    yield* flatten([...response, ...envelope], (path, row) => ({
      kind: 'Field' as const,
      path: `${area.path}#${buildAnchor(route)}.${path}`,
      title: path,
      where: `${area.name} › ${component}`,
      text: `${describe(row)} ${routeName(route)}`,
      names: [row.name, `${component}.${path}`],
    }))
  }
}

const isSingleRead = (route: Route): boolean => route.method === 'GET' && route.output.kind === 'one'

/** In every object, and explained nowhere. */
const NOT_LISTED = new Set(['object', 'links'])

function flatten<T>(rows: readonly FieldDoc[], make: (path: string, row: FieldDoc) => T, before = ''): T[] {
  return rows
    .filter(({ name }) => !NOT_LISTED.has(name))
    .flatMap(row => {
      const path = before + row.name
      return [make(path, row), ...flatten(row.children, make, `${path}.`)]
    })
}

function describe({ type, description, limits, values }: FieldDoc): string {
  const known = values.length > 0 && values.length <= 16 ? `Values: ${values.join(', ')}.` : ''
  const parts = [description, limits.join(', '), known].filter(Boolean).join('. ').replaceAll('..', '.')
  return parts === '' ? `${type}.` : `${plain(parts)} (${type})`
}

const catalogueDocuments = (): DocsDocument[] => [
  ...ERROR_CODES.map(code => ({
    kind: 'Error' as const,
    path: `/docs/errors#${code}`,
    title: code,
    where: `Errors › ${ERRORS[code].status} ${ERRORS[code].type}`,
    text: plain(`${ERRORS[code].message} ${ERRORS[code].cause} ${ERRORS[code].remedy}`),
  })),
  ...EVENT_TYPES.map(type => ({
    kind: 'Event' as const,
    path: `/docs/events#${type}`,
    title: type,
    where: 'Events',
    text: plain(EVENTS[type].description),
    hidden: EVENTS[type].values.join(' '),
  })),
  ...EVERY_SCOPE.map(scope => ({
    kind: 'Scope' as const,
    path: `/docs/scopes#${scope}`,
    title: scope,
    where: 'Scopes',
    text: plain(SCOPES[scope].description),
  })),
  ...NEVER_EXPOSED.map(([what, why]) => ({
    kind: 'Page' as const,
    path: `/docs/never-exposed#${slug(what)}`,
    title: what,
    where: 'Never exposed',
    text: plain(why),
  })),
  ...LIMIT_ROWS.map(([what, limit]) => ({
    kind: 'Limit' as const,
    path: '/docs/limits#sizes',
    title: what,
    where: 'Limits',
    text: limit,
  })),
  ...HEADERS.flatMap(({ title, rows }) =>
    rows.map(([name, text]) => ({
      kind: 'Header' as const,
      path: `/docs/headers#${headerAnchor(title, name)}`,
      title: name,
      where: `Headers › ${title}`,
      text: plain(text),
    })),
  ),
  ...Object.entries(SETTINGS).map(([name, { description, default: fallback }]) => ({
    kind: 'Setting' as const,
    path: `/docs/settings#${name}`,
    title: name,
    where: 'Settings',
    text: `${description} Default: ${fallback}`,
    // an exporter of traces is not meant by a reader who looks for an export
    ...(name.startsWith('OTEL_') ? { weight: 0.2 } : {}),
  })),
]
