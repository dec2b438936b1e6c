-- outside a transaction: indexes of a table that is in use.
-- What waits to be sent.
create index concurrently if not exists messages_due on messages (scheduled_for) where scheduled_for is not null;
-- Messages of an application, which go with it.
create index concurrently if not exists messages_application on messages (workspace_id, application_id)
  where application_id is not null;
