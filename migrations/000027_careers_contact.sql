-- Replies to the emails of a careers site go to an address that the company reads.
alter table career_sites add column contact_email text;
comment on column career_sites.contact_email is 'replies to emails of the site go there, and its pages show it; null: no one reads replies';

-- A link that is asked for on a page of the candidate leads back to it.
alter table candidate_mails add column opens text check (opens in ('details', 'erasure'));
comment on column candidate_mails.opens is 'access: the page that the link was asked for on; null: the overview';
