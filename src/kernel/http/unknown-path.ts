import { API_PREFIX } from '../../contract/version.ts'
import { editDistance } from '../text/edit-distance.ts'

export interface DeclaredPath {
  method: string
  /** OpenAPI form, without the prefix */
  path: string
}

/** Paths of other versions, or without their beginning. */
const OTHER_PREFIX = /^(?:\/api)?(?:\/partner)?(?:\/v\d{1,3})?(?=\/|$)/i
const MAX_PATH = 300

/** A path that is not an endpoint: the message for the caller, and the endpoint that was probably meant. */
export interface UnknownEndpoint {
  message: string
  meant: DeclaredPath | undefined
}

/**
 * The sentence for a path that is not an endpoint, with the one that was probably meant. Only paths are compared, never stored
 * data. undefined: the path has nothing to do with the API.
 */
export function unknownEndpoint(
  method: string,
  path: string,
  endpoints: readonly DeclaredPath[],
): UnknownEndpoint | undefined {
  const inside = path === API_PREFIX || path.startsWith(`${API_PREFIX}/`)
  const rest = inside ? path.slice(API_PREFIX.length) : path.replace(OTHER_PREFIX, '')
  const meant = path.length > MAX_PATH ? undefined : nearestEndpoint(method, rest, endpoints)
  if (!inside && !meant && !/^\/api(\/|$)/i.test(path)) return undefined
  const prefix = inside ? '' : API_PREFIX
  const shown = echoed(inside ? rest || '/' : path)
  const empty = path.length > MAX_PATH ? undefined : endpointWithEmptyPart(method, rest, endpoints)
  if (empty) {
    const rest = `The ${empty.parameter} of ${method} ${prefix}${empty.path} is empty.`
    return { message: `There is no endpoint ${method} ${shown}. ${rest}`, meant: { method, path: empty.path } }
  }
  const hint = meant
    ? `Did you mean ${meant.method} ${prefix}${meant.path}?`
    : 'GET /openapi.json lists every endpoint.'
  return { message: `There is no endpoint ${method} ${shown}. ${hint}`, meant }
}

/** The endpoint that this path would be if its empty parts had values: a variable of the caller's script was not set. */
function endpointWithEmptyPart(method: string, path: string, endpoints: readonly DeclaredPath[]) {
  const given = path.split('/').slice(1)
  const at = given.indexOf('')
  // a slash at the end is more often one too many
  if (at < 0 || at === given.length - 1) return undefined
  for (const endpoint of endpoints) {
    const known = endpoint.path.split('/').slice(1)
    const fits = (word: string, i: number) => word === given[i] || word.startsWith('{')
    if (endpoint.method !== method || known.length !== given.length || !known.every(fits)) continue
    return { path: endpoint.path, parameter: (known[at] ?? '').slice(1, -1) }
  }
  return undefined
}

function nearestEndpoint(method: string, path: string, endpoints: readonly DeclaredPath[]): DeclaredPath | undefined {
  const given = segments(path)
  if (given.length === 0) return undefined
  let best: { endpoint: DeclaredPath; distance: number } | undefined
  for (const endpoint of endpoints) {
    const apart = pathDistance(given, segments(endpoint.path))
    if (apart === undefined) continue
    const distance = apart + (endpoint.method === method ? 0 : 0.5)
    if (!best || distance < best.distance) best = { endpoint, distance }
  }
  return best?.endpoint
}

const segments = (path: string) => path.split('/').filter(part => part !== '')

/** The cost of a part too many at the end of a path, or of one that is missing there: more than any misspelt word. */
const LENGTH_COST = 10
/** A shorter word is part of many others by chance. */
const SHORTEST_PART = 4

/** The distance of two paths, of which one may have a part more at its end. undefined: not alike. */
function pathDistance(given: readonly string[], known: readonly string[]): number | undefined {
  const common = Math.min(given.length, known.length)
  const apart = Math.abs(given.length - known.length)
  if (apart > 1 || common === 0) return undefined
  const distance = partsDistance(given.slice(0, common), known.slice(0, common))
  return distance === undefined ? undefined : distance + apart * LENGTH_COST
}

/** A placeholder takes anything; every other part must be the word or nearly the word. undefined: not alike. */
function partsDistance(given: readonly string[], known: readonly string[]): number | undefined {
  let sum = 0
  for (const [i, word] of known.entries()) {
    const part = (given[i] ?? '').toLowerCase()
    // a word beats a placeholder in its place: /people/resolv means /people/resolve
    if (word.startsWith('{')) sum += 0.75
    else {
      const within = part.length >= SHORTEST_PART && word.length >= SHORTEST_PART
      const distance =
        within && (part.includes(word) || word.includes(part)) ? 1 : editDistance(part.slice(0, 60), word)
      if (part !== word && (distance * 3 > word.length + 1 || part.length < 2)) return undefined
      sum += part === word ? 0 : distance
    }
  }
  return sum
}

/** Repeats words and handles of a path. Anything that could be personal data is left out. */
const echoed = (path: string): string =>
  path
    .slice(0, MAX_PATH)
    .split('/')
    .map(part => (isHandleLike(part) || (/^[a-z0-9_:.-]{0,40}$/i.test(part) && !/\d{5}/.test(part)) ? part : '…'))
    .join('/')

const isHandleLike = (part: string): boolean => /^[a-z]{2,4}_[a-z0-9]{20}$/.test(part)
