-- The webhook endpoints of an installable app, one for live workspaces and one for test workspaces: rows of
-- `webhook_endpoints` in its home with these ids, once they have a URL.
alter table connected_apps
  add column live_endpoint_id uuid,
  add column test_endpoint_id uuid;
update connected_apps set live_endpoint_id = gen_random_uuid(), test_endpoint_id = gen_random_uuid()
where distribution = 'installable';
create unique index connected_apps_credential on connected_apps (credential_id);

-- The endpoint of an installation is derived from such a row: it has a health and deliveries of its own, and takes URL,
-- secrets and event types from the row. It gets nothing while there is no such row.
alter table webhook_endpoints
  alter column url drop not null,
  add column source_workspace_id handle,
  add column source_id uuid,
  add constraint webhook_endpoints_source check (
    (source_id is null) = (url is not null) and (source_id is null) = (source_workspace_id is null));
create index webhook_endpoints_source on webhook_endpoints (source_id) where source_id is not null;

insert into webhook_endpoints (workspace_id, id, key_id, event_types, source_workspace_id, source_id, enabled, disabled_at,
  disabled_reason)
select i.workspace_id, gen_random_uuid(), i.key_id, '{}', i.app_workspace_id,
  case w.environment when 'test' then a.test_endpoint_id else a.live_endpoint_id end,
  k.suspended_at is null and k.revoked_at is null,
  case when k.suspended_at is not null or k.revoked_at is not null then app_now() end,
  case when k.suspended_at is not null or k.revoked_at is not null then 'key_revoked' end
from installations i
join workspaces w on w.id = i.workspace_id
join connected_apps a on a.workspace_id = i.app_workspace_id and a.id = i.app_id
join api_keys k on k.workspace_id = i.workspace_id and k.id = i.key_id
where i.ended_at is null;
