import type { IncomingHttpHeaders } from 'node:http'

/** Positions of the first and the last byte. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * The part of a file that a request asks for; undefined: all of it. RFC 9110, 14.2: several ranges, and what is not a
 * range, are ignored, and so is a range of other bytes than those that the file has now.
 */
export function readRange(
  { range, 'if-range': expected }: IncomingHttpHeaders,
  etag: string,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (expected !== undefined && expected !== etag) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  return start > end ? 'unsatisfiable' : { start, end }
}
