-- The next daily run is found by an index, however many workspaces there are. A worker adds the row of a workspace that has none.
alter table workspace_retention add column due_at timestamptz(3) not null default app_now();
update workspace_retention set due_at = run_at + interval '1 day' where run_at is not null;
create index workspace_retention_due on workspace_retention (due_at);
-- contract: no release has this column, workspaces take turns by due_at
alter table workspace_retention drop column turn_at;
-- contract: no release has this column, due_at says when the next run is
alter table workspace_retention drop column run_at;
