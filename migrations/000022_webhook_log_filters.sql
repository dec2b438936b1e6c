-- The delivery log is mostly of what was delivered; whoever looks for the rest need not walk through all of it.
create index webhook_deliveries_exceptions on webhook_deliveries (workspace_id, key_id, created_at, id)
  where status in ('failed', 'canceled', 'retrying');
