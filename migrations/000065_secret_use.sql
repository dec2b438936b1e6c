-- From where, and with what program, each secret was last used: during a rotation it tells who still has the old one.
alter table api_key_secrets add column last_used_address text, add column last_used_agent text;
