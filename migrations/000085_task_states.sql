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
