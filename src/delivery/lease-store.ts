import type { Scope } from '../contract/scopes.ts'
import { ofWorkspace, type Partition } from '../kernel/db/partitions.ts'
import { none, type Sql, sql } from '../kernel/db/sql.ts'
import type { HandedOver } from '../kernel/feed/hand-over.ts'
import { countWaiting } from '../kernel/work/queue.ts'
import { LEASE_SECONDS, type Lease } from '../resources/webhooks/index.ts'
import type { InFlightDelivery, QueuedDelivery } from './states.ts'

/*
 * Statements that give and end leases: claims, and hand-overs.
 */

/** A receiver with this many consecutive failures, or whose last attempt took this long, is served in the slow lane. */
const FAILING_AFTER = 3
export const SLOW_ENDPOINT_MS = 2_000
/** A receiver whose last attempt succeeded this quickly may have more attempts in flight. */
const FAST_MS = 250

/**
 * Forces nested loops over indexes for the sender's statements, in a transaction or in the whole session, whatever the
 * statistics say. Its tables may be empty and have a million rows a moment later; a plan for empty tables would then
 * scan the whole table many times a second. Statements are planned once, for the same reason; not in a cluster, which
 * must know the workspace to send a statement to its shard.
 */
export const forceIndexPlans = (until: 'transaction' | 'session', inCluster: boolean) => {
  const local = until === 'transaction'
  return sql`
    select set_config('enable_seqscan', 'off', ${local}), set_config('enable_bitmapscan', 'off', ${local}),
      set_config('enable_hashjoin', 'off', ${local}), set_config('enable_mergejoin', 'off', ${local})
      ${inCluster ? none : sql`, set_config('plan_cache_mode', 'force_generic_plan', ${local})`}`
}

/** Deliveries that are due and not in flight. */
export const deliveriesWaiting = countWaiting(
  sql`next_attempt_at`,
  sql`webhook_deliveries
    where status in ('pending', 'retrying') and next_attempt_at <= app_now() and lease_token is null`,
)

/** Retries that are due. */
export const dueRetries = (): Sql<QueuedDelivery> =>
  sql<QueuedDelivery>`
    select workspace_id, id from webhook_deliveries
    where status = 'retrying' and not ready and next_attempt_at <= app_now()
    order by next_attempt_at limit 1000`

/** Makes them ready to be claimed. Rows that another process has locked are left to it. */
export const markReady = (part: Partition<QueuedDelivery>) => sql`
  with due as materialized (
    select d.workspace_id, d.id
    from unnest(${part.rows.map(d => d.workspace_id)}::text[], ${part.rows.map(d => d.id)}::uuid[]) as r (workspace_id, id)
    join webhook_deliveries d on d.workspace_id = r.workspace_id and d.id = r.id
    where d.status = 'retrying' and not d.ready and d.next_attempt_at <= app_now() ${ofWorkspace(part, 'd.workspace_id')}
    for update of d skip locked
  )
  update webhook_deliveries d set ready = true from due
  where d.workspace_id = due.workspace_id and d.id = due.id ${ofWorkspace(part, 'd.workspace_id')}`

/** A position in the order of endpoints: a claim continues after it. */
export interface EndpointCursor {
  workspace: string
  endpoint: string
}

export const FIRST_ENDPOINT: EndpointCursor = { workspace: '', endpoint: '00000000-0000-0000-0000-000000000000' }

export interface EndpointLimits {
  /** attempts in flight at one endpoint, over all processes */
  perEndpoint: number
  /** the same for an endpoint that is known to be fast */
  perFastEndpoint: number
  /** deliveries whose attempts ended in this process and are not recorded yet: they are leased, and not in flight */
  ended: readonly string[]
}

export interface Claim extends EndpointLimits {
  slow: boolean
  limit: number
  after: EndpointCursor
}

/** How many endpoints one claim scans. So its cost does not depend on how many endpoints have deliveries waiting. */
export const ENDPOINTS_PER_CLAIM = 500

