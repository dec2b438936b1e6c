import { ERROR_CODES, ERRORS, type ErrorCode } from '../src/contract/errors.ts'
import { sdkMethods } from './sdk-names.ts'

/**
 * The generated part of the Python SDK, from the OpenAPI description: classes of responses, types of request bodies,
 * error classes by code, and the endpoints for both clients. What it does not recognize it refuses, so that no endpoint
 * is left out silently.
 */
// biome-ignore lint/suspicious/noExplicitAny: JSON schemas of every kind
type Json = any

interface Parameter {
  name: string
  in: 'query' | 'path' | 'header'
  required: boolean
  description?: string
  schema: Json
}

interface Method {
  id: string
  verb: string
  path: string
  name: string
  summary: string
  description: string
  parameters: Parameter[]
  body: { schema: Json; required: boolean } | undefined
  write: boolean
  result: Result
}

type Result =
  | { kind: 'one'; model: string }
  | { kind: 'json' }
  | { kind: 'bytes' }
  | { kind: 'page'; row: string }
  | { kind: 'list'; row: string; paging: 'cursor' | 'after' }

const WIDTH = 120
/** Words that cannot be names of attributes or parameters. */
const RESERVED = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
)

const pascal = (name: string): string =>
  name.replace(/(?:^|[_.-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
const attribute = (name: string): string => {
  const plain = name.replace(/[^A-Za-z0-9_]/g, '_')
  return RESERVED.has(plain) ? `${plain}_` : plain
}
const quote = (text: string): string => JSON.stringify(text)
const indent = (text: string, by = 4): string => text.replace(/^(?=.)/gm, ' '.repeat(by))

/** The generated files, by their path in the repository. */
export function pythonSdk(document: Json): Record<string, string> {
  const schemas: Record<string, Json> = document.components.schemas
  const names = new Map(sdkMethods(document).map(method => [method.operationId, method]))
  const methods = operationsOf(document, schemas, id => names.get(id)!.method)
  const types = new Types(schemas, methods)
  const namespaces = [...Map.groupBy(methods, method => names.get(method.id)!.namespace)]
  const parts = [
    types.declarations(),
    types.builders(),
    resources(namespaces, types, 'sync'),
    resources(namespaces, types, 'async'),
  ]
  return {
    [`${FOLDER}/_generated.py`]: `${[HEAD, allOf(types.names()), ...parts].join('\n\n\n')}\n`,
    [`${FOLDER}/errors.py`]: errorsModule(),
  }
}

const FOLDER = 'packages/sdk-python/src/hiring_partner'
const NOTE = '# Generated from openapi.json by `npm run generate`. Do not edit.'

const allOf = (names: readonly string[]): string => `__all__ = [\n${indent(wrapItems(names.map(quote)))}\n]`

const HEAD = `${NOTE}
"""Classes of responses, types of request bodies, and the endpoints."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, List, Literal, Mapping, Sequence, Type, TypedDict, Union

from ._models import Model, UnionOf
from ._pages import AsyncPager, Page, Pager
from ._resource import AsyncResource, Resource
from ._wire import NOT_GIVEN, NotGiven, Operation`

// --- errors -------------------------------------------------------------------------------------------------------------

const ERROR_BASES: Readonly<Record<(typeof ERRORS)[ErrorCode]['type'], string>> = {
  invalid_request: 'InvalidRequestError',
  authentication: 'AuthenticationError',
  permission: 'PermissionDeniedError',
  payment_required: 'PaymentRequiredError',
  not_found: 'NotFoundError',
  conflict: 'ConflictError',
  rate_limit: 'RateLimitError',
  unavailable: 'UnavailableError',
  server: 'ServerError',
}

/** One class for each code; a code that is called like its type is the class of the type. */
function errorsModule(): string {
  const codes = ERROR_CODES.filter(code => !(code in ERROR_BASES))
  const classes = codes.map(code => {
    const { status, type, retry, message, remedy } = ERRORS[code]
    return [
      `class ${errorName(code)}(${ERROR_BASES[type]}, code=${quote(code)}, retry=${quote(retry)}):`,
      indent(docstring(`${status}: ${message}`, remedy)),
    ].join('\n')
  })
  const bases = [...OTHER_ERRORS, ...Object.values(ERROR_BASES)].sort()
  const literal = `ErrorCode = Literal[\n${indent(wrapItems(ERROR_CODES.map(quote)))}\n]`
  return `${[
    `${NOTE}
"""Every error of this package: one class for each code of the API, below the class of its type."""

from typing import Literal

from ._errors import (
${indent(bases.map(name => `${name},`).join('\n'))}
)

${allOf([...bases, 'ErrorCode', ...codes.map(errorName)])}

${literal}`,
    ...classes,
  ].join('\n\n\n')}\n`
}

/** Errors that are not responses, and their base. */
const OTHER_ERRORS = [
  'ApiConnectionError',
  'ApiError',
  'ApiTimeoutError',
  'CheckpointConflictError',
  'CheckpointError',
  'ExportFailedError',
  'FeedGapError',
  'FieldFault',
  'HiringError',
  'SignatureError',
  'UnexpectedResponseError',
]

const errorName = (code: string): string => `${pascal(code.replace(/_error$/, ''))}Error`

// --- operations ---------------------------------------------------------------------------------------------------------

function operationsOf(document: Json, schemas: Record<string, Json>, nameOf: (id: string) => string): Method[] {
  const found: Method[] = []
  for (const [path, verbs] of Object.entries<Json>(document.paths)) {
    for (const [verb, operation] of Object.entries<Json>(verbs)) {
      const parameters: Parameter[] = operation.parameters ?? []
      const body = operation.requestBody
      found.push({
        id: operation.operationId,
        verb: verb.toUpperCase(),
        path,
        name: nameOf(operation.operationId),
        summary: operation.summary,
        description: operation.description ?? '',
        parameters,
        body: body && { schema: resolve(schemas, body.content['application/json'].schema), required: body.required },
        write: parameters.some(parameter => parameter.name === 'Idempotency-Key'),
        result: resultOf(operation, schemas),
      })
    }
  }
  return found
}

function resultOf(operation: Json, schemas: Record<string, Json>): Result {
  const [status] = Object.keys(operation.responses).filter(code => code.startsWith('2'))
  const content = operation.responses[status!].content
  const schema = content['application/json']?.schema
  if (!schema) return { kind: 'bytes' }
  const body = resolve(schemas, schema)
  if (body.properties?.object?.const === 'list' && body.properties.data) {
    const row = refName(body.properties.data.items)
    const accepts = (name: string) =>
      (operation.parameters ?? []).some((parameter: Parameter) => parameter.name === name)
    if (accepts('cursor')) return { kind: 'list', row, paging: 'cursor' }
    if (accepts('after')) return { kind: 'list', row, paging: 'after' }
    return { kind: 'page', row }
  }
  return schema.$ref ? { kind: 'one', model: refName(schema) } : { kind: 'json' }
}

const resolve = (schemas: Record<string, Json>, schema: Json): Json => (schema.$ref ? schemas[refName(schema)] : schema)

function refName(schema: Json): string {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(schema.$ref ?? '')?.[1]
  if (!name) throw new Error(`expected a named schema, found ${JSON.stringify(schema).slice(0, 200)}`)
  return name
}

// --- types --------------------------------------------------------------------------------------------------------------

/** Named schemas as Python types: those of responses become classes, those of request bodies typed dictionaries. */
class Types {
  readonly #schemas: Record<string, Json>
  readonly #inResponses = new Set<string>()
  readonly #inRequests = new Set<string>()

  constructor(schemas: Record<string, Json>, methods: readonly Method[]) {
    this.#schemas = schemas
    for (const { result, body, parameters } of methods) {
      if (result.kind === 'one') this.#visit({ $ref: `#/components/schemas/${result.model}` }, this.#inResponses)
      if (result.kind === 'page' || result.kind === 'list')
        this.#visit({ $ref: `#/components/schemas/${result.row}` }, this.#inResponses)
      // the fields of a body are parameters of its method, so the body itself needs no type
      for (const schema of Object.values<Json>(body?.schema.properties ?? {})) this.#visit(schema, this.#inRequests)
      for (const { schema } of parameters) this.#visit(schema, this.#inRequests)
    }
  }

  #visit(schema: Json, into: Set<string>): void {
    if (schema === null || typeof schema !== 'object') return
    if (schema.$ref) {
      const name = refName(schema)
      if (into.has(name)) return
      into.add(name)
      this.#visit(this.#schemas[name], into)
      return
    }
    for (const value of Object.values(schema)) this.#visit(value, into)
  }

  #used(): string[] {
    return Object.keys(this.#schemas).filter(name => this.#inResponses.has(name) || this.#inRequests.has(name))
  }

  /** The public names. */
  names(): string[] {
    const names = this.#used().flatMap(name => [
      ...(this.#inResponses.has(name) || this.#isEnum(name) ? [pascal(name)] : []),
      ...(this.#inRequests.has(name) ? [this.#inputName(name)] : []),
    ])
    return [...new Set(names)].sort()
  }

  declarations(): string {
    const used = this.#used()
    const enums = used.filter(name => this.#isEnum(name))
    const unions = used.filter(name => this.#schemas[name].oneOf ?? this.#schemas[name].anyOf)
    const objects = used.filter(name => !enums.includes(name) && !unions.includes(name))
    return [
      enums.map(name => this.#enum(name)).join('\n'),
      ...objects.filter(name => this.#inRequests.has(name)).map(name => this.#typedDict(name)),
      ...objects.filter(name => this.#inResponses.has(name)).map(name => this.#model(name)),
      ...unions.map(name => this.#union(name)),
    ].join('\n\n\n')
  }

  #isEnum(name: string): boolean {
    const schema = this.#schemas[name]
    return valuesOf(schema) !== undefined
  }

  #enum(name: string): string {
    const values = valuesOf(this.#schemas[name])!.map(value => quote(value))
    const oneLine = `${pascal(name)} = Literal[${values.join(', ')}]`
    const doc = this.#schemas[name].description ? `\n${docstring(this.#schemas[name].description)}` : ''
    return (oneLine.length <= WIDTH ? oneLine : `${pascal(name)} = Literal[\n${indent(wrapItems(values))}\n]`) + doc
  }

  /** The type of a value of a request. Times may be given as datetime objects. */
  input(schema: Json): string {
    if (schema.format === 'date-time') return nullable(schema, 'Union[str, datetime]')
    return this.#type(
      schema,
      inner => this.input(inner),
      name => this.#inputName(name),
      'Sequence',
      'Mapping',
    )
  }

  /** The type of a value of a response. */
  output(schema: Json): string {
    return this.#type(schema, inner => this.output(inner), pascal, 'List', 'Dict')
  }

  #inputName(name: string): string {
    return this.#inResponses.has(name) && !this.#isEnum(name) ? `${pascal(name)}Input` : pascal(name)
  }

  #type(
    schema: Json,
    inner: (schema: Json) => string,
    named: (name: string) => string,
    array: string,
    map: string,
  ): string {
    if (schema.$ref) {
      const name = refName(schema)
      // a value that this version does not know must not be a type error in the caller's code
      return this.#isEnum(name) ? `Union[${pascal(name)}, str]` : named(name)
    }
    const values = valuesOf(schema)
    if (values) return nullable(schema, `Union[Literal[${values.map(quote).join(', ')}], str]`)
    if ('const' in schema) return schema.const === null ? 'None' : `Literal[${literal(schema.const)}]`
    const parts: Json[] | undefined = schema.anyOf ?? schema.oneOf
    if (parts) {
      const types = [...new Set(parts.map(part => (part.type === 'null' ? 'None' : inner(part))))]
      return types.length === 1 ? types[0]! : `Union[${types.join(', ')}]`
    }
    const kinds: string[] = [schema.type].flat().filter(Boolean)
    const types = kinds.map(kind => {
      if (kind === 'string') return 'str'
      if (kind === 'integer') return 'int'
      if (kind === 'number') return 'float'
      if (kind === 'boolean') return 'bool'
      if (kind === 'null') return 'None'
      if (kind === 'array') return `${array}[${schema.items ? inner(schema.items) : 'Any'}]`
      if (kind === 'object' && typeof schema.additionalProperties === 'object')
        return `${map}[str, ${inner(schema.additionalProperties)}]`
      return `${map}[str, Any]`
    })
    if (types.length === 0) return 'Any'
    return types.length === 1 ? types[0]! : `Union[${types.join(', ')}]`
  }

  #typedDict(name: string): string {
    const schema = this.#schemas[name]
    const own = this.#inputName(name)
    const fields = Object.entries<Json>(schema.properties ?? {})
    const required = new Set<string>(schema.required ?? [])
    const lines = (wanted: boolean) =>
      fields
        .filter(([field]) => required.has(field) === wanted)
        .map(([field, value]) => `${field}: ${this.input(value)}${fieldDoc(value)}`)
        .join('\n')
    const doc = schema.description ? docstring(schema.description) : ''
    const block = (head: string, body: string) => `${head}\n${indent(body || 'pass')}`
    const [must, may] = [lines(true), lines(false)]
    if (may === '') return block(`class ${own}(TypedDict):`, [doc, must].filter(Boolean).join('\n\n'))
    if (must === '') return block(`class ${own}(TypedDict, total=False):`, [doc, may].filter(Boolean).join('\n\n'))
    return [
      block(`class _${own}Required(TypedDict):`, must),
      block(`class ${own}(_${own}Required, total=False):`, [doc, may].filter(Boolean).join('\n\n')),
    ].join('\n\n\n')
  }

  #model(name: string): string {
    const schema = this.#schemas[name]
    const required = new Set<string>(schema.required ?? [])
    const renamed: string[] = []
    const nested: string[] = []
    const optional: string[] = []
    const lines = Object.entries<Json>(schema.properties ?? {}).map(([field, value]) => {
      const own = attribute(field)
      if (own !== field) renamed.push(`${quote(own)}: ${quote(field)}`)
      const target = this.#nestedIn(value)
      if (target) nested.push(`${quote(own)}: ${quote(target)}`)
      let type = this.output(value)
      if (!required.has(field)) {
        optional.push(quote(own))
        if (!/\bNone\b/.test(type)) type = `Union[${type}, None]`
      }
      return `${own}: ${type}${fieldDoc(value)}`
    })
    const slots = ['__slots__ = ()']
    if (renamed.length > 0) slots.push(`_names = {${renamed.join(', ')}}`)
    if (nested.length > 0) slots.push(braces('_nested = {', nested, '}'))
    if (optional.length > 0) slots.push(braces('_optional = frozenset({', optional, '})'))
    const doc = schema.description ? `${docstring(schema.description)}\n\n` : ''
    return `class ${pascal(name)}(Model):\n${indent(`${doc}${slots.join('\n')}\n\n${lines.join('\n')}`.trimEnd())}`
  }

  /** How Model converts a field: the name of a class, in brackets for a list, in braces for a map. */
  #nestedIn(schema: Json): string | undefined {
    if (schema.$ref) {
      const name = refName(schema)
      const target = this.#schemas[name]
      if (this.#isEnum(name)) return undefined
      if (target.oneOf ?? target.anyOf) return `_${pascal(name)}Union`
      return target.properties ? pascal(name) : undefined
    }
    const parts: Json[] | undefined = schema.anyOf ?? schema.oneOf
    if (parts) {
      const rest = parts.filter(part => part.type !== 'null')
      return rest.length === 1 ? this.#nestedIn(rest[0]) : undefined
    }
    const inner = schema.items ? this.#nestedIn(schema.items) : undefined
    if (inner) return `[${inner}]`
    const values = schema.additionalProperties
    const mapped = typeof values === 'object' && values !== null ? this.#nestedIn(values) : undefined
    return mapped && `{${mapped}}`
  }

  /** Objects that a field tells apart. A value that this version does not know has a class too. */
  #union(name: string): string {
    const schema = this.#schemas[name]
    const members: string[] = (schema.oneOf ?? schema.anyOf).map(refName)
    const { propertyName, mapping } = schema.discriminator ?? {}
    if (!propertyName) throw new Error(`${name}: a union needs a discriminator`)
    const mapped = Object.entries<string>(mapping).map(([value, $ref]) => [value, refName({ $ref })] as const)
    const rows = mapped.map(([value, target]) => `${quote(value)}: ${pascal(target)},`)
    const declared = members.find(member => !mapped.some(([, target]) => target === member))
    const fallback = declared ? pascal(declared) : `Unknown${pascal(name)}`
    const all = declared ? members.map(pascal) : [...members.map(pascal), fallback]
    const own = pascal(name)
    return [
      ...(declared ? [] : [`${this.#unknownMember(fallback, members)}\n\n`]),
      `${own} = Union[\n${indent(all.map(member => `${member},`).join('\n'))}\n]`,
      ...(schema.description ? [docstring(schema.description)] : []),
      `_${own}Union = UnionOf(${quote(propertyName)}, {\n${indent(rows.join('\n'))}\n}, ${fallback})`,
    ].join('\n')
  }

  /** A class with the fields that all members of a union have. */
  #unknownMember(name: string, members: readonly string[]): string {
    const [first, ...others] = members.map(member => this.#schemas[member])
    const shared = Object.entries<Json>(first.properties).filter(([field]) =>
      others.every(other => field in other.properties),
    )
    const nested: string[] = []
    const lines = shared.map(([field, value]) => {
      const same = others.every(other => JSON.stringify(other.properties[field]) === JSON.stringify(value))
      const target = same ? this.#nestedIn(value) : undefined
      if (target) nested.push(`${quote(attribute(field))}: ${quote(target)}`)
      return `${attribute(field)}: ${same ? this.output(value) : 'const' in value ? 'str' : 'Any'}`
    })
    const slots = ['__slots__ = ()', ...(nested.length > 0 ? [braces('_nested = {', nested, '}')] : [])]
    const doc = docstring('One that this version does not know.')
    return `class ${name}(Model):\n${indent(`${doc}\n\n${slots.join('\n')}\n\n${lines.join('\n')}`)}`
  }

  /** For objects that come in events, files and links: the class by `object`, in the format of a single read or of a list. */
  builders(): string {
    const byObject = (wanted: (name: string, object: string) => boolean) =>
      Object.entries(this.#schemas).flatMap(([name, schema]) => {
        const object = schema.properties?.object?.const
        return typeof object === 'string' && this.#inResponses.has(name) && wanted(name, object)
          ? [`${quote(object)}: ${pascal(name)},`]
          : []
      })
    const table = (name: string, rows: string[]) => `${name}: Dict[str, Type[Model]] = {\n${indent(rows.join('\n'))}\n}`
    return [
      table(
        '_OBJECTS',
        byObject((name, object) => name === object),
      ),
      table(
        '_ROWS',
        byObject((name, object) => name === `${object}_summary`),
      ),
      `def build_object(data: Mapping[str, Any], row: bool = False) -> Model:
    """An object by its type: as a single read returns it, or as a row of a list."""
    name = str(data.get("object"))
    return (row and _ROWS.get(name) or _OBJECTS.get(name, Model))(data)`,
      `def build_event(data: Any) -> Event:
    event: Event = ${this.build('event')}(data)
    return event`,
    ].join('\n\n\n')
  }

  /** How a response becomes an object. */
  build(name: string): string {
    const schema = this.#schemas[name]
    return `${schema.oneOf || schema.anyOf ? `_${pascal(name)}Union` : pascal(name)}.build`
  }
}

