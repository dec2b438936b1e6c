import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { ERROR_CODES } from '../../src/contract/errors.ts'
import { EVENT_TYPES } from '../../src/contract/events.ts'
import { API_LIMITS } from '../../src/contract/limits.ts'
import { ALL_SCOPES } from '../../src/contract/scopes.ts'
import type { Database } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { SYNTHETIC_TITLE } from './events.ts'

/**
 * What the tests provoked: error codes, scopes and limits that a response of a service carried, and event types that a
 * feed carried. Each test process writes its part into a folder of the run; after a run of the whole suite `missing`
 * compares the parts with the catalogues, so that a code without a test fails the run.
 */
export const EVIDENCE_FOLDER = 'HIRING_TEST_EVIDENCE'

const folder = process.env[EVIDENCE_FOLDER]
/** The demo holds every state without provoking it. */
const counts = folder !== undefined && !/\/(demo|docs|contract)\/[^/]+$/.test(process.argv[1] ?? '')
const seen = new Set<string>()

interface ErrorDetail {
  code: string
  message: string
  param?: string | null
  required_scope?: string
  errors?: { param: string; message: string; code: string }[]
}

type Refusal = Pick<ErrorDetail, 'code' | 'message'> & { param?: string | null }

/**
 * The refusal that shows each limit. Limits that are not here change what a response contains instead of refusing it:
 * times, retention and defaults, each with a test of its own.
 */
const REFUSED_BY: Partial<Record<keyof typeof API_LIMITS, (refusal: Refusal) => boolean>> = {
  maxPageSize: ({ param, message }) => param === 'limit' && message.includes(`${API_LIMITS.maxPageSize}`),
  maxResultWindow: ({ code }) => code === 'result_window_exceeded',
  requestBodyBytes: ({ code }) => code === 'payload_too_large',
  resumeFileBytes: ({ param, message }) => param === 'size_bytes' && message.includes(`${API_LIMITS.resumeFileBytes}`),
  pendingUploadsPerWorkspace: ({ code }) => code === 'too_many_pending_uploads',
  answersPerApplication: ({ param, message }) =>
    param === 'answers' && message.includes(`${API_LIMITS.answersPerApplication} items`),
  resolveBatchKeys: ({ param, message }) =>
    param === 'keys' && message.includes(`${API_LIMITS.resolveBatchKeys} items`),
  listMembersPerCall: ({ param, message }) =>
    param === 'members' && message.includes(`${API_LIMITS.listMembersPerCall} items`),
  eventTypesPerEndpoint: ({ param, message }) =>
    param === 'event_types' && message.includes(`${API_LIMITS.eventTypesPerEndpoint} items`),
  messagesPerDay: ({ code }) => code === 'message_quota_exceeded',
  webhookEndpointsPerKey: ({ code, message }) =>
    code === 'webhook_endpoint_limit_reached' && message.includes(`${API_LIMITS.webhookEndpointsPerKey}`),
  webhookUrlLength: ({ param, message }) => param === 'url' && message.includes(`${API_LIMITS.webhookUrlLength}`),
  idempotencyKeyPattern: ({ code }) => code === 'invalid_idempotency_key',
  exportsUnfinishedPerWorkspace: ({ code, message }) =>
    code === 'rate_limit_exceeded' &&
    message.includes(`running exports; the limit is ${API_LIMITS.exportsUnfinishedPerWorkspace}`),
  exportsKeptPerWorkspace: ({ code, message }) =>
    code === 'rate_limit_exceeded' && message.includes(`which is the limit (${API_LIMITS.exportsKeptPerWorkspace})`),
  erasureRequestsPerDay: ({ code, message }) =>
    code === 'rate_limit_exceeded' && message.includes(`${API_LIMITS.erasureRequestsPerDay} erasure requests`),
  funnelDays: ({ param, message }) => param === 'applied_after' && message.includes(`${API_LIMITS.funnelDays} days`),
}

function noteRefusal(body: string): void {
  let detail: ErrorDetail | undefined
  try {
    detail = (JSON.parse(body) as { detail?: ErrorDetail }).detail
  } catch {
    return // a page, or a body that was cut
  }
  if (typeof detail?.code !== 'string') return
  if (detail.required_scope) seen.add(`scope ${detail.required_scope}`)
  for (const refusal of [detail, ...(detail.errors ?? [])]) {
    seen.add(`error ${refusal.code}`)
    for (const [name, shows] of Object.entries(REFUSED_BY)) if (shows(refusal)) seen.add(`limit ${name}`)
  }
}

function noteResponse(status: number, body: unknown): void {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return
  const text = String(body)
  if (status >= 400) noteRefusal(text)
  // GET /me/access names every scope, whatever the key may do
  else if (!text.includes('"resource_access"'))
    for (const [, scope] of text.matchAll(/scope_required:([a-z_:]+)/g)) seen.add(`scope ${scope}`)
}

/** The types of the product's own events in the feeds of a database. */
export async function noteFeed(db: Database): Promise<void> {
  if (!counts) return
  const types = await db.query(sql<{ type: string }>`
    select distinct type from events where strpos(body, ${SYNTHETIC_TITLE}) = 0`)
  for (const { type } of types) seen.add(`event ${type}`)
}

if (counts) {
  const end = ServerResponse.prototype.end
  ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
    noteResponse(this.statusCode, args[0])
    return end.apply(this, args as Parameters<typeof end>)
  } as typeof end
  // what is refused before there is a request is written to the socket
  const endSocket = Socket.prototype.end
  Socket.prototype.end = function (this: Socket, ...args: unknown[]) {
    const [text] = args
    const head = typeof text === 'string' ? /^HTTP\/1\.1 (\d+)/.exec(text) : null
    if (head) noteResponse(Number(head[1]), (text as string).split('\r\n\r\n')[1])
    return endSocket.apply(this, args as Parameters<typeof endSocket>)
  } as typeof endSocket
}

/** To be called when the services of a test file have stopped. */
export function writeEvidence(): void {
  if (counts) writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify([...seen]))
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
    ...ALL_SCOPES.map(scope => `scope ${scope}`),
    ...Object.keys(REFUSED_BY).map(limit => `limit ${limit}`),
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
