-- The version of the rules by which contacts were last cut out of a profile (`CONTACT_RULES` of
-- src/resources/resumes/parse/clean-profile.ts). Profiles of older rules are cleaned by the worker that reads résumés,
-- with the rules of the reader: the existing ones when the service starts.
alter table resumes add column contact_rules integer not null default 0;
create index resumes_contact_rules on resumes (contact_rules) where parsed is not null;
