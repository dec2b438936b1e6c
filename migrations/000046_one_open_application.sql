-- outside a transaction: indexes of a table that is in use.
-- A person has one application for a job that is not withdrawn: after a withdrawal they may apply again.
create unique index concurrently if not exists applications_of_person on applications (workspace_id, job_id, applicant_id)
  where applicant_id is not null and status <> 'withdrawn';
drop index concurrently if exists applications_person;
