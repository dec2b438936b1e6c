-- A browser that is signed in. Found by the cookie alone, so the row decides whether the session is still valid.
create table sessions (
  -- SHA-256 of the cookie's value in hexadecimal; the value itself is not stored
  token_hash text collate "C" primary key,
  -- shown in lists, and used to end a session
  id uuid not null,
  workspace_id handle not null,
  user_id handle not null,
  method text not null check (method in ('password', 'link')),
  address text not null,
  user_agent text,
  created_at timestamptz(3) not null default app_now(),
  -- updated at most once a minute
  last_seen_at timestamptz(3) not null default app_now(),
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);
create index sessions_user on sessions (workspace_id, user_id, created_at);
create index sessions_age on sessions (created_at);

-- A step before a session: a link that was mailed (`link`), or a person who has confirmed the e-mail address and still
-- has to choose a workspace (`choice`). Both can be used once.
create table sign_in_tickets (
  token_hash text collate "C" primary key,
  kind text not null check (kind in ('link', 'choice')),
  -- the members that it can sign in
  user_ids text[] not null,
  method text not null check (method in ('password', 'link')),
  created_at timestamptz(3) not null default app_now(),
  expires_at timestamptz(3) not null
);
create index sign_in_tickets_expiry on sign_in_tickets (expires_at);

-- Attempts in the current window. `subject` is a hash of an IP address or of an account's e-mail address, whether or not
-- there is such an account.
create table sign_in_attempts (
  subject text collate "C" primary key,
  started_at timestamptz(3) not null default app_now(),
  used integer not null
) with (fillfactor = 50);
create index sign_in_attempts_age on sign_in_attempts (started_at);

-- An app that members of a workspace may sign in to, and allow to act for them.
create table connected_apps (
  workspace_id handle not null references workspaces on delete cascade,
  -- its client_id
  id uuid not null,
  name text not null,
  -- web: keeps a secret on a server; browser and native: cannot keep one
  kind text not null check (kind in ('web', 'browser', 'native')),
  redirect_uris text[] not null,
  -- the most it may ask for, sign-in scopes included
  scopes text[] not null,
  created_by handle,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  revoked_at timestamptz(3),
  primary key (workspace_id, id)
);
create index connected_apps_id on connected_apps (id);

create table connected_app_secrets (
  -- SHA-256 of the secret in hexadecimal; the secret itself is not stored
  secret_hash text collate "C" primary key,
  workspace_id handle not null,
  app_id uuid not null,
  issue bigint generated always as identity,
  created_at timestamptz(3) not null default app_now(),
  -- null for the newest; the previous one expires with the overlap of the rotation
  expires_at timestamptz(3),
  foreign key (workspace_id, app_id) references connected_apps (workspace_id, id) on delete cascade
);
create index connected_app_secrets_app on connected_app_secrets (workspace_id, app_id);

-- What a person allowed an app. One row for each pair, whose id is the credential in limits, budgets and audit rows:
-- revoking a consent and granting it again does not start a new budget.
create table app_consents (
  workspace_id handle not null,
  id handle not null,
  app_id uuid not null,
  user_id handle not null,
  scopes text[] not null,
  granted_at timestamptz(3) not null default app_now(),
  revoked_at timestamptz(3),
  primary key (workspace_id, id),
  unique (workspace_id, app_id, user_id),
  foreign key (workspace_id, app_id) references connected_apps (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);
create index app_consents_user on app_consents (workspace_id, user_id);

-- State of the sign-in flow: interactions, grants, codes and tokens. A row exists as long as it is valid.
create table oidc_records (
  kind text not null,
  -- SHA-256 of the value in hexadecimal: codes and tokens themselves are not stored
  id_hash text collate "C" not null,
  -- codes and tokens that came from one authorization are revoked together
  grant_hash text collate "C",
  workspace_id handle,
  app_id uuid,
  user_id handle,
  scopes text[] not null default '{}',
  payload jsonb not null,
  created_at timestamptz(3) not null default app_now(),
  consumed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  primary key (kind, id_hash),
  foreign key (workspace_id, app_id) references connected_apps (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);
create index oidc_records_grant on oidc_records (grant_hash) where grant_hash is not null;
create index oidc_records_holder on oidc_records (workspace_id, app_id, user_id) where app_id is not null;
create index oidc_records_user on oidc_records (workspace_id, user_id) where user_id is not null;
create index oidc_records_expiry on oidc_records (expires_at);

-- The keys that sign identity tokens, sealed with the installation's secret key; the newest signs.
create table oidc_signing_keys (
  id uuid primary key,
  sealed bytea not null,
  created_at timestamptz(3) not null default app_now()
);
