import {
  array,
  boolean,
  guarded,
  handle,
  metered,
  nullable,
  object,
  oneOf,
  shape,
  text,
  time,
} from '../../kernel/http/shape.ts'

export const CONTACT_KINDS = ['work', 'personal', 'submitted', 'mobile', 'other'] as const
export const CONTACT_STATUSES = ['verified', 'unverified', 'invalid'] as const

const contactValue = (meter: 'email' | 'phone') =>
  object({
    value: metered(meter, text()),
    kind: oneOf(CONTACT_KINDS),
    status: oneOf(CONTACT_STATUSES),
    verified_at: nullable(time()),
    source: object({ object: text(), id: text(), workspace_id: handle('workspace') }),
    licence: object({ redistributable: boolean() }),
  })

export const contactInfoShape = shape(
  'contact_info',
  'E-mail addresses and phone numbers that the workspace already holds. Each value costs one personal-data unit.',
  {
    subject: object({ object: text(), id: text() }),
    emails: array(contactValue('email')),
    phones: guarded('contact:phone:read', array(contactValue('phone'))),
    unsubscribed: boolean(),
  },
  { subject: row => row.subject, resource: { name: 'contact_info', scope: 'contact:read' } },
)
