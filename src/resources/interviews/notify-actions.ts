import type { Transaction } from '../../kernel/db/database.ts'
import { CANCELED, candidateDigest, type Details, offerDigest, teamDigest } from './rules.ts'
import {
  type CandidateInvitation,
  dropUnsent,
  queueCancellations,
  queueCandidateMail,
  queueInvitations,
  type StoredInterview,
  selectNotified,
  selectNotifiedCandidate,
  selectTimes,
} from './store.ts'

/*
 * Who has to be notified what about an interview, after a change and in its transaction. Emails that have not left are dropped
 * first, and no one is notified again what they know: a change that is undone before its emails leave sends nothing.
 */

export interface Telling {
  /** until the emails leave */
  delaySeconds: number
  /** The language of the page on which the candidate made the change */
  language?: string | undefined
}

/** Members who left: their calendars lose the entry. The others get the invitation as it is now. */
export async function tellEveryone(
  tx: Transaction,
  interview: StoredInterview,
  details: Details,
  how: Telling,
): Promise<void> {
  const { workspace_id: workspace, id } = interview
  for (const statement of dropUnsent(workspace, id)) await tx.query(statement)
  await tellTeam(tx, interview, details, how)
  if (interview.invites_candidate) await tellCandidate(tx, interview, details, how)
}

async function tellTeam(
  tx: Transaction,
  interview: StoredInterview,
  details: Details,
  { delaySeconds }: Telling,
): Promise<void> {
  const { workspace_id: workspace, id: interviewId, application_id: applicationId, people, state } = interview
  const notified = new Map((await tx.query(selectNotified(workspace, interviewId))).map(row => [row.user_id, row.says]))
  const isInvited = (user: string) => notified.has(user) && notified.get(user) !== CANCELED
  const invited = state === 'scheduled' ? people : []
  const says = teamDigest({ ...interview, ...details }, details, people)
  const users = invited.filter(user => notified.get(user) !== says)
  if (users.length > 0)
    await tx.query(queueInvitations({ workspace, interviewId, applicationId, users, says, delaySeconds }))
  const gone = [...notified.keys()].filter(user => isInvited(user) && !invited.includes(user))
  const { starts_at, ends_at, sequence, time_zone, organizer_id } = interview
  if (gone.length === 0 || starts_at === null || ends_at === null) return
  const entry = { sequence, starts_at, ends_at, time_zone, organizer_id }
  await tx.query(queueCancellations({ workspace, interviewId, users: gone, entry, delaySeconds }))
}

async function tellCandidate(
  tx: Transaction,
  interview: StoredInterview,
  details: Details,
  { delaySeconds, language }: Telling,
): Promise<void> {
  const { workspace_id: workspace, id: interviewId, state } = interview
  const notified = await tx.one(selectNotifiedCandidate(workspace, interviewId))
  const queue = async (kind: CandidateInvitation['kind'], says: string) => {
    if (notified?.kind === kind && notified.says === says) return
    await tx.query(queueCandidateMail({ workspace, interviewId, kind, says, language, delaySeconds }))
  }
  if (state === 'proposed') {
    const times = await tx.query(selectTimes(workspace, [interviewId]))
    await queue('interview_times', offerDigest(times, details))
  } else if (state === 'scheduled') {
    await queue('interview_invitation', candidateDigest({ ...interview, ...details }, details, interview.people))
  } else if (state === 'canceled' && notified !== undefined) {
    await queue('interview_canceled', CANCELED)
  }
}
