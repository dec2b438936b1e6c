create table workspaces (
  id handle primary key,
  name text not null,
  plan text check (plan in ('starter', 'growth', 'enterprise')),
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now()
);
create index workspaces_updated on workspaces (updated_at, id);

create table workspace_settings (
  workspace_id handle primary key references workspaces on delete cascade,
  -- empty: every owner and admin may manage keys
  key_management_domains text[] not null default '{}',
  connected_app_writes boolean not null default false,
  webhooks_self_serve boolean not null default true,
  updated_at timestamptz(3) not null default app_now()
);

-- Members are found by the key of their e-mail address (`accountKey`), never by the database's
-- own rules for lower case.
create table users (
  workspace_id handle not null references workspaces on delete cascade,
  id handle not null,
  email text,
  first_name text,
  last_name text,
  is_verified boolean not null default false,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  photo_url text,
  password_hash text,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  last_login_at timestamptz(3),
  email_key text collate "C",
  -- 0, except for members that were added under different spellings of one address before keys were compared: those are
  -- numbered by age
  email_key_rank integer not null default 0,
  primary key (workspace_id, id),
  constraint users_email_has_key check ((email is null) = (email_key is null))
);
create unique index users_email_key on users (workspace_id, email_key, email_key_rank) where email_key is not null;
create index users_created on users (workspace_id, created_at, id);
-- People sign in by e-mail address before their workspace is known, and tokens identify a person by handle alone.
create index users_sign_in on users (email_key) where email_key is not null;
create index users_handle on users (id);

create table api_keys (
  -- the workspace the key was created in: its plan and its monthly quota apply
  workspace_id handle not null references workspaces on delete cascade,
  id handle not null,
  user_id handle,
  name text not null,
  environment text not null check (environment in ('live', 'test')),
  -- The scopes in force: what the current role of its person allows of `granted_scopes`. Every change of a role writes
  -- them (`followRole`), so that a reader of this column reads the ones in force.
  scopes text[] not null,
  workspace_scope text not null check (workspace_scope in ('single', 'list', 'all')),
  -- the workspaces a `list` key reaches; empty for the other kinds
  workspace_ids text[] not null default '{}',
  ip_allowlist text[] not null default '{}',
  created_at timestamptz(3) not null default app_now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  -- what the key was granted when it was created
  granted_scopes text[] not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references users (workspace_id, id)
);
create index api_keys_id on api_keys (id);
create index api_keys_user on api_keys (workspace_id, user_id) where user_id is not null;
-- keys whose person may do less than the key was granted: few, if any
create index api_keys_cut on api_keys (id) where cardinality(scopes) < cardinality(granted_scopes);

-- A key has one secret, or two during a rotation. Found by hash alone: the caller's workspace is not known before. Every
-- request reads this table, so the row alone decides whether the secret is valid: it is deleted when the key is revoked,
-- and expires with the key or with the overlap of a rotation, whichever is first.
create table api_key_secrets (
  -- SHA-256 of the secret in hexadecimal; the secret itself is not stored
  secret_hash text collate "C" primary key,
  workspace_id handle not null,
  key_id handle not null,
  -- the order in which the secrets of a key were issued
  issue bigint generated always as identity,
  created_at timestamptz(3) not null default app_now(),
  expires_at timestamptz(3),
  -- incremented whenever something about the key changes that processes may cache
  version bigint not null default 1,
  -- when, from where and with what program the secret was last used: during a rotation, this shows who still uses the
  -- old one
  last_used_at timestamptz(3),
  last_used_address text,
  last_used_agent text,
  foreign key (workspace_id, key_id) references api_keys (workspace_id, id) on delete cascade
);
create index api_key_secrets_key on api_key_secrets (workspace_id, key_id);

-- By trigger, so that no statement that changes a key or a plan can forget it.
create function raise_key_version() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'workspaces' then
    update api_key_secrets set version = version + 1 where workspace_id = new.id;
  else
    update api_key_secrets set version = version + 1 where workspace_id = new.workspace_id and key_id = new.id;
  end if;
  return null;
end
$$;
create trigger workspaces_plan_changed after update of plan on workspaces
  for each row when (old.plan is distinct from new.plan) execute function raise_key_version();
create trigger api_keys_changed after update on api_keys for each row execute function raise_key_version();
