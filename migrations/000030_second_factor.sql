-- Second factors of members: an authenticator app (TOTP), passkeys, and recovery codes for both. They belong to a
-- membership, as passwords do.

-- who must have one: no one, owners and admins, or everyone
alter table workspace_settings add column second_factor text not null default 'optional'
  check (second_factor in ('optional', 'required_for_admins', 'required'));

create table authenticator_apps (
  workspace_id handle not null,
  user_id handle not null,
  -- the shared secret, sealed with the installation's secret key
  secret_sealed bytea not null,
  -- null until a first code was entered; before that it protects nothing
  confirmed_at timestamptz(3),
  -- the time step of the last code that was accepted: only codes of later steps are
  last_step bigint not null default 0,
  created_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);

-- Codes that were not used yet: a used one is deleted.
create table recovery_codes (
  workspace_id handle not null,
  user_id handle not null,
  -- SHA-256 of the member and the code (80 random bits) in hexadecimal
  code_hash text collate "C" not null,
  created_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, user_id, code_hash),
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);

create table passkeys (
  workspace_id handle not null,
  id uuid not null,
  user_id handle not null,
  -- as the browser writes it, in base64url
  credential_id text collate "C" not null,
  public_key bytea not null,
  -- of its last signature; 0 for keys that do not count
  counter bigint not null,
  transports text[] not null,
  -- copied between devices by the maker of the browser or system
  backed_up boolean not null,
  name text not null,
  created_at timestamptz(3) not null default app_now(),
  last_used_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);
create unique index passkeys_credential on passkeys (credential_id);
create index passkeys_user on passkeys (workspace_id, user_id);

-- Challenges that were sent to a browser and not signed yet. Each can be used once.
create table passkey_challenges (
  -- SHA-256 of the challenge in hexadecimal
  challenge_hash text collate "C" primary key,
  purpose text not null check (purpose in ('register', 'sign_in', 'confirm')),
  -- the only member who may use it; null for a sign-in, which is by the owner of any passkey
  user_id handle,
  expires_at timestamptz(3) not null
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);

-- What was changed about the second factors of a member, or about the policy of the workspace. Rows outlive the member.
create table sign_in_changes (
  workspace_id handle not null references workspaces on delete cascade,
  id bigint generated always as identity,
  change text not null,
  -- whose account; null for the policy of the workspace
  user_id handle,
  -- who changed it; null for the operator of the installation
  by_user handle,
  at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id)
);
create index sign_in_changes_user on sign_in_changes (workspace_id, user_id, id);

-- Which second factor the session has proved, and when it did so last.
alter table sessions add column factor text check (factor in ('totp', 'recovery', 'passkey'));
alter table sessions add column factor_at timestamptz(3);

alter table sessions drop constraint sessions_method_check;
alter table sessions add constraint sessions_method_check
  check (method in ('password', 'link', 'passkey', 'company')) not valid;

-- `factor`: a person who has proved the first factor and still has to prove the second one
alter table sign_in_tickets drop constraint sign_in_tickets_kind_check;
alter table sign_in_tickets add constraint sign_in_tickets_kind_check
  check (kind in ('link', 'choice', 'factor')) not valid;
alter table sign_in_tickets drop constraint sign_in_tickets_method_check;
alter table sign_in_tickets add constraint sign_in_tickets_method_check
  check (method in ('password', 'link', 'passkey', 'company')) not valid;
