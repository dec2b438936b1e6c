import { didYouMean } from '../text/edit-distance.ts'

/** Names that other services, or other endpoints of this one, have for the same thing. The first that is declared is meant. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  page: ['cursor', 'after'],
  offset: ['cursor', 'after'],
  skip: ['cursor', 'after'],
  page_token: ['cursor', 'after'],
  starting_after: ['cursor', 'after'],
  cursor: ['after'],
  per_page: ['limit'],
  page_size: ['limit'],
  q: ['query'],
  query: ['q'],
  search: ['q', 'query'],
}

/** The end of a sentence that began with an unknown name: the declared name that was probably meant. */
function hintAt(name: string, declared: readonly string[]): string {
  const instead = Object.hasOwn(INSTEAD, name) ? INSTEAD[name]?.find(known => declared.includes(known)) : undefined
  if (instead) return `; use ${instead}.`
  const meant = didYouMean(name, declared)
  return meant ? `; did you mean ${meant}?` : '.'
}

/** The message about a parameter that the endpoint does not take. */
export function unknownParameter(name: string, declared: readonly string[]): string {
  if (declared.length === 0) return 'is not a parameter of this endpoint; it has none'
  return `is not a parameter of this endpoint${hintAt(name, declared)} It takes ${declared.join(', ')}`
}

/**
 * The messages about fields that an object of a body does not take. Only the first lists those that it takes: a body can
 * have a hundred unknown ones. `place` is the path of the object, empty for the body itself.
 */
export function unknownFields(names: readonly string[], declared: readonly string[], place: string): string[] {
  const owner = place === '' ? 'It' : place
  const list = declared.length === 0 ? `${owner} takes none` : `${owner} takes ${declared.join(', ')}`
  return names.map((name, i) => {
    const message = `is not a field of this request${hintAt(name, declared)}`
    return i === 0 ? `${message} ${list}` : message.replace(/\.$/, '')
  })
}
