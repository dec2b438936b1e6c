import { ApiError } from '../kernel/errors/api-error.ts'
import { callFromPage } from '../kernel/http/page-call.ts'
import type { Route } from '../kernel/http/route.ts'
import type { Visit } from '../programs/policy.ts'
import type { PartnerSession } from './sessions.ts'

/** A request for a page, with the endpoints of the API that the pages call. */
export interface PartnerVisit extends Visit {
  routes: readonly Route[]
  query: URLSearchParams
}

export interface SignedIn extends PartnerVisit {
  session: PartnerSession
}

/** Responses of the API that the pages show. */
export interface Credential {
  id: string
  name: string
  environment: string
  scopes: string[]
  scope_descriptions: Record<string, string>
  workspace_scope: string
  workspace_ids: string[]
  workspace_id_required: boolean
  owner_user_id: string | null
  ip_allowlist_active: boolean
  plan: { code: string; name: string } | null
  quota_resets_at: string
  rate_limits: {
    general_per_minute: number
    expensive_per_minute: number
    download_per_minute: number
    personal_data_reads_per_day: number
    personal_data_reads_used_today: number
    requests_per_month: number | null
    requests_used_this_month: number
    messages_per_day: number
    messages_used_today: number
  }
  created_at: string
  expires_at: string | null
  previous_secret_expires_at: string | null
}

export interface Access {
  resource: string
  scope: string | null
  readable: boolean
  fields: { name: string; state: 'visible' | 'restricted'; reason: string | null }[]
}

export interface Endpoint {
  id: string
  url: string
  description: string | null
  event_types: string[]
  enabled: boolean
  disabled_at: string | null
  disabled_reason: string | null
  consecutive_failures: number
  last_success_at: string | null
  last_failure_at: string | null
}

export interface Delivery {
  id: string
  endpoint_id: string
  event_id: string
  event_type: string
  status: string
  attempt: number
  response_status: number | null
  error: string | null
  next_attempt_at: string | null
  delivered_at: string | null
  created_at: string
  attempts?: {
    attempt: number
    sent_at: string
    duration_ms: number | null
    response_status: number | null
    error: string | null
  }[]
}

export interface PersonalDataRead {
  subject: { object: string; id: string }
  field: string
  units: number
  request_id: string
  acting_user_id: string | null
  at: string
}

/** A row of the request log. */
export interface LoggedCall {
  id: string
  method: string
  route: string | null
  params: { did_you_mean?: string }
  status: number
  code: string | null
  param: string | null
  duration_ms: number
  created_at: string
}

export interface List<T> {
  data: T[]
  next_cursor: string | null
}

interface Options {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
}

/** The endpoints of the API for the key that is signed in. */
export interface PartnerApi {
  get<T>(path: string, options?: Options): Promise<T>
  post<T>(path: string, options?: Options): Promise<T>
}

export function partnerApi({ routes, services, session, request, address }: SignedIn): PartnerApi {
  const { authenticated } = session
  const use = { authenticated, address, userAgent: request.headers['user-agent'] }
  const call = <T>(method: Route['method'], path: string, options: Options = {}): Promise<T> => {
    const route = routes.find(one => one.method === method && one.path === path)
    if (!route) throw new Error(`there is no endpoint ${method} ${path}`)
    return callFromPage<T>(route, services, { ...use, ...options })
  }
  return { get: (path, options) => call('GET', path, options), post: (path, options) => call('POST', path, options) }
}

const SAID_IN_PLACE: ReadonlySet<number> = new Set([400, 403, 404])

/** What the key may not read, or a filter that is not valid, is said on the page in place of the rows. */
export async function unlessRefused<T>(read: Promise<T>): Promise<T | ApiError> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ApiError && SAID_IN_PLACE.has(error.status)) return error
    throw error
  }
}
