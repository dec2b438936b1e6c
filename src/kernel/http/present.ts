import type { Scope } from '../../contract/scopes.ts'
import type { PersonalRead } from '../access/budget.ts'
import { getOrCreate } from '../async/get-or-create.ts'
import { compileObject, type Member, NAMING, type ValueWriter, type WriteValue } from './object-writer.ts'
import {
  type AuditSubject,
  encodePlainText,
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
  const head = `{"object":${JSON.stringify(shape.name)}`
  const restricted =
    hidden.length === 0
      ? ''
      : `,"restricted":${JSON.stringify(hidden.map(h => h.path))},"restricted_reason":${JSON.stringify(
          Object.fromEntries(hidden.map(h => [h.path, guardReason(h.guard)])),
        )}`
  const body = visibleFields(shape.fields, scopes)
  const encode = compileObject(head, body.members, `${restricted}}`)
  const bare = shape.omitRestrictedWhen
  const encodeBare = bare && compileObject(head, body.members, '}')
  return {
    metered: body.metered,
    encode: bare && encodeBare ? (row, workspace) => (bare(row) ? encodeBare : encode)(row, workspace) : encode,
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

const extras = new WeakMap<Fields, WriteValue>()

/** Further fields of a list's envelope, each with its leading comma. They are not guarded. */
export const encodeEnvelopeFields = (fields: Fields, row: object): string =>
  getOrCreate(extras, fields, () => compileObject('', visibleFields(fields, new Set()).members, ''))(row)

interface Compiled<T> {
  encode: ValueWriter
  reads: (value: T, subject: AuditSubject, into: PersonalRead[]) => void
  metered: boolean
}

interface VisibleFields extends Pick<Compiled<Row>, 'reads' | 'metered'> {
  members: Member[]
}

/** The members of an object that these scopes show. */
function visibleFields(fields: Fields, scopes: ReadonlySet<Scope>): VisibleFields {
  const charged: { name: string; reads: Compiled<unknown>['reads'] }[] = []
  const members = Object.entries(fields).flatMap(([name, field]): Member[] => {
    if (isHidden(field, scopes)) return []
    const { constant, links, linkWorkspace } = field
    if (constant !== undefined) return [{ name, constant }]
    if (links) return [{ name, links: linkTargets(links), linkWorkspace }]
    const value = compileValue(field, scopes)
    if (!value) return []
    if (value.metered) charged.push({ name, reads: value.reads })
    return [{ name, value: value.encode, optional: field.optional === true, nullable: field.nullable === true }]
  })
  return {
    members,
    metered: charged.length > 0,
    reads: (row, subject, into) => {
      for (const { name, reads } of charged) {
        const value = row[name]
        if (value !== undefined && value !== null) reads(value, subject, into)
      }
    },
  }
}

const linkTargets = (links: NonNullable<Field['links']>) =>
  Object.entries(links).map(([name, link]) => ({
    name,
    path: linkPath(link),
    when: typeof link === 'string' ? undefined : link.when,
  }))

/** undefined: nothing of it is visible with these scopes, and its presence alone would reveal something */
function compileValue(field: Field, scopes: ReadonlySet<Scope>): Compiled<unknown> | undefined {
  const { parts, meter } = field
  const charge = (subject: AuditSubject, into: PersonalRead[]) => {
    if (meter) into.push({ object: subject.object, id: subject.id, field: meter })
  }
  if (!parts) {
    return {
      encode: plainWriter(field),
      metered: meter !== undefined,
      reads: (_, subject, into) => charge(subject, into),
    }
  }
  if ('shape' in parts) {
    const inner = presenterFor(parts.shape, scopes)
    return { encode: inner.encode, metered: inner.metered, reads: (value, _, into) => inner.reads(value, into) }
  }
  if ('item' in parts) {
    const item = compileValue(parts.item, scopes)
    if (!item) return undefined
    const encodeItem = writerFunction(item.encode)
    return {
      metered: item.metered,
      encode: (value, workspace) => encodeArray(value as unknown[], encodeItem, workspace),
      reads: (value, subject, into) => {
        for (const element of value as unknown[]) item.reads(element, subject, into)
      },
    }
  }
  const inner = visibleFields(parts.fields, scopes)
  if (inner.members.length === 0 && field.nullable) return undefined
  const named = parts.subject as ((value: unknown) => AuditSubject) | undefined
  return {
    metered: inner.metered || meter !== undefined,
    encode: compileObject('{', inner.members, '}'),
    reads: (value, whole, into) => {
      const subject = named ? named(value) : whole
      charge(subject, into)
      inner.reads(value as Row, subject, into)
    },
  }
}

/** Texts without anything to escape, numbers and the like are written by the object itself. */
const plainWriter = ({ encode, jsonText }: Field): ValueWriter =>
  encode === encodePlainText
    ? 'quoted'
    : jsonText || encode === String
      ? 'plain'
      : (encode as (value: unknown) => string)

const writerFunction = (writer: ValueWriter): WriteValue =>
  writer === 'quoted' ? (encodePlainText as (value: unknown) => string) : writer === 'plain' ? String : writer

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

/** Adds the workspace to the links of an object that is stored as text, with `links` as its last member. */
export function withWorkspace(text: string, workspace: string | undefined): string {
  const at = workspace ? text.lastIndexOf('"links":{') : -1
  if (at < 0) return text
  return text.slice(0, at) + text.slice(at).replace(/"(\/[^"?]*)"/g, `"$1${NAMING}${workspace}"`)
}
