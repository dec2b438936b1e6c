import type { EventType } from '../contract/events.ts'
import type { NewEvent } from '../kernel/feed/append.ts'
import { newHandle } from '../kernel/ids/handles.ts'
import { revealedField } from '../resources/sourced-profiles/rules.ts'
import type { Applicant } from './applicants.ts'
import type { Application } from './applications.ts'
import { deleteBy, type Link, type Suppression } from './consent.ts'
import { firstStage, type Job } from './jobs.ts'
import type { List } from './lists.ts'
import { seeded } from './random.ts'
import { DAY, type Draft, iso } from './rows.ts'
import type { Sourced } from './sourcing.ts'
import type { Keys } from './workspaces.ts'

export interface History {
  workspaceId: string
  keys: Keys
  jobs: readonly Job[]
  applications: readonly Application[]
  applicants: readonly Applicant[]
  profiles: readonly Sourced[]
  lists: readonly List[]
  links: readonly Link[]
  suppressions: readonly Suppression[]
  poolSize: number
}

/** The feed shows the latest of each kind: enough of every type to try a reader on, without burying the rare ones. */
const PER_TYPE = 8
const RECENT_DAYS = 60

type Told = Omit<NewEvent, 'updatedAt' | 'workspaceId' | 'originKeyId'> & { at: number; origin?: string; shared?: true }

/** What a workspace would have announced of late, in the order in which it happened. */
export function tellHistory(draft: Draft, history: History): NewEvent[] {
  const told = [
    ...history.jobs.flatMap(job => jobEvents(job, history.keys)),
    ...history.applications.flatMap(application => applicationEvents(application, history.keys)),
    ...history.applicants.flatMap(applicantEvents),
    ...history.profiles.flatMap(profileEvents),
    ...history.lists.flatMap(list => listEvents(list, history.keys)),
    ...history.links.flatMap(linkEvents),
    ...history.suppressions.flatMap(suppression => suppressionEvents(suppression, history)),
    ...goneEvents(draft, history),
  ].filter(({ at }) => at > draft.daysAgo(RECENT_DAYS) && at <= draft.now)
  const kept = new Map<EventType, number>()
  return told
    .sort((a, b) => b.at - a.at)
    .filter(({ type }) => {
      const count = (kept.get(type) ?? 0) + 1
      kept.set(type, count)
      return count <= PER_TYPE
    })
    .reverse()
    .map(({ at, origin, shared, ...event }) => ({
      ...event,
      workspaceId: shared ? null : history.workspaceId,
      updatedAt: iso(at),
      originKeyId: origin ?? null,
    }))
}

function jobEvents(job: Job, keys: Keys): Told[] {
  const { plan, id, publishedAt, updatedAt } = job
  const origin = plan.pushed ? { origin: keys.sync } : {}
  const events: Told[] = []
  const at = (time: number, type: EventType, status: string, rest: Partial<Told> = {}) =>
    events.push({ type, id, at: time, values: { status }, ...origin, ...rest })
  const move = (status: string, published?: string | null): Partial<Told> =>
    published === undefined
      ? { changed: ['status'], previous: { status } }
      : { changed: ['status', 'published_at'], previous: { status, published_at: published } }
  if (publishedAt !== null) at(publishedAt, 'job.published', 'published', move('draft', null))
  if (plan.status === 'closed') at(updatedAt, 'job.closed', 'closed', move('published'))
  else if (plan.status === 'draft' && publishedAt !== null) {
    at(updatedAt, 'job.unpublished', 'draft', move('published', iso(publishedAt)))
  } else if (plan.form || plan.stages) {
    // sections are edited in the product alone
    const changed = [plan.form ? 'application_form' : 'pipeline_stages']
    events.push({ type: 'job.sections_updated', id, at: updatedAt, values: { status: plan.status }, changed })
  } else if (plan.occupation === 'data') {
    // closed too early, and opened again
    at(updatedAt - DAY, 'job.closed', 'closed', move('published'))
    at(updatedAt, 'job.reopened', 'published', move('closed'))
  } else at(updatedAt, 'job.updated', plan.status, lastChange(plan))
  return events
}

