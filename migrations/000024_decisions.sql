-- Members whom a note names; each finds it in their tasks until it is done.
create table note_mentions (
  workspace_id handle not null,
  note_id uuid not null,
  user_id handle not null,
  created_at timestamptz(3) not null default app_now(),
  done_at timestamptz(3),
  primary key (workspace_id, note_id, user_id),
  foreign key (workspace_id, note_id) references notes (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);
create index note_mentions_open on note_mentions (workspace_id, user_id, created_at) where done_at is null;

-- What interviewers of a job rate. A scorecard stores the names: it stays as it was written when the criteria change.
create table scorecard_criteria (
  workspace_id handle not null,
  job_id handle not null,
  position integer not null,
  name text not null,
  description text,
  primary key (workspace_id, job_id, position),
  foreign key (workspace_id, job_id) references jobs (workspace_id, id) on delete cascade
);

-- Members who were asked for a scorecard. It is done when they have written one since.
create table scorecard_requests (
  workspace_id handle not null,
  application_id handle not null,
  user_id handle not null,
  requested_by handle not null,
  requested_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, application_id, user_id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);
create index scorecard_requests_user on scorecard_requests (workspace_id, user_id, requested_at);

create table application_tags (
  workspace_id handle not null,
  application_id handle not null,
  -- the name in lower case, which makes spellings of one tag the same
  tag_key text collate "C" not null,
  name text not null,
  created_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, application_id, tag_key),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
create index application_tags_name on application_tags (workspace_id, tag_key);

create table message_templates (
  workspace_id handle not null references workspaces on delete cascade,
  id uuid not null,
  name text not null,
  name_key text collate "C" not null,
  subject text not null,
  body text not null,
  updated_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id),
  unique (workspace_id, name_key)
);

-- The template that a message was written from. The text of a message is not stored.
alter table messages add column template_name text;

-- Emails to members about mentions and requests for scorecards: a link, and nothing about a candidate.
create table team_mails (
  workspace_id handle not null,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('mention', 'scorecard')),
  user_id handle not null,
  application_id handle not null,
  attempt integer not null default 0,
  -- the next attempt; null: sent or given up
  due_at timestamptz(3) default app_now(),
  sent_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade,
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
create index team_mails_due on team_mails (due_at) where due_at is not null;

create table hiring_settings (
  workspace_id handle primary key references workspaces on delete cascade,
  -- a candidate who is longer in a stage is waiting
  waiting_days integer not null check (waiting_days between 1 and 365)
);

-- Since when an application is in its stage: open applications that wait too long are found without their history. The
-- trigger below fills it; rows that are loaded without triggers wait for no one.
alter table applications add column stage_entered_at timestamptz(3);
update applications a set stage_entered_at = coalesce((
  select max(t.at) from stage_transitions t where t.workspace_id = a.workspace_id and t.application_id = a.id), applied_at);
create index applications_waiting on applications (workspace_id, stage_entered_at, id)
  where status in ('new', 'in_review', 'advanced');

create function note_stage_entry() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    -- a copy of an application brings its time along
    new.stage_entered_at := coalesce(new.stage_entered_at, new.updated_at);
  elsif new.stage_id is distinct from old.stage_id then
    new.stage_entered_at := case when new.updated_at > old.updated_at then new.updated_at else app_now() end;
  end if;
  return new;
end $$;
create trigger applications_stage_entry before insert or update of stage_id on applications
  for each row execute function note_stage_entry();