/** An endpoint with a delivery that is ready. */
export interface WaitingEndpoint {
  workspace_id: string
  endpoint_id: string
  /** its key is valid, and may read events */
  open: boolean
  names_workspace: boolean
  /** the installation whose key it is */
  installation_id: string | null
}

const NAMES_WORKSPACE = sql`
  coalesce(k.workspace_scope = 'all' or k.workspace_scope = 'list' and cardinality(k.workspace_ids) > 1, false)`

/** The key of an endpoint is valid, and may read events. */
const OPEN_KEY = sql`
  coalesce(k.revoked_at is null and (k.expires_at is null or k.expires_at > app_now())
    and k.scopes @> array['events:read'], false)`

/** The next endpoints after the cursor, in their order. Those of apps themselves get notices, also when the app has ended. */
export const waitingEndpoints = (after: EndpointCursor): Sql<WaitingEndpoint> =>
  sql<WaitingEndpoint>`
    select w.workspace_id, w.endpoint_id,
      ${OPEN_KEY} or a.id is not null as open, ${NAMES_WORKSPACE} as names_workspace, k.installation_id
    from webhook_endpoints_waiting(${after.workspace}, ${after.endpoint}::uuid, ${ENDPOINTS_PER_CLAIM}::integer) w
    left join api_keys k on k.id = w.key_id
    -- offset 0: each by its key, whatever statistics say
    left join lateral (select a.id from connected_apps a where a.credential_id = w.key_id offset 0) a on k.id is null
    order by w.workspace_id collate "C", w.endpoint_id`

/**
 * Claims due deliveries of these endpoints for this process. One statement, so that a delivery is leased and numbered
 * together or not at all; its parts follow in order. Guarantees:
 *
 * - One endpoint has a limited number of attempts in flight over all processes.
 * - The first delivery of every endpoint comes before the second of any: a backlog delays only its own endpoint.
 * - The attempt has its number before anything is sent. An attempt whose result was never recorded (its process died) is
 *   repeated under the same number: it was not a failure of the receiver.
 *
 * `token` says who has the lease: what is claimed later has another one.
 */
export const buildClaim = (claim: Claim, part: Partition<WaitingEndpoint>, token: string): Sql<ClaimedRow> =>
  sql<ClaimedRow>`
    with ${capacity(claim, part)},
    ${due(claim.limit, part)},
    ${ranked(claim.limit)},
    ${claimed(claim.limit, part, token)},
    ${payloads(part)}
    select p.*, floor(extract(epoch from p.sent_at))::bigint as unix_seconds from payloads p
    order by p.event_sequence`

/** What a derived endpoint does not have itself. */
export interface Target {
  url: string | null
  secret_versions: number[] | null
  secrets: Buffer[] | null
}

/** An endpoint that deliveries are sent to. */
export interface SentTo extends Target {
  source_workspace_id: string | null
  source_id: string | null
}

type ClaimedRow = Omit<InFlightDelivery, 'names_workspace' | 'installation_id' | keyof Target> & SentTo

/** What derived endpoints are sent with: URL and secrets of the endpoints of their apps. */
export const endpointSources = (part: Partition<{ workspace_id: string; id: string }>): Sql<Target & { id: string }> =>
  sql<Target & { id: string }>`
    select e.id, e.url, s.versions as secret_versions, s.sealed as secrets
    from unnest(${part.rows.map(e => e.workspace_id)}::text[], ${part.rows.map(e => e.id)}::uuid[]) as w (workspace_id, id)
    join webhook_endpoints e on e.workspace_id = w.workspace_id and e.id = w.id ${ofWorkspace(part, 'e.workspace_id')}
    cross join lateral (${signingSecrets(sql`e.workspace_id`, sql`e.id`, part)}) s`

const IS_SLOW = sql`
  (e.consecutive_failures >= ${FAILING_AFTER}::integer or e.last_attempt_ms > ${SLOW_ENDPOINT_MS}::integer)`

