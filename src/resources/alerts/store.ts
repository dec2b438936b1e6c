import { ALERT_KIND_NAMES, type AlertKind, type AlertLevel } from '../../contract/alerts.ts'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import { countWaiting } from '../../kernel/work/queue.ts'
import type { AlertDetails } from './rules.ts'
import { iso, MANAGERS } from './store-causes.ts'

// Alerts of a workspace

export interface AlertRow {
  id: string
  workspace_id: string
  kind: AlertKind
  level: AlertLevel
  subject_id: string
  details: AlertDetails[AlertKind]
  opened_at: string
  acknowledged_at: string | null
  acknowledged_by: string | null
  resolved_at: string | null
}

const ALERT = sql`
  a.id, a.workspace_id, a.kind, a.level, a.subject_id, a.details, a.opened_at, a.acknowledged_at, a.acknowledged_by,
  a.resolved_at`

/** Kinds of a newer version, which wrote them before a rollback, have no text here. */
const KNOWN = sql`a.kind = any(${ALERT_KIND_NAMES}::text[])`

export const ALERT_STATES = ['open', 'resolved'] as const

export const selectAlerts = (workspace: string, state: (typeof ALERT_STATES)[number], page: Page): Sql<AlertRow> =>
  sql<AlertRow>`
    select ${ALERT} from alerts a where a.workspace_id = ${workspace} and ${KNOWN}
      and ${state === 'open' ? sql`a.resolved_at is null` : sql`a.resolved_at is not null`} ${page.clause}`

/** `waiting`: open, and no one has acknowledged it. */
export const countAlerts = (workspace: string) =>
  sql<{ waiting: number; critical: number }>`
    select count(*) as waiting, count(*) filter (where a.level = 'critical') as critical
    from alerts a where a.workspace_id = ${workspace} and a.resolved_at is null and a.acknowledged_at is null and ${KNOWN}`

/** The open alerts of a workspace, or of all; not acknowledged ones first. */
export const openAlerts = (workspace: string | undefined): Sql<AlertRow & { workspace_name: string }> =>
  sql<AlertRow & { workspace_name: string }>`
    select ${ALERT}, w.name as workspace_name from alerts a join workspaces w on w.id = a.workspace_id
    where a.resolved_at is null and ${KNOWN} ${workspace === undefined ? none : sql`and a.workspace_id = ${workspace}`}
    order by a.acknowledged_at is not null, a.level, a.opened_at, a.id limit 1000`

/** A second acknowledgement changes nothing. */
export const acknowledge = (workspace: string, id: string, user: string): Sql<AlertRow> =>
  sql<AlertRow>`
    update alerts a set acknowledged_at = coalesce(a.acknowledged_at, app_now()),
      acknowledged_by = coalesce(a.acknowledged_by, ${user})
    where a.workspace_id = ${workspace} and a.id = ${id}::uuid returning ${ALERT}`

// Settings

export interface AlertPreferences {
  mail: boolean
  muted_kinds: AlertKind[]
}

export const selectAlertPreferences = (workspace: string, user: string): Sql<AlertPreferences> =>
  sql<AlertPreferences>`
    select mail, muted_kinds from alert_preferences where workspace_id = ${workspace} and user_id = ${user}`

export const putPreferences = (workspace: string, user: string, p: AlertPreferences): Sql<AlertPreferences> =>
  sql<AlertPreferences>`
    insert into alert_preferences (workspace_id, user_id, mail, muted_kinds)
    values (${workspace}, ${user}, ${p.mail}, ${p.muted_kinds}::text[])
    on conflict (workspace_id, user_id) do update set mail = excluded.mail, muted_kinds = excluded.muted_kinds
    returning mail, muted_kinds`

export interface AlertWebhookRow {
  id: string
  url: string
  muted_kinds: AlertKind[]
  secret_version: number
  previous_secret_expires_at: string | null
  created_at: string
  last_attempt_at: string | null
  last_response_status: number | null
  last_error: string | null
}

