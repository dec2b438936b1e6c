import { PREFIXES } from '../../contract/handles.ts'
import { VERSIONS } from '../../contract/version.ts'
import type { NamedSchemas } from './named-schemas.ts'
import { declaredQuery, type Route } from './route.ts'
import type { JsonSchema } from './shape.ts'

interface Parameter extends JsonSchema {
  name: string
  schema: JsonSchema
}

/** The parameters of an endpoint in path, query and headers. */
export function describeParameters(route: Route, named: NamedSchemas): Parameter[] {
  const inPath = Object.entries(route.params).map(([name, kind]) => ({
    name,
    in: 'path',
    required: true,
    ...pathParameter(kind, named),
  }))
  const inQuery = Object.entries(declaredQuery(route)).map(([name, param]) => ({
    name,
    in: 'query',
    required: param.required ?? false,
    description: param.description,
    ...(param.schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
    schema: named.inside(param.schema),
  }))
  const headers: Parameter[] = [VERSION_HEADER]
  if (route.idempotency !== 'none') {
    headers.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: route.idempotency === 'required',
      description: route.handlesOwnIdempotency
        ? 'A repeat with the same key and body does nothing again: it returns what became of the first.'
        : 'A repeat with the same key and body returns the first response for 24 hours.',
      schema: { type: 'string', minLength: 8, maxLength: 255, pattern: '^[A-Za-z0-9._:~-]+$' },
    })
  }
  return [...inPath, ...inQuery, ...headers]
}

const VERSION_HEADER: Parameter = {
  name: 'Service-Api-Version',
  in: 'header',
  required: false,
  description: 'The API version that you expect; another one is refused.',
  schema: { type: 'string', enum: VERSIONS.map(({ version }) => version) },
}

const EXAMPLE_UUID = '0f8c3c1e-6a4d-4b0e-9a53-2f1d7c5b8e10'

function pathParameter(kind: Route['params'][string], named: NamedSchemas): { schema: JsonSchema } & JsonSchema {
  if (kind === 'text')
    return { schema: { type: 'string', minLength: 1, maxLength: 200 }, example: 'senior-data-engineer' }
  if (kind === 'uuid') return { schema: { type: 'string', format: 'uuid' }, example: EXAMPLE_UUID }
  if (typeof kind !== 'string') return { schema: named.inside({ type: 'string', enum: kind }) }
  const prefix = PREFIXES[kind]
  return {
    description: `The handle of ${article(kind)} (\`${prefix}…\`).`,
    schema: { type: 'string', pattern: `^${prefix}` },
    example: `${prefix}1m8x2c4e6g8j0k2m4n6q`,
  }
}

const article = (kind: string): string => `${/^[aeiou](?!ser)/.test(kind) ? 'an' : 'a'} ${kind.replaceAll('_', ' ')}`

/**
 * Replaces parameters that several operations have with references, and returns them under their names. Of different
 * parameters with one name, the one that most operations have is shared. A name that a schema has, too, is extended: Go
 * has one type for both.
 */
export function shareParameters(
  operations: readonly { parameters: JsonSchema[] }[],
  schemas: Readonly<Record<string, unknown>>,
): Record<string, JsonSchema> {
  const componentOf = (name: string) => (name in schemas ? `${name}_parameter` : name)
  const counts = new Map<string, number>()
  for (const parameter of operations.flatMap(({ parameters }) => parameters)) {
    const text = JSON.stringify(parameter)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const shared = new Map<string, string>()
  for (const [text, count] of [...counts].sort(([, a], [, b]) => b - a)) {
    const { name } = JSON.parse(text) as Parameter
    if (count > 1 && !shared.has(name)) shared.set(name, text)
  }
  for (const operation of operations) {
    operation.parameters = operation.parameters.map(parameter => {
      const name = parameter['name'] as string
      return shared.get(name) === JSON.stringify(parameter)
        ? { $ref: `#/components/parameters/${componentOf(name)}` }
        : parameter
    })
  }
  return Object.fromEntries(
    [...shared]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, text]) => [componentOf(name), JSON.parse(text) as JsonSchema]),
  )
}
