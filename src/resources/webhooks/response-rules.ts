import type { IncomingHttpHeaders } from 'node:http'

/** How much of a response the delivery log shows, in bytes of UTF-8. */
const SHOWN_RESPONSE_BYTES = 1_024

/** Types of content that are never text, although some of their bytes may look like it. */
const BINARY = /^(image|audio|video|font)\/|^application\/(octet-stream|pdf|zip|gzip|x-protobuf|protobuf|wasm|grpc)/i

/**
 * Control characters other than tab and line feed, and characters that change the direction of text: shown on a page or
 * in a terminal, they could hide or imitate something. Each becomes U+FFFD.
 */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/**
 * The text that is stored of a response: the first 1,024 bytes, cut between two characters. Null if the response has no
 * text: it is empty, compressed, of a type that is not text, or contains a NUL byte.
 */
export function readResponseBody(bytes: Buffer, headers: IncomingHttpHeaders): string | null {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.trim().toLowerCase() !== 'identity' || BINARY.test(headers['content-type'] ?? '')) return null
  if (bytes.includes(0)) return null
  // `stream`: a character that the cut left incomplete is dropped
  const decoded = new TextDecoder().decode(bytes, { stream: true })
  const text = decoded.replace(/\r\n?/g, '\n').replace(UNSAFE, '\ufffd')
  return text.trim() === '' ? null : cutToBytes(text, SHOWN_RESPONSE_BYTES)
}

/** The longest beginning of a text that has at most this many bytes and ends with a whole character. */
function cutToBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limit) return text
  let end = limit
  while (((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end--
  return bytes.toString('utf8', 0, end)
}