const WEBHOOK = sql`
  w.id, w.url, w.muted_kinds, w.secret_version,
  case when w.previous_expires_at > app_now() then w.previous_expires_at end as previous_secret_expires_at, w.created_at,
  w.last_attempt_at, w.last_response_status, w.last_error`

export const selectAlertWebhook = (workspace: string): Sql<AlertWebhookRow> =>
  sql<AlertWebhookRow>`select ${WEBHOOK} from alert_webhooks w where w.workspace_id = ${workspace}`

/** No row: there is one already. */
export const insertWebhook = (
  workspace: string,
  w: { id: string; url: string; mutedKinds: string[]; sealed: Buffer },
) =>
  sql<AlertWebhookRow>`
    insert into alert_webhooks as w (workspace_id, id, url, muted_kinds, sealed)
    values (${workspace}, ${w.id}::uuid, ${w.url}, ${w.mutedKinds}::text[], ${w.sealed})
    on conflict (workspace_id) do nothing returning ${WEBHOOK}`

export const updateWebhook = (workspace: string, url: string, mutedKinds: string[]): Sql<AlertWebhookRow> =>
  sql<AlertWebhookRow>`
    update alert_webhooks w set url = ${url}, muted_kinds = ${mutedKinds}::text[] where w.workspace_id = ${workspace}
    returning ${WEBHOOK}`

export const lockWebhook = (workspace: string) =>
  sql<{ id: string; secret_version: number }>`
    select id, secret_version from alert_webhooks where workspace_id = ${workspace} for update`

/** The previous secret also signs until the overlap ends. */
export const replaceWebhookSecret = (workspace: string, sealed: Buffer, overlapSeconds: number): Sql<AlertWebhookRow> =>
  sql<AlertWebhookRow>`
    update alert_webhooks w set secret_version = w.secret_version + 1, sealed = ${sealed}, previous_sealed = w.sealed,
      previous_expires_at = app_now() + ${overlapSeconds}::integer * interval '1 second'
    where w.workspace_id = ${workspace} returning ${WEBHOOK}`

export const deleteWebhook = (workspace: string) =>
  sql<{ id: string }>`
    with canceled as (
      delete from alert_notifications where workspace_id = ${workspace} and channel = 'webhook' and due_at is not null
    )
    delete from alert_webhooks where workspace_id = ${workspace} returning id`

// Sending

/** How long a process may take to send what it claimed. After that another process sends it. */
const LEASE_SECONDS = 300
const MAILS_TOGETHER = 20

export interface DueMail {
  workspace_id: string
  id: string
  attempt: number
  user_id: string
  /** null: no longer an owner or admin, or without an email address */
  email: string | null
  workspace_name: string
  alert: Pick<AlertRow, 'kind' | 'level' | 'subject_id' | 'details'>
}

const leased = sql`due_at = app_now() + ${LEASE_SECONDS}::integer * interval '1 second', attempt = n.attempt + 1`

/** Notifications of alerts, by email or webhook, that are not being sent. */
export const notificationsWaiting = countWaiting(sql`due_at`, sql`alert_notifications where due_at <= app_now()`)

/** Leases the next emails, all to the same person: what happens together is one email. */
export const claimMails = (): Sql<DueMail> =>
  sql<DueMail>`
    with first as (
      select workspace_id, user_id from alert_notifications
      where channel = 'mail' and due_at <= app_now() order by due_at limit 1 for update skip locked
    ), due as (
      select n.workspace_id, n.id from alert_notifications n join first f
        on f.workspace_id = n.workspace_id and f.user_id = n.user_id
      where n.channel = 'mail' and n.due_at <= app_now()
      order by n.due_at, n.id limit ${MAILS_TOGETHER} for update of n skip locked
    )
    update alert_notifications n set ${leased}
    from due d, users u, workspaces w, alerts a
    where n.workspace_id = d.workspace_id and n.id = d.id and u.workspace_id = n.workspace_id and u.id = n.user_id
      and w.id = n.workspace_id and a.workspace_id = n.workspace_id and a.id = n.alert_id
    returning n.workspace_id, n.id, n.attempt, n.user_id, w.name as workspace_name,
      case when u.role in ${MANAGERS} then u.email end as email,
      json_build_object('kind', a.kind, 'level', a.level, 'subject_id', a.subject_id, 'details', a.details) as alert`

