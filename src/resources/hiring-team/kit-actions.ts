import { createHash } from 'node:crypto'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { type InputFault, refuseIfAny } from '../../kernel/http/faults.ts'
import { charactersIn } from '../../kernel/text/text.ts'
import { duplicateJob } from '../jobs/index.ts'
import type { Author } from '../shared/author.ts'
import type { CardRequest } from './cards-store.ts'
import {
  copyCriteria,
  copyKits,
  deleteKit,
  type Kit,
  type KitStage,
  kitOfStage,
  putKit,
  selectKits,
  stagesForKits,
} from './kits-store.ts'
import { type Criterion, nameKey } from './rules.ts'
import { jobExists, lockJobForCriteria, type Named, selectCriteria, selectTeam, teamCandidates } from './store.ts'

const NO_KIT: Kit = { intro: null, questions: [], criteria: null, minutes: null, interviewer_user_ids: [] }

const QUESTION_LENGTH = 500
const INTRO_LENGTH = 5000

const isEmpty = (kit: Kit): boolean => versionOf(kit) === versionOf(NO_KIT)

const versionOf = ({ intro, questions, criteria, minutes, interviewer_user_ids }: Kit): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        intro,
        questions.map(({ text, criterion }) => [text, criterion]),
        criteria,
        minutes,
        interviewer_user_ids,
      ]),
    )
    .digest('hex')
    .slice(0, 16)

export interface KitSetup {
  criteria: Criterion[]
  /** the stages that are not final, with what their interviewers are given */
  stages: (Pick<KitStage, 'id' | 'name'> & { version: string; kit: Kit })[]
  /** members who can interview for this job */
  people: Named[]
}

/** Members who can write scorecards about candidates of the job. */
async function interviewersOfJob(db: Queryable, workspace: string, jobId: string): Promise<Named[]> {
  const [all, team] = await Promise.all([db.query(teamCandidates(workspace)), db.query(selectTeam(workspace, jobId))])
  const onTeam = new Set(team.map(({ user_id }) => user_id))
  return all
    .filter(({ id, role, limited }) => role !== 'viewer' && (!limited || onTeam.has(id)))
    .map(({ id, name }) => ({ id, name }))
}

export async function readKits(db: Queryable, workspace: string, jobId: string): Promise<KitSetup | undefined> {
  if (!(await db.one(jobExists(workspace, jobId)))) return undefined
  const [criteria, kits, stages, people] = await Promise.all([
    db.query(selectCriteria(workspace, jobId)),
    db.query(selectKits(workspace, jobId)),
    db.query(stagesForKits(workspace, jobId)),
    interviewersOfJob(db, workspace, jobId),
  ])
  const known = new Map(kits.map(({ stage_id, ...kit }) => [stage_id, kit]))
  const shown = stages.flatMap(({ id, name, is_terminal }) => {
    const kit = known.get(id)
    return is_terminal && !kit ? [] : [{ id, name, version: versionOf(kit ?? NO_KIT), kit: kit ?? NO_KIT }]
  })
  return { criteria, stages: shown, people }
}

/** Without lines that were left blank. Criteria are named as the job names them. */
function cleaned(given: Kit, criteria: readonly Criterion[]): Kit {
  const named = (name: string) => criteria.find(one => nameKey(one.name) === nameKey(name))?.name
  const counted = given.criteria?.flatMap(name => named(name) ?? [])
  return {
    intro: given.intro?.trim() || null,
    questions: given.questions.flatMap(({ text, criterion }) =>
      text.trim() === ''
        ? []
        : [{ text: text.trim(), criterion: criterion === null ? null : (named(criterion) ?? null) }],
    ),
    criteria: counted === undefined ? null : [...new Set(counted)],
    minutes: given.minutes,
    interviewer_user_ids: [...new Set(given.interviewer_user_ids)],
  }
}

function kitFaults(given: Kit, criteria: readonly Criterion[], people: readonly Named[]): InputFault[] {
  const known = new Set(criteria.map(({ name }) => nameKey(name)))
  const isKnown = (name: string) => known.has(nameKey(name))
  const members = new Set(people.map(({ id }) => id))
  const tooLong = (param: string, text: string, most: number) =>
    charactersIn(text) > most ? [{ param, message: `must be at most ${most} characters` }] : []
  return [
    ...tooLong('kit.intro', given.intro ?? '', INTRO_LENGTH),
    ...given.questions.flatMap(({ text, criterion }, i) => [
      ...tooLong(`kit.questions[${i}].text`, text, QUESTION_LENGTH),
      ...(criterion !== null && !isKnown(criterion)
        ? [{ param: `kit.questions[${i}].criterion`, message: 'is no criterion of this job' }]
        : []),
    ]),
    ...(given.criteria ?? []).flatMap((name, i) =>
      isKnown(name) ? [] : [{ param: `kit.criteria[${i}]`, message: 'is no criterion of this job' }],
    ),
    ...given.interviewer_user_ids.flatMap((id, i) =>
      members.has(id)
        ? []
        : [{ param: `kit.interviewer_user_ids[${i}]`, message: 'is not a member who can interview for this job' }],
    ),
  ]
}

