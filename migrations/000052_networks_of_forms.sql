-- Forms of one network may not push out those of others. Null: it was sent before this column.
alter table pending_submissions add column network text;
comment on column pending_submissions.network is 'a keyed hash of the network that sent it';