const IS_FAST = sql`
  (e.last_success_at is not null and e.consecutive_failures = 0 and e.last_attempt_ms <= ${FAST_MS}::integer)`

const limitOf = ({ perEndpoint, perFastEndpoint }: EndpointLimits) => sql`
  case when ${IS_FAST} then ${perFastEndpoint}::integer else ${perEndpoint}::integer end`

/** The leased deliveries of an endpoint `e` whose attempts have not ended: those of claims, and those handed over. */
const claimedOf = ({ ended }: EndpointLimits, part: Pick<Partition<unknown>, 'only'>) => sql`
  webhook_deliveries d
  where d.workspace_id = e.workspace_id and d.endpoint_id = e.id and d.lease_token is not null
    and d.leased_until > app_now() and d.id not in (select unnest(${ended}::uuid[])) ${ofWorkspace(part, 'd.workspace_id')}`
const handedOverOf = ({ ended }: EndpointLimits, part: Pick<Partition<unknown>, 'only'>) => sql`
  webhook_handovers h
  where h.workspace_id = e.workspace_id and h.endpoint_id = e.id
    and h.leased_until > app_now() and h.id not in (select unnest(${ended}::uuid[])) ${ofWorkspace(part, 'h.workspace_id')}`

/** How many more attempts an endpoint `e` may have in flight. */
const freeOf = (limits: EndpointLimits, part: Pick<Partition<unknown>, 'only'>) => sql`
  (${limitOf(limits)}) - (select count(*) from ${claimedOf(limits, part)})
    - (select count(*) from ${handedOverOf(limits, part)})`

/** What a sender takes of new deliveries without a claim. */
export interface HandOverLimits extends EndpointLimits {
  /** the token of all that were handed over to it before */
  token: string
  /** a fast endpoint may have so many, with those that wait in the memory of the sender for their turn */
  perQueue: number
}

/**
 * How many new deliveries of an endpoint `e` may be handed over: none if it belongs to the slow lane, or if others wait or
 * their leases have expired, which come first. More than may be in flight only to a sender that has all leases of the endpoint: until these are fewer
 * than the limit, no other sender can claim anything of it, so the sender itself can keep the limit of all processes.
 */
export const handOverCapacity = (limits: HandOverLimits): Sql => sql`
  case when ${IS_SLOW} or exists (
    select from (
      select from webhook_deliveries d
      where d.workspace_id = e.workspace_id and d.endpoint_id = e.id and d.status in ('pending', 'retrying') and d.ready
        and d.next_attempt_at <= app_now() and (d.lease_token is null or d.leased_until <= app_now())
      order by d.next_attempt_at limit 1) waiting)
  or exists (
    select from webhook_handovers h
    where h.workspace_id = e.workspace_id and h.endpoint_id = e.id and h.leased_until <= app_now())
  then 0 else (
    select case when ${IS_FAST} and claimed.n = 0 and count(*) filter (where h.lease_token <> ${limits.token}::uuid) = 0
      then ${limits.perQueue}::integer else ${limitOf(limits)} end - claimed.n - count(h.lease_token)
    from (select count(*) as n from ${claimedOf(limits, { only: undefined })}) claimed
    left join lateral (select h.lease_token from ${handedOverOf(limits, { only: undefined })}) h on true
    group by claimed.n) end`

/** How many more attempts each endpoint of this lane may have in flight. */
const capacity = (claim: Claim, part: Partition<WaitingEndpoint>) => sql`
    -- endpoints of the lane
    capacity as materialized (
      select e.workspace_id, e.id, e.enabled, ${freeOf(claim, part)} as free
      from unnest(${part.rows.map(w => w.workspace_id)}::text[], ${part.rows.map(w => w.endpoint_id)}::uuid[])
        as w (workspace_id, endpoint_id)
      join webhook_endpoints e on e.workspace_id = w.workspace_id and e.id = w.endpoint_id
      where ${IS_SLOW} = ${claim.slow}::boolean ${ofWorkspace(part, 'e.workspace_id')}
    )`

