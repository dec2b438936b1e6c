import { present } from '../kernel/errors/present.ts'
import { declaredQuery, type Route } from '../kernel/http/route.ts'
import {
  clientCode,
  type LiteralStyle,
  literal,
  PYTHON_LITERALS,
  pythonArguments,
  TS_LITERALS,
} from './assets/samples.js'
import { queryValue, valueKind } from './reference.ts'
import { sdkNames } from './sdk-names.ts'

/**
 * Calls of a guide, declared once and shown in curl, TypeScript and Python. A fence `call` has statements, one a line:
 *
 *     req = unique req                       a new text that begins with req-
 *     jobs = GET /jobs?limit=1               a call whose response has a name
 *     job = jobs.data[0].id                  a value of a response that has a name
 *     stage = stages.data[type=offer].id     of the first row with this value; ^= is the beginning of it; ! at the end: not null
 *     POST /jobs/{job}/close                 a call whose response is shown; headers and a JSON body follow it
 *
 * `{job}` in a path, a header or a text of the body is the value with that name. The samples of a page continue each
 * other, so the first one creates the client. The last response of a fence is shown.
 */
export function expandCalls(source: string, routes: readonly Route[]): string {
  const names = new Set<string>()
  const [start = '', ...fences] = source.split(/^```call\n/m)
  const expand = (fence: string, i: number): string => {
    const end = fence.indexOf('\n```')
    const statements = parse(fence.slice(0, end), routes)
    for (const { name } of statements) if (name !== undefined) names.add(name)
    const samples = {
      sh: shell(statements, names),
      ts: (i === 0 ? `${clientCode('ts')}\n\n` : '') + typescript(statements, names),
      python: python(statements, names, i === 0),
    }
    const blocks = Object.entries(samples).map(([language, code]) => `\`\`\`${language}\n${code}\n\`\`\``)
    return blocks.join('\n\n') + fence.slice(end + '\n```'.length)
  }
  return start + fences.map(expand).join('')
}

interface Call {
  kind: 'call'
  name?: string
  route: Route
  /** path and query as they are written */
  target: string
  idempotencyKey?: string
  body?: { text: string; value: object }
}

/** The way to a value: fields, indexes and conditions. */
type Step = { field: string } | { index: number } | { where: string; is: string; isPrefix: boolean }

type Statement =
  | Call
  | { kind: 'unique'; name: string; prefix: string }
  | { kind: 'value'; name: string; of: string; steps: Step[]; isNullable: boolean }

const CALL = /^(?:(\w+) = )?(GET|POST) (\/\S+)$/
const UNIQUE = /^(\w+) = unique (\w+)$/
const VALUE = /^(\w+) = (\w+)((?:\.\w+|\[[^\]]+\])+)(!?)$/
const IDEMPOTENCY_KEY = 'Idempotency-Key: '

function parse(text: string, routes: readonly Route[]): Statement[] {
  const statements: Statement[] = []
  const lines = text.trimEnd().split('\n')
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    if (line === '') continue
    const call = CALL.exec(line)
    const unique = UNIQUE.exec(line)
    const value = VALUE.exec(line)
    if (call) {
      const [, name, method = '', target = ''] = call
      statements.push({
        kind: 'call',
        ...(name === undefined ? {} : { name }),
        route: routeOf(routes, method, target),
        target,
        ...detailsOf(lines),
      })
    } else if (unique) {
      const [, name = '', prefix = ''] = unique
      statements.push({ kind: 'unique', name, prefix })
    } else if (value) {
      const [, name = '', of = '', path = '', isNullable] = value
      statements.push({ kind: 'value', name, of, steps: stepsOf(path), isNullable: isNullable === '!' })
    } else throw new Error(`not a statement of a call: ${line}`)
  }
  return statements
}

/** The lines after a call that belong to it: a header, then a body up to the bracket at the beginning of a line. */
function detailsOf(lines: string[]): Pick<Call, 'idempotencyKey' | 'body'> {
  const details: Pick<Call, 'idempotencyKey' | 'body'> = {}
  const [first] = lines
  if (first?.startsWith(IDEMPOTENCY_KEY)) {
    details.idempotencyKey = first.slice(IDEMPOTENCY_KEY.length)
    lines.shift()
  }
  if (lines[0]?.startsWith('{')) {
    const end = lines[0].endsWith('}') ? 0 : lines.indexOf('}')
    const text = lines.splice(0, end + 1).join('\n')
    details.body = { text, value: JSON.parse(text) }
  }
  return details
}

function routeOf(routes: readonly Route[], method: string, target: string): Route {
  const [path = ''] = target.split('?')
  const parts = path.split('/')
  const route = routes.find(({ method: its, path }) => {
    const own = path.split('/')
    return its === method && own.length === parts.length && own.every((p, i) => p.startsWith('{') || p === parts[i])
  })
  if (!route) throw new Error(`no endpoint: ${method} ${target}`)
  return route
}

