-- Apps of one publisher that many workspaces install. Each installation has a user, a key and a budget of its own.
alter table connected_apps
  add column distribution text not null default 'workspace' check (distribution in ('workspace', 'installable')),
  -- of an installable app, `scopes` are required and have API scopes alone
  add column optional_scopes text[] not null default '{}',
  add column publisher text,
  -- proved by the operator who registered the app
  add column domains text[] not null default '{}',
  -- where the secret and the keys of the app may be used from; empty: everywhere
  add column ip_allowlist text[] not null default '{}',
  add column review_status text check (review_status in ('draft', 'in_review', 'approved')),
  -- what the app may become with the next approval; null: it is approved as it is
  add column proposed jsonb,
  add column suspended_at timestamptz(3),
  -- what the calls of its own tokens are counted under
  add column credential_id handle,
  add constraint connected_apps_distribution check (
    (distribution = 'installable') = (review_status is not null and credential_id is not null and publisher is not null));

alter table users add column kind text not null default 'person' check (kind in ('person', 'app'));
comment on column users.kind is 'app: the user of an installation, which cannot sign in';

alter table workspace_settings add column app_installs text not null default 'admins'
  check (app_installs in ('admins', 'owners', 'off'));

create table installations (
  workspace_id handle not null references workspaces on delete cascade,
  id handle not null,
  -- the app, in the workspace that registered it
  app_workspace_id handle not null,
  app_id uuid not null,
  -- the app user: the author of what the installation writes
  user_id handle not null,
  -- the newest key; the one before it works until its overlap ends
  key_id handle not null,
  scopes text[] not null,
  -- what the app could ask for when the person decided: what was added to the app since then waits for a decision
  offered_scopes text[] not null,
  personal_data_reads_per_day integer not null,
  installed_by handle,
  key_created_at timestamptz(3) not null default app_now(),
  installed_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  suspended_at timestamptz(3),
  ended_at timestamptz(3),
  delete_by timestamptz(3),
  deletion_confirmed_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade,
  foreign key (app_workspace_id, app_id) references connected_apps (workspace_id, id) on delete cascade
);
create unique index installations_active on installations (workspace_id, app_id) where ended_at is null;
create index installations_app on installations (app_id, updated_at, id);
create index installations_app_workspace on installations (app_workspace_id, app_id);
create index installations_user on installations (workspace_id, user_id);

-- The names of an installation are part of what processes cache of a key, though they never change.
create trigger installations_cached_changed
  after update of workspace_id, id, app_id or delete on installations
  for each row execute function note_key_change();

-- The key of an installation ends with it, whatever deletes it.
alter table api_keys
  add column installation_id handle,
  -- a budget of its own, below that of the plan
  add column personal_data_reads_per_day integer,
  -- while it is suspended, the key gets the response of an unknown one
  add column suspended_at timestamptz(3),
  add foreign key (workspace_id, installation_id) references installations (workspace_id, id) on delete cascade;
create index api_keys_installation on api_keys (workspace_id, installation_id) where installation_id is not null;

-- What a person allowed an app, until the app exchanges the code. A used row stays for an hour: a second use shows that the
-- code was stolen, and ends the key that the first one got.
create table install_codes (
  -- SHA-256 of the code in hexadecimal; the code itself is not stored
  code_hash text collate "C" primary key,
  workspace_id handle not null,
  user_id handle not null,
  app_workspace_id handle not null,
  app_id uuid not null,
  redirect_uri text not null,
  code_challenge text not null,
  scopes text[] not null,
  offered_scopes text[] not null,
  personal_data_reads_per_day integer not null,
  created_at timestamptz(3) not null default app_now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  -- the key that the first use got
  key_id handle,
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade,
  foreign key (app_workspace_id, app_id) references connected_apps (workspace_id, id) on delete cascade
);
create index install_codes_expiry on install_codes (expires_at);
create index install_codes_user on install_codes (workspace_id, user_id);
create index install_codes_app on install_codes (app_workspace_id, app_id);
