import { sql } from '../../kernel/db/sql.ts'

const CLEARED = sql`subject_sealed = null, body_sealed = null, scheduled_for = null,
  status = case when status = 'scheduled' then 'canceled' else status end`

/** What a deleted application leaves of its messages: that they were sent, by handles. What waits is not sent. */
export const clearTextsOfApplication = (workspace: string, applicationId: string) => sql`
  update messages set ${CLEARED} where workspace_id = ${workspace} and application_id = ${applicationId}`

/** What a deleted person leaves of them. A repeat finds no recipient, so that it need not be recognized. */
export const clearTextsOfApplicant = (workspace: string, applicantId: string) => sql`
  update messages set idempotency_key = id, fingerprint = '', ${CLEARED}
  where workspace_id = ${workspace} and applicant_id = ${applicantId}`
