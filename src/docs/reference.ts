import { ERRORS } from '../contract/errors.ts'
import { GROUPS } from '../contract/groups.ts'
import { API_LIMITS } from '../contract/limits.ts'
import { SCOPES } from '../contract/scopes.ts'
import { API_PREFIX } from '../contract/version.ts'
import { describedShape } from '../kernel/http/include.ts'
import { collectErrorCodes } from '../kernel/http/openapi.ts'
import { declaredQuery, type Route, scopesOf } from '../kernel/http/route.ts'
import type { JsonSchema } from '../kernel/http/shape.ts'
import { type Html, html, prose } from '../pages/html.ts'
import { LANGUAGES, type SampleCall, sampleCode } from './assets/samples.js'
import type { Handles } from './demo-handles.ts'
import { describeFields, describeSchema, describeShape, type FieldDoc, fieldList } from './fields.ts'
import { codeBlock } from './highlight.ts'
import type { Heading } from './markdown.ts'
import { slug } from './markdown.ts'
import { sampleTabs } from './sample-tabs.ts'
import { exampleParam, pathValues, readSample, routeName } from './samples.ts'
import { sdkNames } from './sdk-names.ts'

export interface ReferenceArea {
  name: string
  path: string
  description: string
  routes: Route[]
}

/** One page for each group of routes, in the order above; other groups follow. */
export const groupByArea = (routes: readonly Route[]): ReferenceArea[] => {
  const order = Object.keys(GROUPS)
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return [...Map.groupBy(routes, route => route.group)]
    .sort(([a], [b]) => place(a) - place(b))
    .map(([name, members]) => ({
      name,
      path: `/docs/reference/${slug(name)}`,
      description: GROUPS[name] ?? '',
      routes: members,
    }))
}

/** `get_jobs_by_job_handle`: made of the path, so that stored links stay valid. */
export function buildAnchor({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const words = path
    .split(/[/:-]/)
    .filter(part => part !== '')
    .map(part => (part.startsWith('{') ? `by_${part.slice(1, -1)}` : part))
  return [method.toLowerCase(), ...words].join('_').replaceAll('.', '_')
}

export function areaBody(area: ReferenceArea, handles?: Handles): Html {
  return html`<h1>${area.name}</h1>
<p class="lead">${area.description}</p>
<ul class="endpoint-index">${area.routes.map(route => html`<li><a href="#${buildAnchor(route)}">${methodMark(route)} <code>${route.path}</code></a></li>`)}</ul>
${area.routes.map(route => endpoint(route, handles))}`
}

export const areaHeadings = (area: ReferenceArea): Heading[] =>
  area.routes.map(route => ({ level: 2, id: buildAnchor(route), text: routeName(route) }))

export const methodMark = ({ method }: Pick<Route, 'method'>): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`

function endpoint(route: Route, handles: Handles | undefined): Html {
  const anchor = buildAnchor(route)
  const { params, query, body } = documentedFields(route)
  return html`<section class="endpoint" id="${anchor}" data-endpoint>
<div class="endpoint-text">
<h2><a class="anchor" href="#${anchor}" aria-label="Link to this endpoint"></a>${methodMark(route)} <span class="path">${route.path.split(/(?=\/)/).map(part => html`${part}<wbr>`)}</span></h2>
<p>${prose(route.summary)}.${route.description && html` ${prose(route.description)}`}</p>
<p class="facts">${facts(route)}</p>
${part('Path parameters', params, `${anchor}.path`)}
${part('Query parameters', query, `${anchor}.query`)}
${part(route.bodyOptional ? 'Body (optional)' : 'Body', body, `${anchor}.body`)}
${route.idempotency !== 'none' && html`<p class="small soft"><a href="/docs/guides/idempotency"><code>Idempotency-Key</code></a> ${route.idempotency === 'required' ? 'is required' : 'is accepted'}: for ${API_LIMITS.idempotencyLifetimeSeconds / 3600} hours, a retry with the same key and body returns the first response.</p>`}
${response(route)}
${errors(route)}
</div>
<div class="endpoint-code">${examples(route, handles)}</div>
</section>`
}

function facts(route: Route): Html {
  const { access } = route
  const scope =
    typeof access === 'string'
      ? html`<span class="tag">${access === 'public' ? 'no key needed' : 'any key'}</span>`
      : html`${scopesOf(access).map((name, i) => html`${i > 0 && ' or '}<a class="tag ${SCOPES[name].personal ? 'warn' : 'accent'}" href="/docs/scopes#${name}">${name}</a>`)}`
  return html`${scope} <a class="tag" href="/docs/limits#tiers">${route.tier} tier</a>${route.metered && html` <a class="tag info" href="/docs/guides/personal-data">charged and audited</a>`}${route.write && html` <span class="tag">write</span>`}`
}

const part = (title: string, rows: FieldDoc[], id: string): Html | false =>
  rows.length > 0 && html`<h3 class="part">${title}</h3>${fieldList(rows, id)}`

/** What a call takes and returns, field by field. */
export function documentedFields(
  route: Route,
): Record<'params' | 'query' | 'body' | 'response' | 'envelope', FieldDoc[]> {
  const { output, include } = route
  return {
    params: pathParams(route),
    query: queryParams(route),
    body: route.body ? describeSchema(route.body as JsonSchema) : [],
    response: 'shape' in output ? describeShape(describedShape(output.shape, include)) : [],
    envelope: output.kind === 'log' ? describeFields(output.envelopeFields) : [],
  }
}

const row = (name: string, type: string, description: string, rest: Partial<FieldDoc> = {}): FieldDoc => ({
  name,
  type,
  description,
  limits: [],
  values: [],
  marks: [],
  children: [],
  ...rest,
})

const pathParams = (route: Route): FieldDoc[] =>
  Object.entries(route.params).map(([name, kind]) =>
    kind === 'text'
      ? row(name, 'string', '')
      : typeof kind !== 'string'
        ? row(name, 'string', '', { values: [...kind] })
        : row(
            name,
            kind === 'uuid' ? 'UUID' : `${kind.replaceAll('_', ' ')} handle`,
            `For example \`${exampleParam(kind)}\`.`,
          ),
  )

