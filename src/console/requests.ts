import { ERROR_CODES } from '../contract/errors.ts'
import { API_LIMITS } from '../contract/limits.ts'
import { type CallerName, withCallerNames } from '../kernel/access/caller-names.ts'
import { onlyRow } from '../kernel/db/queryable.ts'
import {
  handleParam,
  oneOfParam,
  type Param,
  type QueryOf,
  statusParam,
  textParam,
  timeParam,
} from '../kernel/http/params.ts'
import { memberNames } from './members.ts'
import { get, list } from './program.ts'
import {
  COUNTED_CALLS,
  type FigureRow,
  type LogFilter,
  loggedRequest,
  loggedRequests,
  type Period,
  type RequestLogRow,
  requestFigures,
} from './requests-store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const RETAINED_MS = API_LIMITS.requestLogDays * 24 * HOUR_MS

const REQUEST_RANGES = ['1h', '24h', '7d'] as const
const RANGE_MS: Readonly<Record<(typeof REQUEST_RANGES)[number], number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': RETAINED_MS,
}

const one = statusParam('A status, a class of statuses, or `errors` for 4xx and 5xx.')
const statusOrErrors: Param<{ from: number; to: number }> = {
  ...one,
  parse: text => (text === 'errors' ? { from: 400, to: 599 } : one.parse(text)),
}

const FILTERS = {
  range: oneOfParam('How far back, unless a time is given.', REQUEST_RANGES),
  key_id: textParam('The key, or the consent of an app.', 60),
  status: statusOrErrors,
  code: oneOfParam('The error code.', ERROR_CODES),
  method: textParam('The method.', 20),
  route: textParam('The path with its placeholders.'),
  created_after: timeParam('Only calls after this time.'),
  created_before: timeParam('Only calls before this time.'),
}

type Query = QueryOf<typeof FILTERS>

const filterOf = ({ range: _, key_id, created_after, created_before, ...rest }: Query): LogFilter => ({
  ...rest,
  key: key_id?.trim(),
  route: rest.route?.trim(),
  created_after,
  created_before,
})

/** Few enough buckets for a narrow screen. */
const MAX_BUCKETS = 72
const STEPS_IN_MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180] as const

/** What the figures are about: the given times, or the range up to now; never more than is retained. */
function periodOf({ range = '24h', created_after: after, created_before: before }: Query, now: number): Period {
  // what lies before is empty; a year before the first is not a time of the store
  const to = Math.max(now - RETAINED_MS, Math.min(before ? Date.parse(before) : now, now))
  const wanted = after ? Date.parse(after) : to - RANGE_MS[range]
  const span = Math.max(MINUTE_MS, to - Math.max(wanted, now - RETAINED_MS))
  const stepMinutes =
    STEPS_IN_MINUTES.find(step => span / (step * MINUTE_MS) <= MAX_BUCKETS) ?? Math.max(...STEPS_IN_MINUTES)
  const step = stepMinutes * MINUTE_MS
  // buckets begin at round times, and the last one holds the end
  const last = Math.floor((to - 1) / step) * step
  const buckets = Math.max(1, Math.round(span / step))
  const iso = (ms: number) => new Date(ms).toISOString()
  return { from: iso(last - (buckets - 1) * step), to: iso(last + step), stepMinutes }
}

export const requestEndpoints = [
  list({
    path: '/requests',
    query: { ...FILTERS, request_id: handleParam('The request id.', 'request') },
    order: { by: 'created_at', tiebreaker: 'id', direction: 'desc', table: 'l' },
    handler: async ({ db, session, services, query, page, now }) => {
      await services.requestLog.settle()
      const { range, request_id, created_after, ...rest } = query
      const since = range && new Date(now - RANGE_MS[range]).toISOString()
      const filter =
        request_id === undefined
          ? filterOf({ ...rest, created_after: created_after ?? since } as Query)
          : { request_id }
      const rows = await db.query(loggedRequests(session.workspaceId, filter, page))
      return (await withCallerNames(db, session.workspaceId, rows)).map(toResponse)
    },
  }),
  get({
    path: '/requests/figures',
    tier: 'expensive',
    query: FILTERS,
    handler: async ({ db, session, services, query, now }) => {
      await services.requestLog.settle()
      const period = periodOf(query, now)
      const rows = await db.query(requestFigures(session.workspaceId, filterOf(query), period))
      return toFigures(rows, period)
    },
  }),
  get({
    path: '/requests/{id}',
    handler: async ({ db, session, services, params }) => {
      await services.requestLog.settle()
      const [row, names] = await Promise.all([
        db.one(loggedRequest(session.workspaceId, params.id)),
        memberNames(db, session.workspaceId),
      ])
      if (!row) return undefined
      const named = onlyRow(await withCallerNames(db, session.workspaceId, [row]))
      const { params: sent, param, acting_user_id: user, personal_data_units } = row
      return {
        ...toResponse(named),
        /** null: a value that is not stored */
        params: sent,
        /** the parameter or field that the error named */
        param,
        acting_user: user === null ? null : { id: user, name: names.get(user) ?? null },
        personal_data_units,
      }
    },
  }),
]

const toResponse = ({ key_id, key_name, is_app, ...row }: RequestLogRow & CallerName) => ({
  id: row.id,
  created_at: row.created_at,
  key: { id: key_id, name: key_name, is_app },
  method: row.method,
  route: row.route,
  status: row.status,
  code: row.code,
  duration_ms: row.duration_ms,
  did_you_mean: row.did_you_mean,
})

const NOTHING = { requests: 0, client_errors: 0, server_errors: 0, limited: 0, p50_ms: 0, p95_ms: 0 }

const countsOf = ({ requests, client_errors, server_errors, limited, p50_ms, p95_ms }: FigureRow) => ({
  requests,
  client_errors,
  server_errors,
  limited,
  p50_ms,
  p95_ms,
})

/** Endpoints that are listed; the rest are few calls each. */
const MAX_ENDPOINTS = 50

function toFigures(rows: readonly FigureRow[], { from, to, stepMinutes }: Period) {
  const byTime = new Map(rows.flatMap(row => (row.at === null ? [] : [[Date.parse(row.at), row] as const])))
  const all = rows.find(row => row.at === null && row.method === null)
  const step = stepMinutes * MINUTE_MS
  const series: ({ at: string } & typeof NOTHING)[] = []
  for (let at = Date.parse(from); at < Date.parse(to); at += step) {
    const row = byTime.get(at)
    series.push({ at: new Date(at).toISOString(), ...(row ? countsOf(row) : NOTHING) })
  }
  return {
    from,
    to,
    step_minutes: stepMinutes,
    // so many calls are in it that older ones were left out
    counted_from: all && all.requests >= COUNTED_CALLS ? all.first_at : null,
    total: all ? countsOf(all) : NOTHING,
    series,
    /** the busiest first */
    endpoints: rows
      .flatMap(row => (row.method === null ? [] : [{ method: row.method, route: row.route, ...countsOf(row) }]))
      .slice(0, MAX_ENDPOINTS),
  }
}
