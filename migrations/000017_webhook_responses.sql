-- The beginning of what a receiver returned to an attempt, for the delivery log. A receiver may return anything, also
-- what it knows about a person, so an erasure deletes all rows of the workspace.
create table webhook_responses (
  workspace_id handle not null,
  delivery_id uuid not null,
  attempt integer not null,
  body text not null check (octet_length(body) between 1 and 1024),
  primary key (workspace_id, delivery_id, attempt),
  foreign key (workspace_id, delivery_id, attempt) references webhook_attempts (workspace_id, delivery_id, attempt)
    on delete cascade
);
-- no samples of them in the planner's statistics
alter table webhook_responses alter column body set statistics 0;

-- Whether an event concerns a person who was erased, before the response to it is stored.
create index erasure_targets_record on erasure_targets (workspace_id, id);
