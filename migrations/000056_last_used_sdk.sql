-- A browser on the partner's page uses the secret as well: the client that an integration runs is noted apart from it.
alter table api_key_secrets add column last_used_sdk text;
comment on column api_key_secrets.last_used_sdk is 'name and version of the SDK that used it last, such as hiring-partner-sdk/1.0.0';
