import {
  ApiConnectionError,
  ApiError,
  AuthenticationError,
  type ClientOptions,
  type Credential,
  HiringClient,
  HiringError,
  PermissionDeniedError,
  RateLimitError,
} from '../../sdk/src/index.ts'
import { CommandError, type CommandInput } from './command.ts'
import { environment } from './environment.ts'
import { EVENT_SCOPES } from './event-scopes.ts'

const DEFAULT_BASE_URL = 'http://127.0.0.1:8080'

export interface Connection {
  client: HiringClient
  apiKey: string
}

/** The key and the service that the options or the environment name. */
export function readAccess(input: CommandInput): { apiKey: string; baseUrl: string } {
  const apiKey = input.option('key') ?? environment.apiKey()
  if (!apiKey) throw new CommandError('no API key: set HIRING_API_KEY, or use --key')
  const baseUrl = input.option('base-url') ?? environment.baseUrl() ?? DEFAULT_BASE_URL
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new CommandError(`the base URL must start with http:// or https://, such as ${DEFAULT_BASE_URL}`)
  }
  return { apiKey, baseUrl }
}

/** A client for them. */
export function connect(input: CommandInput, options: Partial<ClientOptions> = {}): Connection {
  const { apiKey, baseUrl } = readAccess(input)
  const workspace = input.option('workspace')
  try {
    const client = new HiringClient({ baseUrl, apiKey, ...(workspace ? { workspaceId: workspace } : {}), ...options })
    return { client, apiKey }
  } catch (error) {
    throw explained(error)
  }
}

/** The key, if it can read the feed at all, with the kind of its workspace. */
export async function readCredential(
  client: HiringClient,
  signal?: AbortSignal,
): Promise<Credential & { workspaceEnvironment: string }> {
  const { data: credential, headers } = await client.meta.getMe(signal ? { signal } : {}).withResponse()
  if (!credential.scopes.includes('events:read')) throw new CommandError(missingScope(credential.name, ['events:read']))
  if (credential.workspace_id_required && client.options.workspaceId === undefined) {
    throw new CommandError(
      `the key has access to several workspaces: choose one with --workspace (${credential.workspace_ids.join(', ')})`,
    )
  }
  return { ...credential, workspaceEnvironment: readWorkspaceEnvironment(headers) }
}

/** `test` if a response is from a test workspace, otherwise `live`. */
export const readWorkspaceEnvironment = (headers: Headers): string => headers.get('Service-Environment') ?? 'live'

const missingScope = (key: string, scopes: readonly string[]): string =>
  `the key "${key}" lacks the ${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.join(', ')}: scopes cannot be added to a key, so ask an owner or admin of the workspace for a key that has ${scopes.length === 1 ? 'it' : 'them'}`

/**
 * Which of the types the key can read. The feed leaves out the others without an error, so types that were asked for by
 * name must be readable. Types that this version does not know are checked by the service.
 */
export async function checkTypes(
  client: HiringClient,
  { name, scopes }: Credential,
  asked: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<{ readable: string[]; missing: string[] }> {
  const lacking = (types: readonly string[]) => [
    ...new Set(types.flatMap(type => EVENT_SCOPES[type] ?? []).filter(scope => !scopes.includes(scope))),
  ]
  if (asked) {
    const missing = lacking(asked)
    if (missing.length > 0) {
      const types = asked.filter(type => missing.includes(EVENT_SCOPES[type] ?? ''))
      throw new CommandError(`${types.join(', ')} cannot be read: ${missingScope(name, missing)}`)
    }
    if (asked.some(type => EVENT_SCOPES[type] === undefined)) {
      await client.events.list({ type: asked, limit: 1 }, { signal })
    }
  }
  const all = Object.keys(EVENT_SCOPES)
  return { readable: all.filter(type => lacking([type]).length === 0), missing: lacking(all) }
}

/** An error of the SDK as a message that says what to do; others unchanged. */
export function explained(error: unknown): unknown {
  if (error instanceof ApiConnectionError) return new CommandError(unreachable(error))
  if (error instanceof AuthenticationError) {
    return new CommandError(`the service does not accept the API key (${error.code}): ${error.message}`)
  }
  if (error instanceof PermissionDeniedError && error.requiredScope) {
    return new CommandError(`the key lacks the scope ${error.requiredScope}: ${error.message}`)
  }
  if (error instanceof RateLimitError) {
    const wait = error.retryAfterSeconds === undefined ? '' : `; try again in ${duration(error.retryAfterSeconds)}`
    return new CommandError(`${error.message}${wait}`)
  }
  if (error instanceof ApiError) {
    return new CommandError(`${error.message}${error.requestId ? ` (request ${error.requestId})` : ''}`)
  }
  return error instanceof HiringError ? new CommandError(error.message) : error
}

function unreachable(error: ApiConnectionError): string {
  const cause = (error.cause as { cause?: { code?: string; message?: string } } | undefined)?.cause
  return cause?.code === 'ECONNREFUSED'
    ? 'the service does not run at this base URL (connection refused): start it, or set --base-url'
    : `the service cannot be reached: ${cause?.code ?? cause?.message ?? error.message}`
}

export const duration = (seconds: number): string =>
  seconds < 120
    ? `${Math.ceil(seconds)} s`
    : seconds < 7_200
      ? `${Math.ceil(seconds / 60)} min`
      : `${Math.ceil(seconds / 3_600)} h`
