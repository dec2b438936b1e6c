-- New deliveries that a sender has leased as they were created, so that they need no claim. A delivery is in this table or
-- in webhook_deliveries, never in both: it moves there with the result of its first attempt, or without one if the sender
-- gives it back or its lease expires. So a delivery that succeeds at once is written to the log once.
-- No foreign key: checking it would cost as much as the row. What is moved is checked there.
create table webhook_handovers (
  workspace_id handle not null,
  endpoint_id uuid not null,
  id uuid not null,
  key_id handle not null,
  event_sequence bigint not null,
  event_id handle not null,
  event_type text not null,
  lease_token uuid not null,
  leased_until timestamptz(3) not null,
  created_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, endpoint_id, id)
-- rows stay for milliseconds, and are counted by endpoint: dead entries of the index would be scanned each time
) with (autovacuum_vacuum_scale_factor = 0.02);
