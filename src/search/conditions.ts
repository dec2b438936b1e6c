/** What a profile must have: a term, all of several conditions, or any of them. */
export interface Condition {
  /** as a `tsquery` of PostgreSQL; two conditions with the same text are the same */
  readonly text: string
  readonly term?: string
  readonly all?: readonly Condition[]
  readonly any?: readonly Condition[]
  /** where `any` says that one of these may be missing: the same in fewer words */
  readonly allButOneOf?: readonly Condition[]
}

/** t title, s a whole skill, c company, l place, w any other text */
export type FieldCode = 't' | 's' | 'c' | 'l' | 'w'

export function term(field: FieldCode, word: string): Condition {
  // words are letters, digits, + and #; should a quote ever get here it must not end the term
  const name = `${field}:${word.replace(/['\\]/g, '')}`
  return { text: `'${name}'`, term: name }
}

const FEW = 8

/** Most have one part or a few, for which no map is needed. */
function distinct(parts: readonly Condition[]): readonly Condition[] {
  if (parts.length === 1) return parts
  if (parts.length > FEW) return [...new Map(parts.map(part => [part.text, part])).values()]
  return parts.filter((part, at) => {
    for (let before = 0; before < at; before++) if (parts[before]?.text === part.text) return false
    return true
  })
}

export function all(parts: readonly Condition[]): Condition {
  const some = distinct(parts)
  const [first] = some
  return first && some.length === 1 ? first : { text: `(${some.map(p => p.text).join(' & ')})`, all: some }
}

export function any(parts: readonly Condition[]): Condition {
  const some = distinct(parts)
  const [first] = some
  return first && some.length === 1 ? first : { text: `(${some.map(p => p.text).join(' | ')})`, any: some }
}

/** Any one may be missing, unless there is only one. */
export const allButOne = (parts: readonly Condition[]): Condition =>
  distinct(parts).length < 2
    ? all(parts)
    : { ...any(parts.map((_, missing) => all(parts.filter((_, i) => i !== missing)))), allButOneOf: parts }
