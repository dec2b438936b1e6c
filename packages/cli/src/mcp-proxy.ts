import { VERSION } from '../../sdk/src/index.ts'

/** The slowest call is a search; a call that takes longer than this is lost. */
const TIMEOUT_MS = 60_000
const PARSE_ERROR = -32_700
const INTERNAL_ERROR = -32_603
const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion'

type Id = string | number

/** A message of JSON-RPC, as far as this reads it. */
interface Message {
  id?: Id
  method?: string
  params?: { name?: unknown; _meta?: Record<string, unknown> }
  result?: { protocolVersion?: unknown }
}

/** Passes the messages of a client to the service over streamable HTTP, and the responses back. */
export class McpProxy {
  readonly #url: URL
  readonly #apiKey: string
  readonly #send: (message: object) => void
  /** as the client and the service agreed when the client began */
  #protocolVersion: string | undefined

  constructor(url: URL, apiKey: string, send: (message: object) => void) {
    this.#url = url
    this.#apiKey = apiKey
    this.#send = send
  }

  /** Passes a message on. A failure is a response as well: the client would wait for it otherwise. */
  async pass(line: string): Promise<void> {
    const message = parsed(line) as Message | undefined
    if (!message) {
      return this.#send({ jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message: 'The line is not JSON.' } })
    }
    try {
      await this.#post(line, message)
    } catch (error) {
      if (message.id !== undefined) this.#send(unreachable(message, message.id, error as Error))
    }
  }

  async #post(line: string, message: Message): Promise<void> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: this.#headersFor(message),
      body: line,
      // the key goes to the configured service alone
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (message.id === undefined) return
    const replies = repliesIn(text, response.headers.get('content-type') ?? '')
    if (replies.length === 0) this.#send(refused(message, message.id, response.status, text))
    for (const reply of replies) this.#receive(message, reply)
  }

  #receive({ method }: Message, reply: Message): void {
    const version = reply.result?.protocolVersion
    if (method === 'initialize' && typeof version === 'string') this.#protocolVersion = version
    this.#send(reply)
  }

  /** What a client sends on HTTP besides the message: the service compares these headers with it. */
  #headersFor({ method, params }: Message): Record<string, string> {
    const version = params?._meta?.[PROTOCOL_VERSION] ?? this.#protocolVersion
    return {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${this.#apiKey}`,
      'content-type': 'application/json',
      'user-agent': `hiring-partner-cli/${VERSION}`,
      ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
      ...(method === undefined ? {} : { 'mcp-method': headerText(method) }),
      ...(typeof params?.name === 'string' ? { 'mcp-name': headerText(params.name) } : {}),
    }
  }
}

/** A header has ASCII alone; the protocol says how other text is written. */
const headerText = (text: string): string =>
  /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`

/** The messages of a response: one as JSON, or several as server-sent events. */
function repliesIn(text: string, type: string): Message[] {
  const bodies = type.includes('text/event-stream') ? eventsIn(text) : [text]
  return bodies.map(parsed).filter((body): body is Message => isObject(body) && 'jsonrpc' in body)
}

const eventsIn = (text: string): string[] =>
  text.split(/\r?\n\r?\n/).map(event =>
    event
      .split(/\r?\n/)
      .filter(line => line.startsWith('data:'))
      .map(line => line.slice('data:'.length).trimStart())
      .join('\n'),
  )

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function unreachable(message: Message, id: Id, error: Error): object {
  const reason = error.cause instanceof Error ? error.cause.message : error.message
  return failure(message, id, 'service_unavailable', `The Hiring Partner API could not be reached: ${reason}.`)
}

/** A response that is not one of the protocol: the service refused the key, or it is another server. */
function refused(message: Message, id: Id, status: number, text: string): object {
  const body = parsed(text)
  const { detail } = (isObject(body) ? body : {}) as { detail?: { code?: unknown; message?: unknown } }
  return typeof detail?.code === 'string' && typeof detail.message === 'string'
    ? failure(message, id, detail.code, detail.message)
    : failure(
        message,
        id,
        'service_unavailable',
        `The Hiring Partner API could not be reached: it responded ${status}.`,
      )
}

/** A model is shown the result of a tool, not an error of the protocol. */
function failure({ method }: Message, id: Id, code: string, message: string): object {
  const text = `${code}: ${message}`
  if (method !== 'tools/call') return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: text } }
  const result = { isError: true, content: [{ type: 'text', text }], _meta: { 'hiring/error': { code, message } } }
  return { jsonrpc: '2.0', id, result }
}