export interface DueWebhook {
  workspace_id: string
  id: string
  event: 'opened' | 'resolved'
  attempt: number
  webhook_id: string
  url: string
  unix_seconds: number
  created_at: string
  /** newest first */
  secret_versions: number[]
  secrets: Buffer[]
  alert: AlertRow
}

/** With the previous secret as long as it is valid, newest first. */
const secrets = sql`
  case when w.previous_expires_at > app_now() then array[w.secret_version, w.secret_version - 1]
    else array[w.secret_version] end as secret_versions,
  case when w.previous_expires_at > app_now() then array[w.sealed, w.previous_sealed] else array[w.sealed] end as secrets,
  extract(epoch from app_now())::bigint as unix_seconds`

/**
 * Leases alerts to post: the next one of each workspace that is not busy, so that those of one workspace never fill the
 * places of others. Each is locked by its key, after it was found.
 */
export const claimWebhooks = (busy: readonly string[], most: number): Sql<DueWebhook> =>
  sql<DueWebhook>`
    with first as (
      select distinct on (n.workspace_id) n.workspace_id, n.id, n.due_at
      from alert_notifications n join alert_webhooks w on w.workspace_id = n.workspace_id
      where n.channel = 'webhook' and n.due_at <= app_now() and n.workspace_id <> all (${busy}::text[])
      order by n.workspace_id, n.due_at, n.id
    ), due as (
      select n.workspace_id, n.id from alert_notifications n
      where (n.workspace_id, n.id) in (select workspace_id, id from first order by due_at limit ${most})
        and n.due_at <= app_now()
      for update of n skip locked
    )
    update alert_notifications n set ${leased}
    from due d, alert_webhooks w, alerts a
    where n.workspace_id = d.workspace_id and n.id = d.id and w.workspace_id = n.workspace_id
      and a.workspace_id = n.workspace_id and a.id = n.alert_id
    returning n.workspace_id, n.id, n.event, n.attempt, w.id as webhook_id, w.url, ${secrets},
      ${iso(sql`case when n.event = 'opened' then a.opened_at else coalesce(a.resolved_at, app_now()) end`)} as created_at,
      (select to_jsonb(x) from (select ${ALERT}) x) as alert`

/** For a test of the webhook. */
export const webhookSecrets = (workspace: string) =>
  sql<Pick<DueWebhook, 'webhook_id' | 'url' | 'secret_versions' | 'secrets' | 'unix_seconds' | 'created_at'>>`
    select w.id as webhook_id, w.url, ${secrets}, ${iso(sql`app_now()`)} as created_at
    from alert_webhooks w where w.workspace_id = ${workspace}`

type Notifications = readonly { workspace_id: string; id: string }[]

const among = (of: Notifications): Sql => sql`
  (n.workspace_id, n.id) in (
    select * from unnest(${of.map(n => n.workspace_id)}::text[], ${of.map(n => n.id)}::uuid[]))`

export const markSent = (of: Notifications) => sql`
  update alert_notifications n set due_at = null, sent_at = app_now() where ${among(of)}`

/** `delaySeconds` null: it was the last attempt. What the closing of its workspace has put off stays so. */
export const markFailed = (of: Notifications, delaySeconds: number | null) => sql`
  update alert_notifications n set due_at = app_now() + ${delaySeconds}::float8 * interval '1 second'
  where ${among(of)} and n.due_at < app_now() + interval '50 years'`

export const noteWebhookAttempt = (
  workspace: string,
  id: string,
  responseStatus: number | null,
  error: string | null,
) =>
  sql`
    update alert_webhooks set last_attempt_at = app_now(), last_response_status = ${responseStatus}::integer,
      last_error = ${error}
    where workspace_id = ${workspace} and id = ${id}::uuid`
