-- Alerts to owners and admins: a row for each cause and period, so that every process that finds the same cause finds
-- the same row. `details` has names of keys, counts and times for the text; nothing about a candidate.
create table alerts (
  workspace_id handle not null references workspaces (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null,
  subject_id text not null,
  step text not null,
  period text not null,
  level text not null check (level in ('warning', 'critical')),
  details jsonb not null,
  opened_at timestamptz(3) not null default app_now(),
  acknowledged_at timestamptz(3),
  acknowledged_by handle,
  resolved_at timestamptz(3),
  primary key (workspace_id, id),
  constraint alerts_cause unique (workspace_id, kind, subject_id, step, period)
);
comment on column alerts.step is 'the threshold: 80 or 100 percent, 14, 3 or 1 days; empty where there is one alone';
comment on column alerts.period is 'day, month, deadline or first failure: the same cause at another time is another alert';
create index alerts_opened on alerts (workspace_id, opened_at, id);
create index alerts_unresolved on alerts (workspace_id) where resolved_at is null;
create index alerts_resolved on alerts (resolved_at) where resolved_at is not null;

-- What is to be sent about an alert, written in the transaction that opened or resolved it.
create table alert_notifications (
  workspace_id handle not null,
  id uuid not null default gen_random_uuid(),
  alert_id uuid not null,
  channel text not null check (channel in ('mail', 'webhook')),
  event text not null check (event in ('opened', 'resolved')),
  user_id handle,
  attempt integer not null default 0,
  due_at timestamptz(3) default app_now(),
  sent_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, alert_id) references alerts (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade,
  constraint alert_notifications_once unique nulls not distinct (workspace_id, alert_id, channel, event, user_id),
  check ((channel = 'mail') = (user_id is not null))
);
comment on column alert_notifications.due_at is 'the next attempt, or the end of a lease; null: sent, or given up';
create index alert_notifications_due on alert_notifications (channel, due_at) where due_at is not null;

-- What a member is emailed; without a row, everything.
create table alert_preferences (
  workspace_id handle not null,
  user_id handle not null,
  mail boolean not null,
  muted_kinds text[] not null,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);

-- The URL that a workspace has its alerts sent to.
create table alert_webhooks (
  workspace_id handle not null references workspaces (id) on delete cascade,
  id uuid not null,
  url text not null,
  muted_kinds text[] not null,
  secret_version integer not null default 1,
  sealed bytea not null,
  previous_sealed bytea,
  previous_expires_at timestamptz(3),
  created_at timestamptz(3) not null default app_now(),
  last_attempt_at timestamptz(3),
  last_response_status integer,
  last_error text,
  primary key (workspace_id)
);

-- The counters of today and of this month are read every minute.
create index personal_data_usage_day on personal_data_usage (day);
create index monthly_usage_month on monthly_usage (month);

-- Deadlines are looked up by suppression, in the logs of all workspaces.
create index suppression_log_suppression on suppression_log (suppression_id);

-- A partner who signed in with an API key. The row ends with the secret, which a revocation deletes.
create table partner_sessions (
  token_hash text primary key,
  secret_hash text not null references api_key_secrets (secret_hash) on delete cascade,
  created_at timestamptz(3) not null default app_now(),
  expires_at timestamptz(3) not null
);
create index partner_sessions_secret on partner_sessions (secret_hash);
create index partner_sessions_expiry on partner_sessions (expires_at);
