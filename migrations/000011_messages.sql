create table messages (
  workspace_id handle not null references workspaces on delete cascade,
  id handle not null,
  key_id handle not null,
  idempotency_key text collate "C" not null,
  fingerprint bytea not null,
  application_id handle,
  applicant_id handle not null,
  -- sending: passed to the mail server or about to be, result not recorded; such a message is never sent a second time
  status text not null default 'sending' check (status in ('sending', 'sent', 'failed')),
  created_at timestamptz(3) not null default app_now(),
  sent_at timestamptz(3),
  primary key (workspace_id, id)
);
-- An Idempotency-Key of a message expires after a day, so several messages can have been sent under one. The same body
-- under the same key is still sent once: a message that was or may have been sent is unique, only one that certainly was
-- not sent can be sent again.
create unique index messages_sent_once on messages (workspace_id, key_id, idempotency_key, fingerprint)
  where status <> 'failed';
create index messages_idempotency on messages (workspace_id, key_id, idempotency_key, created_at);
create index messages_applicant on messages (workspace_id, applicant_id, created_at);

create table message_usage (
  workspace_id handle not null references workspaces on delete cascade,
  key_id handle not null,
  day date not null,
  used integer not null,
  primary key (workspace_id, key_id, day)
);

-- Unsubscribed by the person; `opt_out` entries come from the workspace's own outreach list.
create table unsubscribes (
  workspace_id handle not null references workspaces on delete cascade,
  email_key text collate "C" not null,
  source text not null check (source in ('link', 'one_click', 'product', 'opt_out')),
  at timestamptz(3) not null default app_now(),
  primary key (workspace_id, email_key)
);
-- An erasure searches all workspaces at once.
create index unsubscribes_anywhere on unsubscribes (email_key);
