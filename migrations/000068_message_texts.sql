-- The text of a message, sealed with the secret key of the installation; messages of before have none. The pages of the
-- hiring team show it to the people of the job, and the API never does.
alter table messages add column subject_sealed bytea;
alter table messages add column body_sealed bytea;
-- in: the candidate wrote it, or a member noted a reply that came elsewhere
alter table messages add column direction text not null default 'out';
alter table messages add column purpose text;
-- when a worker sends it; null: it left, was canceled, or was not sent by a worker
alter table messages add column scheduled_for timestamptz(3);
-- when a worker began to send it; its day is the one that it counts for
alter table messages add column claimed_at timestamptz(3);
alter table messages add column attempt integer not null default 0;
-- why it was not sent, where that is known
alter table messages add column failure text;
alter table messages add constraint messages_words_check check (
  direction in ('out', 'in') and purpose in ('rejection', 'invitation', 'times', 'added_by_us', 'offer', 'general')
  and failure in ('stopped', 'unsubscribed', 'no_address', 'no_mailbox', 'no_sender', 'allowance', 'delivery')) not valid;
alter table messages validate constraint messages_words_check;
alter table messages drop constraint messages_status_check;
alter table messages add constraint messages_status_check
  check (status in ('sending', 'sent', 'failed', 'scheduled', 'canceled', 'received')) not valid;
alter table messages validate constraint messages_status_check;

alter table message_templates add column purpose text not null default 'general';
alter table message_templates add constraint message_templates_purpose_check check (purpose in ('rejection', 'invitation', 'times', 'added_by_us', 'offer', 'general')) not valid;
alter table message_templates validate constraint message_templates_purpose_check;
