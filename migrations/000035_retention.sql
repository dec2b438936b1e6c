-- How long a workspace retains what it can decide about; null: the default of the installation, 0: without an end.
-- The rest of a row is the state of the daily run.
create table workspace_retention (
  workspace_id handle primary key references workspaces on delete cascade,
  application_months integer,
  audit_days integer,
  event_days integer,
  delivery_days integer,
  request_log_days integer,
  updated_at timestamptz(3) not null default app_now(),
  -- when the last run ended
  run_at timestamptz(3),
  -- when the run last had its turn: workspaces take turns
  turn_at timestamptz(3),
  leased_until timestamptz(3),
  -- what the current run has deleted so far
  run_counts jsonb not null default '{}'
);

-- The counts of an application outlive it when its retention is over: they have no value of the person. Any other deletion
-- subtracts it, as before.
alter table application_funnel add column gone boolean;
comment on column application_funnel.gone is 'true: the retention of the application is over; it is counted all the same';
alter table application_funnel drop constraint application_funnel_workspace_id_application_id_fkey;
create function uncount_application() returns trigger language plpgsql as $$
begin
  if current_setting('hiring.retention', true) = 'on' then
    update application_funnel set gone = true where workspace_id = old.workspace_id and application_id = old.id;
  else
    delete from application_funnel where workspace_id = old.workspace_id and application_id = old.id;
  end if;
  return null;
end
$$;
create trigger applications_uncounted after delete on applications
  for each row execute function uncount_application();
