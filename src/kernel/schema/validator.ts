/**
 * Checks values against JSON Schema. It knows the keywords that the service uses and throws on any other, so that a
 * schema never promises what is not checked.
 */
export interface Validator {
  check(value: unknown): boolean
  /** Returns the faults of the value, in a fixed order and at most `maxErrors`. Alternatives report every branch. */
  errors(value: unknown): SchemaError[]
}

export interface SchemaError {
  keyword: Keyword
  /** a JSON Pointer into the value */
  instancePath: string
  params: Readonly<Record<string, unknown>>
  /** the properties that the object may have, of an error about further ones */
  declared?: readonly string[]
}

type Keyword =
  | 'additionalProperties'
  | 'anyOf'
  | 'boolean'
  | 'const'
  | 'enum'
  | 'format'
  | 'maxItems'
  | 'maxLength'
  | 'maximum'
  | 'minItems'
  | 'minLength'
  | 'minProperties'
  | 'minimum'
  | 'pattern'
  | 'required'
  | 'type'

export interface ValidatorOptions {
  /** the tests of `format`; a format without one is not checked */
  formats: Readonly<Record<string, (text: string) => boolean>>
  maxErrors: number
}

export function compileSchema(schema: object, options: ValidatorOptions): Validator {
  const test = compile(schema as Schema, options)
  return {
    check: value => test(value, '', undefined),
    errors: value => {
      const errors = new Errors(options.maxErrors)
      test(value, '', errors)
      return errors.list
    },
  }
}

class Errors {
  readonly list: SchemaError[] = []
  readonly max: number
  constructor(max: number) {
    this.max = max
  }
  get full(): boolean {
    return this.list.length >= this.max
  }
  add(error: SchemaError): void {
    if (!this.full) this.list.push(error)
  }
}

/** Without `errors` it stops at the first fault; the path is not used then. */
type Test = (value: unknown, path: string, errors: Errors | undefined) => boolean

type Members = Readonly<Record<string, unknown>>

interface Schema {
  type?: string | readonly string[]
  required?: readonly string[]
  properties?: Readonly<Record<string, Schema>>
  additionalProperties?: Schema | boolean
  minProperties?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
}

const ANNOTATIONS = ['title', 'description', 'default', 'examples']

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: isString,
  number: isNumber,
  integer: Number.isInteger,
  boolean: value => typeof value === 'boolean',
  null: value => value === null,
}

function compile(schema: Schema | boolean, options: ValidatorOptions): Test {
  if (typeof schema === 'boolean') return rule('boolean', {}, () => schema)
  const { type, required, properties, additionalProperties, minProperties, items, anyOf, ...rest } = schema
  const { minItems, maxItems, minLength, maxLength, format, pattern, minimum, maximum, ...others } = rest
  const { const: constant, enum: values, ...annotations } = others
  const unknown = Object.keys(annotations).find(name => !ANNOTATIONS.includes(name))
  if (unknown) throw new Error(`the validator does not know the keyword ${unknown}`)

  const tests: Test[] = []
  const add = <T>(used: T | undefined, test: (used: T) => Test) => void (used !== undefined && tests.push(test(used)))
  add(type, wanted => typeTest(wanted))
  add(required, names => only(isObject, requiredTest(names)))
  add(additionalProperties, further => only(isObject, additionalTest(properties ?? {}, compile(further, options))))
  add(properties, declared => only(isObject, propertiesTest(declared, required ?? [], options)))
  add(minProperties, limit =>
    only(
      isObject,
      rule('minProperties', { limit }, value => Object.keys(value).length >= limit),
    ),
  )
  add(items, each => only(Array.isArray, itemsTest(compile(each, options))))
  add(minItems, limit =>
    only(
      Array.isArray,
      rule('minItems', { limit }, list => list.length >= limit),
    ),
  )
  add(maxItems, limit =>
    only(
      Array.isArray,
      rule('maxItems', { limit }, list => list.length <= limit),
    ),
  )
  add(minLength, limit =>
    only(
      isString,
      rule('minLength', { limit }, text => hasCharacters(text, limit)),
    ),
  )
  add(maxLength, limit =>
    only(
      isString,
      rule('maxLength', { limit }, text => !hasCharacters(text, limit + 1)),
    ),
  )
  const isFormat = format === undefined ? undefined : options.formats[format]
  add(isFormat, isIt => only(isString, rule('format', { format }, isIt)))
  add(pattern, source => {
    const expression = new RegExp(source, 'u')
    return only(
      isString,
      rule('pattern', { pattern }, text => expression.test(text)),
    )
  })
  add(minimum, limit =>
    only(
      isNumber,
      rule('minimum', { limit }, number => number >= limit),
    ),
  )
  add(maximum, limit =>
    only(
      isNumber,
      rule('maximum', { limit }, number => number <= limit),
    ),
  )
  add(constant, () => rule('const', { allowedValue: constant }, value => value === constant))
  add(values, allowedValues => rule('enum', { allowedValues }, value => allowedValues.includes(value)))
  add(anyOf, branches => anyOfTest(branches.map(branch => compile(branch, options))))
  return allOf(tests)
}

