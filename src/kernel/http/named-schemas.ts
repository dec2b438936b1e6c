import { findEnum } from '../../contract/enums.ts'
import { inputDescription } from '../record/write.ts'
import { describedKeywords } from './body.ts'
import { COMPONENT, type JsonSchema, type Union } from './shape.ts'

/**
 * The schemas of the OpenAPI description. An object or enumeration inside another schema becomes a schema of its own, so
 * that generated clients have a type with a speaking name for it.
 */
export class NamedSchemas {
  readonly #schemas = new Map<string, JsonSchema>()

  /**
   * Adds the schema of something that is returned, with those inside it. `family` is the name that inner objects are
   * called by: the list row and the single read of a job share `job_compensation`, as long as it is the same in both.
   */
  addReturned(name: string, schema: JsonSchema, family = name): JsonSchema {
    this.#schemas.set(name, this.#inner(schema, { own: name, family, returned: true }))
    return ref(name)
  }

  /** Adds the schema of something that is sent. */
  addSent(name: string, schema: JsonSchema, family = name): JsonSchema {
    this.#schemas.set(name, this.#inner(schema, { own: name, family, returned: false }))
    return ref(name)
  }

  /** Adds every kind of an object, and the object as one of them. Types that come later have a schema too. */
  addUnion(name: string, { discriminator, known, other }: Union, description: string): JsonSchema {
    for (const { component, schema } of [...Object.values(known), other]) this.addReturned(component, schema)
    const kinds = Object.entries(known)
    // before `name` in the alphabet: clients in Java read unions of unions in that order only
    const declared = `declared_${name}`
    if (declared > name) throw new Error(`${declared} must come before ${name}`)
    this.#schemas.set(declared, {
      description: `${description} Of a type that this description declares.`,
      oneOf: kinds.map(([, { component }]) => ref(component)),
      discriminator: {
        propertyName: discriminator,
        mapping: Object.fromEntries(kinds.map(([value, { component }]) => [value, path(component)])),
      },
    })
    this.#schemas.set(name, { description, anyOf: [ref(declared), ref(other.component)] })
    return ref(name)
  }

  /** A schema without a name of its own, such as that of a parameter. */
  inside(schema: JsonSchema): JsonSchema {
    return this.#named(schema, { own: '', family: '', returned: false })
  }

  /** In alphabetical order. */
  get schemas(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** The schema with references in place of its inner objects and enumerations. */
  #named(schema: JsonSchema, at: Position): JsonSchema {
    const { description, ...rest } = this.#inner(schema, at)
    const about = description === undefined ? {} : { description }
    if (rest['enum'] !== undefined) return { ...this.#enumeration(rest, at), ...about }
    const chosen = chosenName(schema)
    if (rest['properties'] === undefined && chosen === undefined) return { ...rest, ...about }
    if (!Array.isArray(rest['type'])) return { ...ref(this.#unique(rest, chosen, at)), ...about }
    const name = this.#unique({ ...rest, type: 'object' }, chosen, at)
    return { anyOf: [ref(name), { type: 'null' }], ...about }
  }

  #inner(schema: JsonSchema, at: Position): JsonSchema {
    const result: JsonSchema = {}
    const about = inputDescription(schema)
    const all: JsonSchema = { ...schema, ...describedKeywords(schema), ...(about ? { description: about } : {}) }
    for (const [key, value] of Object.entries(all)) {
      if (value === undefined) continue
      if (key === 'properties') {
        const fields = Object.entries(value as Record<string, JsonSchema>)
        result[key] = Object.fromEntries(fields.map(([name, field]) => [name, this.#named(field, below(at, name))]))
      } else if (key === 'items') result[key] = this.#named(value as JsonSchema, singular(at))
      else if (key === 'additionalProperties' && typeof value === 'object')
        result[key] = this.#named(value as JsonSchema, singular(at))
      else if (key === 'anyOf' || key === 'oneOf')
        result[key] = (value as JsonSchema[]).flatMap(branch => alternatives(this.#named(branch, at)))
      else result[key] = value
    }
    return result
  }

  /** An enumeration by its name. One that can get new values is any other text too, where it is returned. */
  #enumeration(rest: JsonSchema, { returned }: Position): JsonSchema {
    const values = rest['enum'] as readonly string[]
    const found = findEnum(values)
    if (!found) return rest
    const { name, open, about, values: meanings } = found
    const known = open ? `known_${name}` : name
    this.#schemas.set(known, {
      type: 'string',
      enum: values,
      description: `${about}\n\n${valueLines(meanings)}`,
      'x-enum-descriptions': Object.values(meanings),
      // unique names of constants: in Go those of all enumerations are in one package
      'x-enum-varnames': values.map(value => `${name}_${value}`.toUpperCase().replace(/[^A-Z0-9]+/g, '_')),
    })
    if (!open || !returned) return ref(known)
    const description = `${about} New values can come: treat one that you do not know as such.`
    this.#schemas.set(name, { description, anyOf: [ref(known), { type: 'string' }] })
    return ref(name)
  }

  /** Registers an inner object under the first of its names that is free or means the same. */
  #unique(schema: JsonSchema, chosen: string | undefined, { family, own }: Position): string {
    const text = JSON.stringify(schema)
    const candidates = chosen === undefined ? [family, own] : [chosen]
    const name = candidates.find(candidate => {
      const other = this.#schemas.get(candidate)
      return other === undefined || JSON.stringify(other) === text
    })
    if (name === undefined) throw new Error(`two different schemas would be called ${candidates.at(-1)}`)
    this.#schemas.set(name, schema)
    return name
  }
}

/** Where a schema is: the two names that an object there may have, and whether it is part of a response. */
interface Position {
  own: string
  family: string
  returned: boolean
}

const below = (at: Position, name: string): Position => ({
  ...at,
  own: `${at.own}_${name}`,
  family: `${at.family}_${name}`,
})

const singular = (at: Position): Position => ({
  ...at,
  own: at.own.replace(/s$/, ''),
  family: at.family.replace(/s$/, ''),
})

/** An alternative that consists of alternatives is as many. */
const alternatives = (schema: JsonSchema): JsonSchema[] =>
  schema['anyOf'] !== undefined && Object.keys(schema).length === 1 ? (schema['anyOf'] as JsonSchema[]) : [schema]

const valueLines = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([value, about]) => `- \`${value}\`: ${about}`)
    .join('\n')

const chosenName = (schema: JsonSchema) => (schema as { [COMPONENT]?: string })[COMPONENT]

const path = (name: string) => `#/components/schemas/${name}`

export const ref = (name: string): JsonSchema => ({ $ref: path(name) })
