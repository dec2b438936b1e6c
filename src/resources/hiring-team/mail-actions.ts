import type { Database } from '../../kernel/db/database.ts'
import { type Mail, MailNotSent } from '../../kernel/mail/mail.ts'
import type { Services } from '../../kernel/services/services.ts'
import { mailRetryDelay } from './rules.ts'
import { type ClaimedMail, claimMail, type DueMail, dueMails, markMailFailed, markMailSent, memberOf } from './store.ts'

/** Sends the next email to a member; false when none is due. After a crash it is sent again with the same Message-ID. */
export async function mailNextMember(
  services: Pick<Services, 'db' | 'mailer' | 'publicUrl' | 'log'>,
): Promise<boolean> {
  const { db, mailer, log } = services
  const claimed = await claimNext(db)
  if (!claimed) return false
  const member = await db.one(memberOf(claimed))
  if (!member?.email) {
    await db.query(markMailFailed(claimed, null))
    return true
  }
  const due = { ...claimed, ...member }
  try {
    await mailer.send(mailOf(due, member.email, services.publicUrl))
  } catch (error) {
    log.warn({ mail: due.id, attempt: due.attempt, reason: (error as Error).message }, 'emailing a member failed')
    // an email that may have arrived is not sent a second time
    if (error instanceof MailNotSent) {
      await db.query(markMailFailed(due, mailRetryDelay(due.attempt)))
      return true
    }
  }
  await db.query(markMailSent(due))
  return true
}

/** More than the processes that claim at the same time. */
const LOOKED_AT = 8

async function claimNext(db: Database): Promise<ClaimedMail | undefined> {
  for (const mail of await db.query(dueMails(LOOKED_AT))) {
    const claimed = await db.one(claimMail(mail))
    if (claimed) return claimed
  }
  return undefined
}

const TEXTS = {
  mention: {
    subject: 'You were mentioned in a note',
    text: 'A colleague mentioned you in a note about a candidate',
    panel: 'notes',
  },
  scorecard: {
    subject: 'Your scorecard is needed',
    text: 'A colleague asks for your scorecard about a candidate',
    panel: 'scorecards',
  },
} as const

/** Contains nothing about the candidate or the note: the page shows that to members who are signed in. */
function mailOf(due: DueMail, address: string, origin: string): Mail {
  const { id, kind, user_id } = due
  const { subject, lines } = kind === 'summary' ? summaryOf(due) : singleOf(due, TEXTS[kind], origin)
  return {
    id: `team-${id}`,
    audience: { userIds: [user_id] },
    to: { address },
    subject,
    text: [...lines, '', 'Everything that waits for you:', new URL('/hiring/tasks', origin).href].join('\n'),
  }
}

interface Content {
  subject: string
  lines: string[]
}

const singleOf = (
  { application_id, workspace_name }: DueMail,
  { subject, text, panel }: (typeof TEXTS)[keyof typeof TEXTS],
  origin: string,
): Content => ({
  subject,
  lines: [
    `${text} in the workspace ${workspace_name}:`,
    '',
    new URL(`/hiring/applications/${application_id}?panel=${panel}`, origin).href,
  ],
})

function summaryOf({ more, workspace_name }: DueMail): Content {
  const times = more === 1 ? '1 more time' : `${more} more times`
  return {
    subject: 'More mentions and requests for scorecards',
    lines: [
      `Colleagues mentioned you or asked for your scorecard ${times} in the workspace ${workspace_name}.`,
      'You had many emails about this today, so there is one for all of them.',
    ],
  }
}
