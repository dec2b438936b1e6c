-- People sign in by e-mail address before their workspace is known, and tokens name a person by handle alone.
create index users_sign_in on users (lower(email)) where email is not null;
create index users_handle on users (id);

-- A browser in which somebody is signed in. Found by the cookie alone, so the row says whether it is still good.
create table sessions (
  -- SHA-256 of the cookie's value in hexadecimal; the value itself is kept nowhere
  token_hash text collate "C" primary key,
  -- shown in lists, and what ends a session
  id uuid not null,
  workspace_id handle not null,
  user_id handle not null,
  method text not null check (method in ('password', 'link')),
  address text not null,
  user_agent text,
  created_at timestamptz(3) not null default app_now(),
  -- moved at most once a minute
  last_seen_at timestamptz(3) not null default app_now(),
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);
create index sessions_user on sessions (workspace_id, user_id, created_at);
create index sessions_age on sessions (created_at);

-- A proof on its way to a session: a link that was mailed (`link`), or a person who has proved the address and still
-- has to choose among workspaces (`choice`). Both are spent by their first use.
create table sign_in_tickets (
  token_hash text collate "C" primary key,
  kind text not null check (kind in ('link', 'choice')),
  -- the members that the proof stands for
  user_ids text[] not null,
  method text not null check (method in ('password', 'link')),
  created_at timestamptz(3) not null default app_now(),
  expires_at timestamptz(3) not null
);
create index sign_in_tickets_expiry on sign_in_tickets (expires_at);

-- How often something was tried in its window. `subject` is a hash of an address or of an account's name, whether or
-- not there is such an account.
create table sign_in_attempts (
  subject text collate "C" primary key,
  started_at timestamptz(3) not null default app_now(),
  used integer not null
) with (fillfactor = 50);
create index sign_in_attempts_age on sign_in_attempts (started_at);
