-- The log of suppressions that a workspace reads, with numbers that count in it alone. What concerns the shared pool has
-- one entry of no workspace, and a line in the log of each. Lines are added while the gate of suppressions is closed, one
-- suppression at a time, so that the next number is the last one plus one.
create table suppression_log (
  workspace_id handle not null references workspaces on delete cascade,
  sequence bigint not null,
  suppression_id uuid not null references suppressions,
  primary key (workspace_id, sequence)
);
create unique index suppression_log_of on suppression_log (workspace_id, suppression_id);

-- Readers continue where they are: entries keep their numbers.
insert into suppression_log (workspace_id, sequence, suppression_id)
select workspace_id, sequence, suppression_id from workspace_suppressions where workspace_id is not null;
insert into suppression_log (workspace_id, sequence, suppression_id)
select w.id, s.sequence, s.suppression_id from workspaces w, workspace_suppressions s
where s.workspace_id is null
on conflict (workspace_id, suppression_id) do nothing;
drop index workspace_suppressions_log;
