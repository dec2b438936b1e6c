-- What a member did with a task of their inbox. The tasks themselves are read from what they are about.
create table task_states (
  workspace_id handle not null,
  user_id handle not null,
  kind text not null check (kind in
    ('interview', 'scorecard', 'reply', 'answer', 'unsent', 'check', 'undecided', 'candidate', 'mention')),
  subject text not null,
  application_id handle not null,
  snoozed_at timestamptz(3),
  snoozed_until timestamptz(3),
  done_at timestamptz(3),
  primary key (workspace_id, user_id, kind, subject),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade,
  check ((snoozed_at is null) = (snoozed_until is null))
);
create index task_states_application on task_states (workspace_id, application_id);
create index task_states_snoozed on task_states (workspace_id, user_id, kind) where snoozed_at is not null;
comment on column task_states.subject is 'the note, interview, message, order or application that the task is about';
comment on column task_states.snoozed_at is 'when it was snoozed; what someone else does to the candidate after it ends the snooze';
comment on column task_states.done_at is 'a task of the same subject that begins later is another one';

-- The summary of tasks is emailed on weekdays. A member without a time is planned by a worker.
alter table member_settings add column digest_due_at timestamptz(3);
create index member_settings_digest on member_settings (digest_due_at) where digest_due_at is not null;
comment on column member_settings.digest_due_at is 'when the next summary of tasks is written; null: not planned';

alter table team_mails add column counts jsonb, drop constraint team_mails_kind_check;
alter table team_mails add constraint team_mails_kind_check
  check (kind in ('mention', 'scorecard', 'summary', 'interview', 'interview_answer', 'digest')) not valid;
alter table team_mails validate constraint team_mails_kind_check;
comment on column team_mails.counts is 'of a digest: open tasks by group';
