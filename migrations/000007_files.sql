create table uploads (
  workspace_id handle not null references workspaces on delete cascade,
  id handle not null,
  key_id handle,
  content_type text not null,
  size_bytes integer not null,
  filename text not null,
  blob_key text not null,
  created_at timestamptz(3) not null default app_now(),
  put_expires_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- set when attached, and when a file was refused: either way the id is spent
  spent_at timestamptz(3),
  application_id handle,
  primary key (workspace_id, id)
);
create index uploads_pending on uploads (workspace_id, expires_at) where spent_at is null;
create index uploads_expiry on uploads (expires_at) where spent_at is null;

create table resumes (
  workspace_id handle not null,
  id handle not null,
  application_id handle not null,
  applicant_id handle,
  filename text not null,
  mime text not null,
  bytes integer not null,
  blob_key text not null,
  parse_status text not null default 'pending' check (parse_status in ('pending', 'parsing', 'parsed', 'failed')),
  parse_attempts integer not null default 0,
  parse_leased_until timestamptz(3),
  parsed jsonb,
  raw_text text,
  parsed_at timestamptz(3),
  created_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
create unique index resumes_application on resumes (workspace_id, application_id);
create index resumes_applicant on resumes (workspace_id, applicant_id, created_at, id);
create index resumes_to_parse on resumes (created_at) where parse_status in ('pending', 'parsing');