const stepsOf = (path: string): Step[] =>
  [...path.matchAll(/\.(\w+)|\[(\d+)\]|\[(\w+)(\^?)=([^[\]]+)\]/g)].map(
    ([, field, index, where = '', prefix, is = '']) =>
      field !== undefined
        ? { field }
        : index !== undefined
          ? { index: Number(index) }
          : { where, is, isPrefix: prefix === '^' },
  )

const isListCall = ({ route: { output } }: Call): boolean => 'shape' in output && output.kind !== 'one'

/** The parts of a text: at odd positions the names of values. */
const partsOf = (text: string, names: ReadonlySet<string>): string[] => {
  const parts = text.split(/\{(\w+)\}/)
  for (const [i, name] of parts.entries()) if (i % 2 === 1 && !names.has(name)) throw new Error(`no value: {${name}}`)
  return parts
}

/** Arguments in the order of the SDKs, which take several values of a parameter as a list. */
function argumentsOf({ route, target }: Call): {
  params: string[]
  query: Record<string, string | number | boolean | string[]>
} {
  const [path = '', search = ''] = target.split('?')
  const given = path.split('/')
  const declared = declaredQuery(route)
  return {
    params: route.path.split('/').flatMap((part, i) => (part.startsWith('{') ? (given[i] ?? []) : [])),
    query: Object.fromEntries(
      [...new URLSearchParams(search)].map(([name, text]) => [
        name,
        text.includes(',') ? text.split(',') : queryValue(valueKind(declared[name]?.schema), text),
      ]),
    ),
  }
}

// curl

const variable = (name: string): string => name.toUpperCase()

/** In double quotes. */
const expanded = (text: string, names: ReadonlySet<string>): string =>
  partsOf(text, names)
    .map((part, i) => (i % 2 === 1 ? `$${variable(part)}` : part.replace(/[$`]/g, '\\$&')))
    .join('')

function shell(statements: readonly Statement[], names: ReadonlySet<string>): string {
  return statements
    .map((statement, i) => {
      if (statement.kind === 'unique') return `${variable(statement.name)}="${statement.prefix}-$(date +%s)-$$"`
      if (statement.kind === 'value') {
        const text = `echo "$${variable(statement.of)}" | grep -o '${grepPattern(statement.steps)}' | head -1 | cut -d'"' -f4`
        return `${variable(statement.name)}=$(${text})`
      }
      const code = curl(statement, names)
      if (statement.name === undefined) return code
      const stored = `${variable(statement.name)}=$(${code}${code.endsWith('\nJSON') ? '\n' : ''})`
      return i === statements.length - 1 ? `${stored}\necho "$${variable(statement.name)}"` : stored
    })
    .join('\n')
}

const MAX_LINE = 100
const MAX_HEADERS = 90

function curl(call: Call, names: ReadonlySet<string>): string {
  const { route, target, idempotencyKey, body } = call
  const head = `curl -s${route.method === 'POST' ? ' -X POST' : ''} "$BASE_URL${expanded(target, names)}"`
  const headers = ['-H "Authorization: Bearer $API_KEY"']
  if (body) headers.push('-H "Content-Type: application/json"')
  if (idempotencyKey) headers.push(`-H "${IDEMPOTENCY_KEY}${expanded(idempotencyKey, names)}"`)
  const inOne = headers.join(' ')
  const listed = inOne.length <= MAX_HEADERS ? inOne : headers.join(' \\\n  ')
  const first = `${head} \\\n  ${listed}`
  if (!body) return head.length + inOne.length < MAX_LINE ? `${head} ${inOne}` : first
  if (hasValues(body.value)) return `${first} \\\n  -d @- <<JSON\n${shellBody(body.text, names)}\nJSON`
  return `${first} \\\n  -d '${body.text.replaceAll("'", "'\\''")}'`
}

/** In a here-document: braces of the JSON itself are not names, since they are not next to a word. */
const shellBody = (text: string, names: ReadonlySet<string>): string =>
  expanded(text.replace(/\\(?=[\\$`])/g, '\\\\'), names)

