create table sourced_profiles (
  workspace_id handle not null references workspaces on delete cascade,
  id handle not null,
  full_name text,
  headline text,
  job_title text,
  company_name text,
  company_industry text,
  company_website text,
  company_linkedin_url text,
  department text,
  management_level text,
  location_full text,
  location_country text,
  linkedin_url text,
  linkedin_key text collate "C",
  photo_url text,
  summary text,
  total_experience_months integer,
  connections_count integer,
  follower_count integer,
  match_score integer,
  match_tier text check (match_tier in ('strong', 'good', 'fair', 'weak')),
  -- the acquisition channel: xray, import, github …
  origin text not null,
  acquisition text not null,
  provider text,
  has_contact_info boolean not null default false,
  has_linkedin_capture boolean not null default false,
  first_seen_at timestamptz(3) not null default app_now(),
  last_seen_at timestamptz(3) not null default app_now(),
  suppressed_at timestamptz(3),
  unsubscribed_at timestamptz(3),
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  -- the id of the profile in the file or system it was imported from, so that a second import updates it
  external_id text collate "C",
  primary key (workspace_id, id)
);
create unique index sourced_profiles_external on sourced_profiles (workspace_id, external_id)
  where external_id is not null;
create index sourced_profiles_updated on sourced_profiles (workspace_id, updated_at, id);
create index sourced_profiles_origin on sourced_profiles (workspace_id, origin, updated_at, id);
create index sourced_profiles_contact on sourced_profiles (workspace_id, has_contact_info, updated_at, id);
create index sourced_profiles_linkedin on sourced_profiles (workspace_id, linkedin_key) where linkedin_key is not null;
-- An erasure searches all workspaces at once.
create index sourced_profiles_linkedin_anywhere on sourced_profiles (linkedin_key) where linkedin_key is not null;
-- What `q` searches: name, title and company, separated by a line break.
create index sourced_profiles_q on sourced_profiles using gin (
  lower(coalesce(full_name, '') || E'\n' || coalesce(job_title, '') || E'\n' || coalesce(company_name, '')) gin_trgm_ops
);

-- E-mail addresses and phone numbers that the workspace has: submitted by candidates, or revealed.
create table contact_values (
  workspace_id handle not null references workspaces on delete cascade,
  subject_object text not null check (subject_object in ('applicant', 'sourced_profile')),
  subject_id handle not null,
  field text not null check (field in ('email', 'phone')),
  value text not null,
  kind text not null check (kind in ('work', 'personal', 'submitted', 'mobile', 'other')),
  status text not null default 'unverified' check (status in ('verified', 'unverified', 'invalid')),
  verified_at timestamptz(3),
  created_at timestamptz(3) not null default app_now(),
  -- `accountKey` of an e-mail address
  email_key text collate "C",
  primary key (workspace_id, subject_object, subject_id, field, value)
);
create index contact_values_email_key on contact_values (email_key) where email_key is not null;

create table attachments (
  workspace_id handle not null,
  profile_id handle not null,
  type text not null check (type in ('resume', 'business_card', 'profile_photo')),
  filename text not null,
  mime text not null,
  bytes integer not null,
  blob_key text not null,
  uploaded_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, profile_id, type),
  foreign key (workspace_id, profile_id) references sourced_profiles (workspace_id, id) on delete cascade
);

-- The handle of an identifier, in a workspace: random, so that it does not reveal the identifier, and stable.
create table identities (
  workspace_id handle not null references workspaces on delete cascade,
  kind text not null check (kind in ('email', 'linkedin_url')),
  value text collate "C" not null,
  person_id handle not null,
  -- the handle of the strongest identifier known for the same person
  canonical_id handle not null,
  created_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, kind, value)
);
create unique index identities_person on identities (workspace_id, person_id);
create index identities_canonical on identities (workspace_id, canonical_id);
create index identities_anywhere on identities (value, kind);

create table projects (
  workspace_id handle not null references workspaces on delete cascade,
  id handle not null,
  name text not null,
  description text,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id)
);
create index projects_updated on projects (workspace_id, updated_at, id);
create index projects_created on projects (workspace_id, created_at, id);

create table lists (
  workspace_id handle not null references workspaces on delete cascade,
  id handle not null,
  project_id handle,
  name text not null,
  description text,
  candidate_count integer not null default 0,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, project_id) references projects (workspace_id, id)
);
create index lists_updated on lists (workspace_id, updated_at, id);
create index lists_project on lists (workspace_id, project_id, updated_at, id);

create table list_memberships (
  workspace_id handle not null,
  id handle not null,
  list_id handle not null,
  sourced_profile_id handle not null,
  stage text,
  stage_updated_at timestamptz(3),
  added_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, list_id) references lists (workspace_id, id) on delete cascade,
  foreign key (workspace_id, sourced_profile_id) references sourced_profiles (workspace_id, id) on delete cascade
);
create unique index list_memberships_profile on list_memberships (workspace_id, list_id, sourced_profile_id);
create index list_memberships_added on list_memberships (workspace_id, list_id, added_at, id);
create index list_memberships_of on list_memberships (workspace_id, sourced_profile_id, added_at, id);
create index list_memberships_stage on list_memberships (workspace_id, list_id, stage);

-- The progress of importing a file. Written in the transaction of each batch, so that an interrupted import continues
-- after its last batch, and none of its lines is imported twice.
create table imports (
  kind text not null,
  -- the workspace that the rows go to; empty for the shared pool
  target text not null,
  -- SHA-256 of the file's size, beginning and end
  fingerprint bytea not null,
  bytes_done bigint not null default 0,
  lines_done bigint not null default 0,
  rows_stored bigint not null default 0,
  bad_lines bigint not null default 0,
  started_at timestamptz(3) not null default app_now(),
  finished_at timestamptz(3),
  primary key (kind, target, fingerprint)
);
