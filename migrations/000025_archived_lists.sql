-- The pages of the hiring team leave these out unless they are asked for.
alter table projects add column archived_at timestamptz(3);
alter table lists add column archived_at timestamptz(3);
