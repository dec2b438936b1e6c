-- The version of the rules by which contacts were last removed from a profile (`CONTACT_RULES`). The worker that
-- reads résumés cleans profiles of older rules with the rules of the reader: the existing ones when the service starts.
-- The last builds of 0.1.0 have the column already.
alter table resumes add column if not exists contact_rules integer not null default 0;
create index if not exists resumes_contact_rules on resumes (contact_rules) where parsed is not null;