/** Replaces what the interviewers of a stage are given; 409 if someone else changed it since it was read. */
export async function setKit(
  tx: Transaction,
  workspace: string,
  jobId: string,
  change: { stageId: string; kit: Kit; expectedVersion: string },
): Promise<KitSetup | undefined> {
  if (!(await tx.one(lockJobForCriteria(workspace, jobId)))) return undefined
  const stages = await tx.query(stagesForKits(workspace, jobId))
  if (!stages.some(({ id }) => id === change.stageId)) fail('not_found')
  const before = await tx.one(kitOfStage(workspace, change.stageId))
  if (versionOf(before ?? NO_KIT) !== change.expectedVersion)
    fail('stale_resource', { message: 'Someone else changed this stage while you were editing it.' })
  const [criteria, people] = await Promise.all([
    tx.query(selectCriteria(workspace, jobId)),
    interviewersOfJob(tx, workspace, jobId),
  ])
  refuseIfAny(kitFaults(change.kit, criteria, people))
  const kit = cleaned(change.kit, criteria)
  if (isEmpty(kit)) await tx.query(deleteKit(workspace, change.stageId))
  else await tx.query(putKit(workspace, jobId, change.stageId, kit))
  return readKits(tx, workspace, jobId)
}

export interface KitForCard {
  /** the stage that the next scorecard is about; null: none that there still is */
  stage_id: string | null
  stage_name: string | null
  /** those that count in this stage */
  criteria: Criterion[]
  kit: Pick<Kit, 'intro' | 'questions' | 'minutes'> | null
}

/** What the form of a scorecard shows: for the stage that the reader was asked about, else that of the application. */
export async function readKitForCard(
  db: Queryable,
  workspace: string,
  { job_id, stage_id }: { job_id: string; stage_id: string },
  asked: Pick<CardRequest, 'stage_id'> | undefined,
): Promise<KitForCard> {
  const wanted = asked?.stage_id ?? stage_id
  const [stages, criteria, kit] = await Promise.all([
    db.query(stagesForKits(workspace, job_id)),
    db.query(selectCriteria(workspace, job_id)),
    db.one(kitOfStage(workspace, wanted)),
  ])
  const stage = stages.find(({ id }) => id === wanted)
  return {
    stage_id: stage?.id ?? null,
    stage_name: stage?.name ?? null,
    criteria: countedIn(kit, criteria),
    kit: kit ? { intro: kit.intro, questions: kit.questions, minutes: kit.minutes } : null,
  }
}

/** The criteria that a kit names; all of the job if it names none that there still is. */
function countedIn(kit: Kit | undefined, criteria: readonly Criterion[]): Criterion[] {
  if (!kit?.criteria) return [...criteria]
  const wanted = new Set(kit.criteria.map(nameKey))
  const counted = criteria.filter(({ name }) => wanted.has(nameKey(name)))
  return counted.length === 0 && wanted.size > 0 ? [...criteria] : counted
}

export interface InterviewDefaults {
  stage_id: string
  minutes: number | null
  people: Named[]
}

/** How long interviews of each stage of a job take and who leads them, of members who still can. */
export async function readInterviewDefaults(
  db: Queryable,
  workspace: string,
  jobId: string,
): Promise<InterviewDefaults[]> {
  const [kits, people] = await Promise.all([
    db.query(selectKits(workspace, jobId)),
    interviewersOfJob(db, workspace, jobId),
  ])
  return kits.map(({ stage_id, minutes, interviewer_user_ids }) => ({
    stage_id,
    minutes,
    people: interviewer_user_ids.flatMap(id => people.find(person => person.id === id) ?? []),
  }))
}

/** A copy of a job, with the criteria and kits of its scorecards. */
export async function copyJob(
  tx: Transaction,
  workspace: string,
  id: string,
  title: string,
  by: Author = null,
): Promise<string> {
  const copy = await duplicateJob(tx, workspace, id, title, by)
  await tx.query(copyCriteria(workspace, id, copy))
  await tx.query(copyKits(workspace, id, copy))
  return copy
}