/** Fields of the job as partners know them, with the value before where it is a simple one. */
const lastChange = ({ pay, team }: Job['plan']): Partial<Told> =>
  pay?.max
    ? { changed: ['compensation.salary_max'], previous: { 'compensation.salary_max': Math.round(pay.max * 0.95) } }
    : { changed: ['team', 'content.description_md'], previous: { team: team === null ? 'Operations' : null } }

function applicationEvents(application: Application, keys: Keys): Told[] {
  const { id, job, applicant, steps, parse, score, call, noteAt, access, resumeId } = application
  const job_id = job.id
  const origin = application.source.startsWith('partner_api:') ? { origin: keys.sync } : {}
  const events: Told[] = [
    {
      type: 'application.created',
      id,
      at: application.appliedAt,
      values: { status: 'new', stage_id: firstStage(job).id, job_id, applicant_id: applicant?.id ?? null },
      ...origin,
    },
  ]
  for (const step of steps.slice(1)) {
    const values = { status: step.status, stage_id: step.stage.id, job_id }
    if (step.stage !== step.previousStage) {
      events.push({
        type: 'application.stage_changed',
        id,
        at: step.at,
        values,
        previous: { stage_id: step.previousStage!.id },
      })
    }
    if (step.status !== step.previousStatus) {
      const type = step.status === 'withdrawn' ? 'application.withdrawn' : 'application.status_changed'
      events.push({ type, id, at: step.at, values, previous: { status: step.previousStatus! } })
    }
  }
  const stateAt = (at: number) => {
    const { status, stage } = steps.findLast(step => step.at <= at)!
    return { status, stage_id: stage.id, job_id }
  }
  if (noteAt !== null)
    events.push({ type: 'application.updated', id, at: noteAt, values: stateAt(noteAt), changed: ['notes'] })
  if (parse?.at)
    events.push({ type: 'application.resume_parsed', id, at: parse.at, values: { job_id, parse_status: parse.status } })
  if (score) events.push({ type: 'application.scored', id, at: score.at, values: { job_id, match_pct: score.pct } })
  if (call) {
    const values = { job_id, call_status: String(call.status), completion_state: String(call.completion) }
    events.push({ type: 'application.screening_completed', id, at: call.at, values })
  }
  if (access && access.state !== 'open') {
    const values = { application_id: id, state: access.state }
    const previous = { state: access.previous }
    events.push({ type: 'resume.access_changed', id: resumeId!, at: access.since, values, previous })
  }
  return events
}

function applicantEvents(applicant: Applicant): Told[] {
  const { id, createdAt, updatedAt, unsubscribedAt, imported } = applicant
  const events: Told[] = [{ type: 'applicant.created', id, at: createdAt }]
  if (unsubscribedAt !== null) events.push({ type: 'applicant.unsubscribed', id, at: unsubscribedAt })
  else if (imported || updatedAt > createdAt) {
    events.push({ type: 'applicant.updated', id, at: updatedAt, changed: ['phone'] })
  }
  return events
}

function profileEvents(profile: Sourced): Told[] {
  const { id, createdAt, updatedAt, contacts, attachments } = profile
  const events: Told[] = [{ type: 'sourced_profile.created', id, at: createdAt }]
  if (contacts.length > 0) {
    const changed = [...new Set(contacts.map(revealedField))].sort()
    events.push({ type: 'sourced_profile.updated', id, at: updatedAt, changed: ['has_contact_info'] })
    events.push({ type: 'sourced_profile.contact_info_revealed', id, at: updatedAt, changed })
  }
  for (const type of attachments) {
    events.push({ type: 'sourced_profile.updated', id, at: updatedAt, changed: [`has_${type}`] })
    events.push({ type: 'sourced_profile.attachment_added', id, at: updatedAt, values: { attachment_type: type } })
  }
  if (events.length === 1 && updatedAt > createdAt) {
    events.push({ type: 'sourced_profile.updated', id, at: updatedAt, changed: ['headline'] })
  }
  return events
}

