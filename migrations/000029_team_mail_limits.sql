-- Emails to members are counted by day. What exceeds a limit is one email that says how much more there is.
alter table team_mails
  add column sent_by handle,
  add column created_at timestamptz(3) not null default app_now(),
  add column more integer,
  alter column application_id drop not null,
  drop constraint team_mails_kind_check,
  add constraint team_mails_kind_check check (kind in ('mention', 'scorecard', 'summary')),
  add constraint team_mails_summary_check check ((kind = 'summary') = (application_id is null and more is not null));
comment on column team_mails.sent_by is 'the member who caused it; null: several, or it is older than the column';
comment on column team_mails.more is 'of a summary: mentions and requests that had no email of their own';
create index team_mails_received on team_mails (workspace_id, user_id, created_at);
create index team_mails_caused on team_mails (workspace_id, sent_by, created_at);
-- one that is not being sent yet takes what comes
create unique index team_mails_summary on team_mails (workspace_id, user_id) where kind = 'summary' and attempt = 0;
