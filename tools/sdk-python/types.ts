import { EVENT_TYPES } from '../../src/contract/events.ts'
import type { Method } from './operations.ts'
import { classifySchema, findUnion, type Json, partsOf, refName, type Schemas, valuesOf } from './schemas.ts'
import { attribute, braces, docstring, fieldDoc, indent, pascal, quote, WIDTH, wrapItems } from './text.ts'

/** Named schemas as Python types: objects of responses become classes, those of request bodies typed dictionaries. */
export class Types {
  readonly #schemas: Schemas
  readonly #inResponses = new Set<string>()
  readonly #inRequests = new Set<string>()

  constructor(schemas: Schemas, methods: readonly Method[]) {
    this.#schemas = schemas
    const returned = methods.flatMap(({ result }) =>
      result.kind === 'one' ? [result.model] : 'row' in result ? [result.row] : [],
    )
    // the fields of a body are parameters of its method, so the body itself needs no type
    const sent = methods.flatMap(({ body, parameters }) => [
      ...Object.values(body.properties),
      ...parameters.map(parameter => parameter.schema),
    ])
    this.#visit(
      returned.map(name => ({ $ref: `#/components/schemas/${name}` })),
      this.#inResponses,
    )
    this.#visit(sent, this.#inRequests)
  }

  /** Collects the names of all schemas inside a value. */
  #visit(value: Json, into: Set<string>): void {
    if (value === null || typeof value !== 'object') return
    if (!value.$ref) {
      for (const inner of Object.values(value)) this.#visit(inner, into)
      return
    }
    const name = refName(value)
    if (into.has(name)) return
    into.add(name)
    this.#visit(this.#schemas[name], into)
  }

  #used(): string[] {
    return Object.keys(this.#schemas).filter(name => this.#inResponses.has(name) || this.#inRequests.has(name))
  }

  #of(kind: ReturnType<typeof classifySchema>): string[] {
    return this.#used().filter(name => classifySchema(this.#schemas, name) === kind)
  }

  /** The public names. */
  names(): string[] {
    const names = this.#used().flatMap(name => {
      if (classifySchema(this.#schemas, name) !== 'object') return [pascal(name)]
      return [
        ...(this.#inResponses.has(name) ? [pascal(name)] : []),
        ...(this.#inRequests.has(name) ? [this.#inputName(name)] : []),
      ]
    })
    const unknown = this.#of('union').flatMap(name => (this.#needsUnknown(name) ? [`Unknown${pascal(name)}`] : []))
    return [...new Set([...names, ...unknown])].sort()
  }

  declarations(): string {
    const objects = this.#of('object')
    return [
      this.#of('enum')
        .map(name => this.#enum(name))
        .join('\n'),
      this.#of('open enum')
        .map(name => `${pascal(name)} = ${this.#alternatives(this.#schemas[name], this.output.bind(this))}`)
        .join('\n'),
      ...objects.filter(name => this.#inRequests.has(name)).map(name => this.#typedDict(name)),
      ...objects.filter(name => this.#inResponses.has(name)).map(name => this.#model(name)),
      ...this.#unions().map(name => this.#union(name)),
      ...this.#of('alias').map(name => `${pascal(name)} = ${this.#alias(name)}`),
    ]
      .filter(part => part !== '')
      .join('\n\n\n')
  }

  /** Those that others consist of come first. */
  #unions(): string[] {
    const isPart = (name: string) => this.#schemas[name].discriminator !== undefined
    const all = this.#of('union')
    return [...all.filter(isPart), ...all.filter(name => !isPart(name))]
  }

  #enum(name: string): string {
    const values = valuesOf(this.#schemas[name])!.map(quote)
    const line = `${pascal(name)} = Literal[${values.join(', ')}]`
    const { description } = this.#schemas[name]
    const doc = description ? `\n${docstring(description)}` : ''
    return (line.length <= WIDTH ? line : `${pascal(name)} = Literal[\n${indent(wrapItems(values))}\n]`) + doc
  }

  #alias(name: string): string {
    const schema = this.#schemas[name]
    return this.#inResponses.has(name) ? this.output(schema) : this.input(schema)
  }

  /** The type of a value of a request. Times may be given as datetime objects. */
  input(schema: Json): string {
    if (schema.format === 'date-time') {
      return [schema.type].flat().includes('null') ? 'Union[str, datetime, None]' : 'Union[str, datetime]'
    }
    return this.#type(schema, {
      inner: this.input.bind(this),
      named: name => this.#inputName(name),
      many: 'Sequence',
      map: 'Mapping',
    })
  }

  /** The type of a value of a response. */
  output(schema: Json): string {
    return this.#type(schema, { inner: this.output.bind(this), named: pascal, many: 'List', map: 'Dict' })
  }

  #inputName(name: string): string {
    return this.#inResponses.has(name) && classifySchema(this.#schemas, name) === 'object'
      ? `${pascal(name)}Input`
      : pascal(name)
  }

  #type(
    schema: Json,
    of: { inner: (schema: Json) => string; named: (name: string) => string; many: string; map: string },
  ): string {
    if (schema.$ref) {
      const name = refName(schema)
      // a value that this version does not know must not be a type error in the caller's code
      return classifySchema(this.#schemas, name) === 'enum' ? `Union[${pascal(name)}, str]` : of.named(name)
    }
    const values = valuesOf(schema)
    if (values)
      return union([`Literal[${values.map(quote).join(', ')}]`, 'str', ...(acceptsNull(schema) ? ['None'] : [])])
    if ('const' in schema) return schema.const === null ? 'None' : `Literal[${literal(schema.const)}]`
    if (partsOf(schema)) return this.#alternatives(schema, of.inner)
    const types = [schema.type].flat().map((type: string | undefined) => {
      if (type === 'array') return `${of.many}[${schema.items ? of.inner(schema.items) : 'Any'}]`
      if (type !== 'object') return type === undefined ? 'Any' : PLAIN[type]!
      const { additionalProperties: rest } = schema
      return `${of.map}[str, ${typeof rest === 'object' ? of.inner(rest) : 'Any'}]`
    })
    return union(types)
  }

  #alternatives(schema: Json, inner: (schema: Json) => string): string {
    return union(partsOf(schema)!.map(part => (part.type === 'null' ? 'None' : inner(part))))
  }

  #typedDict(name: string): string {
    const schema = this.#schemas[name]
    const own = this.#inputName(name)
    const required = new Set<string>(schema.required ?? [])
    const lines = (wanted: boolean) =>
      Object.entries<Json>(schema.properties)
        .filter(([field]) => required.has(field) === wanted)
        .map(([field, value]) => `${field}: ${this.input(value)}${fieldDoc(value)}`)
        .join('\n')
    const doc = schema.description ? `${docstring(schema.description)}\n\n` : ''
    const [must, may] = [lines(true), lines(false)]
    if (may === '') return `class ${own}(TypedDict):\n${indent(`${doc}${must || 'pass'}`)}`
    if (must === '') return `class ${own}(TypedDict, total=False):\n${indent(doc + may)}`
    return [
      `class _${own}Required(TypedDict):\n${indent(must)}`,
      `class ${own}(_${own}Required, total=False):\n${indent(doc + may)}`,
    ].join('\n\n\n')
  }

  #model(name: string): string {
    const { description, properties, required = [] } = this.#schemas[name]
    return this.#class(pascal(name), description, Object.entries<Json>(properties), new Set(required))
  }

  #class(
    name: string,
    description: string | undefined,
    fields: [string, Json][],
    required: ReadonlySet<string>,
  ): string {
    const renamed: string[] = []
    const nested: string[] = []
    const optional: string[] = []
    const lines = fields.map(([field, schema]) => {
      const own = attribute(field)
      if (own !== field) renamed.push(`${quote(own)}: ${quote(field)}`)
      const target = this.#nestedIn(schema)
      if (target) nested.push(`${quote(own)}: ${quote(target)}`)
      if (!required.has(field)) optional.push(quote(own))
      const type = this.output(schema)
      return `${own}: ${required.has(field) ? type : union([type, 'None'])}${fieldDoc(schema)}`
    })
    const tables = [
      '__slots__ = ()',
      ...(renamed.length > 0 ? [braces('_names = {', renamed, '}')] : []),
      ...(nested.length > 0 ? [braces('_nested = {', nested, '}')] : []),
      ...(optional.length > 0 ? [braces('_optional = frozenset({', optional, '})')] : []),
    ]
    const doc = description ? `${docstring(description)}\n\n` : ''
    return `class ${name}(Model):\n${indent(`${doc}${tables.join('\n')}\n\n${lines.join('\n')}`.trimEnd())}`
  }

  /** How Model converts a field: the name of a class, in brackets for a list, in braces for a map. */
  #nestedIn(schema: Json): string | undefined {
    if (schema.$ref) {
      const name = refName(schema)
      const kind = classifySchema(this.#schemas, name)
      if (kind === 'alias') return this.#nestedIn(this.#schemas[name])
      return kind === 'object' ? pascal(name) : kind === 'union' ? builder(name) : undefined
    }
    const parts = partsOf(schema)?.filter(part => part.type !== 'null')
    if (parts) return parts.length === 1 ? this.#nestedIn(parts[0]) : undefined
    const item = schema.items && this.#nestedIn(schema.items)
    if (item) return `[${item}]`
    const rest = schema.additionalProperties
    const value = typeof rest === 'object' && rest !== null ? this.#nestedIn(rest) : undefined
    return value && `{${value}}`
  }

  #needsUnknown(name: string): boolean {
    const isPart = this.#of('union').some(other =>
      partsOf(this.#schemas[other])?.some(part => part.$ref && refName(part) === name),
    )
    return findUnion(this.#schemas, name)!.other === undefined && !isPart
  }

  /** Objects that a field tells apart. A value that this version does not know has a class too. */
  #union(name: string): string {
    const { field, members, other } = findUnion(this.#schemas, name)!
    const own = pascal(name)
    const classes = [...new Set(members.map(([, member]) => pascal(member)))]
    const unknown = this.#needsUnknown(name) ? `Unknown${own}` : undefined
    const rest = other ? pascal(other) : unknown
    const { description } = this.#schemas[name]
    const rows = members.map(([value, member]) => `${quote(value)}: ${pascal(member)},`)
    return [
      ...(unknown
        ? [
            `${this.#unknownMember(
              unknown,
              members.map(([, member]) => member),
            )}\n\n`,
          ]
        : []),
      `${own} = Union[\n${indent([...classes, ...(rest ? [rest] : [])].map(member => `${member},`).join('\n'))}\n]`,
      ...(description ? [docstring(description)] : []),
      `${builder(name)}: UnionOf[${own}] = UnionOf(\n${indent(`${quote(field)},\n{\n${indent(rows.join('\n'))}\n},\n${rest ?? 'Model'},`)}\n)`,
    ].join('\n')
  }

  /** A class with the fields that all members of a union have. */
  #unknownMember(name: string, members: readonly string[]): string {
    const [first, ...others] = members.map(member => this.#schemas[member].properties)
    const shared = Object.entries<Json>(first)
      .filter(([field]) => others.every(other => field in other))
      .map(([field, schema]): [string, Json] => {
        const isSame = others.every(other => JSON.stringify(other[field]) === JSON.stringify(schema))
        return [field, isSame ? schema : 'const' in schema ? { type: 'string' } : {}]
      })
    return this.#class(name, 'One that this version does not know.', shared, new Set(Object.keys(first)))
  }

  /** Types that the package itself uses, whatever the schemas are called. */
  aliases(methods: readonly Method[]): string {
    const resources = methods.find(method => method.id === 'createExport')?.body.properties['resources']
    return [
      `FeedEventType = Literal[\n${indent(wrapItems(EVENT_TYPES.map(quote)))}\n]`,
      `SyncResource = ${resources ? this.input(resources.items) : 'str'}`,
    ].join('\n')
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
        byObject((name, object) => name === object || name === `candidate_${object}`),
      ),
      `def build_object(data: Mapping[str, Any]) -> Model:
    """An object by its type, as a single read returns it."""
    return _OBJECTS.get(str(data.get("object")), Model)(data)`,
      `def build_event(data: Any) -> Event:
    return ${this.build('event')}(data)`,
    ].join('\n\n\n')
  }

  /** How a response becomes an object. */
  build(name: string): string {
    const kind = classifySchema(this.#schemas, name)
    // a schema without fields is a name for a dictionary, which has nothing to build
    if (kind !== 'union' && kind !== 'object') return 'dict'
    return `${kind === 'union' ? builder(name) : pascal(name)}.build`
  }
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

/** The function of a union that chooses the class. */
const builder = (name: string): string => `_${pascal(name)}Union`

const acceptsNull = (schema: Json): boolean =>
  [schema.type].flat().includes('null') || schema.enum?.includes(null) === true

/** Without a union inside another one. */
export function union(types: readonly string[]): string {
  const distinct = [...new Set(types.flatMap(type => membersOf(type) ?? [type]))]
  return distinct.length === 1 ? distinct[0]! : `Union[${distinct.join(', ')}]`
}

/** `Union[List[A], B]` to `List[A]` and `B`; undefined for any other type. */
function membersOf(type: string): string[] | undefined {
  if (!type.startsWith('Union[')) return undefined
  const members: string[] = []
  let depth = 0
  let member = ''
  for (const letter of type.slice('Union['.length, -1)) {
    if (letter === ',' && depth === 0) {
      members.push(member)
      member = ''
    } else {
      depth += letter === '[' ? 1 : letter === ']' ? -1 : 0
      member += letter
    }
  }
  return [...members, member].map(text => text.trim())
}

const literal = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)
