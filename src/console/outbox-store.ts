import { type Sql, sql } from '../kernel/db/sql.ts'

/**
 * Of the mails in the local outbox, those of a workspace: messages that it sent, what its owners are asked about an
 * erasure, and mails to people who are its members and nobody else's. A link for somebody who is a member elsewhere too
 * would open that workspace. Messages to people whose processing was stopped are not shown.
 */
export const mailsOf = (
  workspace: string,
  mails: readonly { id: string; address: string }[],
): Sql<{ id: string }> => sql<{ id: string }>`
  select m.id from unnest(${mails.map(m => m.id)}::text[], ${mails.map(m => m.address)}::text[]) as m (id, address)
  where case when m.id ~ '^(sign-in|invitation)-'
    then (select bool_and(u.workspace_id = ${workspace}) from users u where lower(u.email) = lower(m.address))
    when m.id ~ '^erasure-request-' then exists (select from erasure_requests r
      where r.workspace_id = ${workspace} and starts_with(m.id, 'erasure-request-' || r.id || '-'))
    else exists (select from messages s where s.workspace_id = ${workspace} and s.id = m.id and not exists (
      select from applicants p
      where p.workspace_id = ${workspace} and p.id = s.applicant_id and p.suppressed_at is not null)) end`
