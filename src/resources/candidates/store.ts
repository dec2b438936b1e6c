import { type Sql, sql } from '../../kernel/db/sql.ts'

/**
 * confirmation and already_applied: after an application. access: a link that somebody asked for. email_change: to the new
 * address of a person.
 */
export type MailKind = 'confirmation' | 'already_applied' | 'access' | 'email_change'

export interface NewMail {
  workspace: string
  kind: MailKind
  /** as it was typed; whether anyone has it is looked up when the email is sent */
  address: string
  applicantId?: string | undefined
  applicationId?: string | undefined
  /** code of the texts, such as `de` */
  language: string
}

export const insertMail = (m: NewMail): Sql => sql`
  insert into candidate_mails (workspace_id, kind, address, applicant_id, application_id, language)
  values (${m.workspace}, ${m.kind}, ${m.address}, ${m.applicantId ?? null}, ${m.applicationId ?? null}, ${m.language})`
