import { textLock } from '../../kernel/db/locks.ts'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import { mailTable, type QueuedMail } from '../../kernel/mail/queue.ts'
import { CHECK_MAILS, type LinkProof, type LinkPurpose, type MailKind, type ProvenPage } from './rules.ts'

// Emails

export interface NewMail {
  workspace: string
  kind: MailKind
  /** Used by access, email_change and email_changed; the other emails go to the address of the applicant. */
  address: string
  applicantId?: string | undefined
  applicationId?: string | undefined
  /** code of the texts, such as `de` */
  language: string
  /** Used by access: the page that its link opens, if not the overview. */
  opens?: ProvenPage | undefined
}

export const insertMail = (m: NewMail): Sql => sql`
  insert into candidate_mails (workspace_id, kind, address, applicant_id, application_id, language, opens)
  values (${m.workspace}, ${m.kind}, ${m.address}, ${m.applicantId ?? null}, ${m.applicationId ?? null}, ${m.language},
    ${m.opens ?? null})`

export interface ClaimedMail extends QueuedMail {
  kind: MailKind
  address: string
  application_id: string | null
  applicant_id: string | null
  language: string
  opens: ProvenPage | null
  /** the order that the email is about */
  order_id: string | null
  /** the interview that the email is about */
  interview_id: string | null
  created_at: string
}

type MailKey = Pick<ClaimedMail, 'workspace_id' | 'id'>

/** An erasure waits for an email that is being sent, so the lease has a column of its own. */
export const CANDIDATE_MAILS = mailTable<ClaimedMail>(
  sql`candidate_mails`,
  sql`m.kind, m.address, m.application_id, m.applicant_id, m.language, m.opens, m.order_id, m.interview_id, m.created_at`,
  'leased_until',
)

export interface MailRecipient {
  applicant_id: string
  first_name: string | null
  full_name: string | null
  email: string | null
  email_key: string | null
  linkedin_key: string | null
  suppressed: boolean
  unsubscribed: boolean
  job_title: string | null
}

export interface MailSender {
  slug: string
  enabled: boolean
  accent_color: string | null
  logo_blob_key: string | null
  contact_email: string | null
  display_name: string | null
  workspace_name: string
  confirmations: Readonly<Record<string, { subject: string; body: string }>>
}

/** What emails look like where there is no site. */
export const selectPlainSender = (workspace: string): Sql<MailSender> =>
  sql<MailSender>`
    select '' as slug, false as enabled, null::text as accent_color, null::text as logo_blob_key,
      null::text as contact_email, null::text as display_name, w.name as workspace_name, '{}'::jsonb as confirmations
    from workspaces w where w.id = ${workspace}`

/** The site of the workspace, which its emails look like. */
export const selectMailSender = (workspace: string): Sql<MailSender> =>
  sql<MailSender>`
    select s.slug, s.enabled, s.accent_color, s.logo_blob_key, s.contact_email, s.display_name, w.name as workspace_name,
      s.confirmations
    from career_sites s join workspaces w on w.id = s.workspace_id where s.workspace_id = ${workspace}`

const applicationOf = (workspace: string, id: string) => sql`
  left join applications a on a.workspace_id = ${workspace} and a.id = ${id} and a.applicant_id = p.id
  left join jobs j on j.workspace_id = ${workspace} and j.id = a.job_id`

/** By the applicant of the email, or by the address that someone typed. */
export const selectMailRecipient = (m: ClaimedMail): Sql<MailRecipient> =>
  sql<MailRecipient>`
    select p.id as applicant_id, p.first_name, p.full_name, p.email, p.email_key, p.linkedin_key,
      p.suppressed_at is not null as suppressed,
      p.unsubscribed_at is not null or exists (select from unsubscribes u
        where u.workspace_id = ${m.workspace_id} and u.email_key = p.email_key) as unsubscribed,
      ${m.application_id === null ? sql`null::text` : sql`j.title`} as job_title
    from applicants p
    ${m.application_id === null ? none : applicationOf(m.workspace_id, m.application_id)}
    where p.workspace_id = ${m.workspace_id}
      and ${m.applicant_id === null ? sql`p.email_key = ${m.address}` : sql`p.id = ${m.applicant_id}`}
    order by p.id limit 1`

