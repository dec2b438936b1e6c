-- Members are found by the key of their address (`accountKey` of src/kernel/identity.ts), never by the database's own
-- idea of lower case. Existing rows get theirs from src/kernel/db/migration-steps.ts, in the transaction of this
-- migration: members all of them, contact addresses where they are not ASCII.
drop index users_email;
drop index users_sign_in;
alter table users
  add column email_key text collate "C",
  -- 0; members who were added under different spellings of one address before keys were compared are numbered by age
  add column email_key_rank integer not null default 0;
create unique index users_email_key on users (workspace_id, email_key, email_key_rank) where email_key is not null;
-- People sign in by e-mail address before their workspace is known.
create index users_sign_in on users (email_key) where email_key is not null;
-- validated by the step
alter table users add constraint users_email_has_key check ((email is null) = (email_key is null)) not valid;

drop index contact_values_email_anywhere;
alter table contact_values add column email_key text collate "C";
-- the "C" collation folds A to Z alone
update contact_values set email_key = lower(btrim(value, E' \t\n\r\f\v') collate "C")
where field = 'email' and value !~ '[^\x01-\x7f]';
create index contact_values_email_key on contact_values (email_key) where email_key is not null;
