-- Windows of the rate limiter where several processes share it. Unlogged: after a crash every window starts at zero.
create unlogged table rate_windows (
  key_id handle not null,
  tier text not null,
  started_at timestamptz(3) not null,
  used integer not null,
  primary key (key_id, tier)
) with (fillfactor = 50);

create table monthly_usage (
  workspace_id handle not null references workspaces on delete cascade,
  month date not null,
  requests bigint not null default 0,
  primary key (workspace_id, month)
) with (fillfactor = 50);

create table request_stats (
  workspace_id handle not null references workspaces on delete cascade,
  key_id handle not null,
  hour timestamptz(3) not null,
  requests bigint not null default 0,
  client_errors bigint not null default 0,
  server_errors bigint not null default 0,
  limited bigint not null default 0,
  primary key (workspace_id, key_id, hour)
) with (fillfactor = 70);

-- The daily budget of personal-data reads of a key, in its home workspace.
create table personal_data_usage (
  workspace_id handle not null references workspaces on delete cascade,
  key_id handle not null,
  day date not null,
  used integer not null,
  primary key (workspace_id, key_id, day)
) with (fillfactor = 50);

-- One row for each personal-data value that was returned. It names the record and the field, never the value.
create table personal_data_reads (
  workspace_id handle not null,
  id bigint generated always as identity,
  key_id handle not null,
  subject_object text not null,
  subject_id handle not null,
  field text not null,
  units integer not null,
  request_id handle not null,
  acting_user_id handle,
  at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id)
);
create index personal_data_reads_key on personal_data_reads (key_id, at, id);
create index personal_data_reads_at on personal_data_reads (workspace_id, at, id);
create index personal_data_reads_subject on personal_data_reads (workspace_id, subject_id, at);
-- The console lists what was read on behalf of one member; most reads are by keys that act for no member.
create index personal_data_reads_acting on personal_data_reads (workspace_id, acting_user_id, at, id)
  where acting_user_id is not null;

create table idempotency_records (
  workspace_id handle not null,
  key_id handle not null,
  method text not null,
  path text not null,
  idempotency_key text collate "C" not null,
  -- SHA-256 of the raw body
  fingerprint bytea not null,
  status smallint not null,
  body text not null,
  created_at timestamptz(3) not null default app_now(),
  expires_at timestamptz(3) not null,
  primary key (workspace_id, key_id, method, path, idempotency_key)
);
create index idempotency_records_expiry on idempotency_records (expires_at);
