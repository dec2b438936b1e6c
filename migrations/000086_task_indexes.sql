-- outside a transaction: indexes of tables that are in use.
-- Open candidates of a job for whom no member is responsible, those who wait the longest first.
create index concurrently if not exists applications_of_team
  on applications (workspace_id, job_id, stage_entered_at, id)
  where owner_user_id is null and status in ('new', 'in_review', 'advanced');
-- What candidates wrote, and what members could not send.
create index concurrently if not exists messages_received on messages (workspace_id, created_at)
  where direction = 'in';
create index concurrently if not exists messages_failed on messages (workspace_id, key_id, created_at)
  where status = 'failed';
