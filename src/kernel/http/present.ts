import type { Scope } from '../../contract/scopes.ts'
import type { PersonalRead } from '../access/budget.ts'
import { getOrCreate } from '../async/get-or-create.ts'
import {
  type AuditSubject,
  type Field,
  type Fields,
  type GuardedPath,
  guardReason,
  innerFields,
  isHidden,
  linkPath,
  type Shape,
} from './shape.ts'

/** Writes rows of one shape as one key may see them. */
export interface Presenter {
  /** `workspace`: for a key that must name it, the workspace that every link then carries */
  encode: (row: unknown, workspace?: string) => string
  /** The metered values that `encode` would write. Counted before a byte is written. */
  reads: (row: unknown, into: PersonalRead[]) => void
  metered: boolean
}

type Row = Record<string, unknown>

const cache = new WeakMap<ReadonlySet<Scope>, Map<Shape, Presenter>>()

/** Compiled once for a shape and a set of scopes: which fields are visible does not depend on the row. */
export function presenterFor(shape: Shape, scopes: ReadonlySet<Scope>): Presenter {
  const byShape = getOrCreate(cache, scopes, () => new Map<Shape, Presenter>())
  return getOrCreate(byShape, shape, () => compileShape(shape, scopes))
}

function compileShape(shape: Shape, scopes: ReadonlySet<Scope>): Presenter {
  const { verbatim, as } = shape
  if (verbatim) {
    const encode = (row: unknown, workspace?: string) => withWorkspace((row as Row)[verbatim] as string, workspace)
    return { metered: false, encode, reads: () => {} }
  }
  if (as) {
    const presenterOf = (row: unknown) => presenterFor(as(row), scopes)
    return {
      metered: true, // some of its rows may be
      encode: (row, workspace) => presenterOf(row).encode(row, workspace),
      reads: (row, into) => presenterOf(row).reads(row, into),
    }
  }
  const hidden = hiddenPaths(shape.fields, scopes)
  const body = compileFields(shape.fields, scopes)
  const head = `{"object":${JSON.stringify(shape.name)}`
  const tail =
    hidden.length === 0
      ? '}'
      : `,"restricted":${JSON.stringify(hidden.map(h => h.path))},"restricted_reason":${JSON.stringify(
          Object.fromEntries(hidden.map(h => [h.path, guardReason(h.guard)])),
        )}}`
  const bare = shape.omitRestrictedWhen
  return {
    metered: body.metered,
    encode: (row, workspace) => head + body.encode(row as Row, workspace) + (bare?.(row) ? '}' : tail),
    reads: (row, into) => {
      if (body.metered) body.reads(row as Row, shape.subject(row), into)
    },
  }
}

/** `restricted` lists this for these scopes, nested fields with their path. Nested records have a list of their own. */
function hiddenPaths(fields: Fields, scopes: ReadonlySet<Scope>, prefix = ''): GuardedPath[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = prefix + name
    if (!isHidden(field, scopes)) return hiddenPaths(innerFields(field), scopes, `${path}.`)
    return field.guard && !('unlisted' in field.guard) ? [{ path, guard: field.guard }] : []
  })
}

const extras = new WeakMap<Fields, Compiled<Row>>()

/** Further fields of a list's envelope, each with its leading comma. They are not guarded. */
export const encodeEnvelopeFields = (fields: Fields, row: object): string =>
  getOrCreate(extras, fields, () => compileFields(fields, new Set())).encode(row as Row)

interface Compiled<T> {
  encode: (value: T, workspace?: string) => string
  reads: (value: T, subject: AuditSubject, into: PersonalRead[]) => void
  metered: boolean
}

/** The members of an object, each with its leading comma. */
function compileFields(fields: Fields, scopes: ReadonlySet<Scope>): Compiled<Row> & { empty: boolean } {
  const members = Object.entries(fields).flatMap(([name, field]) => {
    if (isHidden(field, scopes)) return []
    if (field.constant !== undefined) return [constantMember(name, field.constant)]
    if (field.links) return [linksMember(name, field.links, field.linkWorkspace)]
    const value = compileValue(field, scopes)
    return value ? [{ ...fieldMember(name, field, value), metered: value.metered }] : []
  })
  const charged = members.filter(m => m.metered)
  return {
    empty: members.length === 0,
    metered: charged.length > 0,
    encode: (row, workspace) => {
      let out = ''
      for (let i = 0; i < members.length; i++) out += members[i]!.encode(row, workspace)
      return out
    },
    reads: (row, subject, into) => {
      for (const member of charged) member.reads(row, subject, into)
    },
  }
}

