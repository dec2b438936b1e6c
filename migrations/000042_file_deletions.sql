-- Files of a workspace that no record needs any more: they are removed from the file store by a worker. A table of the
-- workspace, so that in a cluster the note commits with the change that made the file unnecessary, on one node.
-- `blob_deletions` is for records of the coordinator.
create table file_deletions (
  workspace_id handle not null,
  blob_key text not null,
  added_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, blob_key)
);
create index file_deletions_by_age on file_deletions (added_at);
comment on column file_deletions.blob_key is 'a key, or a prefix that ends with a slash: everything below it is deleted';
