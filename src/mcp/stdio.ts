import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio'
import { API_PREFIX } from '../contract/version.ts'
import type { Route } from '../kernel/http/route.ts'
import { type Backend, createToolServer, type ToolResponse } from './server.ts'
import { buildTools, describeUsable, type Selection, selectTools } from './tools.ts'

/** A service that is called over HTTP, and the credential for it. */
export interface RemoteApi {
  origin: string
  key: string
}

/** The slowest call is a search; a call that takes longer than this is lost. */
const TIMEOUT_MS = 60_000

/** Serves the tools on standard input and output until the client closes them. */
export function serveStdio(routes: readonly Route[], remote: RemoteApi, selection: Selection): Promise<void> {
  const tools = selectTools(buildTools(routes), selection)
  const backend: Backend = {
    list: async () => describeUsable(tools, await readReach(remote)),
    call: (route, { params, query, body, idempotencyKey }) => {
      const path = route.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? '') || '-')
      const search = query.size > 0 ? `?${query}` : ''
      return callRemote(remote, route.method, path + search, {
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      })
    },
  }
  return new Promise(resolve => {
    // the SDK closes its side at the end of the input
    process.stdin.once('close', resolve)
    process.stdin.once('end', resolve)
    serve(() => createToolServer(tools, backend), { onerror: error => process.stderr.write(`${error.message}\n`) })
  })
}

async function readReach(remote: RemoteApi) {
  const { status, body } = await callRemote(remote, 'GET', '/me', {})
  if (status !== 200) {
    const { detail } = JSON.parse(body) as { detail: { code: string; message: string } }
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${detail.code}: ${detail.message}`)
  }
  const me = JSON.parse(body) as { scopes: string[]; owner_user_id: string | null; workspace_id_required: boolean }
  return { scopes: new Set(me.scopes), userId: me.owner_user_id, severalWorkspaces: me.workspace_id_required }
}

async function callRemote(
  { origin, key }: RemoteApi,
  method: string,
  target: string,
  { body, idempotencyKey }: { body?: string; idempotencyKey?: string },
): Promise<ToolResponse> {
  try {
    const response = await fetch(origin + API_PREFIX + target, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'user-agent': 'hiring-mcp',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
      // the key goes to the configured service alone
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (!response.headers.get('content-type')?.includes('json')) return unavailable(`it responded ${response.status}`)
    return { status: response.status, body: text, header: name => response.headers.get(name) ?? undefined }
  } catch (error) {
    const { cause, message } = error as Error
    return unavailable(cause instanceof Error ? cause.message : message)
  }
}

const unavailable = (reason: string): ToolResponse => ({
  status: 503,
  body: JSON.stringify({
    detail: { code: 'service_unavailable', message: `The Hiring Partner API could not be reached: ${reason}.` },
  }),
  header: () => undefined,
})
