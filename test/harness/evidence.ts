import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { ERROR_CODES } from '../../src/contract/errors.ts'
import { EVENT_TYPES } from '../../src/contract/events.ts'
import { API_LIMITS } from '../../src/contract/limits.ts'
import { EVERY_SCOPE } from '../../src/contract/scopes.ts'
import { API_PREFIX } from '../../src/contract/version.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { SYNTHETIC_TITLE } from './events.ts'
import { atProcessEnd, currentFile } from './file-end.ts'
import { onResponse, type SeenResponse } from './responses.ts'
import type { TestService } from './service.ts'

/**
 * What the tests provoked: error codes, scopes, limits and event types that a response of a service or the body of a
 * webhook had. Each test process writes its part into a folder of the run; after a run of the whole suite `missing`
 * compares the parts with the catalogues, so that a code without a test fails the run.
 */
export const EVIDENCE_FOLDER = 'HIRING_TEST_EVIDENCE'

const folder = process.env[EVIDENCE_FOLDER]
/** The demo has every state, and an operation for every event type: what its tests see proves nothing. */
const counts = () => folder !== undefined && !/\/(activity|demo|docs|contract)\/[^/]+$/.test(currentFile())
const seen = new Set<string>()

/** An error of a response: the whole of it, and each entry of `errors`. */
interface SeenError {
  code: string
  message: string
  param?: string | null
  required_scope?: string | null
  retry_after_seconds?: number | null
  state?: string
  unlock_credits?: number
}

/** Errors of a response; none where it succeeded. */
function errorsOf({ status, body }: Pick<SeenResponse, 'status' | 'body'>): SeenError[] {
  const detail = status >= 400 ? body?.detail : undefined
  if (typeof detail?.code !== 'string') return []
  const entries: { param: string; message: string }[] = detail.errors ?? []
  return [detail, ...entries.map(entry => ({ code: detail.code, ...entry }))]
}

type Shows = (response: SeenResponse) => boolean

/** No single response shows the limit: `test` shows it over HTTP with several. */
interface ShownBySeveral {
  why: string
  test: string
}

const error =
  (matches: (error: SeenError) => boolean): Shows =>
  response =>
    errorsOf(response).some(matches)
const tooMany = (name: string, limit: number) =>
  error(({ param, message }) => param === name && message.includes(`${limit} items`))

const DAY_MS = 86_400_000
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS

