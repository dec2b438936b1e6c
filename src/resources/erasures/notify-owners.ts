import { MailNotSent } from '../../kernel/mail/mail.ts'
import type { Services } from '../../kernel/services/services.ts'
import { claimNotification, type DueNotification, notified } from './store-requests.ts'

/**
 * Sends email about the next request to the owners of its workspace; false when there is none. If no email could be
 * sent, or the process died, it is retried when the lease of the request expires.
 */
export async function notifyNextOwners(
  services: Pick<Services, 'db' | 'mailer' | 'publicUrl' | 'log'>,
): Promise<boolean> {
  const { db, mailer, log } = services
  const due = await db.one(claimNotification())
  if (!due) return false
  let reached = due.owners.length === 0
  for (const owner of due.owners) {
    try {
      await mailer.send(mailTo(owner, due, services.publicUrl))
      reached = true
    } catch (error) {
      // an email that may have arrived is not sent a second time
      if (!(error instanceof MailNotSent)) reached = true
      log.warn({ request: due.id, owner: owner.id, reason: (error as Error).message }, 'emailing an owner failed')
    }
  }
  if (reached) await db.query(notified(due.id))
  return true
}

/** Contains nothing about the person: the page shows that to owners who are signed in. */
const mailTo = (owner: DueNotification['owners'][number], due: DueNotification, publicUrl: string) => ({
  id: `erasure-request-${due.id}-${owner.id}`,
  audience: { userIds: [owner.id] },
  to: { address: owner.email },
  subject: 'An erasure request needs your decision',
  text: [
    `Another workspace of this installation was asked to erase a person, or to stop processing their data. Your workspace ${due.workspace_name} has records of the same person.`,
    '',
    'Nothing has changed in your workspace. An owner decides whether the request applies there too:',
    '',
    new URL(`/console/erasures/requests/${due.id}`, publicUrl).href,
    '',
    'You receive this email because you are an owner of the workspace.',
  ].join('\n'),
})
