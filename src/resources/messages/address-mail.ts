import type { Queryable } from '../../kernel/db/database.ts'
import { isAddress } from '../../kernel/mail/mail.ts'
import type { Services } from '../../kernel/services/services.ts'
import { shownName } from '../../kernel/text/names.ts'
import { userById } from '../users/index.ts'
import { fullNameOf } from '../users/shape.ts'
import { workspaceById } from '../workspaces/index.ts'
import type { MessageMail } from './message-mail.ts'
import type { MessageText } from './texts.ts'
import { unsubscribeToken } from './unsubscribe-link.ts'

/** The member to whom replies go; undefined: there is no address to reply to. */
export async function readSender(db: Queryable, workspace: string, userId: string | null) {
  const user = userId === null ? undefined : await db.one(userById(workspace, userId))
  const address = user?.email?.trim() ?? ''
  return isAddress(address) ? { name: shownName(fullNameOf(user), 'fullName'), address } : undefined
}

interface Addressed {
  id: string
  workspace: string
  to: MessageMail['to']
  applicantId: string
  sender: MessageMail['replyTo']
  text: MessageText
  html?: string | undefined
  ownPageUrl?: string | undefined
}

/** The mail of a message that may be sent. */
export async function addressedMail(
  db: Queryable,
  { keyring, publicUrl }: Pick<Services, 'keyring' | 'publicUrl'>,
  { id, workspace, to, applicantId, sender, text, html, ownPageUrl }: Addressed,
): Promise<MessageMail> {
  const from = await db.only(workspaceById(workspace))
  return {
    id,
    workspaceId: workspace,
    to,
    replyTo: sender,
    subject: text.subject,
    text: text.body,
    html,
    ownPageUrl,
    workspaceName: shownName(from.name, 'workspace') ?? 'a hiring workspace',
    unsubscribeUrl: `${publicUrl}/unsubscribe/${unsubscribeToken(keyring, { workspace, applicant: applicantId })}`,
  }
}
