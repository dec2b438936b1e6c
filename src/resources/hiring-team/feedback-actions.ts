import type { Database, Transaction } from '../../kernel/db/database.ts'
import {
  DEFAULT_FEEDBACK_HOURS,
  type EndedInterview,
  endedInterviews,
  peopleOf,
  selectInterviewSettings,
  takeEnded,
} from '../interviews/index.ts'
import { cardRequests } from './cards-store.ts'
import { dueRequests, queueReminder, requestCardsAfter, takeDueRequest } from './store.ts'

const HOUR_MS = 3_600_000

/** When an interview has ended, its people are asked for their scorecards. Returns how many had ended. */
export async function askAfterInterviews(db: Database, batchSize: number): Promise<number> {
  const ended = await db.query(endedInterviews(batchSize))
  for (const interview of ended) await db.transaction(tx => askPeople(tx, interview))
  return ended.length
}

async function askPeople(tx: Transaction, { workspace_id: workspace, id, application_id }: EndedInterview) {
  const taken = await tx.one(takeEnded(workspace, id))
  if (!taken) return
  const [people, settings] = await Promise.all([
    tx.query(peopleOf(workspace, id)),
    tx.one(selectInterviewSettings(workspace)),
  ])
  if (people.length === 0) return
  const open = (await tx.query(cardRequests(workspace, application_id))).filter(({ done }) => !done)
  // who was asked about another stage and has not written a card is asked about all stages
  const stageFor = (user: string) =>
    open.some(({ user_id, stage_id }) => user_id === user && stage_id !== taken.stage_id) ? null : taken.stage_id
  const hours = settings?.feedback_hours ?? DEFAULT_FEEDBACK_HOURS
  await tx.query(
    requestCardsAfter({
      workspace,
      applicationId: application_id,
      interviewId: id,
      asked: people.map(({ user_id: userId }) => ({ userId, stageId: stageFor(userId) })),
      by: taken.organizer_id,
      startsAt: taken.starts_at,
      dueAt: new Date(Date.parse(taken.ends_at) + hours * HOUR_MS).toISOString(),
    }),
  )
}

/** Members whose scorecard is due get an email. Returns how many requests were due. */
export async function remindOfCards(db: Database, batchSize: number): Promise<number> {
  const due = await db.query(dueRequests(batchSize))
  for (const request of due) {
    await db.transaction(async tx => {
      const taken = await tx.one(takeDueRequest(request))
      if (taken && !taken.written) await tx.query(queueReminder(request))
    })
  }
  return due.length
}
