create table messages (
  workspace_id handle not null references workspaces on delete cascade,
  id handle not null,
  key_id handle not null,
  idempotency_key text collate "C" not null,
  fingerprint bytea not null,
  application_id handle,
  applicant_id handle not null,
  -- sending: handed over or about to be, outcome not noted; such a row is never sent a second time
  status text not null default 'sending' check (status in ('sending', 'sent', 'failed')),
  created_at timestamptz(3) not null default app_now(),
  sent_at timestamptz(3),
  primary key (workspace_id, id)
);
create unique index messages_idempotency on messages (workspace_id, key_id, idempotency_key);
create index messages_applicant on messages (workspace_id, applicant_id, created_at);

create table message_usage (
  workspace_id handle not null references workspaces on delete cascade,
  key_id handle not null,
  day date not null,
  used integer not null,
  primary key (workspace_id, key_id, day)
);

-- Unsubscribed by the person; `opt_out` entries come from the workspace's own outreach list.
create table unsubscribes (
  workspace_id handle not null references workspaces on delete cascade,
  email_key text collate "C" not null,
  source text not null check (source in ('link', 'one_click', 'product', 'opt_out')),
  at timestamptz(3) not null default app_now(),
  primary key (workspace_id, email_key)
);

-- Erased people and those who asked that processing stop, across workspaces. Only hashes of their identifiers.
create table suppressions (
  id uuid primary key,
  status text not null check (status in ('suppressed', 'erased')),
  reason text not null check (reason in ('erasure_request', 'stop_processing', 'legal_request')),
  applied_at timestamptz(3) not null default app_now(),
  delete_by timestamptz(3) not null,
  completed_at timestamptz(3)
);

create table suppressed_identifiers (
  kind text not null check (kind in ('email', 'linkedin_url')),
  sha256 bytea not null,
  suppression_id uuid not null references suppressions,
  primary key (kind, sha256)
);
create index suppressed_identifiers_of on suppressed_identifiers (suppression_id);

-- What a suppression means in one workspace: the records it held, which partners must delete too.
create table workspace_suppressions (
  workspace_id handle not null references workspaces on delete cascade,
  sequence bigint generated always as identity,
  suppression_id uuid not null references suppressions,
  subjects jsonb not null default '[]',
  primary key (workspace_id, sequence)
);
create unique index workspace_suppressions_of on workspace_suppressions (workspace_id, suppression_id);

create table suppression_acknowledgements (
  workspace_id handle not null references workspaces on delete cascade,
  suppression_id uuid not null references suppressions,
  key_id handle not null,
  deleted_at timestamptz(3) not null,
  acknowledged_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, suppression_id, key_id)
);

create table exports (
  workspace_id handle not null references workspaces on delete cascade,
  id uuid not null,
  key_id handle not null,
  resources text[] not null,
  scopes text[] not null,
  status text not null default 'pending' check (status in ('pending', 'running', 'ready', 'failed', 'expired')),
  as_of_sequence bigint,
  rows_done bigint not null default 0,
  rows_total bigint,
  files jsonb not null default '[]',
  leased_until timestamptz(3),
  created_at timestamptz(3) not null default app_now(),
  expires_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index exports_open on exports (created_at) where status in ('pending', 'running');
create index exports_expiry on exports (expires_at);
