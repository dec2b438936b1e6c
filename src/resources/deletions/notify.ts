import type { MailQueue } from '../../kernel/mail/queue.ts'
import { claimNotice, type DueNotice, noticeSent } from './store.ts'

/** Emails to the owners of a workspace whose deletion was scheduled or is near. */
export const deletionMails: MailQueue<DueNotice> = {
  claim: db => db.query(claimNotice()),
  describe: ({ workspace_id }) => ({ workspace: workspace_id }),
  write: async (_services, due) => due.owners.map(owner => mailTo(owner, due)),
  settle: (due, outcome) => (outcome === 'failed' ? undefined : noticeSent(due)),
}

const mailTo = (owner: DueNotice['owners'][number], due: DueNotice) => ({
  id: `workspace-deletion-${due.about}-${due.workspace_id}-${owner.id}`,
  audience: { workspaceId: due.workspace_id, userIds: [owner.id] },
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
