-- Members and viewers can be limited to the jobs whose team they are on. Owners and admins have access to all jobs: 'team'
-- of one means nothing until the role is a smaller one again.
alter table users add column job_access text not null default 'all' check (job_access in ('all', 'team'));
comment on column users.job_access is 'team: only the jobs of job_team, for members and viewers';

create table job_team (
  workspace_id handle not null,
  job_id handle not null,
  user_id handle not null,
  added_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, job_id, user_id),
  foreign key (workspace_id, job_id) references jobs (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);
create index job_team_user on job_team (workspace_id, user_id, job_id);
