import { ROLES } from '../../contract/scopes.ts'
import { boolean, email, handleField, links, nullable, oneOf, shape, text, time, url } from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'

export const USER_KINDS = ['person', 'app'] as const

export const userShape = shape(
  'user',
  'A member of a workspace.',
  {
    id: handleField('user'),
    workspace_id: handleField('workspace'),
    email: nullable(email()),
    first_name: nullable(text()),
    last_name: nullable(text()),
    is_verified: boolean(),
    role: oneOf(ROLES),
    kind: field(oneOf(USER_KINDS), { description: '`app`: the user of an installed app. It cannot sign in.' }),
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

/** The name of a member in lists: the email address where no name is known. */
export const userName = (user: Named & { email: string | null }): string => fullNameOf(user) ?? user.email ?? ''
