-- A member has a role on the team of a job. Until now everyone on a team did what recruiters do.
alter table job_team add column role text not null default 'recruiter'
  check (role in ('recruiter', 'hiring_manager', 'interviewer'));
