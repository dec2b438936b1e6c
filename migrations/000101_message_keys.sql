-- An Idempotency-Key of a message is forgotten after a day, so several messages can have been sent under one. The same
-- body under the same key is still sent once: whatever was or may have been sent is unique, only what certainly was not
-- sent can be sent again.
drop index messages_idempotency;
create unique index messages_sent_once on messages (workspace_id, key_id, idempotency_key, fingerprint)
  where status <> 'failed';
create index messages_idempotency on messages (workspace_id, key_id, idempotency_key, created_at);
