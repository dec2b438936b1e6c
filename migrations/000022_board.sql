-- The board of a job reads each column from this index: newest application first within each status, so that a page costs
-- the same however many applications the stage has. Counts by stage, status and source are read from the index alone.
create index applications_board on applications (workspace_id, stage_id, status, applied_at, id) include (source, has_resume);
