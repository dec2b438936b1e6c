-- A member has a role on the team of a job. Until now everyone on a team did what recruiters do.
alter table job_team add column role text not null default 'recruiter';
alter table job_team add constraint job_team_role_check
  check (role in ('recruiter', 'hiring_manager', 'interviewer')) not valid;
alter table job_team validate constraint job_team_role_check;
