-- outside a transaction: an index of a table that is in use.
-- Open candidates for whom a member is responsible, those who wait the longest first.
create index concurrently if not exists applications_owner
  on applications (workspace_id, owner_user_id, stage_entered_at, id)
  where owner_user_id is not null;
