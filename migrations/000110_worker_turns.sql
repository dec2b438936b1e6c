-- Background work that takes turns by workspace: when a workspace last had its turn, and what its turns cost lately.
create table worker_turns (
  workspace_id handle not null references workspaces (id) on delete cascade,
  work text not null check (work in ('read_resumes', 'score_again')),
  last_turn_at timestamptz(3) not null,
  -- a turn is being worked on, at most until then
  busy_until timestamptz(3),
  -- the hour that spent_ms counts in, and the milliseconds spent or reserved in it
  hour_began_at timestamptz(3) not null,
  spent_ms bigint not null default 0,
  -- moving average of the cost of a turn
  recent_ms bigint not null default 0,
  primary key (workspace_id, work)
);

-- The next file of a workspace: the oldest one, or one whose lease or wait has ended.
drop index resumes_to_parse;
create index resumes_to_parse on resumes (workspace_id, (coalesce(parse_leased_until, created_at)), id)
  where parse_status in ('pending', 'parsing');
