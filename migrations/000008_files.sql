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
  -- set when attached, and when a file was refused: the id cannot be used again either way
  spent_at timestamptz(3),
  application_id handle,
  primary key (workspace_id, id)
);
create index uploads_pending on uploads (workspace_id, expires_at) where spent_at is null;
-- attached uploads are deleted too, a day after they expire
create index uploads_expiry on uploads (expires_at);

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
  -- a worker that lost its lease must not overwrite the result of the next one
  parse_lease_token uuid,
  primary key (workspace_id, id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
create unique index resumes_application on resumes (workspace_id, application_id);
create index resumes_applicant on resumes (workspace_id, applicant_id, created_at, id);
-- The next file of a workspace: the oldest one, or one whose lease or delay has ended.
create index resumes_to_parse on resumes (workspace_id, (coalesce(parse_leased_until, created_at)), id)
  where parse_status in ('pending', 'parsing');

-- Background work that takes turns by workspace: when a workspace last had its turn, and the recent cost of its turns.
create table worker_turns (
  workspace_id handle not null references workspaces (id) on delete cascade,
  work text not null check (work in ('read_resumes', 'score_again')),
  last_turn_at timestamptz(3) not null,
  -- a turn is in progress, until then at the latest
  busy_until timestamptz(3),
  -- the hour that spent_ms counts in, and the milliseconds spent or reserved in it
  hour_began_at timestamptz(3) not null,
  spent_ms bigint not null default 0,
  -- moving average of the cost of a turn
  recent_ms bigint not null default 0,
  primary key (workspace_id, work)
);

-- Files whose record was deleted. Written in the transaction that deletes the record, so that a crash before the file is
-- deleted leaves this row and not an unreferenced file.
create table doomed_blobs (
  blob_key text collate "C" primary key,
  added_at timestamptz(3) not null default app_now()
);
comment on column doomed_blobs.blob_key is 'a key, or, ending in a slash, everything below it';

create table exports (
  workspace_id handle not null references workspaces on delete cascade,
  id uuid not null,
  key_id handle not null,
  resources text[] not null,
  scopes text[] not null,
  status text not null default 'pending' check (status in ('pending', 'running', 'ready', 'failed', 'expired')),
  as_of_sequence bigint,
  rows_done bigint not null default 0,
  rows_total bigint,
  files jsonb not null default '[]',
  leased_until timestamptz(3),
  created_at timestamptz(3) not null default app_now(),
  expires_at timestamptz(3) not null,
  -- the person that a sign-in token acts for: an export belongs to the credential and the person that requested it
  acting_user_id handle,
  -- Each attempt writes its files under a name of its own, so that a worker that lost its lease never writes to the files
  -- of the next one.
  attempt uuid,
  tries integer not null default 0,
  -- set when the export has expired and the files of all its attempts are scheduled for deletion
  swept boolean not null default false,
  -- whether the rows are those of the lists or those of the single reads
  view text not null default 'list' check (view in ('list', 'full')),
  primary key (workspace_id, id)
);
create index exports_open on exports (created_at) where status in ('pending', 'running');
create index exports_expiry on exports (expires_at);
create index exports_key on exports (key_id);
