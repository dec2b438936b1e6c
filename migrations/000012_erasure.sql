-- Erased people and those who asked that processing stop. Only hashes of their identifiers.
create table suppressions (
  id uuid primary key,
  status text not null check (status in ('suppressed', 'erased')),
  reason text not null check (reason in ('erasure_request', 'stop_processing', 'legal_request')),
  applied_at timestamptz(3) not null default app_now(),
  delete_by timestamptz(3) not null,
  completed_at timestamptz(3),
  -- where it applies: `installation` (every workspace and the shared pool), `pool` (the shared pool alone), or the handle
  -- of one workspace
  reach text collate "C" not null default 'installation'
);

-- One identifier may be in several suppressions: processing was stopped first and erasure requested later, or two
-- requests turned out to be about one person.
create table suppressed_identifiers (
  kind text not null check (kind in ('email', 'linkedin_url')),
  sha256 bytea not null,
  suppression_id uuid not null references suppressions,
  reach text collate "C" not null default 'installation',
  primary key (reach, kind, sha256, suppression_id)
);
create index suppressed_identifiers_of on suppressed_identifiers (suppression_id);

-- An import may identify a person only by the id that another system gave them. Hashes of those ids keep erased people
-- from being imported again that way. The workspace is empty for the shared pool.
create table suppressed_external_ids (
  workspace_id text collate "C" not null,
  object text not null check (object in ('applicant', 'sourced_profile', 'pool_profile')),
  sha256 bytea not null,
  suppression_id uuid not null references suppressions,
  primary key (workspace_id, object, sha256, suppression_id)
);
create index suppressed_external_ids_of on suppressed_external_ids (suppression_id);

-- What a suppression means in one workspace: the records it had, which partners must delete too. A profile of the shared
-- pool belongs to no workspace, and any may have copied it: such an entry has no workspace and is shown to all.
create table workspace_suppressions (
  workspace_id handle references workspaces on delete cascade,
  sequence bigint generated always as identity primary key,
  suppression_id uuid not null references suppressions,
  subjects jsonb not null default '[]',
  -- Hexadecimal digests of the identifiers on the workspace's own records: a hash of an e-mail address is easily guessed,
  -- so a workspace is not shown one that only another workspace had. Null where this was not recorded: all of them.
  identifiers jsonb
);
create unique index workspace_suppressions_of on workspace_suppressions (suppression_id, workspace_id)
  nulls not distinct;

-- The log of suppressions that a workspace reads, with numbers that count in it alone. A suppression of the shared pool
-- has one entry without a workspace, and a line in the log of each. Lines are added under the exclusive lock of
-- suppressions, one suppression at a time, so that the next number is the last one plus one.
create table suppression_log (
  workspace_id handle not null references workspaces on delete cascade,
  sequence bigint not null,
  suppression_id uuid not null references suppressions,
  primary key (workspace_id, sequence)
);
create unique index suppression_log_of on suppression_log (workspace_id, suppression_id);

create table suppression_acknowledgements (
  workspace_id handle not null references workspaces on delete cascade,
  suppression_id uuid not null references suppressions,
  key_id handle not null,
  deleted_at timestamptz(3) not null,
  acknowledged_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, suppression_id, key_id)
);

-- A request about a person, and its progress. Every chunk of the work is a transaction that records what it did, so that
-- the next process continues after a crash.
create table erasures (
  id uuid primary key,
  suppression_id uuid not null unique references suppressions,
  -- the handle of a user, or command_line
  requested_by text not null,
  requested_at timestamptz(3) not null default app_now(),
  -- the person's normalized identifiers, which are needed until the erasure is complete; then null
  identifiers jsonb,
  completed_at timestamptz(3),
  -- the workspace in whose console the request was made; null for the command line and for approvals
  asked_in handle
);
create index erasures_requested on erasures (requested_at, id);
create index erasures_open on erasures (requested_at) where completed_at is null;
create index erasures_asked on erasures (asked_in, requested_at) where asked_in is not null;

-- What was found of the person: handles, and the names of files. Those without done_at still exist.
create table erasure_targets (
  erasure_id uuid not null references erasures on delete cascade,
  object text not null,
  id text collate "C" not null,
  -- null for records of no workspace
  workspace_id handle,
  done_at timestamptz(3),
  primary key (erasure_id, object, id)
);
create index erasure_targets_open on erasure_targets (erasure_id, object) where done_at is null;

-- A workspace erased a person whom others have too: each of them is asked, and decides for itself. The asking workspace is
-- known to the operator alone, through its erasure.
create table erasure_requests (
  id uuid primary key,
  -- the workspace that is asked; null for the shared pool, for which the operator decides
  workspace_id handle references workspaces on delete cascade,
  erasure_id uuid not null references erasures,
  reason text not null check (reason in ('erasure_request', 'stop_processing', 'legal_request')),
  -- superseded: an erasure of its own, or the operator's, included the person before a decision
  state text not null default 'open' check (state in ('open', 'approved', 'declined', 'superseded')),
  requested_at timestamptz(3) not null default app_now(),
  -- normalized identifiers of the person that the asked workspace has; null once decided
  identifiers jsonb check ((state = 'open') = (identifiers is not null)),
  -- their SHA-256, hexadecimal
  digests text[] not null,
  decided_at timestamptz(3) check ((state = 'open') = (decided_at is null)),
  -- the handle of a user, or command_line
  decided_by text,
  -- why it was declined; for the workspace itself
  note text,
  -- the suppression that an approval led to
  suppression_id uuid references suppressions,
  -- when the owners are to be mailed; null when that is done, or not needed
  notify_at timestamptz(3)
);
create index erasure_requests_of on erasure_requests (workspace_id, requested_at, id);
create index erasure_requests_open on erasure_requests (requested_at) where state = 'open';
create index erasure_requests_from on erasure_requests (erasure_id);
create index erasure_requests_led_to on erasure_requests (suppression_id);
create index erasure_requests_about on erasure_requests using gin (digests);
create index erasure_requests_notify on erasure_requests (notify_at) where notify_at is not null;

-- An erasure was requested in a workspace, and the others that have the person are to be asked. Every request writes a
-- row, whether or not another workspace has the person; a worker asks them and deletes the row.
create table erasure_inquiries (
  -- the workspace that asks
  workspace_id handle not null references workspaces on delete cascade,
  id uuid not null,
  erasure_id uuid not null references erasures,
  reason text not null check (reason in ('erasure_request', 'stop_processing', 'legal_request')),
  -- normalized identifiers of the person that the asking workspace knows
  identifiers jsonb not null,
  -- when a worker may take it; later while one works on it
  due_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id)
);
-- no samples of them in the planner's statistics
alter table erasure_inquiries alter column identifiers set statistics 0;
create index erasure_inquiries_due on erasure_inquiries (due_at, id);

-- Requests made in a workspace's console on a day (UTC), repeats included.
create table erasure_request_usage (
  workspace_id handle not null references workspaces on delete cascade,
  day date not null,
  used integer not null,
  primary key (workspace_id, day)
);