function queryParams(route: Route): FieldDoc[] {
  const declared = Object.entries(declaredQuery(route))
  const schema = {
    type: 'object',
    required: declared.filter(([, param]) => param.required).map(([name]) => name),
    properties: Object.fromEntries(
      declared.map(([name, param]) => [name, { ...param.schema, description: param.description }]),
    ),
  }
  return describeSchema(schema)
}

function response(route: Route): Html {
  const { output } = route
  if (!('shape' in output)) return html`<h3 class="part">Response</h3><p>${prose(output.description)}.</p>`
  const statuses = output.kind === 'one' ? [output.status, output.orStatus].filter(s => s !== undefined) : [200]
  const { response: fields, envelope } = documentedFields(route)
  const anchor = buildAnchor(route)
  const shapeName = html`<code>${output.shape.component}</code>`
  const what =
    output.kind === 'one'
      ? html`${shapeName}: ${prose(output.shape.description)}`
      : html`A list of ${shapeName}${output.kind === 'page' ? html`, <a href="/docs/guides/paging-and-syncing">paginated</a>` : output.kind === 'log' ? ', read in sequence order' : ', on one page'}. ${prose(output.shape.description)}`
  return html`<h3 class="part">Response</h3>
<p>${statuses.map(status => html`<span class="tag good">${status}</span> `)}${what}</p>
<details><summary>Fields of <code>${output.shape.component}</code></summary>
${fieldList(fields, anchor)}
</details>
${envelope.length > 0 && html`<details><summary>Other fields of the list</summary>${fieldList(envelope, anchor)}</details>`}`
}

function errors(route: Route): Html {
  const own = new Set<string>(route.errors)
  const codes = collectErrorCodes(route).sort((a, b) => ERRORS[a].status - ERRORS[b].status)
  const line = (code: (typeof codes)[number]) =>
    html`<li><span class="tag">${ERRORS[code].status}</span> <a href="/docs/errors#${code}"><code>${code}</code></a></li>`
  const special = codes.filter(code => own.has(code))
  return html`<details class="errors"><summary>Errors${special.length > 0 && html` <span class="soft">· ${special.length} specific to this endpoint</span>`}</summary>
${special.length > 0 && html`<ul class="codes">${special.map(line)}</ul><p class="small soft">Errors common to all endpoints of this kind:</p>`}
<ul class="codes">${codes.filter(code => !own.has(code)).map(line)}</ul></details>`
}

