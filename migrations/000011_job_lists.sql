-- The list without opt-in shows every job but drafts, in the order of change; and two filters that can be rare.
create index jobs_public_updated on jobs (workspace_id, updated_at, id) where status <> 'draft';
create index jobs_location_type on jobs (workspace_id, location_type, updated_at, id);
create index jobs_employment_type on jobs (workspace_id, employment_type, updated_at, id);

-- "number, 0 to 60": kept as given, so that the same body again is no change.
alter table jobs alter column years_min type double precision, alter column years_max type double precision;

-- Callers type the code: a new job gets one that no other job of the workspace has.
create index jobs_dial_in_code on jobs (workspace_id, dial_in_code) where dial_in_code is not null;

-- Jobs whose time to close has come.
create index jobs_closing on jobs (close_at) where status = 'published' and close_at is not null;
