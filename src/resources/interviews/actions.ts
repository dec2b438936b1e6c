import type { Keyring } from '../../kernel/crypto/signing.ts'
import type { Transaction } from '../../kernel/db/database.ts'
import { ApiError, fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import { isTimeZone } from '../../kernel/text/dates.ts'
import {
  lockApplicationOf,
  NO_ANSWER,
  noteInterviews,
  type OnInterviews,
  storeChange,
  whileInterviewLocked,
} from './change.ts'
import { tellEveryone } from './notify-actions.ts'
import {
  CANCELED,
  type Details,
  detailFaults,
  MAX_OPEN_INTERVIEWS,
  NO_DETAILS,
  needsNewSequence,
  offeredUntil,
  offerFaults,
  requireAct,
  requireOpenApplication,
  type Span,
  sealDetails,
  spanFaults,
  statusAt,
  UNDO_SECONDS,
} from './rules.ts'
import type { InterviewKind } from './shape.ts'
import {
  applicationsWithInterviews,
  canceledWith,
  countOpen,
  deleteInterview,
  deletePeople,
  deleteTimes,
  dropUnsent,
  insertInterview,
  insertPeople,
  insertTimes,
  interviewById,
  lockAhead,
  openSite,
  type StoredInterview,
  selectNotified,
  selectNotifiedCandidate,
} from './store.ts'

/** A fixed time, or times that the candidate can choose from. */
export type When = { span: Span } | { slots: readonly Span[] }

export interface Plan extends Details {
  /** chosen by the caller: a request that is repeated after a lost response plans nothing again */
  id: string
  kind: InterviewKind
  when: When
  time_zone: string
  /** members with access to the job: the caller has checked them */
  people: readonly string[]
  invites_candidate: boolean
}

const DELAYED = { delaySeconds: UNDO_SECONDS }

/** What is wrong with when and where, in the words of the request. */
function planFaults(plan: Pick<Plan, 'time_zone'> & { when?: When | undefined } & Partial<Details>, now: number) {
  const { when } = plan
  return [
    ...(isTimeZone(plan.time_zone) ? [] : [{ param: 'time_zone', message: 'must be an IANA time zone' }]),
    ...(when === undefined ? [] : 'span' in when ? spanFaults(when.span, now) : offerFaults(when.slots, now)),
    ...detailFaults(plan),
  ]
}

/** Candidates choose on a page of the careers site. */
async function requireSite(tx: Transaction, workspace: string): Promise<void> {
  if (await tx.one(openSite(workspace))) return
  refuseIfAny([{ param: 'slots', message: 'can be offered only with a careers site: send a fixed time' }])
}

/** undefined: there is no such application. */
export async function planInterview(
  tx: Transaction,
  keyring: Keyring,
  on: OnInterviews,
  plan: Plan,
): Promise<StoredInterview | undefined> {
  const { workspace } = on
  const application = await lockApplicationOf(tx, on)
  if (!application) return undefined
  const known = await tx.one(interviewById(workspace, plan.id))
  if (known) return known.application_id === application.id ? known : undefined
  requireOpenApplication(application.status)
  const now = Date.parse(application.now)
  refuseIfAny(planFaults(plan, now))
  const { id, when, kind, people, title, place, meeting_url, candidate_text, internal_text } = plan
  if ('slots' in when) await requireSite(tx, workspace)
  if (((await tx.one(countOpen(workspace, application.id)))?.open ?? 0) >= MAX_OPEN_INTERVIEWS)
    fail('invalid_application_state', { message: `The application has ${MAX_OPEN_INTERVIEWS} open interviews.` })
  const details = { title, place, meeting_url, candidate_text, internal_text }
  const span = 'span' in when ? when.span : undefined
  await tx.query(
    insertInterview({
      workspace,
      id,
      application,
      state: span ? 'scheduled' : 'proposed',
      kind,
      startsAt: span?.starts_at ?? null,
      endsAt: span?.ends_at ?? null,
      timeZone: plan.time_zone,
      organizerId: on.userId,
      // only who is written to can choose
      invitesCandidate: span ? plan.invites_candidate : true,
      offeredUntil: 'slots' in when ? offeredUntil(when.slots, now) : null,
      detailsSealed: sealDetails(keyring, { workspace_id: workspace, id }, details),
    }),
  )
  await tx.query(insertPeople(workspace, id, people))
  if ('slots' in when) await tx.query(insertTimes(workspace, id, when.slots))
  const interview = present(await tx.one(interviewById(workspace, id)), 'the new interview')
  await noteInterviews(tx, interview)
  await tellEveryone(tx, interview, details, DELAYED)
  return interview
}

export interface InterviewEdit extends Partial<Details> {
  id: string
  expectedUpdatedAt?: string | undefined
  kind?: InterviewKind | undefined
  when?: When | undefined
  time_zone?: string | undefined
  people?: readonly string[] | undefined
}

/** Another time, place or people, or other times to choose from. What is left out stays. */
export const changeInterview = (
  tx: Transaction,
  keyring: Keyring,
  on: OnInterviews,
  edit: InterviewEdit,
): Promise<StoredInterview | undefined> =>
  whileInterviewLocked(tx, keyring, { ...on, ...edit }, async ({ interview, details: before, application, now }) => {
    const { workspace } = on
    const { when } = edit
    requireAct(when === undefined ? 'edit' : 'span' in when ? 'schedule' : 'offer', statusAt(interview, now))
    requireOpenApplication(application.status)
    refuseIfAny(planFaults({ ...edit, time_zone: edit.time_zone ?? interview.time_zone }, now))
    if (when && 'slots' in when) {
      await requireSite(tx, workspace)
      await tx.query(deleteTimes(workspace, interview.id))
      await tx.query(insertTimes(workspace, interview.id, when.slots))
    }
    const left = edit.people && interview.people.filter(user => !edit.people?.includes(user))
    if (edit.people) {
      await tx.query(deletePeople(workspace, interview.id))
      await tx.query(insertPeople(workspace, interview.id, edit.people))
    }
    const details = mergeDetails(before, edit)
    const span = when && 'span' in when ? when.span : undefined
    const shown = {
      kind: edit.kind ?? interview.kind,
      starts_at: span?.starts_at ?? interview.starts_at,
      ends_at: span?.ends_at ?? interview.ends_at,
    }
    const isNumbered =
      interview.state === 'scheduled' &&
      (needsNewSequence({ ...interview, ...before }, { ...shown, ...details }) || (left ?? []).length > 0)
    const changed = await storeChange(tx, interview, {
      ...shown,
      ...(when && NO_ANSWER),
      ...(span && { state: 'scheduled' as const }),
      ...(when && 'slots' in when && { offered_until: offeredUntil(when.slots, now) }),
      time_zone: edit.time_zone ?? interview.time_zone,
      sequence: interview.sequence + (isNumbered ? 1 : 0),
      details_sealed: sealDetails(keyring, interview, details),
    })
    await tellEveryone(tx, changed, details, DELAYED)
    return changed
  })

const mergeDetails = (before: Details, edit: Partial<Details>): Details => ({
  title: edit.title === undefined ? before.title : edit.title,
  place: edit.place === undefined ? before.place : edit.place,
  meeting_url: edit.meeting_url === undefined ? before.meeting_url : edit.meeting_url,
  candidate_text: edit.candidate_text === undefined ? before.candidate_text : edit.candidate_text,
  internal_text: edit.internal_text === undefined ? before.internal_text : edit.internal_text,
})

/** The application, without the member who changes its interviews. */
type ApplicationOf = Omit<OnInterviews, 'userId'>

interface OneInterview {
  id: string
  expectedUpdatedAt?: string | undefined
}

/**
 * What everyone was or may have been notified of. Emails that wait are dropped before: otherwise a worker could begin to send
 * one after this look, and the change would contradict it.
 */
async function dropAndSelectNotified(tx: Transaction, { workspace_id: workspace, id }: StoredInterview) {
  for (const statement of dropUnsent(workspace, id)) await tx.query(statement)
  const team = await tx.query(selectNotified(workspace, id))
  return { team, candidate: await tx.one(selectNotifiedCandidate(workspace, id)) }
}

/** One that is canceled stays as it is. */
export const cancelInterview = (
  tx: Transaction,
  keyring: Keyring,
  on: ApplicationOf,
  one: OneInterview,
): Promise<StoredInterview | undefined> =>
  whileInterviewLocked(tx, keyring, { ...on, ...one }, async ({ interview, details, now }) => {
    if (interview.state === 'canceled') return interview
    requireAct('cancel', statusAt(interview, now))
    return cancelLocked(tx, interview, details, DELAYED.delaySeconds)
  })

async function cancelLocked(
  tx: Transaction,
  interview: StoredInterview,
  details: Details,
  delaySeconds: number,
): Promise<StoredInterview> {
  const sequence = interview.sequence + (interview.state === 'scheduled' ? 1 : 0)
  const canceled = await storeChange(tx, interview, { ...NO_ANSWER, state: 'canceled', sequence })
  await tellEveryone(tx, canceled, details, { delaySeconds })
  return canceled
}

/** Undo of planning: as long as no one was notified, it was never there. */
export const forgetInterview = (
  tx: Transaction,
  keyring: Keyring,
  on: OnInterviews,
  one: OneInterview,
): Promise<{ id: string } | undefined> =>
  whileInterviewLocked(tx, keyring, { ...on, ...one }, async ({ interview }) => {
    const { team, candidate } = await dropAndSelectNotified(tx, interview)
    // the candidate can have found the times on their page before the email left
    if (interview.picked_at !== null)
      fail('invalid_application_state', { message: 'The candidate has chosen a time. Cancel the interview instead.' })
    if (team.length > 0 || candidate)
      fail('invalid_application_state', { message: 'The invitation was already sent. Cancel the interview instead.' })
    await tx.query(deleteInterview(on.workspace, interview.id))
    await noteInterviews(tx, interview)
    return { id: interview.id }
  })

/** Undo of a cancellation, until the first email about it has left. */
export const restoreInterview = (
  tx: Transaction,
  keyring: Keyring,
  on: OnInterviews,
  one: OneInterview,
): Promise<StoredInterview | undefined> =>
  whileInterviewLocked(tx, keyring, { ...on, ...one }, async ({ interview, details, application }) => {
    requireAct('restore', interview.state === 'canceled' ? 'canceled' : 'scheduled')
    requireOpenApplication(application.status)
    const { team, candidate } = await dropAndSelectNotified(tx, interview)
    if (candidate?.kind === 'interview_canceled' || team.some(({ says }) => says === CANCELED))
      fail('invalid_application_state', { message: 'The cancellation was already sent. Plan another interview.' })
    const restored = await storeChange(tx, interview, {
      state: interview.starts_at === null ? 'proposed' : 'scheduled',
      sequence: interview.sequence - (interview.starts_at === null ? 0 : 1),
    })
    await tellEveryone(tx, restored, details, DELAYED)
    return restored
  })

/** The candidate did not come; `false` takes it back. No one is written to. */
export const markNoShow = (
  tx: Transaction,
  keyring: Keyring,
  on: OnInterviews,
  { didNotCome, ...one }: OneInterview & { didNotCome: boolean },
): Promise<StoredInterview | undefined> =>
  whileInterviewLocked(tx, keyring, { ...on, ...one }, async ({ interview, now }) => {
    if ((interview.state === 'no_show') === didNotCome) return interview
    requireAct(didNotCome ? 'mark_no_show' : 'take_back_no_show', statusAt(interview, now))
    if (didNotCome && Date.parse(interview.starts_at ?? '') > now)
      fail('invalid_application_state', { message: 'The interview has not begun.' })
    return storeChange(tx, interview, { ...NO_ANSWER, state: didNotCome ? 'no_show' : 'scheduled' })
  })

/** A member has read what the candidate said, and changes nothing. */
export const settleAnswer = (
  tx: Transaction,
  keyring: Keyring,
  on: OnInterviews,
  one: OneInterview,
): Promise<StoredInterview | undefined> =>
  whileInterviewLocked(tx, keyring, { ...on, ...one }, async ({ interview }) =>
    interview.answer === null ? interview : storeChange(tx, interview, NO_ANSWER),
  )

/**
 * Cancels everything that is ahead: the application has ended, and a member chose this, or the candidate withdrew. Returns
 * how many were canceled.
 */
export async function cancelInterviewsAhead(tx: Transaction, keyring: Keyring, on: ApplicationOf): Promise<number> {
  const application = await lockApplicationOf(tx, on)
  if (!application) return 0
  const ahead = await tx.query(lockAhead(on.workspace, on.applicationId))
  for (const { id } of ahead) await cancelInterview(tx, keyring, on, { id })
  return ahead.length
}

/** Undo of a decision with which interviews were canceled. One whose cancellation was sent stays canceled. */
export async function restoreInterviewsOf(
  tx: Transaction,
  keyring: Keyring,
  on: OnInterviews,
  decidedAt: string,
): Promise<void> {
  for (const { id } of await tx.query(canceledWith(on.workspace, on.applicationId, decidedAt)))
    await restoreInterview(tx, keyring, on, { id }).catch(error => {
      if (!(error instanceof ApiError) || error.code !== 'invalid_application_state') throw error
    })
}

/**
 * Processing of the person was stopped: calendars of members lose the entries, by emails that say nothing about the
 * candidate. The candidate is not written to.
 */
export async function removeInterviewsOfApplicant(tx: Transaction, workspace: string, applicant: string) {
  for (const { id: application } of await tx.query(applicationsWithInterviews(workspace, applicant)))
    for (const interview of await selectAhead(tx, workspace, application)) {
      const sequence = interview.sequence + (interview.state === 'scheduled' ? 1 : 0)
      await withdrawEntries(tx, await storeChange(tx, interview, { ...NO_ANSWER, state: 'canceled', sequence }))
    }
}

/** The same before an application is deleted, with everything else of its interviews. */
export async function removeInterviewsOfApplication(tx: Transaction, workspace: string, application: string) {
  for (const interview of await selectAhead(tx, workspace, application))
    await withdrawEntries(tx, { ...interview, state: 'canceled', sequence: interview.sequence + 1 })
}

async function selectAhead(tx: Transaction, workspace: string, application: string): Promise<StoredInterview[]> {
  const ids = await tx.query(lockAhead(workspace, application))
  const rows = await Promise.all(ids.map(({ id }) => tx.one(interviewById(workspace, id))))
  return rows.filter(row => row !== undefined)
}

const withdrawEntries = (tx: Transaction, interview: StoredInterview): Promise<void> =>
  tellEveryone(tx, { ...interview, invites_candidate: false }, NO_DETAILS, { delaySeconds: 0 })
