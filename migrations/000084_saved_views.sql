-- Lists of the hiring pages that a member saved under a name: the page and the query of its address.
create table saved_views (
  workspace_id handle not null references workspaces on delete cascade,
  id uuid not null,
  -- null: shared by someone who is not a member any more
  user_id handle,
  name text not null,
  page text not null check (page in ('candidates', 'jobs', 'board', 'table')),
  -- the job of a board or table; it may be gone
  job_id handle,
  -- filters, columns and sort
  query text not null,
  shared boolean not null default false,
  primary key (workspace_id, id)
);
