import { MailNotSent } from '../../kernel/mail/mail.ts'
import type { Services } from '../../kernel/services/services.ts'
import { claimNotice, type DueNotice, noticeSent } from './store.ts'

/**
 * Emails the owners of the next workspace whose deletion was scheduled or is near; false when there is none. If no email
 * could be sent, or the process died, it is retried when the lease of the row expires.
 */
export async function notifyNextDeletion(services: Pick<Services, 'db' | 'mailer' | 'log'>): Promise<boolean> {
  const { db, mailer, log } = services
  const due = await db.one(claimNotice())
  if (!due) return false
  let reached = due.owners.length === 0
  for (const owner of due.owners) {
    try {
      await mailer.send(mailTo(owner, due))
      reached = true
    } catch (error) {
      // an email that may have arrived is not sent a second time
      if (!(error instanceof MailNotSent)) reached = true
      log.warn({ workspace: due.workspace_id, owner: owner.id, reason: (error as Error).message }, 'email not sent')
    }
  }
  if (reached) await db.query(noticeSent(due))
  return true
}

const mailTo = (owner: DueNotice['owners'][number], due: DueNotice) => ({
  id: `workspace-deletion-${due.about}-${due.workspace_id}-${owner.id}`,
  audience: { userIds: [owner.id] },
  to: { address: owner.email },
  subject:
    due.about === 'scheduled'
      ? `${due.workspace_name} will be deleted`
      : `Reminder: ${due.workspace_name} will be deleted soon`,
  text: [
    `The workspace ${due.workspace_name} is closed. On ${due.delete_at.slice(0, 16).replace('T', ' ')} UTC everything in it is deleted: jobs, applications, candidates, lists, files, keys and members.`,
    '',
    'Until then the operator of this installation can restore it:',
    '',
    `hiring workspaces restore ${due.workspace_id}`,
    '',
    'You receive this email because you are an owner of the workspace.',
  ].join('\n'),
})
