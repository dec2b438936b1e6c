-- What a key was granted when it was created. `scopes` are those in force: what the role of its person allows of it now.
-- Every change of a role writes them (`followRole` of src/resources/keys/actions.ts), so that whatever reads a key's
-- scopes reads the ones in force. Existing keys are cut by src/kernel/db/migration-steps.ts.
alter table api_keys add column granted_scopes text[];
update api_keys set granted_scopes = scopes;
alter table api_keys alter column granted_scopes set not null;
create index api_keys_user on api_keys (workspace_id, user_id) where user_id is not null;
-- keys whose person may do less than the key was granted: few, if any
create index api_keys_cut on api_keys (id) where cardinality(scopes) < cardinality(granted_scopes);
