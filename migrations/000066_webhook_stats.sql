-- What each hour brought an endpoint, for the console's charts: counted where attempts end, so that nobody has to count
-- a month of deliveries.
create table webhook_stats (
  workspace_id handle not null,
  endpoint_id uuid not null,
  hour timestamptz(3) not null,
  delivered bigint not null default 0,
  failed_attempts bigint not null default 0,
  -- deliveries that ended without success
  given_up bigint not null default 0,
  primary key (workspace_id, endpoint_id, hour),
  foreign key (workspace_id, endpoint_id) references webhook_endpoints (workspace_id, id) on delete cascade
) with (fillfactor = 70);
create index webhook_stats_hour on webhook_stats (hour);
