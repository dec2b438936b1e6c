import {
  type Field,
  type Fields,
  guardedPaths,
  guardReason,
  linkPath,
  type Shape,
} from '../../src/kernel/http/shape.ts'

/** A row as the statement of the service returns it. `workspace` is what links name: the keys reach several. */
// biome-ignore lint/suspicious/noExplicitAny: rows of every kind
export type PlainObject = (row: any, workspace: string) => Record<string, unknown>

/**
 * What a plain program sends for a row: the object literal that one would write by hand for the fields of this shape,
 * with JSON columns parsed. Compiled once, so it is as fast, and a new field of a record is in it by itself.
 *
 * `restricted`: for a response that is the same for all keys, the guarded fields are named instead of shown.
 */
export function plainObject({ name, fields }: Shape, { restricted = false } = {}): PlainObject {
  const hidden = guardedPaths(fields).filter(({ guard }) => restricted || 'never' in guard)
  const isHidden = (path: string) => hidden.some(field => field.path === path)
  const members = [`object: ${JSON.stringify(name)}`, ...membersOf(fields, 'row', '', isHidden)]
  if (hidden.length > 0) {
    const reasons = hidden.map(({ path, guard }) => [path, guardReason(guard)])
    members.push(`restricted: ${JSON.stringify(hidden.map(({ path }) => path))}`)
    members.push(`restricted_reason: ${JSON.stringify(Object.fromEntries(reasons))}`)
  }
  // names of fields and paths of links, which are text of the program
  return new Function('row', 'workspace', `return { ${members.join(', ')} }`) as PlainObject
}

function membersOf(fields: Fields, row: string, prefix: string, isHidden: (path: string) => boolean): string[] {
  return Object.entries(fields)
    .filter(([name]) => !isHidden(prefix + name))
    .map(([name, field]) => {
      const inner = field.parts && 'fields' in field.parts ? field.parts.fields : undefined
      const value = `${row}.${name}`
      const parts = inner && `{ ${membersOf(inner, value, `${prefix}${name}.`, isHidden).join(', ')} }`
      return `${name}: ${field.links ? linksOf(field, row) : valueText(field, value, parts)}`
    })
}

/** A value that is undefined is left out of the JSON. */
function valueText(field: Field, value: string, parts: string | undefined): string {
  if (field.constant !== undefined) return JSON.stringify(field.constant)
  const shown = parts ?? (field.jsonText ? `JSON.parse(${value})` : value)
  const missing = field.optional ? 'undefined' : 'null'
  if (shown === value) return field.nullable && !field.optional ? `${value} ?? null` : value
  return field.nullable || field.optional ? `${value} == null ? ${missing} : ${shown}` : shown
}

function linksOf({ links }: Field, row: string): string {
  const members = Object.entries(links!).map(([name, target]) => {
    if (typeof target !== 'string') throw new Error(`the link ${name} depends on the row`)
    const path = linkPath(target).replace(/\{(\w+)\}/g, `\${${row}.$1}`)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of the function
    return `${name}: \`${path}${path.includes('?') ? '' : '?workspace_id=${workspace}'}\``
  })
  return `{ ${members.join(', ')} }`
}
