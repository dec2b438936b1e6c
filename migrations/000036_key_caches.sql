-- API processes cache keys. A change that can take a right away counts as made when every cache has applied it.
-- See src/kernel/access/key-cache.ts. Not logged: after a crash every process registers again, with an empty cache.
create unlogged table key_caches (
  id uuid primary key,
  renewed_at timestamptz not null,
  -- a snapshot: the cache holds nothing older than it
  applied pg_snapshot not null
);

-- No process: while this row exists, the table is complete. A crash or a failover empties the table; then the row is
-- inserted again and counts as a cache of its own, until leases that the table no longer shows have run out.
insert into key_caches (id, renewed_at, applied)
values ('00000000-0000-0000-0000-000000000000', '-infinity', '1:1:');

-- The transactions of the last hour that changed a key.
create unlogged table key_changes (
  id xid8 primary key,
  made_at timestamptz not null default clock_timestamp()
);

-- The notification tells the caches. A connection with the setting waits for them after the commit: the notice asks it to.
-- For every other one, such as that of an older version or of psql, the trigger waits: no lease can be renewed before the
-- commit, and those that exist run out. 3 seconds: LEASE_MS of src/kernel/db/key-caches.ts.
create function note_key_change() returns trigger language plpgsql as $$
begin
  -- a row of another transaction has this id only in a copy of another server's database
  insert into key_changes (id) values (pg_current_xact_id())
  on conflict (id) do update set made_at = excluded.made_at where key_changes.xmin <> pg_current_xact_id()::xid;
  if not found then
    return null;
  end if;
  perform pg_notify('key_changes', '');
  if current_setting('hiring.waits_for_key_caches', true) = 'on'
    and current_setting('client_min_messages') not in ('warning', 'error') then
    raise notice using errcode = 'HPK01', message = 'a key changed', detail = pg_current_xact_id()::text;
    return null;
  end if;
  lock table key_caches in share mode;
  if current_setting('transaction_isolation') <> 'read committed'
    or not exists (select from key_caches where id = '00000000-0000-0000-0000-000000000000') then
    perform pg_sleep(3);
  end if;
  -- at most as long as a lease lasts, also if the clock was set back
  for i in 1..150 loop
    exit when not exists (select from key_caches where renewed_at > clock_timestamp() - interval '3 seconds');
    perform pg_sleep(0.02);
  end loop;
  return null;
end
$$;

-- `version` is raised with every change of the key. `last_used_at` and the like change nothing for a cache.
create trigger api_key_secrets_changed
  after update of secret_hash, workspace_id, key_id, expires_at, version or delete on api_key_secrets
  for each row execute function note_key_change();
create trigger api_keys_cached_changed after update or delete on api_keys
  for each row execute function note_key_change();
create trigger workspaces_cached_changed after update of id, plan, own_limits, closing_at or delete on workspaces
  for each row execute function note_key_change();
create trigger api_key_secrets_emptied after truncate on api_key_secrets
  for each statement execute function note_key_change();
create trigger api_keys_emptied after truncate on api_keys for each statement execute function note_key_change();
create trigger workspaces_emptied after truncate on workspaces for each statement execute function note_key_change();
