-- Limits that the operator set for one workspace, over those of its plan (`OWN_LIMITS` of the contract); null in it means
-- unlimited.
alter table workspaces add column own_limits jsonb not null default '{}' check (jsonb_typeof(own_limits) = 'object');

-- With the plan, so that the limits hold from the next request on in every process.
drop trigger workspaces_plan_changed on workspaces;
create trigger workspaces_plan_changed after update of plan, own_limits on workspaces
  for each row when ((old.plan, old.own_limits) is distinct from (new.plan, new.own_limits))
  execute function raise_key_version();

-- What was done to whole workspaces. Not deleted with a workspace, so it has no foreign key and contains handles, names of
-- settings and counts alone.
create table workspace_log (
  workspace_id handle not null,
  id bigint generated always as identity,
  at timestamptz(3) not null default app_now(),
  action text not null,
  -- the member who did it; null: the operator, at the command line, or the service itself
  user_id handle,
  details jsonb not null default '{}',
  primary key (workspace_id, id)
);

-- Since when a workspace that will be deleted serves nothing: no key, session, token, page or webhook of it.
alter table workspaces add column closing_at timestamptz(3);

-- Keys of other workspaces that list this one lose it and get it back, too.
create or replace function raise_key_version() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'workspaces' then
    update api_key_secrets set version = version + 1 where workspace_id = new.id;
    if new.closing_at is distinct from old.closing_at then
      update api_key_secrets s set version = s.version + 1 from api_keys k
      where k.workspace_ids @> array[new.id::text] and k.workspace_id <> new.id
        and s.workspace_id = k.workspace_id and s.key_id = k.id;
    end if;
  else
    update api_key_secrets set version = version + 1 where workspace_id = new.workspace_id and key_id = new.id;
  end if;
  return null;
end
$$;
drop trigger workspaces_plan_changed on workspaces;
create trigger workspaces_plan_changed after update of plan, own_limits, closing_at on workspaces
  for each row
  when ((old.plan, old.own_limits, old.closing_at) is distinct from (new.plan, new.own_limits, new.closing_at))
  execute function raise_key_version();

-- Workspaces that will be deleted, and those that were: no foreign key, and handles and counts alone.
create table workspace_deletions (
  workspace_id handle primary key,
  requested_at timestamptz(3) not null default app_now(),
  -- null: the operator, at the command line
  requested_by handle,
  delete_at timestamptz(3) not null,
  -- when owners are to be emailed next, and about what
  notify_at timestamptz(3) default app_now(),
  notify_about text not null default 'scheduled' check (notify_about in ('scheduled', 'reminder')),
  -- the webhook endpoints that were enabled, which a restore enables again
  endpoints uuid[] not null default '{}',
  started_at timestamptz(3),
  -- when its last row was deleted; what a request or worker in flight still wrote is deleted later
  emptied_at timestamptz(3),
  completed_at timestamptz(3),
  lease_token uuid,
  leased_until timestamptz(3),
  -- deleted rows by table, and files
  counts jsonb not null default '{}'
);
create index workspace_deletions_open on workspace_deletions (delete_at) where completed_at is null;
create index workspace_deletions_notify on workspace_deletions (notify_at) where notify_at is not null;

-- The deletion of a workspace removes its ledger in batches; nothing else can.
drop trigger credit_entries_append_only on credit_entries;
create trigger credit_entries_append_only before update or delete on credit_entries
  for each row when (pg_trigger_depth() = 0
    and coalesce(current_setting('hiring.deleting_workspace', true), '') <> old.workspace_id)
  execute function refuse_credit_change();

-- The deletion finds the rows of a workspace by an index of each table.
create index oidc_records_workspace on oidc_records (workspace_id) where workspace_id is not null;
create index workspace_suppressions_workspace on workspace_suppressions (workspace_id) where workspace_id is not null;
