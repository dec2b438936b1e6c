-- The clock of a test workspace, which partners move forward. Only deadlines follow it: see src/kernel/db/workspace-time.ts.
alter table workspaces add constraint workspaces_id_environment unique (id, environment);

create table test_clocks (
  workspace_id handle primary key,
  environment text not null default 'test' check (environment = 'test'),
  offset_seconds integer not null default 0 check (offset_seconds >= 0),
  target_seconds integer not null default 0 check (target_seconds between offset_seconds and 400 * 86400),
  advancing boolean not null default false,
  foreign key (workspace_id, environment) references workspaces (id, environment) on delete cascade
);
comment on table test_clocks is 'how far the clocks of test workspaces are ahead of real time; no row: not at all';
comment on column test_clocks.offset_seconds is 'how far the clock is ahead now';
comment on column test_clocks.target_seconds is 'how far it will be ahead when what fell due until then is done';
comment on column test_clocks.advancing is 'whether anything until then is still to be done';
