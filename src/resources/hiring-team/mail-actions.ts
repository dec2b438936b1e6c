import { DATE_LOCALE } from '../../contract/date-format.ts'
import { readersOf } from '../../kernel/access/reach.ts'
import type { Queryable } from '../../kernel/db/database.ts'
import type { Mail } from '../../kernel/mail/mail.ts'
import type { MailLoop, MailServices } from '../../kernel/mail/queue.ts'
import {
  entryForTeam,
  namesAreFull,
  readInvitation,
  readOrganizer,
  teamUrl,
  titleForTeam,
  writeInvite,
} from '../interviews/index.ts'
import { teamRetryDelay } from './rules.ts'
import { type ClaimedTeamMail, mentionsOf, selectMailMember, TEAM_MAILS } from './store.ts'

/** Emails to members about mentions and requests for scorecards. */
export const teamMails: MailLoop<ClaimedTeamMail> = {
  name: 'send-team-mails',
  everyMs: 2_000,
  claim: TEAM_MAILS.claim,
  describe: ({ id, attempt }) => ({ mail: mailId(id), attempt }),
  async write(services, claimed) {
    const member = await services.db.one(selectMailMember(claimed))
    if (!member?.email) return []
    const due = { ...claimed, ...member }
    // a cancellation says nothing about the candidate, and is for people who have left the team as well
    if (due.method !== 'CANCEL' && !(await isStillConcerned(services.db, claimed))) return []
    if (isPlain(due)) return [mailOf(due, member.email, services.publicUrl)]
    const mail = isInvitation(due) ? await interviewMail(services, due, member.email) : undefined
    return mail ? [mail] : []
  },
  settle: (claimed, outcome) => TEAM_MAILS.settle(claimed, outcome, teamRetryDelay(claimed.attempt)),
}

/** Whether the member still sees the candidate, and the note that mentions them, when the email is sent. */
async function isStillConcerned(db: Queryable, claimed: ClaimedTeamMail): Promise<boolean> {
  const { workspace_id, user_id, application_id, note_id } = claimed
  if (application_id === null) return true
  const reader = (await readersOf(db, workspace_id, application_id, [user_id])).get(user_id)
  if (!reader?.sees || !reader.rights.has('feedback')) return false
  if (note_id === null) return true
  return (await db.query(mentionsOf(workspace_id, note_id))).some(mention => mention.user_id === user_id)
}

const mailId = (id: string): string => `team-${id}`

type DueMail = ClaimedTeamMail & { name: string; workspace_name: string }

type Invited = DueMail & { kind: 'interview' }
type PlainMail = DueMail & { kind: Exclude<DueMail['kind'], 'interview'> }
const isInvitation = (due: DueMail): due is Invited => due.kind === 'interview'
const isPlain = (due: DueMail): due is PlainMail => due.kind !== 'interview'

/** An invitation as the interview is now; undefined: it is not planned any more. */
async function interviewMail(
  { db, keyring, publicUrl, config }: MailServices,
  { workspace_id: workspace, id, user_id, name, interview_id, method, calendar }: Invited,
  address: string,
): Promise<Mail | undefined> {
  const installation = { publicUrl, sender: config.MAIL_FROM }
  const attendee = { name, address }
  const common = { id: mailId(id), audience: { workspaceId: workspace, userIds: [user_id] }, to: { address } }
  if (interview_id === null) return undefined
  if (method === 'CANCEL') {
    if (calendar === null) return undefined
    const { sequence, starts_at, ends_at, time_zone, organizer_id } = calendar
    const span = { starts_at, ends_at }
    const organizer = await readOrganizer(db, workspace, organizer_id)
    const entry = { id: interview_id, sequence, organizer, span, attendee, summary: 'Interview canceled' }
    return {
      ...common,
      subject: `Canceled: interview on ${spanWords(span, time_zone)}`,
      text: [
        `An interview was canceled, or you no longer take part: ${spanWords(span, time_zone)}.`,
        'Your calendar removes the entry when you open the attachment.',
      ].join('\n\n'),
      calendar: writeInvite('CANCEL', entry, installation),
    }
  }
  const invitation = await readInvitation({ db, keyring }, workspace, interview_id)
  if (!invitation?.span || invitation.state !== 'scheduled' || invitation.candidate === null) return undefined
  const { sequence, organizer, span, time_zone, application_id, place, meeting_url, internal_text } = invitation
  const fullNames = await namesAreFull(db, workspace)
  const title = titleForTeam(invitation, fullNames)
  const entry = entryForTeam(invitation, fullNames, publicUrl)
  const where = [place, meeting_url].filter(line => line !== null)
  return {
    ...common,
    ...(organizer && { replyTo: { ...(organizer.name && { name: organizer.name }), address: organizer.email } }),
    subject: `${sequence > 0 ? 'Changed: ' : ''}${title}, ${spanWords(span, time_zone)}`,
    text: [
      title,
      [spanWords(span, time_zone), ...where].join('\n'),
      ...(invitation.people.length > 0 ? [`Interviewers: ${invitation.people.join(', ')}`] : []),
      ...(internal_text === null ? [] : [internal_text]),
      `The candidate:\n${teamUrl(publicUrl, application_id)}`,
      'Answers to the invitation go to the member who planned it.',
    ].join('\n\n'),
    calendar: writeInvite('REQUEST', { id: interview_id, sequence, organizer, span, attendee, ...entry }, installation),
  }
}

/** `Mon 15 Mar 2027, 15:00 to 15:45 (Europe/Berlin, UTC+1)` */
function spanWords({ starts_at, ends_at }: { starts_at: string; ends_at: string }, timeZone: string): string {
  const written = (instant: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(DATE_LOCALE, { ...options, timeZone }).format(new Date(instant))
  const day = written(starts_at, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
  const clocks = [starts_at, ends_at].map(instant => written(instant, { hour: '2-digit', minute: '2-digit' }))
  const offset = new Intl.DateTimeFormat(DATE_LOCALE, { timeZoneName: 'shortOffset', timeZone })
    .formatToParts(new Date(starts_at))
    .find(({ type }) => type === 'timeZoneName')
  return `${day}, ${clocks.join(' to ')} (${timeZone}, ${(offset?.value ?? 'UTC').replace('GMT', 'UTC')})`
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
  interview_answer: {
    subject: 'A candidate answered about an interview',
    text: 'A candidate answered about an interview that you planned or take part in',
    panel: 'activity',
  },
} as const

/** Contains nothing about the candidate or the note: the page shows that to members who are signed in. */
function mailOf(due: PlainMail, address: string, origin: string): Mail {
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
