import { handleField, links, oneOf, shape, text, time } from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'

export const workspaceShape = shape(
  'workspace',
  'A hiring workspace.',
  {
    id: handleField('workspace'),
    name: text(),
    environment: field(oneOf(['live', 'test']), {
      description: 'Fixed when the workspace is created. A test workspace sends no email and holds no real people.',
    }),
    created_at: time(),
    updated_at: time(),
    links: links(
      { self: '/workspaces/{id}', users: '/workspaces/{id}/users', jobs: '/jobs?workspace_id={id}' },
      workspace => workspace.id,
    ),
  },
  { resource: { name: 'workspaces', scope: 'workspaces:read' } },
)
