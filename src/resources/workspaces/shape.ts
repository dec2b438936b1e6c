import { ROLES } from '../../contract/scopes.ts'
import { boolean, handleField, links, nullable, oneOf, shape, text, time, url } from '../../kernel/http/shape.ts'

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

export const userShape = shape(
  'user',
  'A member of a workspace.',
  {
    id: handleField('user'),
    workspace_id: handleField('workspace'),
    email: nullable(text()),
    first_name: nullable(text()),
    last_name: nullable(text()),
    is_verified: boolean(),
    role: oneOf(ROLES),
    photo_url: nullable(url()),
    created_at: time(),
    updated_at: time(),
    last_login_at: nullable(time()),
    links: links({ self: '/users/{id}' }),
  },
  { resource: { name: 'users', scope: 'users:read' } },
)

interface Named {
  first_name: string | null
  last_name: string | null
}

export const fullNameOf = (user: Named | undefined): string | null =>
  [user?.first_name, user?.last_name].filter(Boolean).join(' ') || null

/** How a member is called where everybody has to be called something. */
export const userName = (user: Named & { email: string | null }): string => fullNameOf(user) ?? user.email ?? ''