const allOf =
  (tests: readonly Test[]): Test =>
  (value, path, errors) => {
    if (!errors) return tests.every(test => test(value, path, undefined))
    if (errors.full) return false
    let valid = true
    for (const test of tests) if (!test(value, path, errors)) valid = false
    return valid
  }

/** A keyword says something about one type of value and nothing about the others. */
const only =
  <T>(
    isType: (value: unknown) => value is T,
    test: (value: T, path: string, errors: Errors | undefined) => boolean,
  ): Test =>
  (value, path, errors) =>
    !isType(value) || test(value, path, errors)

const rule =
  <T = unknown>(keyword: Keyword, params: SchemaError['params'], holds: (value: T) => boolean) =>
  (value: T, instancePath: string, errors: Errors | undefined): boolean => {
    if (holds(value)) return true
    errors?.add({ keyword, instancePath, params })
    return false
  }

function typeTest(type: string | readonly string[]): Test {
  const types = [type].flat().map(name => {
    const isType = TYPES[name]
    if (!isType) throw new Error(`the validator does not know the type ${name}`)
    return isType
  })
  return rule('type', { type }, value => types.some(isType => isType(value)))
}

const requiredTest =
  (required: readonly string[]) =>
  (value: Members, instancePath: string, errors: Errors | undefined): boolean => {
    const missing = required.filter(name => !Object.hasOwn(value, name))
    if (missing.length > 0) errors?.add({ keyword: 'required', instancePath, params: { requiredProperties: missing } })
    return missing.length === 0
  }

const additionalTest =
  (properties: object, test: Test) =>
  (value: Members, instancePath: string, errors: Errors | undefined): boolean => {
    const isWrong = (name: string) =>
      !Object.hasOwn(properties, name) && !test(value[name], errors ? below(instancePath, name) : '', errors)
    if (!errors) return !Object.keys(value).some(isWrong)
    const wrong = Object.keys(value).filter(isWrong)
    if (wrong.length > 0) {
      const params = { additionalProperties: wrong }
      errors.add({ keyword: 'additionalProperties', instancePath, params, declared: Object.keys(properties) })
    }
    return wrong.length === 0
  }

function propertiesTest(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
  options: ValidatorOptions,
) {
  const members = Object.entries(properties).map(([name, schema]) => ({
    name,
    // what is required and undefined is wrong; any other property may be undefined
    test: required.includes(name) ? compile(schema, options) : optional(compile(schema, options)),
  }))
  return (value: Members, path: string, errors: Errors | undefined): boolean => {
    let valid = true
    for (const { name, test } of members) {
      if (!Object.hasOwn(value, name) || test(value[name], errors ? below(path, name) : '', errors)) continue
      if (!errors) return false
      valid = false
    }
    return valid
  }
}

const optional =
  (test: Test): Test =>
  (value, path, errors) =>
    value === undefined || test(value, path, errors)

const itemsTest =
  (test: Test) =>
  (list: readonly unknown[], path: string, errors: Errors | undefined): boolean => {
    if (!errors) return list.every(item => test(item, '', undefined))
    return list.filter((item, i) => !test(item, `${path}/${i}`, errors)).length === 0
  }

const anyOfTest =
  (branches: readonly Test[]): Test =>
  (value, instancePath, errors) => {
    if (branches.some(branch => branch(value, instancePath, undefined))) return true
    if (!errors) return false
    for (const branch of branches) {
      const found = new Errors(errors.max)
      branch(value, instancePath, found)
      for (const error of found.list) errors.add(error)
    }
    errors.add({ keyword: 'anyOf', instancePath, params: {} })
    return false
  }

const below = (path: string, name: string) => `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
function isString(value: unknown): value is string {
  return typeof value === 'string'
}
function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

/** Lengths count characters, of which some take two units of the text. */
function hasCharacters(text: string, count: number): boolean {
  if (text.length < count || text.length >= 2 * count) return text.length >= count
  let found = 0
  for (const _ of text) if (++found >= count) return true
  return found >= count
}