const hasValues = (value: unknown): boolean =>
  typeof value === 'string'
    ? /\{\w+\}/.test(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(hasValues)

/** Responses have the id before the other fields of an object. */
function grepPattern(steps: readonly Step[]): string {
  const fields = steps.flatMap(step => ('field' in step ? [step.field] : []))
  const where = steps.find(step => 'where' in step)
  const value = `"${present(fields.at(-1), 'a field')}":"[^"]*"`
  return where ? `${value}[^}]*"${where.where}":"${where.is}${where.isPrefix ? '' : '"'}` : value
}

// TypeScript and Python

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A literal in which `{name}` is the value with that name. */
const withValues = (
  style: LiteralStyle,
  names: ReadonlySet<string>,
  own: (name: string) => string,
  template: (parts: string[]) => string,
): LiteralStyle => ({
  ...style,
  text: text => {
    const parts = /\{\w+\}/.test(text) ? partsOf(text, names) : [text]
    if (parts.length === 1) return style.text(text)
    return parts.length === 3 && parts[0] === '' && parts[2] === '' ? own(parts[1] ?? '') : template(parts)
  },
})

function typescript(statements: readonly Statement[], names: ReadonlySet<string>): string {
  const style = withValues(TS_LITERALS, names, camel, parts => {
    const inner = parts.map((part, i) => (i % 2 === 1 ? `\${${camel(part)}}` : part.replace(/[`\\$]/g, '\\$&')))
    return `\`${inner.join('')}\``
  })
  const lines = statements.map((statement, i) => {
    if (statement.kind === 'unique') {
      return `const ${camel(statement.name)} = \`${statement.prefix}-\${crypto.randomUUID()}\``
    }
    if (statement.kind === 'value') {
      const path = statement.steps.map(step =>
        'field' in step
          ? `.${step.field}`
          : 'index' in step
            ? `[${step.index}]!`
            : `.find(row => row.${step.where}${step.isPrefix ? `.startsWith(${style.text(step.is)})` : ` === ${style.text(step.is)}`})!`,
      )
      return `const ${camel(statement.name)} = ${camel(statement.of)}${path.join('')}${statement.isNullable ? '!' : ''}`
    }
    const { params, query } = argumentsOf(statement)
    const { body, idempotencyKey, name } = statement
    const args = params.map(param => style.text(param))
    if (Object.keys(query).length > 0) args.push(literal(query, style))
    if (body) args.push(literal(body.value, style))
    if (idempotencyKey) args.push(literal({ idempotencyKey }, style))
    const call = `await client.${sdkNames(statement.route).typescript}(${args.join(', ')})`
    const rows = isListCall(statement) ? '.data' : ''
    if (name === undefined) return `console.log(${rows ? `(${call})${rows}` : call})`
    const stored = `const ${camel(name)} = ${call}`
    return i === statements.length - 1 ? `${stored}\nconsole.log(${camel(name)}${rows})` : stored
  })
  return lines.join('\n')
}

function python(statements: readonly Statement[], names: ReadonlySet<string>, isFirst: boolean): string {
  const style = withValues(
    PYTHON_LITERALS,
    names,
    name => name,
    parts => `f${PYTHON_LITERALS.text(parts.map((part, i) => (i % 2 === 1 ? `{${part}}` : part)).join(''))}`,
  )
  const lines = statements.map((statement, i) => {
    if (statement.kind === 'unique') return `${statement.name} = f"${statement.prefix}-{uuid.uuid4()}"`
    if (statement.kind === 'value') return `${statement.name} = ${pythonPath(statement.of, statement.steps)}`
    const { params, query } = argumentsOf(statement)
    const { body, idempotencyKey, name, route } = statement
    const named = { ...query, ...body?.value, ...(idempotencyKey ? { idempotency_key: idempotencyKey } : {}) }
    const args = [
      ...params.map(param => style.text(param)),
      ...Object.entries(named).map(([key, value]) => `${key}=${literal(value, style, style.indent)}`),
    ]
    const isList = isListCall(statement)
    const call = `client.${sdkNames(route).python}(${pythonArguments(args)})${isList && route.method === 'GET' ? '.first_page()' : ''}`
    const shown = (what: string) => `print(${what}${isList ? '["data"]' : '.to_dict()'})`
    if (name === undefined) return shown(call)
    return i === statements.length - 1 ? `${name} = ${call}\n${shown(name)}` : `${name} = ${call}`
  })
  const imports = [
    ...(isFirst ? ['import os'] : []),
    ...(statements.some(({ kind }) => kind === 'unique') ? ['import uuid'] : []),
  ]
  const parts = [imports.join('\n'), isFirst ? clientCode('python') : '', lines.join('\n')]
  return parts.filter(part => part !== '').join('\n\n')
}

const pythonPath = (of: string, steps: readonly Step[]): string =>
  steps.reduce((path, step) => {
    if ('field' in step) return `${path}.${step.field}`
    if ('index' in step) return `${path}[${step.index}]`
    const value = PYTHON_LITERALS.text(step.is)
    const condition = step.isPrefix ? `row.${step.where}.startswith(${value})` : `row.${step.where} == ${value}`
    return `next(row for row in ${path} if ${condition})`
  }, of)
