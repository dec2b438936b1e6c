import {
  array,
  boolean,
  called,
  guarded,
  handleField,
  hiddenWithout,
  integer,
  metered,
  nullable,
  object,
  oneOf,
  optional,
  type Row,
  shape,
  text,
  time,
} from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'

/** A person is not a record: what is read of one is audited as read of the record that it came from. */
const contactValue = (meter: 'email' | 'phone') =>
  called(
    'contact_value',
    object(
      {
        value: metered(meter, text()),
        kind: oneOf(['work', 'personal', 'submitted', 'mobile', 'other']),
        status: oneOf(['verified', 'unverified', 'invalid']),
        verified_at: nullable(time()),
        source: called(
          'contact_source',
          object({ object: text(), id: text(), workspace_id: nullable(handleField('workspace')) }),
        ),
        licence: called('contact_licence', object({ redistributable: boolean() })),
      },
      { subject: value => value.source },
    ),
  )

const fieldState = oneOf(['found', 'not_found'])

export const contactInfoShape = shape(
  'contact_info',
  'Email addresses and phone numbers that the workspace already has. Reading does not reveal new ones.',
  {
    subject: called('record_subject', object({ object: text(), id: text() })),
    emails: field(array(contactValue('email')), { description: 'Email addresses that the workspace already has.' }),
    phones: field(guarded('contact:phone:read', array(contactValue('phone'))), {
      description: 'Phone numbers that the workspace already has.',
    }),
    unsubscribed: boolean(),
    field_states: field(
      optional(
        object({
          work_email: fieldState,
          personal_email: fieldState,
          phone: hiddenWithout('contact:phone:read', fieldState),
        }),
      ),
      { description: '`not_found` if a detail was never revealed, or was searched for and not found.' },
    ),
    excluded_probable_matches: optional(
      integer('Records that are only a probable match for this person. Their contact details are not included.'),
    ),
    excluded_reason: optional(text()),
  },
  { resource: { name: 'contact_info', scope: 'contact:read' } },
)

export type ContactInfoRow = Row<typeof contactInfoShape>
export type ContactValueRow = ContactInfoRow['emails'][number]
