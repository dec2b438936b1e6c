-- Claims look at endpoints that have something due and at no others, however many wait for a retry that is hours away.
-- A delivery is ready from the start; after a failed attempt it becomes ready again when its time has come.
alter table webhook_deliveries add column ready boolean not null default true;
update webhook_deliveries set ready = false where status = 'retrying' and lease_token is null;
create index webhook_deliveries_ready on webhook_deliveries (workspace_id, endpoint_id, next_attempt_at)
  where status in ('pending', 'retrying') and ready;
create index webhook_deliveries_later on webhook_deliveries (next_attempt_at) where status = 'retrying' and not ready;

-- How long the receiver took the last time: a slow one is served in a lane of its own, as a failing one is.
alter table webhook_endpoints add column last_attempt_ms integer not null default 0;
