-- Writers append here inside their own transaction. The sequencer moves committed rows into `events` in one order.
-- `head` and `tail` are the event's JSON text on both sides of its sequence number, which only the sequencer knows.
create table outbox (
  id bigint generated always as identity primary key,
  -- null for events of the shared pool, which the sequencer copies into the log of every workspace that reads them
  workspace_id handle,
  event_id handle not null,
  type text not null,
  origin_key_id handle,
  created_at timestamptz(3) not null default app_now(),
  head text not null,
  tail text not null
-- Rows pass through quickly; every read would scan the dead entries.
) with (autovacuum_vacuum_scale_factor = 0.02);

create table events (
  sequence bigint not null,
  workspace_id handle not null,
  id handle not null,
  type text not null,
  origin_key_id handle,
  created_at timestamptz(3) not null,
  -- the text that the feed shows and webhooks send, byte for byte
  body text not null,
  primary key (workspace_id, sequence)
);
-- One event may be in several logs, each time with the same id.
create unique index events_id on events (workspace_id, id);

-- A log for each workspace: its numbers count in it alone and reveal nothing about other workspaces. The sequencer locks
-- the rows of the logs that it appends to, in the order of their key, before it reads the outbox: numbers become visible
-- in order in each log, even if two sequencers both believe that they are the leader.
create table event_logs (
  workspace_id handle primary key references workspaces on delete cascade,
  last_sequence bigint not null default 0,
  -- the first number that retention has not deleted
  oldest_sequence bigint not null default 1,
  -- Numbers that were assigned by a store that a backup has replaced: a reader at one of them has seen events that never
  -- happened here. One range for each new epoch.
  lost int8multirange not null default '{}'
) with (fillfactor = 50);

-- By trigger, so that no workspace is ever without its log.
create function open_event_log() returns trigger language plpgsql as $$
begin
  insert into event_logs (workspace_id) values (new.id);
  return null;
end
$$;
create trigger workspaces_event_log after insert on workspaces for each row execute function open_event_log();

-- One row. The epoch identifies the history that the numbers belong to: it changes when the store is restored from a
-- backup.
create table feed_state (
  only_row boolean primary key default true check (only_row),
  epoch text not null default md5(gen_random_uuid()::text)
);
insert into feed_state default values;

create table webhook_endpoints (
  workspace_id handle not null references workspaces on delete cascade,
  id uuid not null,
  key_id handle not null,
  url text not null,
  description text,
  -- empty: every type, including future ones
  event_types text[] not null,
  enabled boolean not null default true,
  disabled_at timestamptz(3),
  disabled_reason text check (disabled_reason in ('failing', 'gone', 'manual', 'key_revoked')),
  signing_secret_version integer not null default 1,
  signing_secret_rotated_at timestamptz(3),
  consecutive_failures integer not null default 0,
  first_failure_at timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  created_at timestamptz(3) not null default app_now(),
  -- how long the last attempt took: a slow receiver has a lane of its own, as a failing one has
  last_attempt_ms integer not null default 0,
  primary key (workspace_id, id)
);
create unique index webhook_endpoints_url on webhook_endpoints (workspace_id, key_id, url);
create index webhook_endpoints_key on webhook_endpoints (workspace_id, key_id, created_at, id);
-- limits and revocation go by key, in all workspaces where it has endpoints
create index webhook_endpoints_by_key on webhook_endpoints (key_id);

create table webhook_secrets (
  workspace_id handle not null,
  endpoint_id uuid not null,
  version integer not null,
  -- sealed with the installation's secret key
  sealed bytea not null,
  expires_at timestamptz(3),
  primary key (workspace_id, endpoint_id, version),
  foreign key (workspace_id, endpoint_id) references webhook_endpoints (workspace_id, id) on delete cascade
);

create table webhook_deliveries (
  workspace_id handle not null,
  id uuid not null,
  endpoint_id uuid not null,
  key_id handle not null,
  -- null for the ping of a test, whose body is stored here because it is in no feed
  event_sequence bigint,
  event_id handle not null,
  event_type text not null,
  body text,
  status text not null default 'pending' check (status in ('pending', 'retrying', 'delivered', 'failed', 'canceled')),
  attempt integer not null default 0,
  response_status integer,
  error text,
  next_attempt_at timestamptz(3),
  lease_token uuid,
  leased_until timestamptz(3),
  delivered_at timestamptz(3),
  created_at timestamptz(3) not null default app_now(),
  -- An event of the feed is attempted up to ten times. The ping of a test and an event that is sent again on demand are
  -- attempted once and do not change the endpoint's failure count.
  kind text not null default 'event' check (kind in ('event', 'ping', 'redelivery')),
  -- false between a failed attempt and the time of the next one: claims look only at endpoints that have something due,
  -- however many deliveries wait for a retry that is hours away
  ready boolean not null default true,
  primary key (workspace_id, id),
  foreign key (workspace_id, endpoint_id) references webhook_endpoints (workspace_id, id) on delete cascade
-- Rows pass through the partial indexes quickly; every claim would scan the dead entries.
) with (autovacuum_vacuum_scale_factor = 0.02);
create index webhook_deliveries_due on webhook_deliveries (workspace_id, endpoint_id, next_attempt_at)
  where status in ('pending', 'retrying');
create index webhook_deliveries_ready on webhook_deliveries (workspace_id, endpoint_id, next_attempt_at)
  where status in ('pending', 'retrying') and ready;
create index webhook_deliveries_later on webhook_deliveries (next_attempt_at) where status = 'retrying' and not ready;
-- The deliveries in flight at an endpoint are counted before more are claimed.
create index webhook_deliveries_leased on webhook_deliveries (workspace_id, endpoint_id) where lease_token is not null;
create index webhook_deliveries_key on webhook_deliveries (workspace_id, key_id, created_at, id);
create index webhook_deliveries_endpoint on webhook_deliveries (workspace_id, endpoint_id, created_at, id);
create index webhook_deliveries_event on webhook_deliveries (workspace_id, event_id);
-- Most rows of the delivery log were delivered; a filter for the others need not scan all of it.
create index webhook_deliveries_exceptions on webhook_deliveries (workspace_id, key_id, created_at, id)
  where status in ('failed', 'canceled', 'retrying');
-- retention
create index webhook_deliveries_created on webhook_deliveries (created_at);

create table webhook_attempts (
  workspace_id handle not null,
  delivery_id uuid not null,
  attempt integer not null,
  sent_at timestamptz(3) not null,
  duration_ms integer,
  response_status integer,
  error text,
  primary key (workspace_id, delivery_id, attempt),
  foreign key (workspace_id, delivery_id) references webhook_deliveries (workspace_id, id) on delete cascade
);

-- Deliveries of an endpoint by hour, for the console's charts: counted when attempts end, so that a chart does not have
-- to count a month of deliveries.
create table webhook_stats (
  workspace_id handle not null,
  endpoint_id uuid not null,
  hour timestamptz(3) not null,
  delivered bigint not null default 0,
  failed_attempts bigint not null default 0,
  -- deliveries that ended without success
  given_up bigint not null default 0,
  primary key (workspace_id, endpoint_id, hour),
  foreign key (workspace_id, endpoint_id) references webhook_endpoints (workspace_id, id) on delete cascade
) with (fillfactor = 70);
create index webhook_stats_hour on webhook_stats (hour);
