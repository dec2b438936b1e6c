import { randomUUID } from 'node:crypto'
import type { Mailer } from '../../kernel/mail/mail.ts'
import { shownName } from '../../kernel/text/names.ts'
import { SIGN_IN_CHANGES, type SignInChange } from './rules.ts'

/** The person whose account was changed. */
export interface ChangedPerson {
  workspaceId: string
  userId: string
  email: string
  workspaceName: string
}

/** Emails the person, who notices so what they did not do themselves. */
export function mailChange(
  { mailer, publicUrl }: { mailer: Mailer; publicUrl: string },
  person: ChangedPerson,
  change: SignInChange,
): Promise<void> {
  const workspace = shownName(person.workspaceName, 'workspace')
  return mailer.send({
    id: `sign-in-change-${randomUUID()}`,
    audience: { workspaceId: person.workspaceId, userIds: [person.userId] },
    to: { address: person.email },
    subject: SIGN_IN_CHANGES[change],
    text: [
      `${SIGN_IN_CHANGES[change]}. This concerns how you sign in with this email address.`,
      ...(workspace === null ? [] : ['', `Workspace: ${workspace}`]),
      '',
      'If it was you, or an owner of your workspace did it for you, there is nothing to do.',
      'If not, sign in with an emailed link, change your password, and ask an owner of your workspace for help:',
      '',
      new URL('/account', publicUrl).href,
    ].join('\n'),
  })
}