/** From now on the row leads an erasure of the person to the email. No row: an erasure was faster. */
export const assignMail = (m: MailKey, applicantId: string): Sql<{ id: string }> =>
  sql<{ id: string }>`
    update candidate_mails set applicant_id = ${applicantId}
    where workspace_id = ${m.workspace_id} and id = ${m.id}::uuid returning id`

/** A person gets no more than a few of these: others cause them. */
const COUNTED_MAILS: readonly MailKind[] = ['confirmation', 'already_applied', ...CHECK_MAILS]

/**
 * A row if a person has got enough emails about applications: 6 in ten minutes, 20 in a day. Anyone can cause them by typing
 * the address, so the form counts them by network as well (`careers/apply/limits.ts`). Counted in the order of the queue, so
 * that several processes come to the same result.
 */
export const isTooMany = (m: ClaimedMail): Sql<{ is: boolean }> =>
  sql<{ is: boolean }>`
    select true as is from candidate_mails c
    join candidate_mails e on e.workspace_id = c.workspace_id and e.applicant_id = c.applicant_id
      and e.kind = any(${COUNTED_MAILS}::text[]) and (e.created_at, e.id) < (c.created_at, c.id)
      and e.created_at > c.created_at - interval '1 day'
    where c.workspace_id = ${m.workspace_id} and c.id = ${m.id}::uuid and c.kind = any(${COUNTED_MAILS}::text[])
    having count(*) >= 20 or count(*) filter (where e.created_at > c.created_at - interval '10 minutes') >= 6`

export interface MailedCheck {
  name: string
  vendor: string
  minutes: number | null
  due_at: string | null
  privacy_url: string
}

/** The order that an email is about, if it still has the status that the email speaks of. */
export const mailedCheck = (m: ClaimedMail): Sql<MailedCheck> =>
  sql<MailedCheck>`
    select o.package_name as name, o.vendor_name as vendor, k.duration_minutes as minutes, o.due_at, coalesce(o.privacy_url, k.privacy_url) as privacy_url
    from orders o join packages k on k.workspace_id = o.workspace_id and k.id = o.package_id
    where o.workspace_id = ${m.workspace_id} and k.workspace_id = ${m.workspace_id} and o.id = ${m.order_id}
      and o.status = ${m.kind === 'check_canceled' ? 'canceled' : 'invited'}`

/** An email that is not to be sent. */
export const dropMail = (m: MailKey): Sql => sql`
  delete from candidate_mails where workspace_id = ${m.workspace_id} and id = ${m.id}::uuid`

// Mailed links

export interface NewLink {
  workspace: string
  tokenHash: string
  applicantId: string
  purpose: LinkPurpose
  newAddress: string | null
  seconds: number
}

export const insertLink = (l: NewLink): Sql => sql`
  insert into candidate_links (workspace_id, token_hash, applicant_id, purpose, new_address, expires_at)
  values (${l.workspace}, ${l.tokenHash}, ${l.applicantId}, ${l.purpose}, ${l.newAddress},
    app_now() + ${l.seconds}::integer * interval '1 second')`

export const deleteLink = (workspace: string, tokenHash: string): Sql => sql`
  delete from candidate_links where workspace_id = ${workspace} and token_hash = ${tokenHash}`

/** New links of a person take turns: otherwise two at the same time would not see each other, and both would work. */
export const lockLinks = (workspace: string, applicantId: string): Sql =>
  sql`select pg_advisory_xact_lock(${textLock('candidateLinks', workspace, applicantId)})`

/** A new link replaces those that were not used. */
export const deleteUnusedLinks = (workspace: string, applicantId: string, purpose: LinkPurpose): Sql => sql`
  delete from candidate_links where workspace_id = ${workspace} and applicant_id = ${applicantId}
    and purpose = ${purpose} and used_at is null`

