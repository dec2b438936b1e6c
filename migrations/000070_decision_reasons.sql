-- Why the team rejects, and why candidates withdraw. The reasons that every workspace has are in the code; a row here
-- replaces one of them, or adds one.
create table decision_reasons (
  workspace_id handle not null references workspaces on delete cascade,
  -- a word for a reason of the code, else a UUID
  id text not null,
  side text not null check (side in ('reject', 'withdraw')),
  -- by language
  names jsonb not null,
  position integer not null,
  -- the template of the message that is offered with it
  template_id uuid,
  archived boolean not null default false,
  primary key (workspace_id, id)
);

-- That a person has rejected someone in a job, and whether with a message: the next rejection is one key.
create table rejection_habits (
  workspace_id handle not null,
  user_id handle not null,
  job_id handle not null,
  with_message boolean not null,
  primary key (workspace_id, user_id, job_id),
  foreign key (workspace_id, job_id) references jobs (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);

alter table applications
  add column rejection_reason_id text,
  add column withdrawal_reason_id text,
  -- null: withdrawn before this column, or not withdrawn
  add column withdrawn_by text,
  -- a day of the calendar, such as 2026-12-01
  add column start_date text;

-- In which language the API names reasons.
alter table hiring_settings alter column waiting_days drop not null, add column reason_language text;
