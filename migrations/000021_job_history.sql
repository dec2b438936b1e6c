-- What was changed of a job, when and by whom: a row for each write, in its transaction. `at` is the `updated_at` that the
-- write gave the job, which no two writes share. Values are those of the posting; nothing about a candidate.
create table job_history (
  workspace_id handle not null,
  job_id handle not null,
  at timestamptz(3) not null,
  action text not null check (action in ('created', 'edited', 'published', 'unpublished', 'closed', 'reopened')),
  key_id handle,
  user_id handle,
  fields text[] not null,
  previous jsonb not null default '{}',
  next jsonb not null default '{}',
  primary key (workspace_id, job_id, at),
  foreign key (workspace_id, job_id) references jobs (workspace_id, id) on delete cascade,
  check (key_id is null or user_id is null)
);
comment on column job_history.key_id is 'a key, or the consent of a connected app; without key and user: the service itself';
comment on column job_history.fields is 'names by which partners know them; the sections of a job have theirs';
comment on column job_history.previous is 'values of the short ones before, and in `next` after the change';

insert into job_history (workspace_id, job_id, at, action, fields) select workspace_id, id, created_at, 'created', '{}' from jobs;

-- The jobs of a template change follow in chunks; each names who made it.
alter table template_form_changes add column user_id handle;
