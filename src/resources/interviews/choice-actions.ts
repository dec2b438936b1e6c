import { isOpen } from '../../contract/application-status.ts'
import type { Keyring } from '../../kernel/crypto/signing.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import { isUuid } from '../../kernel/http/params.ts'
import { isTimeZone } from '../../kernel/text/dates.ts'
import { type LockedInterview, storeChange, whileInterviewLocked } from './change.ts'
import { tellEveryone } from './notify-actions.ts'
import { type Details, isAllowed, openDetails, openTimes, overlaps, type Span, sealWords, statusAt } from './rules.ts'
import type { CandidateAnswer, InterviewStatus } from './shape.ts'
import {
  busySpans,
  type InterviewMember,
  lockCalendar,
  type OwnInterview,
  ownInterview,
  queueAnswerMails,
  type StoredInterview,
  selectInterviewMembers,
  selectOwnInterviews,
  selectTimes,
} from './store.ts'

/** The person of a session on the careers site, and one of their interviews. */
export interface OwnChoice {
  workspace: string
  applicantId: string
  id: string
  /** code of the page's texts */
  language: string
}

/** What a candidate sees of an interview. */
export interface CandidateInterview {
  id: string
  application_id: string
  job_title: string
  status: InterviewStatus
  kind: OwnInterview['kind']
  starts_at: string | null
  ends_at: string | null
  /** that of the organizer, or the one that the candidate chose a time in */
  time_zone: string
  place: string | null
  meeting_url: string | null
  text: string | null
  people: string[]
  answer: CandidateAnswer | null
  /** they can ask once for another time */
  can_ask_to_move: boolean
  /** the offered times that can be chosen now; the last of them until `offered_until` */
  times: Span[]
  offered_until: string | null
}

type Reads = { db: Queryable; keyring: Keyring; now: number }

/** Those that the person was invited to, the latest first. */
export async function readOwnInterviews(
  reads: Reads,
  { workspace, applicantId }: Pick<OwnChoice, 'workspace' | 'applicantId'>,
): Promise<CandidateInterview[]> {
  return show(reads, workspace, await reads.db.query(selectOwnInterviews(workspace, applicantId)))
}

/** A malformed id is like one of someone else: undefined. */
export async function readOwnInterview(
  reads: Reads,
  { workspace, applicantId, id }: Omit<OwnChoice, 'language'>,
): Promise<CandidateInterview | undefined> {
  const row = isUuid(id) ? await reads.db.one(ownInterview(workspace, applicantId, id)) : undefined
  return row && (await show(reads, workspace, [row]))[0]
}

async function show(
  { db, keyring, now }: Reads,
  workspace: string,
  rows: readonly OwnInterview[],
): Promise<CandidateInterview[]> {
  if (rows.length === 0) return []
  const [times, members] = await Promise.all([
    db.query(
      selectTimes(
        workspace,
        rows.map(row => row.id),
      ),
    ),
    db.query(selectInterviewMembers(workspace, [...new Set(rows.flatMap(row => row.people))])),
  ])
  const names = new Map(members.map(member => [member.id, memberName(member)]))
  const shown = rows.map(async row => {
    const status = statusAt(row, now)
    const { place, meeting_url, candidate_text: text }: Details = openDetails(keyring, row)
    const { id, application_id, job_title, kind, starts_at, ends_at, answer, offered_until } = row
    const people = row.people.flatMap(user => names.get(user) ?? [])
    const offered = times.filter(time => time.interview_id === id)
    const isOffered = status === 'proposed' && isOpen(row.application_status)
    const open = isOffered ? openTimes(offered, offered_until, now) : []
    return {
      ...{ id, application_id, job_title, status, kind, starts_at, ends_at, place, meeting_url, text, people, answer },
      time_zone: row.candidate_time_zone ?? row.time_zone,
      can_ask_to_move: isAllowed('ask_to_move', status) && !row.asked_to_move,
      times: (await freeTimes(db, workspace, row, open)).map(spanOf),
      offered_until,
    }
  })
  return Promise.all(shown)
}

/** Those of the times at which none of the people has another interview by now. */
async function freeTimes(
  db: Queryable,
  workspace: string,
  { id, people }: Pick<OwnInterview, 'id' | 'people'>,
  times: readonly Span[],
): Promise<Span[]> {
  const [first] = times
  const last = times.at(-1)
  if (!first || !last) return []
  const busy = await db.query(busySpans(workspace, people, first.starts_at, last.ends_at))
  return times.filter(time => !busy.some(other => other.interview_id !== id && overlaps(other, time)))
}

const spanOf = ({ starts_at, ends_at }: Span): Span => ({ starts_at, ends_at })

