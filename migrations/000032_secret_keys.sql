-- The secret keys of the installation by their ids; the keys themselves are in no table. The key in use is the one with the
-- latest `used_from` that is not retired.
create table secret_keys (
  id text primary key check (id ~ '^[0-9a-f]{8}$'),
  -- what it sealed has no mark
  is_first boolean not null default false,
  -- proves at start that a process has this key
  secret_check bytea not null,
  added_at timestamptz(3) not null default app_now(),
  -- null: processes only get to know it
  used_from timestamptz(3),
  retired_at timestamptz(3),
  -- derived keys that outlive a retired one, such as that of unsubscribe links; sealed with the key in use
  kept_sealed bytea,
  check (retired_at is null or kept_sealed is not null)
);

create unique index secret_keys_first on secret_keys (is_first) where is_first;

-- Which keys each running process has. A process is running while its session is.
create table secret_key_holders (
  process uuid primary key,
  -- host and process id, for operators
  name text not null,
  backend integer not null,
  backend_start timestamptz not null,
  known text[] not null,
  used text not null,
  seen_at timestamptz not null default clock_timestamp()
);
