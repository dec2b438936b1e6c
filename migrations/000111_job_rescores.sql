-- A change of what a job asks for makes the scores of its applications outdated. They are computed again in the
-- background, in the order of their handles; those after `after_id` are still to do. A further change raises `version`
-- and begins from the start: a batch that was computed before it moves nothing on.
create table job_rescores (
  workspace_id handle not null,
  job_id handle not null,
  version bigint not null default 1,
  after_id text collate "C" not null default '',
  requested_at timestamptz(3) not null default app_now(),
  lease_token uuid,
  leased_until timestamptz(3),
  primary key (workspace_id, job_id),
  foreign key (workspace_id, job_id) references jobs (workspace_id, id) on delete cascade
);

create index applications_job_resumes on applications (workspace_id, job_id, id) where has_resume;
