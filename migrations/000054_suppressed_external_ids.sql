-- An import may name a person by the id that another system gave them, and by nothing else. Hashes of those ids keep
-- erased people from coming back that way. The workspace is empty for the shared pool.
create table suppressed_external_ids (
  workspace_id text collate "C" not null,
  object text not null check (object in ('applicant', 'sourced_profile', 'pool_profile')),
  sha256 bytea not null,
  suppression_id uuid not null references suppressions,
  primary key (workspace_id, object, sha256, suppression_id)
);
create index suppressed_external_ids_of on suppressed_external_ids (suppression_id);
