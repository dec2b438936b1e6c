create table jobs (
  workspace_id handle not null references workspaces on delete cascade,
  id handle not null,
  slug text collate "C" not null,
  status text not null default 'draft' check (status in ('draft', 'published', 'closed')),
  title text not null,
  department text,
  team text,
  employment_type text check (employment_type in ('full_time', 'part_time', 'contract', 'intern', 'temp')),
  location_type text check (location_type in ('remote', 'hybrid', 'onsite')),
  locations jsonb not null default '[]',
  experience_level text check (experience_level in ('intern', 'junior', 'mid', 'senior', 'lead', 'principal')),
  -- stored as given, so that pushing the same body again is not a change
  years_min double precision,
  years_max double precision,
  -- a null interval means that no compensation is given
  salary_min integer,
  salary_max integer,
  salary_currency text,
  salary_interval text check (salary_interval in ('hourly', 'monthly', 'annual')),
  salary_equity text,
  salary_commission boolean,
  accept_applications boolean not null default true,
  external_apply_url text,
  source_system text not null,
  source_external_id text,
  source_company_name text,
  source_company_logo_url text,
  source_canonical_url text,
  -- created through POST /jobs: only such jobs are ever matched by a later push
  pushed boolean not null default false,
  summary text,
  description_md text,
  responsibilities jsonb not null default '[]',
  requirements jsonb not null default '[]',
  nice_to_have jsonb not null default '[]',
  skills_required jsonb not null default '[]',
  skills_preferred jsonb not null default '[]',
  benefits jsonb not null default '[]',
  form_is_template boolean not null default true,
  dial_in_code text,
  published_at timestamptz(3),
  close_at timestamptz(3),
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  -- The funnel counts jobs by this number, which takes less space in every row and index than the handle, and is faster
  -- to compare.
  number integer generated always as identity,
  primary key (workspace_id, id)
);
create unique index jobs_slug on jobs (workspace_id, slug);
create unique index jobs_pushed on jobs (workspace_id, source_system, source_external_id) where pushed;
create unique index jobs_number on jobs (number);
-- Callers type the code: no two jobs of a workspace share one.
create unique index jobs_dial_in_code on jobs (workspace_id, dial_in_code) where dial_in_code is not null;
create index jobs_updated on jobs (workspace_id, updated_at, id);
-- The list without opt-in shows every job except drafts, in the order of change.
create index jobs_public_updated on jobs (workspace_id, updated_at, id) where status <> 'draft';
create index jobs_status_updated on jobs (workspace_id, status, updated_at, id);
create index jobs_department on jobs (workspace_id, department, updated_at, id);
create index jobs_location_type on jobs (workspace_id, location_type, updated_at, id);
create index jobs_employment_type on jobs (workspace_id, employment_type, updated_at, id);
create index jobs_published on jobs (workspace_id, published_at, id);
-- Lists filtered by where a job came from. External ids are nearly unique: few rows share one.
create index jobs_source on jobs (workspace_id, source_system, updated_at, id);
create index jobs_external_id on jobs (workspace_id, source_external_id, updated_at, id)
  where source_external_id is not null;
-- Jobs that are due to close.
create index jobs_closing on jobs (close_at) where status = 'published' and close_at is not null;

create table pipeline_stages (
  workspace_id handle not null,
  id handle not null,
  job_id handle not null,
  name text not null,
  position integer not null,
  type text not null
    check (type in ('applied', 'screen', 'assessment', 'interview', 'offer', 'hired', 'rejected', 'custom')),
  is_terminal boolean not null default false,
  primary key (workspace_id, id),
  foreign key (workspace_id, job_id) references jobs (workspace_id, id) on delete cascade
);
create unique index pipeline_stages_job on pipeline_stages (workspace_id, job_id, position);

-- Application forms. The workspace's template has no job; a job that uses the template has no rows of its own.
create table form_fields (
  workspace_id handle not null references workspaces on delete cascade,
  id text collate "C" not null,
  job_id handle,
  position integer not null,
  label text not null,
  type text not null check (
    type in (
      'text', 'textarea', 'select', 'multiselect', 'boolean', 'number', 'date', 'url', 'email', 'phone', 'file',
      'section', 'consent', 'eeo'
    )
  ),
  required boolean not null default false,
  section text,
  help_text text,
  options jsonb not null default '[]',
  max_length integer,
  -- the candidate's detail that this question asks for; such answers are sent in `candidate`
  candidate_field text check (candidate_field in ('name', 'email', 'phone', 'linkedin', 'resume')),
  deleted_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, job_id) references jobs (workspace_id, id) on delete cascade
);
create index form_fields_job on form_fields (workspace_id, job_id, position);

-- A change of a workspace's template form changes the form of every job that uses it. Jobs after `after_id` still have
-- to get their event; the row is deleted after the last one.
create table template_form_changes (
  workspace_id handle primary key references workspaces on delete cascade,
  after_id text collate "C" not null,
  origin_key_id text
);

create table prescreen_questions (
  workspace_id handle not null,
  id uuid not null,
  job_id handle not null,
  kind text not null check (kind in ('common', 'adaptive')),
  position integer not null,
  prompt text not null,
  response_key text not null,
  answer_type text not null check (answer_type in ('boolean', 'number', 'text', 'choice', 'multi_choice')),
  choices jsonb,
  required boolean not null default false,
  source text not null check (source in ('template', 'ai', 'recruiter')),
  primary key (workspace_id, id),
  foreign key (workspace_id, job_id) references jobs (workspace_id, id) on delete cascade
);
create index prescreen_questions_job on prescreen_questions (workspace_id, job_id, kind, position);

-- A change of a job's requirements makes the scores of its applications outdated. They are computed again in the
-- background, in the order of their handles; those after `after_id` are still to do. A further change increments
-- `version` and starts from the beginning: a batch that was computed before it does not advance the position.
create table job_rescores (
  workspace_id handle not null,
  job_id handle not null,
  version bigint not null default 1,
  after_id text collate "C" not null default '',
  requested_at timestamptz(3) not null default app_now(),
  lease_token uuid,
  leased_until timestamptz(3),
  primary key (workspace_id, job_id),
  foreign key (workspace_id, job_id) references jobs (workspace_id, id) on delete cascade
);