/** How a response shows each limit. A run of the whole suite fails for a limit that no response showed. */
export const LIMIT_EVIDENCE: Readonly<Record<keyof typeof API_LIMITS, Shows | ShownBySeveral>> = {
  defaultPageSize: ({ query, body }) =>
    !query.has('limit') && body?.has_more === true && body.data.length === API_LIMITS.defaultPageSize,
  maxPageSize: error(({ param, message }) => param === 'limit' && message.includes(`${API_LIMITS.maxPageSize}`)),
  maxResultWindow: error(({ code }) => code === 'result_window_exceeded'),
  cursorLifetimeSeconds: error(({ code, message }) => code === 'invalid_cursor' && message.includes('expired')),
  requestBodyBytes: error(({ code }) => code === 'payload_too_large'),
  resumeFileBytes: error(
    ({ param, message }) => param === 'size_bytes' && message.includes(`${API_LIMITS.resumeFileBytes}`),
  ),
  uploadUrlSeconds: {
    why: 'the URL of an upload leads to the file store, where it stops working',
    test: 'test/applications/uploads.test.ts',
  },
  uploadLifetimeSeconds: {
    why: 'an expired upload is like one that never existed',
    test: 'test/applications/uploads.test.ts',
  },
  pendingUploadsPerWorkspace: error(({ code }) => code === 'too_many_pending_uploads'),
  pendingFormUploadsPerWorkspace: {
    why: 'uploads of the public form are reserved by its page',
    test: 'test/applications/form-uploads.test.ts',
  },
  pendingReportsPerOrder: error(({ message }) => message.includes(`${API_LIMITS.pendingReportsPerOrder} reserved`)),
  pendingReportsPerVendor: error(({ message }) => message.includes(`${API_LIMITS.pendingReportsPerVendor} reserved`)),
  pendingUploadsRetryAfterSeconds: error(
    ({ code, retry_after_seconds: wait }) =>
      code === 'too_many_pending_uploads' && wait === API_LIMITS.pendingUploadsRetryAfterSeconds,
  ),
  downloadUrlSeconds: ({ body }) => body?.expires_in === API_LIMITS.downloadUrlSeconds,
  answersPerApplication: tooMany('answers', API_LIMITS.answersPerApplication),
  resolveBatchKeys: tooMany('keys', API_LIMITS.resolveBatchKeys),
  listMembersPerCall: tooMany('members', API_LIMITS.listMembersPerCall),
  eventTypesPerEndpoint: tooMany('event_types', API_LIMITS.eventTypesPerEndpoint),
  messagesPerDay: error(({ code }) => code === 'message_quota_exceeded'),
  webhookEndpointsEnabledPerKey: error(({ message }) =>
    message.endsWith(` ${API_LIMITS.webhookEndpointsEnabledPerKey} enabled for this key.`),
  ),
  webhookEndpointsEnabledPerWorkspace: error(({ message }) =>
    message.endsWith(` ${API_LIMITS.webhookEndpointsEnabledPerWorkspace} enabled in this workspace.`),
  ),
  webhookEndpointsPerKey: error(({ message }) =>
    message.endsWith(` ${API_LIMITS.webhookEndpointsPerKey} for this key.`),
  ),
  ordersPerApplication: error(({ message }) => message.includes(`${API_LIMITS.ordersPerApplication} orders`)),
  packagesPerVendor: error(({ message }) => message.includes(`${API_LIMITS.packagesPerVendor} packages`)),
  reportsPerOrder: tooMany('report_upload_ids', API_LIMITS.reportsPerOrder),
  sectionsPerResult: tooMany('sections', API_LIMITS.sectionsPerResult),
  packagesPerStage: { why: 'rules of stages are set in the hiring pages', test: 'test/orders/stage-rules.test.ts' },
  vendorResponseDays: ({ body }) => body?.object === 'order' && body.status_reason?.code === 'vendor_timeout',
  lateCompletionDays: error(({ message }) => message.includes(`${API_LIMITS.lateCompletionDays} days`)),
  orderDueMaxDays: error(
    ({ param, message }) => param === 'due_at' && message.includes(`${API_LIMITS.orderDueMaxDays} days`),
  ),
  orderDueMinSeconds: error(({ param, message }) => param === 'due_at' && message.includes('1 hour')),
  remindersPerOrder: ({ body }) =>
    body?.object === 'order' && body.invitation.reminders === API_LIMITS.remindersPerOrder,
  webhookTimeoutSeconds: ({ body }) =>
    body?.object === 'webhook_delivery' &&
    body.attempts?.some(
      (attempt: { error: string | null; duration_ms: number | null }) =>
        attempt.error === 'timeout' && attempt.duration_ms! >= API_LIMITS.webhookTimeoutSeconds * 990,
    ),
  webhookAttempts: ({ body }) =>
    body?.object === 'webhook_delivery' && body.status === 'failed' && body.attempt === API_LIMITS.webhookAttempts,
  webhookUrlLength: error(
    ({ param, message }) => param === 'url' && message.includes(`${API_LIMITS.webhookUrlLength}`),
  ),
  webhookSignatureToleranceSeconds: ({ body }) =>
    body?.signature_scheme?.tolerance_seconds === API_LIMITS.webhookSignatureToleranceSeconds,
  eventRetentionDays: ({ path, body }) => path === '/events' && body?.gap === true,
  idempotencyLifetimeSeconds: {
    why: 'after that time a repeat is a new request',
    test: 'test/pipeline/idempotency.test.ts',
  },
  idempotencyKeyPattern: error(({ code }) => code === 'invalid_idempotency_key'),
  rateWindowSeconds: error(
    ({ message, retry_after_seconds: wait }) =>
      message.includes('requests in a minute') && wait! <= API_LIMITS.rateWindowSeconds,
  ),
  resumeOpenDays: error(({ code, state }) => code === 'resume_locked' && state === 'view_only'),
  resumeViewDays: error(({ code, state }) => code === 'resume_locked' && state === 'locked'),
  resumeUnlockCredits: error(
    ({ code, unlock_credits: price }) => code === 'resume_locked' && price === API_LIMITS.resumeUnlockCredits,
  ),
  suppressionDeleteDays: ({ path, body }) =>
    path === '/suppressions' &&
    body?.data?.some(
      (row: { applied_at: string; delete_by: string }) =>
        daysBetween(row.applied_at, row.delete_by) === API_LIMITS.suppressionDeleteDays,
    ),
  erasureRequestsPerDay: error(({ message }) =>
    message.includes(`${API_LIMITS.erasureRequestsPerDay} erasure requests`),
  ),
  exportLifetimeSeconds: ({ body }) => body?.object === 'export' && body.status === 'expired',
  exportRememberedDays: {
    why: 'after that time an export is like one that never existed',
    test: 'test/exports/exports.test.ts',
  },
  exportsUnfinishedPerWorkspace: error(({ message }) =>
    message.includes(`running exports; the limit is ${API_LIMITS.exportsUnfinishedPerWorkspace}`),
  ),
  exportsKeptPerWorkspace: error(({ message }) =>
    message.includes(`which is the limit (${API_LIMITS.exportsKeptPerWorkspace})`),
  ),
  funnelDays: error(
    ({ param, message }) => param === 'applied_after' && message.includes(`${API_LIMITS.funnelDays} days`),
  ),
  funnelDefaultDays: ({ query, body }) =>
    body?.object === 'hiring_funnel' &&
    !query.has('applied_after') &&
    daysBetween(body.applied_after, body.applied_before) === API_LIMITS.funnelDefaultDays,
  funnelGroups: ({ body }) => body?.groups_truncated === true && body.groups.length === API_LIMITS.funnelGroups,
  requestLogDays: {
    why: 'a call that is no longer retained is like one that never was made',
    test: 'test/requests/request-log.test.ts',
  },
  keyRotationOverlapHours: {
    why: 'the default of `hiring keys rotate`; the console always sends a number',
    test: 'test/pipeline/authentication.test.ts',
  },
  keyRotationMaxOverlapHours: error(
    ({ param, message }) => param === 'overlap_hours' && message.includes(`${API_LIMITS.keyRotationMaxOverlapHours}`),
  ),
}

