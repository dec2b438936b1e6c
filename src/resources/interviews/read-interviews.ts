import type { Keyring } from '../../kernel/crypto/signing.ts'
import type { Queryable } from '../../kernel/db/database.ts'
import { openDetails, openTimes, openWords, type Span, statusAt } from './rules.ts'
import type { CandidateAnswer, InterviewKind, InterviewStatus } from './shape.ts'
import {
  everyOwnInterview,
  interviewsOfApplication,
  openSite,
  type StoredInterview,
  selectInterviewMembers,
  selectMailFacts,
  selectMailStates,
  selectTimes,
} from './store.ts'

type Shown = Pick<
  StoredInterview,
  | 'id'
  | 'kind'
  | 'stage_id'
  | 'starts_at'
  | 'ends_at'
  | 'time_zone'
  | 'offered_until'
  | 'invites_candidate'
  | 'updated_at'
>

interface Person {
  id: string
  name: string
}

/** An interview on the page of the candidate, for members who may see it. */
export interface PanelInterview extends Shown {
  status: InterviewStatus
  title: string | null
  place: string | null
  meeting_url: string | null
  candidate_text: string | null
  internal_text: string | null
  people: Person[]
  organizer: Person | null
  /** the candidate chose the time themselves */
  is_chosen: boolean
  /** what the candidate said, until a member has seen to it */
  answer: CandidateAnswer | null
  answer_text: string | null
  answered_at: string | null
  /** what became of the last email to the candidate; null: there is none */
  mail: 'sent' | 'waiting' | 'failed' | null
  /** every offered time; those that are open */
  times: (Span & { open: boolean })[]
}

/** Why an email to the candidate would not be sent. */
export type InvitationBlock = 'no_address' | 'unsubscribed' | null

export interface InterviewPanel {
  interviews: PanelInterview[]
  blocked: InvitationBlock
  /** times can be offered only with a careers site */
  has_site: boolean
}

/** `now` in milliseconds. */
export async function readPanelInterviews(
  { db, keyring, now }: { db: Queryable; keyring: Keyring; now: number },
  workspace: string,
  applicationId: string,
): Promise<InterviewPanel> {
  const [rows, facts, site] = await Promise.all([
    db.query(interviewsOfApplication(workspace, applicationId)),
    db.one(selectMailFacts(workspace, applicationId)),
    db.one(openSite(workspace)),
  ])
  const ids = rows.map(row => row.id)
  const users = [...new Set(rows.flatMap(row => [...row.people, row.organizer_id]))]
  const [times, members, mails] = await Promise.all([
    ids.length === 0 ? [] : db.query(selectTimes(workspace, ids)),
    users.length === 0 ? [] : db.query(selectInterviewMembers(workspace, users)),
    ids.length === 0 ? [] : db.query(selectMailStates(workspace, ids)),
  ])
  const stateOfMail = new Map(mails.map(mail => [mail.interview_id, mail.state]))
  const named = new Map(members.map(({ id, name }) => [id, { id, name }]))
  const toShown = (row: StoredInterview): PanelInterview => {
    const { id, kind, stage_id, starts_at, ends_at, time_zone, offered_until, invites_candidate, updated_at } = row
    const offered = times.filter(time => time.interview_id === id)
    const open = openTimes(offered, offered_until, now)
    return {
      ...{ id, kind, stage_id, starts_at, ends_at, time_zone, offered_until, invites_candidate, updated_at },
      ...openDetails(keyring, row),
      status: statusAt(row, now),
      people: row.people.flatMap(user => named.get(user) ?? []),
      organizer: named.get(row.organizer_id) ?? null,
      is_chosen: row.picked_at !== null,
      answer: row.answer,
      answer_text: openWords(keyring, row),
      answered_at: row.answered_at,
      mail: stateOfMail.get(id) ?? null,
      times: offered.map(time => ({ starts_at: time.starts_at, ends_at: time.ends_at, open: open.includes(time) })),
    }
  }
  return {
    interviews: rows.map(toShown),
    blocked: facts?.has_email ? (facts.unsubscribed ? 'unsubscribed' : null) : 'no_address',
    has_site: site !== undefined,
  }
}

/** What is stored of an interview that a person was invited to, without the internal text and the interviewers. */
export interface InterviewData {
  id: string
  application_id: string
  job: string
  kind: InterviewKind
  interview_status: InterviewStatus
  starts_at: string | null
  ends_at: string | null
  time_zone: string
  offered_times: Span[]
  place: string | null
  meeting_url: string | null
  text: string | null
  candidate_wish: CandidateAnswer | null
  candidate_words: string | null
  stored_at: string
  updated_at: string
}

/** For the person's own download. `now` in milliseconds. */
export async function readInterviewData(
  { db, keyring, now }: { db: Queryable; keyring: Keyring; now: number },
  workspace: string,
  applicantId: string,
): Promise<InterviewData[]> {
  const rows = await db.query(everyOwnInterview(workspace, applicantId))
  const ids = rows.map(row => row.id)
  const times = ids.length === 0 ? [] : await db.query(selectTimes(workspace, ids))
  return rows.map(row => {
    const { id, application_id, kind, starts_at, ends_at, updated_at } = row
    const { place, meeting_url, candidate_text: text } = openDetails(keyring, row)
    const offered = times.filter(time => time.interview_id === id)
    return {
      ...{ id, application_id, job: row.job_title, kind, interview_status: statusAt(row, now), starts_at, ends_at },
      time_zone: row.candidate_time_zone ?? row.time_zone,
      offered_times: offered.map(time => ({ starts_at: time.starts_at, ends_at: time.ends_at })),
      ...{ place, meeting_url, text },
      candidate_wish: row.answer,
      candidate_words: openWords(keyring, row),
      stored_at: row.created_at,
      updated_at,
    }
  })
}
