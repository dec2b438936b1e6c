-- Someone of the team has seen how an order ended: it is no task any more.
alter table orders add column reviewed_at timestamptz(3);
comment on column orders.reviewed_at is 'when someone of the team marked it as seen; null: it may be a task';
-- those that can be a task: what ended otherwise never is one
create index orders_unreviewed on orders (workspace_id, updated_at, id)
  where reviewed_at is null and (status in ('invited', 'declined', 'failed', 'completed') or waiting_on = 'workspace');