/** A person whose processing was stopped is not let in. */
const usable = (workspace: string) => sql`
  l.used_at is null and l.expires_at > app_now() and exists (select from applicants p
    where p.workspace_id = ${workspace} and p.id = l.applicant_id and p.suppressed_at is null)`

export interface LinkRow {
  applicant_id: string
  purpose: LinkPurpose
  new_address: string | null
}

/** Looks at a link without using it. */
export const linkByHash = (workspace: string, tokenHash: string): Sql<LinkRow> =>
  sql<LinkRow>`
    select l.applicant_id, l.purpose, l.new_address from candidate_links l
    where l.workspace_id = ${workspace} and l.token_hash = ${tokenHash} and ${usable(workspace)}`

/** Uses a link of one of the purposes. Of two concurrent calls only one gets the row. */
export const useLink = <P extends LinkPurpose>(
  workspace: string,
  tokenHash: string,
  purposes: readonly P[],
): Sql<LinkRow & { purpose: P }> =>
  sql<LinkRow & { purpose: P }>`
    update candidate_links l set used_at = app_now()
    where l.workspace_id = ${workspace} and l.token_hash = ${tokenHash} and l.purpose = any(${purposes}::text[])
      and ${usable(workspace)}
    returning l.applicant_id, l.purpose, l.new_address`

/** The address before a change of it. */
export const addressBefore = (workspace: string, applicantId: string): Sql<{ email: string | null }> =>
  sql<{ email: string | null }>`
    select email from applicants where workspace_id = ${workspace} and id = ${applicantId}`

/** Links that went to an address which is no longer the person's. */
export const deleteCandidateLinks = (workspace: string, applicantId: string): Sql => sql`
  delete from candidate_links where workspace_id = ${workspace} and applicant_id = ${applicantId}`

// Sessions

export interface NewCandidateSession {
  workspace: string
  tokenHash: string
  applicantId: string
  proof: LinkProof
  seconds: number
}

export const insertCandidateSession = (s: NewCandidateSession): Sql => sql`
  insert into candidate_sessions (workspace_id, token_hash, applicant_id, proof, expires_at)
  values (${s.workspace}, ${s.tokenHash}, ${s.applicantId}, ${s.proof},
    app_now() + ${s.seconds}::integer * interval '1 second')`

export interface CandidateRow {
  session_id: string
  expires_at: string
  proof: LinkProof
  applicant_id: string
  first_name: string | null
  last_name: string | null
  full_name: string | null
  email: string | null
  phone: string | null
  location: string | null
  linkedin_url: string | null
  portfolio_url: string | null
  /** by the person; that the company keeps an address off its mail is its own affair */
  unsubscribed: boolean
}

/** The person of a session; none as soon as their processing was stopped. */
export const candidateBySession = (workspace: string, tokenHash: string): Sql<CandidateRow> =>
  sql<CandidateRow>`
    select s.id as session_id, s.expires_at, s.proof, p.id as applicant_id, p.first_name, p.last_name, p.full_name, p.email,
      p.phone, p.location, p.linkedin_url, p.portfolio_url,
      p.unsubscribed_at is not null or exists (select from unsubscribes u where u.workspace_id = ${workspace}
        and u.email_key = p.email_key and u.source <> 'opt_out') as unsubscribed
    from candidate_sessions s
    join applicants p on p.workspace_id = s.workspace_id and p.id = s.applicant_id and p.suppressed_at is null
    where s.workspace_id = ${workspace} and s.token_hash = ${tokenHash} and s.expires_at > app_now()`

export const deleteCandidateSession = (workspace: string, sessionId: string): Sql => sql`
  delete from candidate_sessions where workspace_id = ${workspace} and id = ${sessionId}::uuid`

export const deleteCandidateSessions = (workspace: string, applicantId: string): Sql => sql`
  delete from candidate_sessions where workspace_id = ${workspace} and applicant_id = ${applicantId}`
