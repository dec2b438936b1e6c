-- outside a transaction: indexes of tables that are in use.
-- Every key of a table of workspaces includes the workspace, so that each node of a cluster can check its own rows.

create unique index concurrently if not exists jobs_workspace_number on jobs (workspace_id, number);
drop index concurrently if exists jobs_number;

-- By id first: batches are taken in its order.
create unique index concurrently if not exists funnel_changes_key on funnel_changes (id, workspace_id);
alter table funnel_changes drop constraint funnel_changes_pkey,
  add constraint funnel_changes_pkey primary key using index funnel_changes_key;

create unique index concurrently if not exists outbox_key on outbox (id, workspace_id);
alter table outbox drop constraint if exists outbox_of_workspace;
alter table outbox add constraint outbox_of_workspace check (workspace_id is not null) not valid;
alter table outbox validate constraint outbox_of_workspace;
alter table outbox alter column workspace_id set not null, drop constraint outbox_pkey,
  add constraint outbox_pkey primary key using index outbox_key;
alter table outbox drop constraint if exists outbox_of_workspace;
