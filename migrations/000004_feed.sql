-- Writers append here inside their own transaction. The sequencer moves committed rows into `events` in one order.
-- `head` and `tail` are the event's JSON text on both sides of its sequence number, which only the sequencer knows.
create table outbox (
  id bigint generated always as identity primary key,
  workspace_id handle,
  event_id handle not null,
  type text not null,
  origin_key_id handle,
  created_at timestamptz(3) not null default app_now(),
  head text not null,
  tail text not null
);

create table events (
  sequence bigint primary key,
  workspace_id handle,
  id handle not null,
  type text not null,
  origin_key_id handle,
  created_at timestamptz(3) not null,
  -- the text that the feed shows and webhooks send, byte for byte
  body text not null
);
create index events_workspace on events (workspace_id, sequence);
create unique index events_id on events (id);
create index events_created on events (created_at);

-- One row. Locked first by the sequencer, so that two that believe they lead take turns and numbers become visible in
-- order. `oldest_sequence` is the first that retention has kept.
create table feed_state (
  only_row boolean primary key default true check (only_row),
  last_sequence bigint not null,
  oldest_sequence bigint not null
);
insert into feed_state (last_sequence, oldest_sequence) values (0, 1);

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
  primary key (workspace_id, id)
);
create unique index webhook_endpoints_url on webhook_endpoints (workspace_id, key_id, url);
create index webhook_endpoints_key on webhook_endpoints (workspace_id, key_id, created_at, id);

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
  -- null for the ping of a test, whose body is kept here because it is in no feed
  event_sequence bigint,
  event_id handle not null,
  event_type text not null,
  body text,
  status text not null default 'pending' check (status in ('pending', 'retrying', 'delivered', 'failed', 'canceled')),
  attempt integer not null default 0,
  max_attempts integer not null default 10,
  response_status integer,
  error text,
  next_attempt_at timestamptz(3),
  lease_token uuid,
  leased_until timestamptz(3),
  delivered_at timestamptz(3),
  created_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, endpoint_id) references webhook_endpoints (workspace_id, id) on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (workspace_id, endpoint_id, next_attempt_at)
  where status in ('pending', 'retrying');
create index webhook_deliveries_key on webhook_deliveries (workspace_id, key_id, created_at, id);
create index webhook_deliveries_endpoint on webhook_deliveries (workspace_id, endpoint_id, created_at, id);
create index webhook_deliveries_event on webhook_deliveries (workspace_id, event_id);

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
