-- An erasure was requested in a workspace, and the others that hold the person are to be asked. It is written by every
-- request, whether or not another workspace holds the person; a worker asks them and deletes the row.
create table erasure_inquiries (
  -- the workspace that asks
  workspace_id handle not null references workspaces on delete cascade,
  id uuid not null,
  erasure_id uuid not null references erasures,
  reason text not null check (reason in ('erasure_request', 'stop_processing', 'legal_request')),
  -- identifiers of the person that the asking workspace knows, in their normal form
  identifiers jsonb not null,
  -- when a worker may take it; later while one works on it
  due_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id)
);
-- no samples of them in the planner's statistics
alter table erasure_inquiries alter column identifiers set statistics 0;
create index erasure_inquiries_due on erasure_inquiries (due_at, id);

-- Requests made in a workspace's console on a day (UTC), repeats included.
create table erasure_request_usage (
  workspace_id handle not null references workspaces on delete cascade,
  day date not null,
  used integer not null,
  primary key (workspace_id, day)
);
insert into erasure_request_usage (workspace_id, day, used)
select e.asked_in, (e.requested_at at time zone 'UTC')::date, count(*)
from erasures e join workspaces w on w.id = e.asked_in
where e.requested_at >= date_trunc('day', app_now(), 'UTC')
group by 1, 2;
