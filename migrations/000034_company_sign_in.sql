-- Sign-in of a workspace's members through their company's OpenID provider.
create table company_sign_in (
  workspace_id handle primary key references workspaces on delete cascade,
  issuer text not null,
  client_id text not null,
  -- sealed with the keyring; the context is `company sign-in <workspace_id>`
  client_secret_sealed bytea not null,
  enabled boolean not null default false,
  -- people at the domains sign in this way only; owners keep their password and emailed links
  enforced boolean not null default false,
  -- people without a membership get one at their first sign-in
  creates_members boolean not null default false,
  -- accept an email address from a provider that does not send email_verified
  trusts_email boolean not null default false,
  -- the claim with the roles; null: roles are managed in the workspace
  role_claim text,
  -- [{"value": "hiring-admins", "role": "admin"}]
  role_rules jsonb not null default '[]',
  -- of people whom no rule matches; null: no access
  default_role text check (default_role in ('admin', 'member', 'viewer')),
  -- grows with every change, so that a sign-in that began before it is refused
  version integer not null default 1,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  check (enabled or not enforced)
);

-- Email domains whose people are sent to the provider, as in users.email_key. A domain leads to one workspace.
create table company_domains (
  domain text collate "C" primary key,
  workspace_id handle not null references company_sign_in on delete cascade
);
create index company_domains_workspace on company_domains (workspace_id);

-- The account at the provider that a member is bound to since the first sign-in: later ones are compared with the
-- subject, not with the email address.
create table company_identities (
  workspace_id handle not null,
  user_id handle not null,
  subject text collate "C" not null,
  linked_at timestamptz(3) not null default app_now(),
  -- the provider gave this person no role: no way to sign in, and no scope for their keys, until it does again
  refused_at timestamptz(3),
  primary key (workspace_id, user_id),
  unique (workspace_id, subject),
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);

-- A sign-in between leaving for the provider and coming back. State, nonce and PKCE verifier are derived from the token
-- in the browser's cookie, of which only the hash is stored.
create table company_sign_in_flows (
  token_hash text collate "C" primary key,
  workspace_id handle not null references company_sign_in on delete cascade,
  -- test: an owner looks at the claims; no one is signed in
  purpose text not null check (purpose in ('sign_in', 'test')),
  version integer not null,
  return_to text,
  expires_at timestamptz(3) not null
);
create index company_sign_in_flows_expiry on company_sign_in_flows (expires_at);
create index company_sign_in_flows_workspace on company_sign_in_flows (workspace_id);

-- Changes of the settings, what sign-ins changed, and failures. Handles and codes; no claim of a person.
create table company_sign_in_log (
  workspace_id handle not null references workspaces on delete cascade,
  id bigint generated always as identity,
  at timestamptz(3) not null default app_now(),
  event text not null,
  -- the member it is about
  user_id handle,
  -- the member who did it; null: the operator, or the sign-in itself
  actor_id handle,
  detail jsonb not null default '{}',
  primary key (workspace_id, id)
);
create index company_sign_in_log_event on company_sign_in_log (workspace_id, event, id);

alter table sessions drop constraint if exists sessions_method_check;
alter table sessions add constraint sessions_method_check check (method in ('password', 'link', 'passkey', 'company'))
  not valid;
