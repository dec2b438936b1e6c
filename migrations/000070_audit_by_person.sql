-- The console looks for what was read on behalf of one member, among the reads of keys that act for nobody.
create index personal_data_reads_acting on personal_data_reads (workspace_id, acting_user_id, at, id)
  where acting_user_id is not null;
