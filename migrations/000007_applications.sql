create table applicants (
  workspace_id handle not null references workspaces on delete cascade,
  id handle not null,
  first_name text,
  last_name text,
  full_name text,
  email text,
  -- normalized; duplicates and suppressions are matched on it
  email_key text collate "C",
  phone text,
  location text,
  linkedin_url text,
  linkedin_key text collate "C",
  github_url text,
  portfolio_url text,
  origin text not null default 'applicant' check (origin in ('applicant', 'ats_import')),
  acquisition text not null default 'inbound_application',
  provider text,
  consent_basis text not null default 'candidate_submitted',
  external_refs jsonb not null default '[]',
  first_seen_at timestamptz(3) not null default app_now(),
  last_seen_at timestamptz(3) not null default app_now(),
  unsubscribed_at timestamptz(3),
  suppressed_at timestamptz(3),
  application_count integer not null default 0,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id)
);
create unique index applicants_email on applicants (workspace_id, email_key) where email_key is not null;
create index applicants_linkedin on applicants (workspace_id, linkedin_key) where linkedin_key is not null;
create index applicants_updated on applicants (workspace_id, updated_at, id);
-- Few of many applicants have no application: the list of them reads no others.
create index applicants_without_applications on applicants (workspace_id, updated_at, id) where application_count = 0;
-- People of another system are found by its id for them.
create index applicants_external_refs on applicants using gin (external_refs jsonb_path_ops);
-- An erasure searches all workspaces at once.
create index applicants_email_anywhere on applicants (email_key) where email_key is not null;
create index applicants_linkedin_anywhere on applicants (linkedin_key) where linkedin_key is not null;

create table applications (
  workspace_id handle not null references workspaces on delete cascade,
  id handle not null,
  job_id handle not null,
  applicant_id handle,
  stage_id handle not null,
  status text not null default 'new'
    check (status in ('new', 'in_review', 'advanced', 'rejected', 'withdrawn', 'hired')),
  source text not null,
  source_system text,
  source_external_id text,
  applied_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  parse_status text check (parse_status in ('pending', 'parsing', 'parsed', 'failed')),
  has_resume boolean not null default false,
  resume_unlocked_at timestamptz(3),
  -- the access state of the last event, and when it changes next by passage of time
  resume_access_state text check (resume_access_state in ('open', 'view_only', 'locked', 'unlocked')),
  resume_access_changes_at timestamptz(3),
  voice_screening_opted_out boolean not null default false,
  screening_phone text,
  rejection_reason text,
  hired_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, job_id) references jobs (workspace_id, id),
  foreign key (workspace_id, applicant_id) references applicants (workspace_id, id),
  foreign key (workspace_id, stage_id) references pipeline_stages (workspace_id, id)
);
create unique index applications_person on applications (workspace_id, job_id, applicant_id) where applicant_id is not null;
create unique index applications_external on applications (workspace_id, job_id, source_system, source_external_id)
  where source_external_id is not null;
create index applications_updated on applications (workspace_id, updated_at, id);
create index applications_status on applications (workspace_id, status, updated_at, id);
create index applications_job on applications (workspace_id, job_id, updated_at, id);
create index applications_applicant on applications (workspace_id, applicant_id, updated_at, id);
create index applications_stage on applications (workspace_id, stage_id, updated_at, id);
create index applications_applied on applications (workspace_id, applied_at, id);
create index applications_access on applications (resume_access_changes_at) where resume_access_changes_at is not null;
-- Applications of a job in one status, in the order of change: the list that partners poll.
create index applications_job_status on applications (workspace_id, job_id, status, updated_at, id);
-- Lists filtered by where an application came from. Every status is read in its own order and the results are merged, so
-- that a rare status of a large system is found as fast as a frequent one. External ids are nearly unique.
create index applications_source on applications (workspace_id, source_system, status, updated_at, id)
  where source_system is not null;
create index applications_external_id on applications (workspace_id, source_external_id, updated_at, id)
  where source_external_id is not null;
-- scores that a change of the job makes outdated
create index applications_job_resumes on applications (workspace_id, job_id, id) where has_resume;

create table application_answers (
  workspace_id handle not null,
  application_id handle not null,
  -- map field id -> string, boolean or string[]
  answers jsonb not null,
  primary key (workspace_id, application_id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);

-- Given by candidates on the public form. Never exposed by any interface: in a table of their own, so that no query for
-- answers can include them.
create table application_private_answers (
  workspace_id handle not null,
  application_id handle not null,
  equal_opportunity jsonb not null default '{}',
  consents jsonb not null default '{}',
  primary key (workspace_id, application_id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);

create table stage_transitions (
  workspace_id handle not null,
  application_id handle not null,
  id bigint generated always as identity,
  from_stage_id handle,
  to_stage_id handle not null,
  at timestamptz(3) not null default app_now(),
  -- the type that the stage had when the application entered it: stages can be renamed, retyped and deleted later
  to_stage_type text,
  primary key (workspace_id, application_id, id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);

create table notes (
  workspace_id handle not null,
  id uuid not null,
  application_id handle not null,
  body text not null,
  author_user_id handle,
  created_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
create index notes_application on notes (workspace_id, application_id, created_at, id);

create table scorecards (
  workspace_id handle not null,
  id uuid not null,
  application_id handle not null,
  recommendation text not null check (recommendation in ('strong_yes', 'yes', 'no_decision', 'no', 'strong_no')),
  summary text,
  stage_id handle,
  ratings jsonb not null default '[]',
  interviewed_at timestamptz(3),
  report_url text,
  author_user_id handle,
  created_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
create index scorecards_application on scorecards (workspace_id, application_id, created_at, id);

create table application_scores (
  workspace_id handle not null,
  application_id handle not null,
  match_pct integer not null check (match_pct between 0 and 100),
  gaps jsonb not null default '[]',
  rationale text,
  model_version text not null,
  scored_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, application_id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);

create table screenings (
  workspace_id handle not null,
  application_id handle not null,
  call_status text not null check (call_status in ('scheduled', 'in_progress', 'completed', 'no_answer', 'failed')),
  completion_state text not null default 'none' check (completion_state in ('none', 'partial', 'complete')),
  duration_sec integer,
  consent_state text not null default 'pending' check (consent_state in ('pending', 'granted', 'declined')),
  ambiguous_caller boolean not null default false,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  primary key (workspace_id, application_id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