/** Needs no value in the row. */
function constantMember(name: string, constant: string) {
  const member = `,${JSON.stringify(name)}:${JSON.stringify(constant)}`
  return { metered: false, reads: () => {}, encode: () => member }
}

function fieldMember(name: string, field: Field, value: Compiled<unknown>) {
  const key = `,${JSON.stringify(name)}:`
  const { encode } = value
  const missing = field.optional ? '' : `${key}null`
  return {
    encode: (row: Row, workspace?: string) => {
      const v = row[name]
      if (v === undefined) {
        if (!field.optional && !field.nullable) throw new Error(`row has no value for ${name}`)
        return missing
      }
      return v === null ? `${key}null` : key + encode(v, workspace)
    },
    reads: (row: Row, subject: AuditSubject, into: PersonalRead[]) => {
      const v = row[name]
      if (v !== undefined && v !== null) value.reads(v, subject, into)
    },
  }
}

/** undefined: nothing of it is visible with these scopes, and its presence alone would reveal something */
function compileValue(field: Field, scopes: ReadonlySet<Scope>): Compiled<unknown> | undefined {
  const { parts, meter } = field
  const charge = (subject: AuditSubject, into: PersonalRead[]) => {
    if (meter) into.push({ object: subject.object, id: subject.id, field: meter })
  }
  if (!parts) {
    const plain = field.encode as (value: unknown) => string
    return { encode: plain, metered: meter !== undefined, reads: (_, subject, into) => charge(subject, into) }
  }
  if ('shape' in parts) {
    const inner = presenterFor(parts.shape, scopes)
    return { encode: inner.encode, metered: inner.metered, reads: (value, _, into) => inner.reads(value, into) }
  }
  if ('item' in parts) {
    const item = compileValue(parts.item, scopes)
    if (!item) return undefined
    return {
      metered: item.metered,
      encode: (value, workspace) => encodeArray(value as unknown[], item.encode, workspace),
      reads: (value, subject, into) => {
        for (const element of value as unknown[]) item.reads(element, subject, into)
      },
    }
  }
  const inner = compileFields(parts.fields, scopes)
  if (inner.empty && field.nullable) return undefined
  const named = parts.subject as ((value: unknown) => AuditSubject) | undefined
  return {
    metered: inner.metered || meter !== undefined,
    encode: (value, workspace) => `{${inner.encode(value as Row, workspace).slice(1)}}`,
    reads: (value, whole, into) => {
      const subject = named ? named(value) : whole
      charge(subject, into)
      inner.reads(value as Row, subject, into)
    },
  }
}

export function encodeArray<T>(
  values: readonly T[],
  encode: (value: T, workspace?: string) => string,
  workspace?: string,
): string {
  let out = '['
  for (let i = 0; i < values.length; i++) {
    const text = encode(values[i]!, workspace)
    out += i === 0 ? text : `,${text}`
  }
  return `${out}]`
}

const NAMING = '?workspace_id='

/** Adds the workspace to the links of an object that is stored as text, with `links` as its last member. */
export function withWorkspace(text: string, workspace: string | undefined): string {
  const at = workspace ? text.lastIndexOf('"links":{') : -1
  if (at < 0) return text
  return text.slice(0, at) + text.slice(at).replace(/"(\/[^"?]*)"/g, `"$1${NAMING}${workspace}"`)
}

/** Paths are cut at their placeholders once; a row costs a few concatenations. */
function linksMember(name: string, links: NonNullable<Field['links']>, linkWorkspace: Field['linkWorkspace']) {
  const entries = Object.entries(links).map(([link, target]) => {
    const [first = '', ...rest] = linkPath(target).split('{')
    const segments = rest.map(segment => segment.split('}') as [string, string])
    const when = typeof target === 'string' ? undefined : target.when
    return { open: `${JSON.stringify(link)}:"${first}`, segments, when, named: linkPath(target).includes(NAMING) }
  })
  const key = `,${JSON.stringify(name)}:{`
  return {
    metered: false,
    reads: () => {},
    encode: (row: Row, workspace?: string) => {
      const wanted = workspace === undefined ? undefined : linkWorkspace ? linkWorkspace(row) : workspace
      const naming = wanted ? NAMING + wanted : ''
      let out = ''
      for (const { open, segments, when, named } of entries) {
        if (when && !when(row)) continue
        if (out !== '') out += ','
        out += open
        for (const [column, after] of segments) out += String(row[column]) + after
        out += named ? '"' : `${naming}"`
      }
      return `${key}${out}}`
    },
  }
}
