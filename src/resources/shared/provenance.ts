import {
  boolean,
  called,
  type Field,
  handleField,
  nullable,
  object,
  oneOf,
  type RowOf,
  text,
  time,
} from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'

/** Where a record comes from and what may be done with it. */
export const provenanceFields = {
  origin: oneOf(['applicant', 'ats_import', 'sourced', 'shared_pool']),
  acquisition: text(
    'How it was acquired, for example inbound_application, added_by_team, referral, file_import or xray_search.',
  ),
  provider: nullable(text()),
  owner_workspace_id: nullable(handleField('workspace')),
  first_seen_at: time(),
  last_seen_at: time(),
  consent: field(
    called(
      'provenance_consent',
      object({
        basis: oneOf(['candidate_submitted', 'customer_provided', 'legitimate_interest_sourcing', 'public_profile']),
        candidate_facing_notice: boolean(),
        unsubscribed: boolean(),
        suppressed: boolean(
          'The person asked for processing to stop. Only the record itself is returned, without details.',
        ),
      }),
    ),
    { description: 'Always respect `unsubscribed`, whatever your scopes are.' },
  ),
  licence: called('provenance_licence', object({ redistributable: boolean(), note: text() })),
}

export type Provenance = RowOf<typeof provenanceFields>

export const provenance: Field<Provenance> = called('provenance', object(provenanceFields))

export const LICENCE = {
  redistributable: false,
  note: 'For use within the workspace only; not to be passed on or resold.',
} as const
