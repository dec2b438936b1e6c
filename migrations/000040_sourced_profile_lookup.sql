create extension if not exists pg_trgm;

-- The name of a profile in the file or system it was imported from, so that a second import updates it.
alter table sourced_profiles add column external_id text collate "C";
create unique index sourced_profiles_external on sourced_profiles (workspace_id, external_id)
  where external_id is not null;

-- What `q` searches: name, title and company, kept apart by a line end.
create index sourced_profiles_q on sourced_profiles using gin (
  lower(coalesce(full_name, '') || E'\n' || coalesce(job_title, '') || E'\n' || coalesce(company_name, '')) gin_trgm_ops
);