function valuesOf(schema: Json): string[] | undefined {
  const open = (schema.anyOf ?? []).find((part: Json) => part.enum)
  const values: unknown[] | undefined = schema.enum ?? (open && isOpenEnum(schema) ? open.enum : undefined)
  return values?.filter((value): value is string => typeof value === 'string')
}

/** `anyOf: [{ enum }, { type: string }]` */
const isOpenEnum = (schema: Json): boolean =>
  schema.anyOf.every((part: Json) => part.enum || (part.type === 'string' && !part.const && !part.format))

const nullable = (schema: Json, type: string): string =>
  [schema.type].flat().includes('null') || schema.enum?.includes(null) ? `Union[${type}, None]` : type

const literal = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)

// --- endpoints ----------------------------------------------------------------------------------------------------------

type Kind = 'sync' | 'async'

function resources(namespaces: readonly [string, Method[]][], types: Types, kind: Kind): string {
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
  const fields = Object.entries<Json>(body?.schema.properties ?? {})
  const required = new Set<string>(body?.schema.required ?? [])
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
        : { text: `${attribute(parameter.name)}: Union[${type}, None] = None`, needed: false }
    }),
    ...fields
      .filter(([field]) => !required.has(field))
      .map(([field, schema]) => ({
        text: `${attribute(field)}: Union[${types.input(schema)}, NotGiven] = NOT_GIVEN`,
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
    return `Union[${item}, Sequence[${item}]]`
  }
  return types.input(schema)
}

// --- text ---------------------------------------------------------------------------------------------------------------

const fieldDoc = (schema: Json): string => (schema.description ? `\n${docstring(schema.description)}` : '')

/** A docstring; its first paragraph is a line of its own. */
function docstring(summary: string, description = ''): string {
  const clean = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim()
  const first = wrap(clean(summary))
  const rest =
    description.trim() === ''
      ? ''
      : `\n\n${clean(description)
          .split(/\n{2,}/)
          .map(wrap)
          .join('\n\n')}`
  const text = `${first}${rest}`
  return text.includes('\n') ? `"""${text}\n"""` : `"""${text}${text.endsWith('"') ? ' ' : ''}"""`
}

function wrap(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > WIDTH - 16) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}

function wrapItems(items: readonly string[]): string {
  return wrap(items.map(item => `${item},`).join(' '))
}

function braces(open: string, items: readonly string[], close: string): string {
  const oneLine = `${open}${items.join(', ')}${close}`
  return oneLine.length <= WIDTH - 12
    ? oneLine
    : `${open}\n${indent(items.map(item => `${item},`).join('\n'))}\n${close}`
}
