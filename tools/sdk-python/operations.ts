import { sdkMethods } from './names.ts'
import { classifySchema, type Json, refName, type Schemas } from './schemas.ts'

export interface Parameter {
  name: string
  in: 'query' | 'path' | 'header'
  required: boolean
  description?: string
  schema: Json
}

export interface Method {
  id: string
  verb: string
  path: string
  namespace: string
  name: string
  summary: string
  description: string
  parameters: Parameter[]
  /** properties and the required ones of them */
  body: Fields
  write: boolean
  result: Result
}

export interface Fields {
  properties: Readonly<Record<string, Json>>
  required: ReadonlySet<string>
}

export type Result =
  | { kind: 'one'; model: string }
  | { kind: 'json' }
  | { kind: 'bytes' }
  | { kind: 'page'; row: string }
  | { kind: 'list'; row: string; paging: 'cursor' | 'after' }

export function collectOperations(document: Json): Method[] {
  const schemas: Schemas = document.components.schemas
  const names = new Map(sdkMethods(document).map(method => [method.operationId, method]))
  const found: Method[] = []
  for (const [path, verbs] of Object.entries<Json>(document.paths)) {
    for (const [verb, operation] of Object.entries<Json>(verbs)) {
      const parameters: Parameter[] = (operation.parameters ?? []).map((parameter: Json) =>
        parameter.$ref ? document.components.parameters[parameter.$ref.split('/').at(-1)] : parameter,
      )
      const { namespace, method } = names.get(operation.operationId)!
      found.push({
        id: operation.operationId,
        verb: verb.toUpperCase(),
        path,
        namespace,
        name: method,
        summary: operation.summary,
        description: operation.description ?? '',
        parameters,
        body: fieldsOf(schemas, operation.requestBody?.content['application/json'].schema),
        write: parameters.some(parameter => parameter.name === 'Idempotency-Key'),
        result: resultOf(operation, parameters, schemas),
      })
    }
  }
  return found
}

/** The fields of a body. Of alternatives all fields, of which those are required that each alternative requires. */
function fieldsOf(schemas: Schemas, schema: Json): Fields {
  if (!schema) return { properties: {}, required: new Set() }
  if (schema.$ref) return fieldsOf(schemas, schemas[refName(schema)])
  if (schema.properties) return { properties: schema.properties, required: new Set(schema.required ?? []) }
  const parts: Fields[] = (schema.oneOf ?? schema.anyOf ?? []).map((part: Json) => fieldsOf(schemas, part))
  if (parts.length === 0) throw new Error(`a body without fields: ${JSON.stringify(schema).slice(0, 200)}`)
  return {
    properties: Object.assign({}, ...parts.map(part => part.properties)),
    required: new Set([...parts[0]!.required].filter(field => parts.every(part => part.required.has(field)))),
  }
}

function resultOf(operation: Json, parameters: readonly Parameter[], schemas: Schemas): Result {
  const status = Object.keys(operation.responses).find(code => code.startsWith('2'))
  const schema = operation.responses[status!].content['application/json']?.schema
  if (!schema) return { kind: 'bytes' }
  const body = schema.$ref ? schemas[refName(schema)] : schema
  if (body.properties?.object?.const === 'list' && body.properties.data) {
    const row = refName(body.properties.data.items)
    const accepts = (name: string) => parameters.some(parameter => parameter.name === name)
    if (accepts('cursor')) return { kind: 'list', row, paging: 'cursor' }
    return accepts('after') ? { kind: 'list', row, paging: 'after' } : { kind: 'page', row }
  }
  // any object, such as the description of the API itself, has no class
  const hasClass = schema.$ref && ['object', 'union'].includes(classifySchema(schemas, refName(schema)))
  return hasClass ? { kind: 'one', model: refName(schema) } : { kind: 'json' }
}
