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
  years_min numeric(4, 1),
  years_max numeric(4, 1),
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
  primary key (workspace_id, id)
);
create unique index jobs_slug on jobs (workspace_id, slug);
create unique index jobs_pushed on jobs (workspace_id, source_system, source_external_id) where pushed;
create index jobs_updated on jobs (workspace_id, updated_at, id);
create index jobs_status_updated on jobs (workspace_id, status, updated_at, id);
create index jobs_department on jobs (workspace_id, department, updated_at, id);
create index jobs_published on jobs (workspace_id, published_at, id);

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
  -- what of the candidate this question asks for; such answers are sent in `candidate`
  candidate_field text check (candidate_field in ('name', 'email', 'phone', 'linkedin', 'resume')),
  deleted_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, job_id) references jobs (workspace_id, id) on delete cascade
);
create index form_fields_job on form_fields (workspace_id, job_id, position);

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
