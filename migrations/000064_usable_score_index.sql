-- outside a transaction: an index of a table that is in use.
-- The best applications of a job, in each status.
create index concurrently if not exists applications_best on applications (workspace_id, job_id, status, usable_score, id);
