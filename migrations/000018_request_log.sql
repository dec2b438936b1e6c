-- Every API call with a known key, for seven days: which endpoint, with which result, how long it took. No body, and of
-- parameters only values that cannot be personal. No foreign key: rows are inserted in batches, and a check of each would
-- cost more than the rest of the insert.
create table request_log (
  -- the workspace addressed; that of the key if the call addressed none
  workspace_id handle not null,
  -- the request id that the response had
  id handle not null,
  created_at timestamptz(3) not null,
  -- an API key, or the consent of a connected app
  key_id handle not null,
  acting_user_id handle,
  method text not null,
  -- the path with its placeholders; null if no endpoint has the path
  route text,
  -- declared parameters by name; null for a value that is not logged
  params json not null,
  status smallint not null,
  code text,
  -- the declared parameter or field that the error names
  param text,
  duration_ms integer not null,
  primary key (workspace_id, id)
);
-- Without the id, which would make each a quarter larger: the few calls of one millisecond are sorted when they are read.
create index request_log_created on request_log (workspace_id, created_at);
create index request_log_key on request_log (workspace_id, key_id, created_at);
-- errors are few, and are looked for among many
create index request_log_errors on request_log (workspace_id, created_at) where status >= 400;
