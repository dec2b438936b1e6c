import { array, handleField, links, nullable, object, oneOf, shape, text, time, uuid } from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'

export const INSTALLATION_STATUSES = ['active', 'suspended', 'ended'] as const

const fields = {
  id: handleField('installation'),
  app: object({ id: uuid(), name: text() }),
  workspace_id: handleField('workspace'),
  workspace_name: text(),
  environment: field(oneOf(['live', 'test']), { description: 'The environment of the workspace.' }),
  status: oneOf(INSTALLATION_STATUSES),
  suspended_by: nullable(oneOf(['workspace', 'operator'])),
  scopes: field(array(text()), { description: 'What the workspace granted.' }),
  scopes_pending: field(array(text()), {
    description: 'What the app has asked for since. An owner or admin decides about it with the install link.',
  }),
  credential_id: field(handleField('credential'), { description: 'The newest key.' }),
  key_created_at: time(),
  installed_at: time(),
  updated_at: time(),
  ended_at: nullable(time()),
  delete_by: field(nullable(time()), { description: 'When your copies of the data must be deleted.' }),
  deletion_confirmed_at: nullable(time()),
}

export const installationShape = shape('installation', 'An app in a workspace.', {
  ...fields,
  links: links({ self: '/installations/{id}' }),
})

export const installationKeyShape = shape('installation_key', 'The key of an installation with its new secret.', {
  installation_id: handleField('installation'),
  credential_id: handleField('credential'),
  access_token: field(nullable(text()), { description: 'Shown once; null in the response to a repeated request.' }),
  previous_secret_expires_at: nullable(time()),
})