/** The oldest due deliveries of each endpoint. */
const due = (limit: number, part: Partition<WaitingEndpoint>) => sql`
    -- twice each endpoint's share of the limit: other processes may take some at the same time
    due as (
      select d.* from capacity c cross join lateral (
        select d.workspace_id, d.id, d.endpoint_id, d.next_attempt_at from webhook_deliveries d
        where d.workspace_id = c.workspace_id and d.endpoint_id = c.id and d.status in ('pending', 'retrying') and d.ready
          and d.next_attempt_at <= app_now() and (d.lease_token is null or d.leased_until <= app_now())
          and (c.enabled or d.kind = 'redelivery') ${ofWorkspace(part, 'd.workspace_id')}
        order by d.next_attempt_at
        limit least(greatest(c.free, 0), (select ceil(2.0 * ${limit}::integer / greatest(count(*), 1)) from capacity))
      ) d
      where c.free > 0
    )`

/** The order of claiming. */
const ranked = (limit: number) => sql`
    -- round robin: the first of every endpoint, then the second
    ranked as (
      select *, row_number() over (partition by workspace_id, endpoint_id order by next_attempt_at) as rank from due
      order by rank, next_attempt_at limit ${limit * 2}
    )`

/** Locks and leases what is claimed. */
const claimed = (limit: number, part: Partition<WaitingEndpoint>, token: string) => sql`
    -- locks by primary key and checks again; rows that another process has locked are skipped
    chosen as materialized (
      select d.workspace_id, d.id
      from ranked r join webhook_deliveries d on d.workspace_id = r.workspace_id and d.id = r.id
      where d.next_attempt_at <= app_now() and (d.lease_token is null or d.leased_until <= app_now())
        ${ofWorkspace(part, 'd.workspace_id')}
      order by r.rank, r.next_attempt_at limit ${limit}
      for update of d skip locked
    -- a lease that expired keeps the number of its attempt
    ), claimed as (
      update webhook_deliveries d
      set attempt = case when d.lease_token is null then d.attempt + 1 else d.attempt end,
        lease_token = ${token}::uuid, leased_until = app_now() + ${LEASE_SECONDS}::integer * interval '1 second'
      from chosen c where d.workspace_id = c.workspace_id and d.id = c.id ${ofWorkspace(part, 'd.workspace_id')}
      returning d.workspace_id, d.id, d.endpoint_id, d.lease_token, d.leased_until, d.kind, d.attempt, d.event_id,
        d.event_sequence, d.body
    )`

/** The secrets that sign for an endpoint, newest first. */
const signingSecrets = (workspace: Sql, endpoint: Sql, part: Pick<Partition<unknown>, 'only'>) => sql`
  select array_agg(version order by version desc) as versions, array_agg(sealed order by version desc) as sealed
  from webhook_secrets s
  where s.workspace_id = ${workspace} and s.endpoint_id = ${endpoint}
    and (s.expires_at is null or s.expires_at > app_now()) ${ofWorkspace(part, 's.workspace_id')}`

/** Where deliveries that were handed over go, and how they are signed. */
export interface HandOverTarget
  extends Pick<InFlightDelivery, 'workspace_id' | 'endpoint_id' | 'names_workspace' | 'unix_seconds'>,
    SentTo {
  installation_id: string | null
  scopes: Scope[]
  pace: 'fast' | 'usual' | 'slow'
}

