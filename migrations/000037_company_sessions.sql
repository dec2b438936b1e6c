-- Of sessions that began at a company's provider: when the person authenticated there (null: the provider did not say), and
-- the SHA-256 of the provider's session (`sid`), by which the provider ends them.
alter table sessions add column authenticated_at timestamptz(3);
alter table sessions add column provider_session text collate "C";
alter table sign_in_tickets add column provider_session text collate "C";

-- The provider was asked to authenticate the person again: after this time.
alter table company_sign_in_flows add column authenticate_since timestamptz(3);

-- Who signs out is sent to the provider, to sign out there as well.
alter table company_sign_in add column ends_provider_session boolean not null default false;

-- Logout tokens that a provider sent, until they have expired: each is used once.
create table company_logout_tokens (
  workspace_id handle not null references company_sign_in on delete cascade,
  -- SHA-256 of `jti`
  token_hash text collate "C" not null,
  expires_at timestamptz(3) not null,
  primary key (workspace_id, token_hash)
);
create index company_logout_tokens_expiry on company_logout_tokens (expires_at);
