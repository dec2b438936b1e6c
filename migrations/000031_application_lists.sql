-- Applications of a job in one status, in the order of change: the list that partners poll.
create index applications_job_status on applications (workspace_id, job_id, status, updated_at, id);
