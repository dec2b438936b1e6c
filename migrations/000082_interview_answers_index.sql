-- outside a transaction: an index of a table that is in use.
-- What candidates said about interviews that a member has planned, until someone has answered it.
create index concurrently if not exists interviews_answered on interviews (workspace_id, organizer_id, answered_at, id)
  where answer is not null;
