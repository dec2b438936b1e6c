import type { MailLoop } from '../../kernel/mail/queue.ts'
import { claimNotification, type DueNotification, notified } from './store-requests.ts'

/** Emails to the owners of a workspace when another workspace requests an erasure. */
export const requestMails: MailLoop<DueNotification> = {
  name: 'notify-owners',
  everyMs: 2_000,
  claim: db => db.query(claimNotification()),
  describe: ({ id }) => ({ request: id }),
  write: async ({ publicUrl }, due) => due.owners.map(owner => mailTo(owner, due, publicUrl)),
  settle: ({ id }, outcome) => (outcome === 'failed' ? undefined : notified(id)),
}

/** Contains nothing about the person: the page shows that to owners who are signed in. */
const mailTo = (owner: DueNotification['owners'][number], due: DueNotification, publicUrl: string) => ({
  id: `erasure-request-${due.id}-${owner.id}`,
  audience: { workspaceId: due.workspace_id, userIds: [owner.id] },
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
