import { PLAN_CODES } from '../../contract/plans.ts'
import {
  array,
  boolean,
  handleField,
  integer,
  map,
  nullable,
  object,
  oneOf,
  shape,
  text,
  time,
  uuid,
} from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'

export const pingShape = shape('ping', 'The service is up.', { ok: boolean(), api_version: text() })

export const versionShape = shape('api_version', 'An API version.', {
  version: text(),
  status: oneOf(['current', 'supported', 'deprecated']),
  released_at: time(),
  sunset_at: nullable(time()),
})

export const credentialShape = shape('credential', 'The calling key and its limits.', {
  id: handleField('credential'),
  name: text(),
  environment: field(oneOf(['live', 'test']), {
    description:
      'The kind of the workspace: `test` for keys of a test workspace. In a live workspace `test` is a label.',
  }),
  scopes: field(array(text()), { description: 'What the key can do.' }),
  scope_descriptions: map(text(), 'description by scope'),
  workspace_scope: field(oneOf(['single', 'list', 'all']), {
    description: '`single`: one workspace. `list`: several. `all`: every workspace of the account.',
  }),
  workspace_ids: field(array(handleField('workspace')), { description: 'Workspaces that the key has access to.' }),
  workspace_id_required: field(boolean(), { description: 'Whether `workspace_id` must be sent with every call.' }),
  owner_user_id: field(nullable(handleField('user')), {
    description: 'The user that writes are attributed to; null if the key has no owner and cannot write.',
  }),
  acting_user_id: nullable(handleField('user')),
  installation_id: field(nullable(handleField('installation')), {
    description: 'The installation that the key belongs to; null for other keys.',
  }),
  app_id: field(nullable(uuid()), { description: 'The app that was installed.' }),
  ip_allowlist_active: field(boolean(), { description: 'Whether the key works only from certain IP addresses.' }),
  plan: nullable(object({ code: oneOf(PLAN_CODES), name: text() })),
  quota_resets_at: field(time(), { description: 'The first of the next month, UTC.' }),
  rate_limits: object({
    general_per_minute: integer(),
    expensive_per_minute: integer(),
    download_per_minute: integer(),
    personal_data_reads_per_day: integer(),
    personal_data_reads_used_today: integer(),
    requests_per_month: nullable(integer('null: unlimited')),
    requests_used_this_month: integer(),
    messages_per_day: integer(),
    messages_used_today: integer(),
    max_page_size: integer(),
    default_page_size: integer(),
    max_result_window: field(integer(), { description: 'How many rows of a list can be paged through.' }),
  }),
  created_at: time(),
  expires_at: nullable(time()),
  previous_secret_expires_at: nullable(time()),
  api_version: text(),
})

export const resourceAccessShape = shape('resource_access', 'What the key can read of one resource.', {
  resource: text(),
  scope: nullable(text('the read scope; null if any key can read it')),
  readable: boolean(),
  fields: array(
    object({
      name: text(),
      state: oneOf(['visible', 'restricted']),
      reason: nullable(text()),
    }),
  ),
})