/** Candidates see no address: members without a name are not named. */
export const memberName = ({ first_name, last_name }: InterviewMember): string | null =>
  [first_name, last_name].filter(Boolean).join(' ') || null

/** Runs a change of the person while their application is locked. undefined: they have no such interview. */
async function whileOwn<T>(
  tx: Transaction,
  keyring: Keyring,
  { workspace, applicantId, id }: OwnChoice,
  work: (locked: LockedInterview) => Promise<T>,
): Promise<T | undefined> {
  const own = isUuid(id) ? await tx.one(ownInterview(workspace, applicantId, id)) : undefined
  if (!own) return undefined
  return whileInterviewLocked(tx, keyring, { workspace, applicationId: own.application_id, id }, work)
}

/** `taken`: someone else has the time now. `closed`: the times are no longer offered, or the application has ended. */
export type Choice = 'scheduled' | 'taken' | 'closed'

/**
 * The candidate takes one of the offered times. The people are locked and their interviews are read again, so that two
 * candidates never get the same time of one person.
 */
export const chooseTime = (
  db: Database,
  keyring: Keyring,
  choice: OwnChoice,
  { startsAt, timeZone }: { startsAt: string; timeZone: string | null },
): Promise<Choice | undefined> =>
  db.transaction(tx =>
    whileOwn(tx, keyring, choice, async ({ interview, details, application, now }) => {
      const { workspace_id: workspace, id, people } = interview
      const asked = Date.parse(startsAt)
      if (interview.state === 'scheduled' && Date.parse(interview.starts_at ?? '') === asked) return 'scheduled'
      if (!isAllowed('choose', statusAt(interview, now)) || !isOpen(application.status)) return 'closed'
      const open = openTimes(await tx.query(selectTimes(workspace, [id])), interview.offered_until, now)
      const span = open.find(time => Date.parse(time.starts_at) === asked)
      if (!span) return 'closed'
      for (const user of [...people].sort()) await tx.query(lockCalendar(workspace, user))
      const busy = await tx.query(busySpans(workspace, people, span.starts_at, span.ends_at))
      if (busy.some(other => other.interview_id !== id && overlaps(other, span))) return 'taken'
      const chosen = await storeChange(tx, interview, {
        state: 'scheduled',
        ...spanOf(span),
        candidate_time_zone: timeZone !== null && isTimeZone(timeZone) ? timeZone : null,
        picked_at: new Date(now).toISOString(),
        answer: null,
        answered_at: null,
        answer_sealed: null,
      })
      await tellEveryone(tx, chosen, details, { delaySeconds: 0, language: choice.language })
      return 'scheduled'
    }),
  )

/**
 * The candidate says that no time fits, asks once for another one, or cancels. It becomes a task of the member who planned
 * the interview, with their words. `false`: the interview does not allow it any more.
 */
export const answerInterview = (
  db: Database,
  keyring: Keyring,
  choice: OwnChoice,
  { answer, words }: { answer: CandidateAnswer; words: string | null },
): Promise<boolean | undefined> =>
  db.transaction(tx =>
    whileOwn(tx, keyring, choice, async ({ interview, details, now }) => {
      const act = { none_fits: 'choose', move: 'ask_to_move', canceled: 'cancel' } as const
      if (!isAllowed(act[answer], statusAt(interview, now))) return false
      if (answer === 'move' && interview.asked_to_move) return false
      const isCanceled = answer === 'canceled'
      const answered = await storeChange(tx, interview, {
        answer,
        answered_at: new Date(now).toISOString(),
        answer_sealed: words === null ? null : sealWords(keyring, interview, words),
        ...(answer === 'move' && { asked_to_move: true }),
        ...(isCanceled && {
          state: 'canceled' as const,
          sequence: interview.sequence + (interview.state === 'scheduled' ? 1 : 0),
        }),
      })
      if (isCanceled) await tellEveryone(tx, answered, details, { delaySeconds: 0, language: choice.language })
      // who has not answered the same yet gets no further email about it
      if (interview.answer !== answer) await tellOrganizer(tx, interview)
      return true
    }),
  )

/** An email to the member who planned the interview; to the interviewers where that one has left. */
async function tellOrganizer(tx: Transaction, interview: StoredInterview): Promise<void> {
  const { workspace_id: workspace, organizer_id: organizer, people } = interview
  const members = (await tx.query(selectInterviewMembers(workspace, [organizer, ...people]))).map(({ id }) => id)
  const users = members.includes(organizer) ? [organizer] : members
  if (users.length > 0) await tx.query(queueAnswerMails(workspace, interview, users))
}