/** Limits that no response of this process showed so far. */
const pendingLimits = new Map(
  Object.entries(LIMIT_EVIDENCE).flatMap(([name, shows]) => (typeof shows === 'function' ? [[name, shows]] : [])),
)

function noteResponse(response: SeenResponse): void {
  for (const { code, required_scope } of errorsOf(response)) {
    seen.add(`error ${code}`)
    if (required_scope) seen.add(`scope ${required_scope}`)
  }
  for (const [name, shows] of pendingLimits) {
    if (!shows(response)) continue
    seen.add(`limit ${name}`)
    pendingLimits.delete(name)
  }
  const { status, text, path, body } = response
  if (status >= 400) return
  // GET /me/access names every scope, whatever the key may do
  if (!text.includes('"resource_access"'))
    for (const [, scope] of text.matchAll(/scope_required:([a-z_:]+)/g)) seen.add(`scope ${scope}`)
  if (path === '/events') for (const event of body?.data ?? []) noteEvent(event)
}

function noteEvent(event: { type: string }): void {
  const item = `event ${event.type}`
  if (!seen.has(item) && !JSON.stringify(event).includes(SYNTHETIC_TITLE)) seen.add(item)
}

/** The body of a webhook that a receiver got. */
export function noteDelivery(body: string): void {
  if (!counts()) return
  try {
    noteEvent(JSON.parse(body))
  } catch {
    // not every receiver is sent JSON
  }
}

/** Reads the first event of each type that the tests caused and no response had so far, with `GET /events`. */
export async function readNewTypes({ services, origin, key }: TestService): Promise<void> {
  if (!counts()) return
  const first = await services.db.query(sql<{ type: string; workspace_id: string; sequence: number }>`
    select distinct on (type) type, workspace_id, sequence from events
    where strpos(body, ${SYNTHETIC_TITLE}) = 0 order by type, workspace_id, sequence`)
  const unread = Map.groupBy(
    first.filter(({ type }) => !seen.has(`event ${type}`)),
    event => event.workspace_id,
  )
  for (const [workspace, events] of unread) {
    const { secret } = await key({ workspace })
    for (const { sequence, type } of events) {
      const url = `${origin}${API_PREFIX}/events?type=${type}&limit=1&after=${Number(sequence) - 1}`
      // a service that a test left unable to respond proves nothing
      const signal = AbortSignal.timeout(10_000)
      await (await fetch(url, { headers: { authorization: `Bearer ${secret}` }, signal })).text()
    }
  }
}

if (folder !== undefined) {
  onResponse(response => {
    if (counts()) noteResponse(response)
  })
  // what is refused before there is a request is written to the socket
  const endSocket = Socket.prototype.end
  Socket.prototype.end = function (this: Socket, ...args: unknown[]) {
    const [text] = args
    const body = typeof text === 'string' && text.startsWith('HTTP/1.1 4') ? text.split('\r\n\r\n')[1] : undefined
    if (body && counts())
      for (const { code } of errorsOf({ status: 400, body: JSON.parse(body) })) seen.add(`error ${code}`)
    return endSocket.apply(this, args as Parameters<typeof endSocket>)
  } as typeof endSocket
  atProcessEnd(() => writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify([...seen])))
}

/** Its test is skipped where redis-server is not installed. */
const NEEDS_REDIS = 'error limiter_unavailable'

/** What no test of the run provoked. */
export function missing(from: string): string[] {
  const found = new Set<string>()
  for (const file of readdirSync(from)) {
    for (const item of JSON.parse(readFileSync(join(from, file), 'utf8')) as string[]) found.add(item)
  }
  return [
    ...ERROR_CODES.map(code => `error ${code}`),
    ...EVENT_TYPES.map(type => `event ${type}`),
    ...EVERY_SCOPE.map(scope => `scope ${scope}`),
    ...[...pendingLimits.keys()].map(limit => `limit ${limit}`),
  ].filter(item => !found.has(item) && !(item === NEEDS_REDIS && !hasRedis()))
}

export function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'])
    return true
  } catch {
    return false
  }
}
