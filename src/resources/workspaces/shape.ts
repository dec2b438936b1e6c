import { handleField, links, shape, text, time } from '../../kernel/http/shape.ts'

export const workspaceShape = shape(
  'workspace',
  'A hiring workspace.',
  {
    id: handleField('workspace'),
    name: text(),
    created_at: time(),
    updated_at: time(),
    links: links(
      { self: '/workspaces/{id}', users: '/workspaces/{id}/users', jobs: '/jobs?workspace_id={id}' },
      workspace => workspace.id,
    ),
  },
  { resource: { name: 'workspaces', scope: 'workspaces:read' } },
)