function listEvents(list: List, keys: Keys): Told[] {
  const { id, projectId, memberships } = list
  const events: Told[] = [
    { type: 'list.created', id, at: list.createdAt, values: { project_id: projectId }, origin: keys.demo },
  ]
  for (const member of memberships) {
    const values = { list_id: id, sourced_profile_id: member.profile.id }
    events.push({
      type: 'list_membership.added',
      id: member.id,
      at: member.addedAt,
      values: { ...values, stage: null },
    })
    const setStage = (at: number, stage: string | null, before: string | null) =>
      events.push({
        type: 'list_membership.stage_changed',
        id: member.id,
        at,
        values: { ...values, stage },
        previous: { stage: before },
      })
    if (member.stageAt !== null) {
      // a stage that was cleared had been set before
      if (member.previousStage !== null) {
        setStage(Math.floor((member.addedAt + member.stageAt) / 2), member.previousStage, null)
      }
      setStage(member.stageAt, member.stage, member.previousStage)
    }
  }
  if (memberships.length > 0) {
    const at = Math.max(...memberships.map(member => member.addedAt))
    events.push({
      type: 'list.updated',
      id,
      at,
      values: { project_id: projectId, candidate_count: memberships.length },
      changed: ['candidate_count'],
    })
  }
  return events
}

const linkEvents = ({ emailPersonId, canonicalId, at }: Link): Told[] => [
  {
    type: 'person.identity_linked',
    id: canonicalId,
    at,
    values: { canonical_id: canonicalId, linked_id: emailPersonId },
  },
  {
    type: 'person.canonical_id_changed',
    id: emailPersonId,
    at,
    values: { canonical_id: canonicalId, previous_canonical_id: emailPersonId },
  },
]

function suppressionEvents(suppression: Suppression, { workspaceId, jobs }: History): Told[] {
  const { id, reason, appliedAt, completedAt } = suppression
  const subjects = suppression.subjects.get(workspaceId) ?? []
  const shared = { reason, subjects, delete_by: iso(deleteBy(suppression)) }
  const events: Told[] = [
    { type: 'data_subject.suppression_applied', id, at: appliedAt, values: { status: 'suppressed', ...shared } },
  ]
  if (completedAt === null) return events
  for (const subject of subjects) {
    const type = `${subject.object}.deleted` as 'applicant.deleted' | 'application.deleted' | 'sourced_profile.deleted'
    const values: NonNullable<Told['values']> = { reason }
    if (type === 'application.deleted') values['job_id'] = jobs[0]!.id
    events.push({ type, id: subject.id, at: completedAt, values })
  }
  events.push({ type: 'data_subject.erasure_completed', id, at: completedAt, values: { status: 'erased', ...shared } })
  return events
}

/** Things that are no more, and the pool, which belongs to no workspace. */
function goneEvents(draft: Draft, { profiles, lists, poolSize }: History): Told[] {
  const then = draft.daysAgo(100)
  const goneList = newHandle('list', then)
  return [
    {
      type: 'job.deleted',
      id: newHandle('job', then),
      at: draft.daysAgo(17),
      values: { reason: 'created by mistake' },
      previous: { status: 'draft' },
    },
    { type: 'list.deleted', id: goneList, at: draft.daysAgo(13), values: { project_id: lists[0]?.projectId ?? null } },
    {
      type: 'list_membership.removed',
      id: newHandle('list_membership', then),
      at: draft.daysAgo(9),
      values: { list_id: lists[0]!.id, sourced_profile_id: profiles[0]!.id },
    },
    {
      type: 'pool.batch_upserted',
      id: seeded('pool batch').uuid(),
      at: draft.daysAgo(1),
      values: { count: poolSize },
      shared: true,
    },
  ]
}
