-- What interviewers of a stage ask and rate, how long an interview takes, and who usually leads it.
create table interview_kits (
  workspace_id handle not null,
  job_id handle not null,
  stage_id handle not null,
  intro text,
  questions jsonb not null default '[]',
  criteria jsonb,
  minutes integer check (minutes between 5 and 480),
  interviewer_user_ids jsonb not null default '[]',
  updated_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, stage_id),
  foreign key (workspace_id, job_id) references jobs (workspace_id, id) on delete cascade,
  foreign key (workspace_id, stage_id) references pipeline_stages (workspace_id, id) on delete cascade
);
create index interview_kits_job on interview_kits (workspace_id, job_id);
comment on column interview_kits.questions is 'a list of {text, criterion}; the criterion is a name or null';
comment on column interview_kits.criteria is 'names of criteria of the job that count in this stage; null: all';
comment on column interview_kits.interviewer_user_ids is 'handles of members; those who have left are ignored';

-- A scorecard that a member has begun: for its author alone, on any device, until it is submitted.
create table scorecard_drafts (
  workspace_id handle not null,
  application_id handle not null,
  user_id handle not null,
  content jsonb not null,
  version uuid not null,
  updated_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, application_id, user_id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);
create index scorecard_drafts_user on scorecard_drafts (workspace_id, user_id);
comment on column scorecard_drafts.version is 'another one with each save, so that two devices do not overwrite each other';

-- What the author of a scorecard adds later: the scorecard itself stays as it was submitted.
create table scorecard_remarks (
  workspace_id handle not null,
  id uuid not null,
  scorecard_id uuid not null,
  body text not null,
  created_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, scorecard_id) references scorecards (workspace_id, id) on delete cascade
);
create index scorecard_remarks_scorecard on scorecard_remarks (workspace_id, scorecard_id, created_at, id);

-- Scorecards of this stage are hidden from the member until their own is in.
alter table scorecard_requests add column stage_id handle;
comment on column scorecard_requests.stage_id is 'the stage that the scorecard is about; null: all stages';
