-- What a delivery is: an event of the feed, tried up to ten times; the ping of a test, or an event sent again on demand,
-- both tried once and without a trace in the endpoint's failure count.
alter table webhook_deliveries drop column max_attempts;
alter table webhook_deliveries add column kind text not null default 'event'
  check (kind in ('event', 'ping', 'redelivery'));

-- The deliveries under way at an endpoint are counted before more are claimed.
create index webhook_deliveries_leased on webhook_deliveries (workspace_id, endpoint_id) where lease_token is not null;
-- retention
create index webhook_deliveries_created on webhook_deliveries (created_at);
-- limits and revocation go by key, in whatever workspaces it has endpoints
create index webhook_endpoints_by_key on webhook_endpoints (key_id);

-- Rows pass through these tables' partial indexes quickly; dead entries would be walked over by every claim.
alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0.02);
alter table outbox set (autovacuum_vacuum_scale_factor = 0.02);

-- Events of no workspace are merged into every feed; with this the planner reads them in order whatever it believes.
create index events_of_none on events (sequence) where workspace_id is null;
