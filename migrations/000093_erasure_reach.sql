-- Where a suppression applies: `installation` (every workspace and the shared pool), `pool` (the shared pool alone), or
-- the handle of one workspace. What was suppressed before applies everywhere, as it did.
alter table suppressions add column reach text collate "C" not null default 'installation';
alter table suppressed_identifiers add column reach text collate "C" not null default 'installation';
alter table suppressed_identifiers drop constraint suppressed_identifiers_pkey,
  add primary key (reach, kind, sha256, suppression_id);

-- The workspace in whose console a request was made; null for the command line and for approvals.
alter table erasures add column asked_in handle;
update erasures e set asked_in = u.workspace_id from users u where u.id = e.requested_by;
create index erasures_asked on erasures (asked_in, requested_at) where asked_in is not null;

-- A workspace erased a person whom others hold too: each of them is asked, and decides for itself. The asking workspace is
-- known to the operator alone, through its erasure.
create table erasure_requests (
  id uuid primary key,
  -- the workspace that is asked; null for the shared pool, for which the operator decides
  workspace_id handle references workspaces on delete cascade,
  erasure_id uuid not null references erasures,
  reason text not null check (reason in ('erasure_request', 'stop_processing', 'legal_request')),
  -- superseded: an erasure of its own, or the operator's, reached the person before a decision
  state text not null default 'open' check (state in ('open', 'approved', 'declined', 'superseded')),
  requested_at timestamptz(3) not null default app_now(),
  -- identifiers of the person that the asked workspace holds, in their normal form; null once decided
  identifiers jsonb check ((state = 'open') = (identifiers is not null)),
  -- their SHA-256, hexadecimal
  digests text[] not null,
  decided_at timestamptz(3) check ((state = 'open') = (decided_at is null)),
  -- the handle of a user, or command_line
  decided_by text,
  -- why it was declined; for the workspace itself
  note text,
  -- what the approval led to
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