/** Finds which endpoints may be sent to now: one that was disabled or revoked after the deliveries were created gets none. */
export const handOverTargets = (of: readonly Pick<InFlightDelivery, 'workspace_id' | 'endpoint_id'>[]) =>
  sql<HandOverTarget>`
    select e.workspace_id, e.id as endpoint_id, e.url, e.source_workspace_id, e.source_id,
      ${NAMES_WORKSPACE} as names_workspace, k.installation_id, k.scopes,
      s.versions as secret_versions, s.sealed as secrets,
      floor(extract(epoch from app_now()))::bigint as unix_seconds,
      case when ${IS_SLOW} then 'slow' when ${IS_FAST} then 'fast' else 'usual' end as pace
    from unnest(${of.map(d => d.workspace_id)}::text[], ${of.map(d => d.endpoint_id)}::uuid[]) as w (workspace_id, endpoint_id)
    join webhook_endpoints e on e.workspace_id = w.workspace_id and e.id = w.endpoint_id
    left join api_keys k on k.id = e.key_id
    cross join lateral (${signingSecrets(sql`e.workspace_id`, sql`e.id`, { only: undefined })}) s
    where e.enabled and ${OPEN_KEY}`

/** What must be left of a lease when an attempt begins: its ten seconds, and recording it. */
const LEAST_LEASE_SECONDS = 15

/**
 * The bodies of deliveries that were handed over, of those that are still leased. They are read when the attempts begin:
 * an erasure may have changed them, and a lease may have ended while the process was stopped.
 */
export const handedOverBodies = (of: readonly HandedOver[], token: string) =>
  sql<{ id: string; body: string | null }>`
    select h.id, v.body
    from unnest(${of.map(d => d.workspace_id)}::text[], ${of.map(d => d.endpoint_id)}::uuid[], ${of.map(d => d.id)}::uuid[])
      as o (workspace_id, endpoint_id, id)
    -- each by its key, whatever statistics say: the table is empty at most times
    cross join lateral (
      select h.workspace_id, h.id, h.event_sequence from webhook_handovers h
      where h.workspace_id = o.workspace_id and h.endpoint_id = o.endpoint_id and h.id = o.id
        and h.lease_token = ${token}::uuid
        and h.leased_until > app_now() + ${LEAST_LEASE_SECONDS}::integer * interval '1 second'
      offset 0) h
    left join lateral (
      select v.body from events v where v.workspace_id = h.workspace_id and v.sequence = h.event_sequence offset 0) v on true`

/** The body, the URL and the signing secrets of each claimed delivery. */
const payloads = (part: Partition<WaitingEndpoint>) => sql`
    payloads as (
      select c.workspace_id, c.id, c.endpoint_id, c.lease_token, c.kind, c.attempt, c.event_id, c.event_sequence, e.url,
        e.source_workspace_id, e.source_id, coalesce(c.body, v.body) as body, s.versions as secret_versions, s.sealed as secrets,
        (c.leased_until - ${LEASE_SECONDS}::integer * interval '1 second')::timestamptz(3) as sent_at
      from claimed c
      join webhook_endpoints e on e.workspace_id = c.workspace_id and e.id = c.endpoint_id
        ${ofWorkspace(part, 'e.workspace_id')}
      left join events v on v.workspace_id = c.workspace_id and v.sequence = c.event_sequence
        ${ofWorkspace(part, 'v.workspace_id')}
      cross join lateral (${signingSecrets(sql`c.workspace_id`, sql`c.endpoint_id`, part)}) s
    )`

/** Deliveries that were handed over to a process that died. */
export const expiredHandOvers = (): Sql<Lease> =>
  sql<Lease>`
    select workspace_id, endpoint_id, id, lease_token from webhook_handovers where leased_until <= app_now() limit 1000`

/** Releases claimed deliveries whose attempts were aborted because this process stops. */
export const releaseDeliveries = (part: Partition<Lease>) => sql`
  update webhook_deliveries d
  set lease_token = null, leased_until = null, attempt = d.attempt - 1
  from unnest(${part.rows.map(d => d.workspace_id)}::text[], ${part.rows.map(d => d.id)}::uuid[],
    ${part.rows.map(d => d.lease_token)}::uuid[]) as o (workspace_id, id, token)
  where d.workspace_id = o.workspace_id and d.id = o.id and d.lease_token = o.token ${ofWorkspace(part, 'd.workspace_id')}`
