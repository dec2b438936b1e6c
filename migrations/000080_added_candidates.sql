-- People whom the team adds have not applied: they were found by the team, or someone gave their details to it.
alter table applicants drop constraint applicants_origin_check;
alter table applicants add constraint applicants_origin_check
  check (origin in ('applicant', 'ats_import', 'sourced')) not valid;
alter table applicants validate constraint applicants_origin_check;