/** The call of a sample, from which its code is written in each language. */
export function buildSampleCall(route: Route, handles?: Handles): SampleCall {
  const sample = readSample(route, handles)
  const { output } = route
  const isFile = output.kind === 'file'
  return {
    method: route.method,
    path: route.path,
    params: pathValues(route, sample.path),
    query: queryValues(route, sample.path),
    ...(sample.body === undefined ? {} : { body: sample.body }),
    ...(route.idempotency === 'required' ? { idempotencyKey: '7d0c52a1-thursday-10' } : {}),
    isPublic: route.access === 'public',
    isList: 'shape' in output && output.kind !== 'one',
    isFile,
    ...sdkNames(route),
  }
}

/** The query of a sample, with numbers and booleans as such. */
function queryValues(route: Route, path: string): SampleCall['query'] {
  const declared = declaredQuery(route)
  const given = [...new URLSearchParams(path.split('?')[1] ?? '')]
  return Object.fromEntries(given.map(([name, text]) => [name, queryValue(valueKind(declared[name]?.schema), text)]))
}

export const queryValue = (kind: string, text: string): string | number | boolean =>
  kind === 'integer' ? Number(text) : kind === 'boolean' ? text === 'true' : text

export const valueKind = (schema: JsonSchema | undefined): string =>
  typeof schema?.['type'] === 'string' ? schema['type'] : 'string'

/** The curl command of a call. */
export const buildCurl = (route: Route, handles?: Handles): string => sampleCode('sh', buildSampleCall(route, handles))

function examples(route: Route, handles: Handles | undefined): Html {
  const sample = readSample(route, handles)
  return html`${requestSamples(route, handles)}
${sample.response !== null && codeBlock(JSON.stringify(sample.response, null, 2), 'json', `Response · ${sample.status}`)}
${tryIt(route, handles)}`
}

function requestSamples(route: Route, handles: Handles | undefined): Html {
  const call = buildSampleCall(route, handles)
  return sampleTabs(
    buildAnchor(route),
    LANGUAGES.map(({ id, title }) => ({ language: id, code: sampleCode(id, call), title: `Request · ${title}` })),
  )
}

/** The form from which the script makes the call; hidden without JavaScript. */
function tryIt(route: Route, handles: Handles | undefined): Html {
  const anchor = buildAnchor(route)
  const call = buildSampleCall(route, handles)
  // handles of another database would only return 404
  const values: Readonly<Record<string, unknown>> = handles ? { ...call.params, ...call.query } : {}
  const declared = declaredQuery(route)
  const input = (name: string, place: 'path' | 'query', type: string, required: boolean) =>
    html`<label class="try-field"><span><code>${name}</code> <span class="field-type">${type}</span></span><input data-in="${place}" name="${name}" autocomplete="off" spellcheck="false"${place === 'query' && html` data-kind="${valueKind(declared[name]?.schema)}"`}${values[name] !== undefined && html` value="${String(values[name])}"`}${required && html` required`}></label>`
  return html`<details class="try" data-try data-prefix="${API_PREFIX}" data-call="${JSON.stringify({ ...call, params: {}, query: {}, body: undefined, idempotencyKey: undefined })}" hidden>
<summary>Try it with your own key</summary>
<form aria-label="Call ${routeName(route)}">
${pathParams(route).map(p => input(p.name, 'path', p.type, true))}
${queryParams(route).map(p =>
  input(
    p.name,
    'query',
    p.type,
    p.marks.some(m => m.kind === 'required'),
  ),
)}
${route.idempotency !== 'none' && html`<label class="try-field"><span><code>Idempotency-Key</code> <span class="field-type">header</span></span><input data-in="header" name="Idempotency-Key" autocomplete="off" spellcheck="false"${route.idempotency === 'required' && html` required`}></label>`}
${route.body && html`<label class="try-field"><span>Body <span class="field-type">JSON</span></span><textarea data-in="body" name="body" spellcheck="false" rows="6">${call.body === undefined ? '' : JSON.stringify(call.body, null, 2)}</textarea></label>`}
${route.write && html`<p class="small soft">This call changes data in your workspace.</p>`}
<div class="actions"><button class="button small">Send</button><span class="small soft" data-key-state></span></div>
</form>
<div class="try-response" id="response-${anchor}" aria-live="polite" hidden></div>
</details>`
}
