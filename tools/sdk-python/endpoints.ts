import type { Method, Result } from './operations.ts'
import type { Json } from './schemas.ts'
import { attribute, braces, docstring, indent, pascal, quote } from './text.ts'
import { type Types, union } from './types.ts'

type Kind = 'sync' | 'async'

/** One class for each namespace, and one with all of them. */
export function resources(namespaces: readonly [string, Method[]][], types: Types, kind: Kind): string {
  const prefix = kind === 'async' ? 'Async' : ''
  const classes = namespaces.map(([namespace, methods]) =>
    [
      `class ${prefix}${pascal(namespace)}(${prefix}Resource):`,
      indent(methods.map(method => endpoint(method, types, kind)).join('\n\n')),
    ].join('\n'),
  )
  const fields = namespaces.map(([namespace]) => `${namespace}: ${prefix}${pascal(namespace)}`)
  const opened = namespaces.map(([namespace]) => `self.${namespace} = ${prefix}${pascal(namespace)}(client)`)
  const all = [
    `class ${prefix}Resources:`,
    indent(
      [
        docstring('The endpoints of a client, by namespace.'),
        '',
        fields.join('\n'),
        '',
        'def _open(self, client: Any) -> None:',
        indent(opened.join('\n')),
      ].join('\n'),
    ),
  ].join('\n')
  return [...classes, all].join('\n\n\n')
}

function endpoint(method: Method, types: Types, kind: Kind): string {
  const { id, verb, path, name, result, body, write } = method
  const inPath = method.parameters.filter(parameter => parameter.in === 'path')
  const inQuery = method.parameters.filter(parameter => parameter.in === 'query')
  const fields = Object.entries(body.properties)
  const { required } = body
  const taken = [...inPath, ...inQuery].map(parameter => attribute(parameter.name))
  const double = fields.map(([field]) => attribute(field)).filter(field => taken.includes(field))
  if (double.length > 0) throw new Error(`${id}: ${double.join(', ')} is a parameter and a body field`)

  const named = [
    ...fields
      .filter(([field]) => required.has(field))
      .map(([field, schema]) => ({ text: `${attribute(field)}: ${types.input(schema)}`, needed: true })),
    ...inQuery.map(parameter => {
      const type = queryType(parameter.schema, types)
      return parameter.required
        ? { text: `${attribute(parameter.name)}: ${type}`, needed: true }
        : { text: `${attribute(parameter.name)}: ${union([type, 'None'])} = None`, needed: false }
    }),
    ...fields
      .filter(([field]) => !required.has(field))
      .map(([field, schema]) => ({
        text: `${attribute(field)}: ${union([types.input(schema), 'NotGiven'])} = NOT_GIVEN`,
        needed: false,
      })),
    ...(write ? [{ text: 'idempotency_key: Union[str, None] = None', needed: false }] : []),
    { text: 'timeout: Union[float, None] = None', needed: false },
  ].sort((a, b) => Number(b.needed) - Number(a.needed))
  const signature = [
    'self',
    ...inPath.map(parameter => `${attribute(parameter.name)}: str`),
    '*',
    ...named.map(n => n.text),
  ]

  const operation = [
    quote(verb),
    quote(path),
    ...(inPath.length > 0 ? [`params={${inPath.map(p => `${quote(p.name)}: ${attribute(p.name)}`).join(', ')}}`] : []),
    ...(inQuery.length > 0
      ? [
          braces(
            'query={',
            inQuery.map(p => `${quote(p.name)}: ${attribute(p.name)}`),
            '}',
          ),
        ]
      : []),
    ...(fields.length > 0
      ? [
          braces(
            'body={',
            fields.map(([field]) => `${quote(field)}: ${attribute(field)}`),
            '}',
          ),
        ]
      : []),
    ...(write ? ['write=True', 'idempotency_key=idempotency_key'] : []),
    ...(result.kind === 'bytes' ? ['binary=True'] : []),
    'timeout=timeout',
  ]
  const call = `Operation(\n${indent(operation.map(part => `${part},`).join('\n'))}\n)`
  const { returns, body: code, coroutine } = returned(result, call, types, kind)
  return [
    `${coroutine ? 'async ' : ''}def ${name}(\n${indent(signature.map(part => `${part},`).join('\n'))}\n) -> ${returns}:`,
    indent(`${docstring(method.summary, method.description)}\n${code}`),
  ].join('\n')
}

function returned(result: Result, call: string, types: Types, kind: Kind) {
  const await_ = kind === 'async' ? 'await ' : ''
  const prefix = kind === 'async' ? 'Async' : ''
  const coroutine = kind === 'async' && result.kind !== 'list'
  if (result.kind === 'list') {
    const row = pascal(result.row)
    return {
      coroutine,
      returns: `${prefix}Pager[${row}]`,
      body: `return ${prefix}Pager(\n${indent(`self._client,\n${call},\n${types.build(result.row)},\n${quote(result.paging)},`)}\n)`,
    }
  }
  if (result.kind === 'bytes')
    return { coroutine, returns: 'bytes', body: `return ${await_}self._bytes(\n${indent(call)}\n)` }
  if (result.kind === 'json')
    return { coroutine, returns: 'Dict[str, Any]', body: `return ${await_}self._json(\n${indent(call)}\n)` }
  const page = result.kind === 'page'
  const model = page ? result.row : result.model
  return {
    coroutine,
    returns: page ? `Page[${pascal(model)}]` : pascal(model),
    body: `return ${await_}self._${page ? 'page' : 'one'}(\n${indent(`${call},\n${types.build(model)},`)}\n)`,
  }
}

/** A comma list is given as a sequence, or as one value. */
function queryType(schema: Json, types: Types): string {
  if (schema.type === 'array') {
    const item = types.input(schema.items)
    return union([item, `Sequence[${item}]`])
  }
  return types.input(schema)
}
