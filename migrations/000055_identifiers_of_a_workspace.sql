-- Hexadecimal digests of the identifiers that the workspace's own records carried: a hash of an address is easily guessed,
-- so nobody is shown one that only another workspace held. Null where this was not noted: all of them.
alter table workspace_suppressions add column identifiers jsonb;
