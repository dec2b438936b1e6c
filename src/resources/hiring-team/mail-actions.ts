import type { Mail } from '../../kernel/mail/mail.ts'
import type { MailLoop } from '../../kernel/mail/queue.ts'
import { teamRetryDelay } from './rules.ts'
import { type ClaimedTeamMail, selectMailMember, TEAM_MAILS } from './store.ts'

/** Emails to members about mentions and requests for scorecards. */
export const teamMails: MailLoop<ClaimedTeamMail> = {
  name: 'send-team-mails',
  everyMs: 2_000,
  claim: TEAM_MAILS.claim,
  describe: ({ id, attempt }) => ({ mail: mailId(id), attempt }),
  async write({ db, publicUrl }, claimed) {
    const member = await db.one(selectMailMember(claimed))
    return member?.email ? [mailOf({ ...claimed, ...member }, member.email, publicUrl)] : []
  },
  settle: (claimed, outcome) => TEAM_MAILS.settle(claimed, outcome, teamRetryDelay(claimed.attempt)),
}

const mailId = (id: string): string => `team-${id}`

type DueMail = ClaimedTeamMail & { workspace_name: string }

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
  const { workspace_id, id, kind, user_id } = due
  const { subject, lines } = kind === 'summary' ? summaryOf(due) : singleOf(due, TEXTS[kind], origin)
  return {
    id: mailId(id),
    audience: { workspaceId: workspace_id, userIds: [user_id] },
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
