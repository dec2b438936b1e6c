-- Someone of the team has seen how an order ended: it is no task any more.
alter table orders add column reviewed_at timestamptz(3);
comment on column orders.reviewed_at is 'when someone of the team marked it as seen; null: it may be a task';
