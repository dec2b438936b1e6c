import { API_LIMITS } from '../../contract/limits.ts'
import { NO_PLAN, PLAN_CODES, PLANS } from '../../contract/plans.ts'
import { MANAGER_ROLES } from '../../contract/roles.ts'
import { LOCKS } from '../../kernel/db/locks.ts'
import { type Sql, sql, wordList } from '../../kernel/db/sql.ts'
import type { AheadWorkspace } from '../../kernel/db/workspace-time.ts'
import { owesConfirmation } from '../suppressions/index.ts'
import {
  DEADLINE_STEPS,
  DISABLED_OPEN_DAYS,
  EXPIRED_OPEN_DAYS,
  EXPIRY_STEPS,
  FAILING_AFTER_ATTEMPTS,
  FAILING_AFTER_HOURS,
  KEY_NOTIFICATIONS_PER_DAY,
  ORDER_WAITING_HOURS,
  OVERDUE_OPEN_DAYS,
  PARTNERS_NAMED,
  SECRET_STEP,
  USAGE_STEPS,
} from './rules.ts'

/** One process at a time looks for causes; for this transaction. */
export const tryLockCheck = () =>
  sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${LOCKS.alertCheck}) as locked`

const days = (count: number): Sql => sql`${count}::integer * interval '1 day'`

export const MANAGERS = wordList(MANAGER_ROLES)

/** A time as the name of a period, whatever the time zone of the session. */
export const iso = (time: Sql): Sql => sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * The period of what a partner can bring about as often as it likes, by enabling its endpoint: the day (UTC) on which it
 * began. So owners and admins are sent one notification a day about an endpoint, however often it fails or is disabled.
 */
const dayOf = (time: Sql): Sql => sql`(${time} at time zone 'UTC')::date::text`

/** The two steps of a cause exclude each other: when the second is reached, its alert takes the place of the first. */
const stepped = (isCritical: Sql, steps: { warning: number; critical: number }): Sql => sql`
  case when ${isCritical} then ${String(steps.critical)} else ${String(steps.warning)} end,
  case when ${isCritical} then 'critical' else 'warning' end`

/** A query can carry a secret of the receiver, and an email goes through other hands. */
const withoutQuery = sql`split_part(e.url, '?', 1)`

/*
 * Endpoints and usage are with the workspaces when the store is a cluster, and alerts with the members: what causes may
 * need of them is read first, and given to the statement as rows.
 */

/** An endpoint, as far as alerts are about it. */
export interface WatchedEndpoint {
  workspace_id: string
  id: string
  key_id: string
  url: string
  enabled: boolean
  consecutive_failures: number
  first_failure_at: string | null
  disabled_at: string | null
  disabled_reason: string | null
  created_at: string
}

const WATCHED = sql`
  e.workspace_id, e.id, e.key_id, ${withoutQuery} as url, e.enabled, e.consecutive_failures, e.first_failure_at,
  e.disabled_at, e.disabled_reason, e.created_at`

/** Not those that a person disabled, who knows it, and not those of installed apps, which the page of the installation shows. */
export const endpointsInTrouble = (): Sql<WatchedEndpoint> =>
  sql<WatchedEndpoint>`
    select ${WATCHED} from webhook_endpoints e
    where e.source_id is null and e.enabled and e.consecutive_failures > 0
      and (e.first_failure_at <= app_now() - ${FAILING_AFTER_HOURS}::integer * interval '1 hour'
        or e.consecutive_failures >= ${FAILING_AFTER_ATTEMPTS}::integer)
    union all
    select ${WATCHED} from webhook_endpoints e
    where e.source_id is null and not e.enabled and e.disabled_reason in ('failing', 'gone')
      and e.disabled_at > app_now() - ${days(DISABLED_OPEN_DAYS)}`

/** A key with endpoints in a workspace. */
export interface WatchedPartner {
  workspace_id: string
  key_id: string
  /** The newest endpoint that is enabled, by which people know the partner's system; null: none is. */
  url: string | null
}

/** One row for each key of a workspace: endpoints are many, and compared with all that a deletion waits for. */
export const partnersOfWorkspaces = (workspaces: readonly string[]): Sql<WatchedPartner> =>
  sql<WatchedPartner>`
    select distinct on (e.workspace_id, e.key_id) e.workspace_id, e.key_id,
      case when e.enabled then ${withoutQuery} end as url
    from webhook_endpoints e where e.workspace_id = any(${workspaces}::text[])
    order by e.workspace_id, e.key_id, e.enabled desc, e.created_at desc, e.id desc`

export interface WatchedUsage {
  workspace_id: string
  key_id: string
  day: string
  used: number
}

/** Today's usage: all of some workspaces, and of the others what is a warning with the smallest budget of a plan. */
export const usageOfToday = (workspaces: readonly string[]): Sql<WatchedUsage> =>
  sql<WatchedUsage>`
    select workspace_id, key_id, day, used from personal_data_usage
    where day = app_now()::date and (workspace_id = any(${workspaces}::text[])
      or used::bigint * 100 >= ${SMALLEST_BUDGET}::bigint * ${USAGE_STEPS.warning}::integer)`

/** Workspaces for which the operator set a smaller budget than any plan has. */
export const withSmallBudget = () =>
  sql<{ id: string }>`
    select id from workspaces where (own_limits->>'personal_data_reads_per_day')::bigint < ${SMALLEST_BUDGET}::bigint`

/** Workspaces in which the deadline of a deletion is near, or has passed, by one of the clocks. */
export const workspacesWithDeadlines = (ahead: readonly AheadWorkspace[]) =>
  sql<{ workspace_id: string }>`
    select distinct l.workspace_id from suppressions s join suppression_log l on l.suppression_id = s.id
    where ${nearAnyClock(ahead)}`

const seconds = (count: number): Sql => sql`${count}::integer * interval '1 second'`

/** By real time, or by the clock that is furthest ahead. */
const nearAnyClock = (ahead: readonly AheadWorkspace[]) => sql`
  s.delete_by > app_now() - ${days(OVERDUE_OPEN_DAYS)}
  and s.delete_by <= app_now() + ${days(DEADLINE_STEPS.warning)}
    + ${seconds(Math.max(0, ...ahead.map(({ offset_seconds }) => offset_seconds)))}`

/** A vendor of a workspace that has not responded. */
export interface WatchedVendor {
  workspace_id: string
  vendor_id: string
  vendor_name: string
  orders: number
  since: string
}

/**
 * An order without a response fails at its next check, so many days after it was requested. So the index of the next checks
 * bounds what is read: besides these it has the orders that are due or get a reminder until then.
 */
export const vendorsWithoutResponse = (): Sql<WatchedVendor> =>
  sql<WatchedVendor>`
    select workspace_id, vendor_id, max(vendor_name) as vendor_name, count(*)::integer as orders,
      min(requested_at) as since
    from orders
    where status = 'requested'
      and next_check_at <= app_now() + ${API_LIMITS.vendorResponseDays}::integer * interval '1 day'
        - ${ORDER_WAITING_HOURS}::integer * interval '1 hour'
    group by workspace_id, vendor_id`

/** What was read for a check. */
export interface Watched {
  endpoints: readonly WatchedEndpoint[]
  usage: readonly WatchedUsage[]
  /** Partners in workspaces with a deadline. */
  partners: readonly WatchedPartner[]
  vendors: readonly WatchedVendor[]
  ahead: readonly AheadWorkspace[]
}

const endpointRows = (rows: readonly WatchedEndpoint[]): Sql => sql`
  jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (workspace_id text, id uuid, key_id text, url text,
    enabled boolean, consecutive_failures integer, first_failure_at timestamptz(3), disabled_at timestamptz(3),
    disabled_reason text, created_at timestamptz(3))`

/** `key_id`: for the limit of notifications about the endpoints of a key */
const ofEndpoint = sql`jsonb_build_object('url', e.url, 'key_name', k.name, 'key_id', k.id)`

const endpointFailing = ({ endpoints }: Watched) => sql`
  select e.workspace_id, 'endpoint_failing', e.id::text, '', 'warning', ${dayOf(sql`e.first_failure_at`)},
    ${ofEndpoint} || jsonb_build_object('since', e.first_failure_at, 'failures', e.consecutive_failures)
  from ${endpointRows(endpoints)} join api_keys k on k.id = e.key_id
  where e.enabled`

/** Not with a revoked key. */
const endpointDisabled = ({ endpoints }: Watched) => sql`
  select e.workspace_id, 'endpoint_disabled', e.id::text, '', 'critical', ${dayOf(sql`e.disabled_at`)},
    ${ofEndpoint} || jsonb_build_object('reason', e.disabled_reason, 'at', e.disabled_at)
  from ${endpointRows(endpoints)} join api_keys k on k.id = e.key_id
  where not e.enabled and k.revoked_at is null`

const ALLOWANCES = [['none', NO_PLAN] as const, ...PLAN_CODES.map(code => [code, PLANS[code]] as const)]

/** The allowances of each plan; a quota of null is unlimited. */
const allowances = sql`
  unnest(${ALLOWANCES.map(([code]) => code)}::text[], ${ALLOWANCES.map(([, plan]) => plan.personalDataReadsPerDay)}::bigint[],
    ${ALLOWANCES.map(([, plan]) => plan.requestsPerMonth)}::bigint[]) as p (plan, budget, quota)`

const planOfWorkspace = sql`p.plan = coalesce(w.plan, 'none')`

/** With what the operator set for the workspace. */
const budget = sql`coalesce((w.own_limits->>'personal_data_reads_per_day')::bigint, p.budget)`
const quota = sql`
  case when w.own_limits ? 'requests_per_month' then (w.own_limits->>'requests_per_month')::bigint else p.quota end`

/** Nothing is sent for a workspace that is closed. */
const isOpen = (workspace: Sql) => sql`${workspace} in (select id from workspaces where closing_at is null)`

/** The smallest budget that a plan has. */
export const SMALLEST_BUDGET = Math.min(...ALLOWANCES.map(([, plan]) => plan.personalDataReadsPerDay))

/** The budget belongs to a key, or to an app through the consent of a member. */
const personalDataBudget = ({ usage }: Watched) => sql`
  select u.workspace_id, 'personal_data_budget', u.key_id::text,
    ${stepped(sql`u.used * 100 >= ${budget} * ${USAGE_STEPS.critical}::integer`, USAGE_STEPS)}, u.day::text,
    jsonb_build_object('name', coalesce(k.name, a.name), 'app_id', a.id, 'used', u.used, 'limit', ${budget})
  from jsonb_to_recordset(${JSON.stringify(usage)}::jsonb) as u (workspace_id text, key_id text, day date, used integer)
  join workspaces w on w.id = u.workspace_id
  join ${allowances} on ${planOfWorkspace}
  left join api_keys k on k.workspace_id = u.workspace_id and k.id = u.key_id and k.revoked_at is null
  left join app_consents c on c.workspace_id = u.workspace_id and c.id = u.key_id and c.revoked_at is null
  left join connected_apps a on a.workspace_id = c.workspace_id and a.id = c.app_id
  where u.used::bigint * 100 >= ${budget} * ${USAGE_STEPS.warning}::integer
    and coalesce(k.id, a.id::text) is not null`

const monthlyQuota = sql`
  select m.workspace_id, 'monthly_quota', m.workspace_id::text,
    ${stepped(sql`m.requests * 100 >= (${quota}) * ${USAGE_STEPS.critical}::integer`, USAGE_STEPS)}, m.month::text,
    jsonb_build_object('used', m.requests, 'limit', (${quota}))
  from monthly_usage m
  join workspaces w on w.id = m.workspace_id
  join ${allowances} on ${planOfWorkspace}
  where m.month = date_trunc('month', app_now() at time zone 'UTC')::date
    and m.requests * 100 >= (${quota}) * ${USAGE_STEPS.warning}::integer`

/** A key that was issued for less time than a step has no alert of that step: its end is planned. */
const keyExpiring = sql`
  select k.workspace_id, 'key_expiring', k.id::text,
    ${stepped(sql`k.expires_at <= app_now() + ${days(EXPIRY_STEPS.critical)}`, EXPIRY_STEPS)},
    ${iso(sql`k.expires_at`)},
    jsonb_build_object('name', k.name, 'expires_at', k.expires_at, 'expired', k.expires_at <= app_now())
  from api_keys k
  where k.revoked_at is null and k.expires_at > app_now() - ${days(EXPIRED_OPEN_DAYS)}
    and k.expires_at <= app_now() + ${days(EXPIRY_STEPS.warning)}
    and k.created_at <= k.expires_at - case when k.expires_at <= app_now() + ${days(EXPIRY_STEPS.critical)}
      then ${days(EXPIRY_STEPS.critical)} else ${days(EXPIRY_STEPS.warning)} end`

/** Still used in the second half of the overlap: in the first half that is how a rotation begins. */
const secretExpiring = sql`
  select s.workspace_id, 'secret_expiring', s.key_id::text, '', 'warning', ${iso(sql`s.expires_at`)},
    jsonb_build_object('name', k.name, 'expires_at', s.expires_at)
  from api_key_secrets s
  join api_keys k on k.workspace_id = s.workspace_id and k.id = s.key_id
  cross join lateral (
    select n.created_at from api_key_secrets n
    where n.workspace_id = s.workspace_id and n.key_id = s.key_id and n.issue > s.issue order by n.issue desc limit 1
  ) newest
  where s.expires_at > app_now() and s.expires_at <= app_now() + ${days(SECRET_STEP)}
    and s.last_used_at > newest.created_at + (s.expires_at - newest.created_at) / 2`

/** How many records the person had here and in the pool, by type. Handles and values are on the page of the erasure. */
const recordsOfPerson = sql`
  (select coalesce(jsonb_object_agg(r.object, r.count), '{}') from (
    select subject ->> 'object' as object, count(distinct subject ->> 'id') as count
    from workspace_suppressions h, jsonb_array_elements(h.subjects) as subject
    where h.suppression_id = s.id and (h.workspace_id = l.workspace_id or h.workspace_id is null) group by 1) r)`

/** The time of the workspace `l`. */
const deadlineNow = sql`(app_now() + coalesce(c.offset_seconds, 0) * interval '1 second')`

const deletionDeadline = ({ ahead }: Watched) => sql`
  select l.workspace_id, 'deletion_deadline', s.id::text,
    ${stepped(sql`s.delete_by <= ${deadlineNow} + ${days(DEADLINE_STEPS.critical)}`, DEADLINE_STEPS)},
    ${iso(sql`s.delete_by`)},
    jsonb_build_object('keys', count(*), 'delete_by', s.delete_by, 'overdue', s.delete_by <= ${deadlineNow},
      'reason', s.reason, 'partners', to_jsonb(
        (array_agg(jsonb_build_object('name', k.name, 'url', p.url) order by k.name, k.id))[1:${PARTNERS_NAMED}::integer]),
      'records', ${recordsOfPerson})
  from suppressions s
  join suppression_log l on l.suppression_id = s.id
  join api_keys k on k.workspace_id = l.workspace_id
  left join partners p on p.workspace_id = k.workspace_id and p.key_id = k.id
  left join jsonb_to_recordset(${JSON.stringify(ahead)}::jsonb) as c (workspace_id text, offset_seconds integer)
    on c.workspace_id = l.workspace_id
  where ${nearAnyClock(ahead)} and s.delete_by > ${deadlineNow} - ${days(OVERDUE_OPEN_DAYS)}
    and s.delete_by <= ${deadlineNow} + ${days(DEADLINE_STEPS.warning)}
    and ${owesConfirmation(sql`l.workspace_id`, sql`p.key_id is not null`)}
  group by l.workspace_id, s.id, c.offset_seconds`

/** One alert for all orders of a vendor; another one where the oldest is of another day. */
const orderWaiting = ({ vendors }: Watched) => sql`
  select v.workspace_id, 'order_waiting', v.vendor_id, '', 'warning', ${dayOf(sql`v.since`)},
    jsonb_build_object('vendor', v.vendor_name, 'orders', v.orders, 'since', v.since)
  from jsonb_to_recordset(${JSON.stringify(vendors)}::jsonb)
    as v (workspace_id text, vendor_id text, vendor_name text, orders integer, since timestamptz(3))`

/** Another suspension opens another alert. */
const appSuspended = sql`
  select i.workspace_id, 'app_suspended', i.id::text, '', 'warning', ${iso(sql`coalesce(a.suspended_at, i.suspended_at)`)},
    jsonb_build_object('name', a.name, 'by', case when a.suspended_at is null then 'workspace' else 'operator' end,
      'since', coalesce(a.suspended_at, i.suspended_at))
  from installations i
  join connected_apps a on a.workspace_id = i.app_workspace_id and a.id = i.app_id
  where i.ended_at is null and (a.suspended_at is not null or i.suspended_at is not null)`

const SAME = sql`
  a.workspace_id = c.workspace_id and a.kind = c.kind and a.subject_id = c.subject_id and a.step = c.step
    and a.period = c.period`

/**
 * Opens an alert for each cause that has none, resolves those whose cause is gone, and queues what is to be sent, in one
 * statement: after a crash either all of it is stored or the next check finds the same causes. A cause that comes back in
 * the same period opens its alert again and sends nothing.
 */
export const checkCauses = (watched: Watched) =>
  sql<{ opened: number; resolved: number }>`
    with partners as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(watched.partners)}::jsonb)
        as p (workspace_id text, key_id text, url text)
    -- every cause that there is now
    ), causes (workspace_id, kind, subject_id, step, level, period, details) as materialized (
      ${endpointFailing(watched)} union all ${endpointDisabled(watched)} union all ${personalDataBudget(watched)}
      union all ${monthlyQuota}
      union all ${keyExpiring} union all ${secretExpiring}
      union all ${deletionDeadline(watched)}
      union all ${orderWaiting(watched)} union all ${appSuspended}
    -- the alerts of new causes
    ), opened as (
      insert into alerts (workspace_id, kind, subject_id, step, level, period, details)
      select workspace_id, kind, subject_id, step, level, period, details from causes where ${isOpen(sql`workspace_id`)}
      on conflict on constraint alerts_cause do nothing
      returning workspace_id, id, kind, details
    -- a partner can delete its endpoints and create others: beyond the limit, the console alone shows their alerts
    ), notified as (
      select o.workspace_id, o.id, o.kind from opened o
      where ${KEY_NOTIFICATIONS_PER_DAY}::integer > (
        select count(*) from alerts b where b.workspace_id = o.workspace_id and b.opened_at > app_now() - ${days(1)}
          and b.details ->> 'key_id' = o.details ->> 'key_id')
    -- current counts of the others
    ), refreshed as (
      update alerts a set details = c.details, resolved_at = null from causes c
      where ${SAME} and (a.details <> c.details or a.resolved_at is not null)
    -- the alerts whose cause is gone
    ), resolved as (
      update alerts a set resolved_at = app_now()
      where a.resolved_at is null and ${isOpen(sql`a.workspace_id`)} and not exists (select from causes c where ${SAME})
      returning a.workspace_id, a.id, a.kind, a.subject_id
    -- what was not sent in time is not sent at all
    ), canceled as (
      delete from alert_notifications n using resolved r
      where n.workspace_id = r.workspace_id and n.alert_id = r.id and n.due_at is not null
    -- queued while the webhook was being removed
    ), orphaned as (
      delete from alert_notifications n
      where n.channel = 'webhook' and n.due_at is not null
        and not exists (select from alert_webhooks w where w.workspace_id = n.workspace_id)
    -- an email to each owner and admin who wants it
    ), mails as (
      insert into alert_notifications (workspace_id, alert_id, channel, event, user_id)
      select o.workspace_id, o.id, 'mail', 'opened', u.id
      from notified o
      join users u on u.workspace_id = o.workspace_id and u.role in ${MANAGERS} and u.email is not null
      left join alert_preferences p on p.workspace_id = u.workspace_id and p.user_id = u.id
      where coalesce(p.mail, true) and o.kind <> all (coalesce(p.muted_kinds, '{}'))
    -- a webhook where the workspace wants it
    ), opened_webhooks as (
      insert into alert_notifications (workspace_id, alert_id, channel, event)
      select o.workspace_id, o.id, 'webhook', 'opened'
      from notified o join alert_webhooks w on w.workspace_id = o.workspace_id and o.kind <> all (w.muted_kinds)
    -- and another when it is resolved, unless the same subject has another cause now
    ), resolved_webhooks as (
      insert into alert_notifications (workspace_id, alert_id, channel, event)
      select r.workspace_id, r.id, 'webhook', 'resolved'
      from resolved r join alert_webhooks w on w.workspace_id = r.workspace_id
      where exists (select from alert_notifications n where n.workspace_id = r.workspace_id and n.alert_id = r.id
          and n.channel = 'webhook' and n.event = 'opened' and n.sent_at is not null)
        and not exists (select from causes c where c.workspace_id = r.workspace_id and c.subject_id = r.subject_id)
      on conflict on constraint alert_notifications_once do nothing
    )
    select (select count(*) from opened) as opened, (select count(*) from resolved) as resolved`
