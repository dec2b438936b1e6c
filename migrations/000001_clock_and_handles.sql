create extension if not exists pg_trgm;
create extension if not exists unaccent;
create extension if not exists btree_gin;

-- Handles are stored exactly as partners see them, so that a value in a log, a table and a response is the same value.
-- "C" collation makes comparison a memcmp and gives the same order on every machine, which keyset pages rely on.
create domain handle as text collate "C";

-- The database's clock is the only one used for expiry, budgets and windows. Sessions may carry an offset
-- (`hiring.clock_offset_ms`), which is how tests move time; without it this is the start of the transaction.
create function app_now() returns timestamptz(3) language sql stable parallel safe as $$
  select (now() + coalesce(nullif(current_setting('hiring.clock_offset_ms', true), '')::bigint, 0) * interval '1 millisecond')::timestamptz(3)
$$;

-- The next value of an updated_at: always later than the previous one, also for two changes in one millisecond and for a
-- transaction that started earlier and waited for a lock, so that `expected_updated_at` detects every change.
create function app_touch(previous timestamptz) returns timestamptz(3) language sql stable parallel safe as $$
  select greatest(app_now(), previous + interval '1 millisecond')::timestamptz(3)
$$;

-- One row: proves at start that this process has the secret key that the stored data was sealed with.
create table installation (
  only_row boolean primary key default true check (only_row),
  secret_check bytea not null,
  created_at timestamptz(3) not null default app_now()
);
