-- Why a résumé could not be parsed: a word of a fixed list, nothing of the file. Null for those that failed before.
alter table resumes add column parse_error text;

-- The workspace's own entry for an address whose person unsubscribed: it is in force again when they subscribe again.
alter table unsubscribes add column opted_out_at timestamptz(3);
comment on column unsubscribes.opted_out_at is 'when the workspace put the address on its list, where the person unsubscribed as well; null otherwise';
