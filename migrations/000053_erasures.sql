-- One identifier may stand in several suppressions: processing was stopped first and erasure asked for later, or two
-- requests found to be about one person.
alter table suppressed_identifiers drop constraint suppressed_identifiers_pkey,
  add primary key (kind, sha256, suppression_id);

-- A profile of the shared pool belongs to no workspace, and any may have copied it: such an entry has no workspace and
-- is shown to all. Entries are numbered in one order over all workspaces.
drop index workspace_suppressions_of;
alter table workspace_suppressions drop constraint workspace_suppressions_pkey;
alter table workspace_suppressions alter column workspace_id drop not null, add primary key (sequence);
create unique index workspace_suppressions_of on workspace_suppressions (suppression_id, workspace_id)
  nulls not distinct;
create index workspace_suppressions_log on workspace_suppressions (workspace_id, sequence);

-- A request about a person, and how far it has come. Every piece of the work is a transaction of its own that notes what
-- it did, so that whoever comes next goes on, whatever died before.
create table erasures (
  id uuid primary key,
  suppression_id uuid not null unique references suppressions,
  -- the handle of a user, or command_line
  requested_by text not null,
  requested_at timestamptz(3) not null default app_now(),
  -- the person's identifiers in their normal form, which the work needs until its end; then null
  identifiers jsonb,
  completed_at timestamptz(3)
);
create index erasures_requested on erasures (requested_at, id);
create index erasures_open on erasures (requested_at) where completed_at is null;

-- What was found of the person: handles, and the names of files. Those without done_at are still there.
create table erasure_targets (
  erasure_id uuid not null references erasures on delete cascade,
  object text not null,
  id text collate "C" not null,
  -- null for what belongs to no workspace
  workspace_id handle,
  done_at timestamptz(3),
  primary key (erasure_id, object, id)
);
create index erasure_targets_open on erasure_targets (erasure_id, object) where done_at is null;

-- A person is looked for in all workspaces at once.
create index applicants_email_anywhere on applicants (email_key) where email_key is not null;
create index applicants_linkedin_anywhere on applicants (linkedin_key) where linkedin_key is not null;
create index sourced_profiles_linkedin_anywhere on sourced_profiles (linkedin_key) where linkedin_key is not null;
create index contact_values_email_anywhere on contact_values (lower(btrim(value))) where field = 'email';
create index identities_anywhere on identities (value, kind);
create index unsubscribes_anywhere on unsubscribes (email_key);
