import { enumName } from '../../contract/enums.ts'
import { inputDescription } from '../record/write.ts'
import { describedKeywords } from './body.ts'
import { COMPONENT, type JsonSchema } from './shape.ts'

/**
 * The schemas of the OpenAPI description. An object or enumeration inside another schema becomes a schema of its own, so
 * that generated clients have a type with a speaking name for it.
 */
export class NamedSchemas {
  readonly schemas: Record<string, JsonSchema> = {}

  /**
   * Adds a schema and those inside it. `family` is the name that inner objects are called by: the list row and the single
   * read of a job share `job_compensation`, as long as it is the same object in both.
   */
  add(name: string, schema: JsonSchema, family = name): JsonSchema {
    this.schemas[name] = this.#inner(schema, { own: name, family })
    return ref(name)
  }

  /** A schema without a name of its own, such as that of a parameter. */
  inside(schema: JsonSchema): JsonSchema {
    return this.#named(schema, { own: '', family: '' })
  }

  /** The schema with references in place of its inner objects and enumerations. */
  #named(schema: JsonSchema, at: Names): JsonSchema {
    const named = this.#inner(schema, at)
    const { description, ...rest } = named
    const about = description === undefined ? {} : { description }
    const values = rest['enum'] as readonly string[] | undefined
    const known = values && enumName(values)
    if (known) {
      this.schemas[known] ??= { type: 'string', enum: values }
      return { ...ref(known), ...about }
    }
    if (rest['properties'] === undefined) return named
    const { type, ...members } = rest
    const name = this.#unique({ type: 'object', ...members }, schemaName(schema), at)
    return Array.isArray(type) ? { anyOf: [ref(name), { type: 'null' }], ...about } : { ...ref(name), ...about }
  }

  #inner(schema: JsonSchema, at: Names): JsonSchema {
    const result: JsonSchema = {}
    const about = inputDescription(schema)
    const all: JsonSchema = {
      ...schema,
      ...describedKeywords(schema),
      ...(about === undefined ? {} : { description: about }),
    }
    for (const [key, value] of Object.entries(all)) {
      if (key === 'properties') {
        const fields = Object.entries(value as Record<string, JsonSchema>)
        result[key] = Object.fromEntries(fields.map(([name, field]) => [name, this.#named(field, below(at, name))]))
      } else if (key === 'items') result[key] = this.#named(value as JsonSchema, singular(at))
      else if (key === 'additionalProperties' && typeof value === 'object')
        result[key] = this.#named(value as JsonSchema, singular(at))
      else if (key === 'anyOf' || key === 'oneOf')
        result[key] = (value as JsonSchema[]).map(branch => this.#named(branch, at))
      else result[key] = value
    }
    return result
  }

  /** Registers an inner object under the first of its names that is free or means the same. */
  #unique(schema: JsonSchema, chosen: string | undefined, at: Names): string {
    const text = JSON.stringify(schema)
    const candidates = chosen === undefined ? [at.family, at.own] : [chosen]
    const name = candidates.find(candidate => {
      const other = this.schemas[candidate]
      return other === undefined || JSON.stringify(other) === text
    })
    if (name === undefined) throw new Error(`two different schemas would be called ${candidates.at(-1)}`)
    this.schemas[name] = schema
    return name
  }
}

/** The two names that an object at a position of a schema may have. */
interface Names {
  own: string
  family: string
}

const below = ({ own, family }: Names, name: string): Names => ({ own: `${own}_${name}`, family: `${family}_${name}` })

const singular = ({ own, family }: Names): Names => ({ own: own.replace(/s$/, ''), family: family.replace(/s$/, '') })

const schemaName = (schema: JsonSchema) => (schema as { [COMPONENT]?: string })[COMPONENT]

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })
