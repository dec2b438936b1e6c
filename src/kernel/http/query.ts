/** The parameters of a query string in their order, decoded. */
export type Query = Iterable<readonly [name: string, value: string]>

const NEEDS_DECODING = /[%+]|^\?/

/**
 * As `URLSearchParams` reads it. Most queries have nothing to decode, and for them an array takes a fraction of the time,
 * above all to iterate over.
 */
export function parseQuery(search: string): (readonly [name: string, value: string])[] {
  if (NEEDS_DECODING.test(search)) return [...new URLSearchParams(search)]
  const pairs: (readonly [string, string])[] = []
  for (const pair of search.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    pairs.push(at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)])
  }
  return pairs
}
