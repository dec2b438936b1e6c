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
