-- When a member last opened a job: applications that arrived later are new to them.
create table job_visits (
  workspace_id handle not null,
  user_id handle not null,
  job_id handle not null,
  at timestamptz(3) not null default app_now(),
  primary key (workspace_id, user_id, job_id),
  foreign key (workspace_id, job_id) references jobs (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);
