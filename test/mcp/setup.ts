import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TestService } from '../harness/service.ts'

/** A result of a tool, as tests look into it. */
export interface ToolResult {
  isError: boolean
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every kind
  data: any
  // biome-ignore lint/suspicious/noExplicitAny: so do they with errors
  error: any
  meta: Record<string, unknown>
}

export interface Connected {
  client: Client
  call: (name: string, args?: Record<string, unknown>) => Promise<ToolResult>
  names: () => Promise<string[]>
}

/** The SDK's own client, signed in with a key or a token. It checks each result against the schema of the tool. */
export async function connect(
  service: Pick<TestService, 'origin'>,
  credential: { secret: string } | string,
  opts: { search?: string; mode?: 'legacy' | 'auto' } = {},
): Promise<Connected> {
  const secret = typeof credential === 'string' ? credential : credential.secret
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: opts.mode ?? 'auto' } })
  const headers = { authorization: `Bearer ${secret}` }
  const url = new URL(`${service.origin}/mcp${opts.search ?? ''}`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return connected(client)
}

export const connected = (client: Client): Connected => ({
  client,
  call: async (name, args = {}) => {
    const { isError, content, structuredContent, _meta } = await client.callTool({ name, arguments: args })
    const [first] = content as { text: string }[]
    const meta = _meta ?? {}
    return { isError: isError === true, text: first!.text, data: structuredContent, error: meta['hiring/error'], meta }
  },
  names: async () => (await client.listTools()).tools.map(tool => tool.name),
})

/** A message as it is, for what the SDK's client never sends. */
export const post = (
  service: Pick<TestService, 'origin'>,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${service.origin}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

export const buildCall = (name: string, args: Record<string, unknown> = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})
