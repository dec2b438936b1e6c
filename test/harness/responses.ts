import { ServerResponse } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { API_PREFIX } from '../../src/contract/version.ts'
import type { Description } from './description.ts'

/** A response as a service of this process wrote it, whichever client sent the request. */
export interface SeenResponse {
  method: string
  path: string
  query: URLSearchParams
  status: number
  contentType: string | null
  /** names in lower case */
  headers: ReadonlySet<string>
  /** the whole body; '' where it was streamed */
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: of any kind; undefined unless it is JSON
  body: any
}

const services = new Map<number, Description>()
const listeners: ((response: SeenResponse) => void)[] = []
const differences: unknown[] = []
let onEveryPort: Description | undefined
let reportDifference = (difference: unknown): void => void differences.push(difference)

/** From now on every API response on this port is compared with the description. Returns how to end that. */
export function checkResponses(port: number | undefined, description: Description): () => void {
  if (port === undefined) return () => {}
  services.set(port, description)
  return () => void services.delete(port)
}

/** The same for a process that has one service and no test: differences are given to `report`. */
export function checkEveryPort(description: Description, report: (difference: unknown) => void): void {
  onEveryPort = description
  reportDifference = report
}

/** Called with every API response, and with every error of consoles and pages. */
export const onResponse = (listener: (response: SeenResponse) => void): void => void listeners.push(listener)

/** Throws the first difference that was found since the last call. */
export function failOnDifference(): void {
  const found = differences.splice(0)
  if (found.length > 0) throw found[0]
}

const end = ServerResponse.prototype.end
ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
  const description = services.get(this.req.socket.localPort ?? -1) ?? onEveryPort
  const result = end.apply(this, args as Parameters<typeof end>)
  // what a test's own receiver or a service's figures respond is not of the API
  if (description) see(description, this, args[0])
  return result
} as typeof end

function see(description: Description, response: ServerResponse, body: unknown): void {
  const { method = '', url = '' } = response.req
  const [path, search = ''] = url.split('?', 2) as [string, string?]
  const ofApi = path.startsWith(`${API_PREFIX}/`)
  if (!ofApi && response.statusCode < 400) return
  const head = headOf(response)
  const contentType = /\r\ncontent-type: ([^\r]*)/i.exec(head)?.[1] ?? null
  const text = typeof body === 'string' ? body : Buffer.isBuffer(body) ? String(decoded(body, head)) : ''
  const seen: SeenResponse = {
    method,
    path: ofApi ? path.slice(API_PREFIX.length) : path,
    query: new URLSearchParams(search),
    status: response.statusCode,
    contentType,
    headers: new Set([...head.matchAll(/\r\n([^:\r]+):/g)].map(match => match[1]!.toLowerCase())),
    text,
    body: contentType?.includes('json') ? parsed(text) : undefined,
  }
  for (const listener of listeners) listener(seen)
  if (!ofApi) return
  try {
    description.check(seen)
  } catch (difference) {
    reportDifference(difference)
  }
}

/** The head as it was sent: headers that are given to `writeHead` as a list are in it alone. */
const headOf = (response: ServerResponse): string => (response as unknown as { _header: string | null })._header ?? ''

function decoded(body: Buffer, head: string): Buffer {
  const coding = /\r\ncontent-encoding: (\w+)/i.exec(head)?.[1]
  return coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
