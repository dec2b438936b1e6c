-- outside a transaction: indexes of tables that are in use.
-- The files that are reserved for reports of an order.
create index concurrently if not exists uploads_order on uploads (workspace_id, order_id) where order_id is not null;
-- Orders that can be a task of the team: what ended otherwise never is one.
create index concurrently if not exists orders_unreviewed on orders (workspace_id, updated_at, id)
  where reviewed_at is null and (status in ('invited', 'declined', 'failed', 'completed') or waiting_on = 'workspace');
