import { buffer } from 'node:stream/consumers'
import { extractText, type ParsedResume, parseProfile, Unreadable } from '../../packages/resume-parser/src/index.ts'
import { ApiError } from '../../src/kernel/errors/api-error.ts'
import { importApplicant, unsubscribeApplicant } from '../../src/resources/applicants/index.ts'
import {
  addNote,
  addScorecard,
  applyOnForm,
  createApplication,
  hireApplication,
  importApplication,
  moveApplication,
  recordScreening,
  rejectApplication,
  type StoredScreening,
  scoreApplication,
  selectJobStages,
  setApplicationStatus,
  withdrawApplication,
} from '../../src/resources/applications/index.ts'
import { requestErasure } from '../../src/resources/erasures/index.ts'
import { readPublicForm } from '../../src/resources/jobs/index.ts'
import {
  claimResume,
  endReading,
  finishParsing,
  type ParseError,
  type ResumeTarget,
  unlockResume,
} from '../../src/resources/resumes/index.ts'
import { answersTo } from '../activity/answers.ts'
import { uploadFile, WITHDRAWAL_REASONS } from '../activity/applications.ts'
import { pdf } from '../files.ts'
import { locationOf, type People, type Person } from '../people.ts'
import { type Random, seeded } from '../random.ts'
import { scannedResume, writeResume } from '../resumes.ts'
import { type End, endAfter, type Step, stepsTo } from './hiring-steps.ts'
import type { DemoJob } from './jobs.ts'
import { accepted, DAY, daysAgo, END, HOUR, iso, MINUTE, type Replay } from './replay.ts'
import type { Workspace } from './workspaces.ts'

export interface Application {
  id: string
  applicantId: string
  person: Person
  appliedAt: number
}

export interface ApplicationsPlan {
  workspace: Workspace
  jobs: readonly DemoJob[]
  people: People
  /** people whom the workspace knows from elsewhere as well */
  acquaintances: readonly Person[]
  /** the key of partner systems, and the system that some applications are imported from */
  syncKeyId: string
  ats: string
  count: number
  spanDays: number
  /** States of the newest applications that chance might leave out. */
  cases?: Readonly<Record<number, Case>>
}

export type Case = 'no résumé' | 'scheduled call' | 'call in progress' | 'unreadable' | 'unlocked' | Stop

/** The person stops all processing: the résumé is never read, or never again after the process that read it died. */
type Stop = 'stopped before parsing' | 'stopped during parsing'
const stops = (special: Case | undefined): special is Stop => special?.startsWith('stopped') ?? false

/** Plans applications from the oldest to the newest, each with what becomes of it. */
export function planApplications(replay: Replay, plan: ApplicationsPlan): Application[] {
  const random = seeded(`${plan.workspace.name} applications`)
  const known = [...plan.acquaintances]
  const earlier: { person: Person; jobs: Set<DemoJob> }[] = []
  const made: Application[] = []
  for (let i = 0; i < plan.count; i++) {
    // a little more of them in recent weeks
    const age = plan.spanDays * ((plan.count - i - random.between(0.2, 0.8)) / plan.count) ** 1.3
    const open = plan.jobs.filter(
      ({ plan: job }) => job.published !== null && job.published > age && job.openUntil < age,
    )
    const taking = open.filter(({ plan: job }) => job.acceptsApplications !== false)
    if (taking.length === 0) continue
    const job = random.weighted(taking.map(one => [one, one.plan.pull] as const))
    const special = plan.cases?.[i]
    const again =
      !stops(special) && random.chance(0.2)
        ? earlier.find(one => !one.jobs.has(job) && one.person.occupation === job.occupation)
        : undefined
    const person = again?.person ?? whoApplies(random, plan, stops(special) ? [] : known, job)
    if (again) again.jobs.add(job)
    else if (!stops(special)) earlier.push({ person, jobs: new Set([job]) })
    const seed = `${plan.workspace.name} application ${i}`
    replay.plan(daysAgo(age), async () => {
      try {
        made.push(await apply(replay, plan, { job, person, age, random: seeded(seed), special }))
      } catch (error) {
        // who wants no more messages cannot apply again
        if (!(error instanceof ApiError) || error.code !== 'applicant_unsubscribed') throw error
      }
    })
  }
  return made
}

function whoApplies(random: Random, { people }: ApplicationsPlan, known: Person[], job: DemoJob): Person {
  if (random.chance(0.2)) {
    const fitting = known.findIndex(person => person.occupation === job.occupation)
    const [person] = known.splice(Math.max(0, fitting), 1)
    if (person) return person
  }
  return people.next({
    occupation: random.chance(0.85) ? job.occupation.name : 'data',
    ...(job.plan.level && random.chance(0.6) ? { level: job.plan.level } : {}),
  })
}

interface ApplicationDetails {
  job: DemoJob
  person: Person
  age: number
  random: Random
  special: Case | undefined
}

async function apply(replay: Replay, plan: ApplicationsPlan, facts: ApplicationDetails): Promise<Application> {
  const { job, person, age, random, special } = facts
  const { blobs } = replay.services
  const workspace = plan.workspace.id
  const appliedAt = replay.now
  const resume =
    special === 'no résumé' || (special === undefined && random.chance(0.1))
      ? undefined
      : special === 'unreadable' || (special === undefined && random.chance(0.03))
        ? scannedResume(person)
        : writeResume(random, person, new Date(END).getUTCFullYear())
  const partner = job.plan.pushed?.[0] ?? 'jobcircle'
  const way = random.weighted([
    ['public form', 10],
    // a form with a box that only the candidate can tick takes no applications from partners
    ['partner', job.plan.form === 'everything' ? 0 : job.plan.pushed ? 10 : 3],
    ['import', 2],
  ] as const)
  const resumeUploadId =
    resume &&
    (await uploadFile(
      { change: work => replay.change(work), blobs },
      workspace,
      resume.file,
      resume.filename,
      way === 'public form' ? 'resume' : undefined,
    ))
  const externalId = `cand-${random.int(10_000, 99_999)}-${random.letters(3)}`
  const details = {
    first_name: person.first,
    last_name: person.last,
    // retained as it was typed; the key is what is compared
    email: random.chance(0.1) ? person.email.replace(/^./, letter => letter.toUpperCase()) : person.email,
    ...(random.chance(0.85) ? { phone: person.phone } : {}),
    ...(random.chance(0.6) || plan.acquaintances.includes(person) ? { linkedin_url: person.linkedinUrl } : {}),
  }
  const optedOut = way === 'public form' && special === undefined && random.chance(0.07)
  const willBeCalled = !optedOut && (special?.includes('call') || (job.hasVoiceScreening && random.chance(0.4)))
  const form = (await readPublicForm(replay.db, workspace, { id: job.id }))!
  const files: Record<string, string> = {}
  for (const { id, type, candidate_field } of way === 'public form' ? form.fields : [])
    if (type === 'file' && candidate_field === null && random.chance(0.4))
      files[id] = await uploadFile(
        { change: work => replay.change(work), blobs },
        workspace,
        pdf(['Sample of work', `${person.first} ${person.last}`, 'Drawings and measurements are on the next pages.']),
        'work-sample.pdf',
        'answer',
      )
  const made = await replay.change(async tx => {
    if (way === 'import') {
      const ref = {
        system: plan.ats,
        id: externalId,
        type: 'candidate',
        connection_id: null,
        link_origin: 'import',
        last_synced_at: iso(appliedAt),
      }
      const applicantId = await importApplicant(tx, workspace, ref, { ...details, location: locationOf(person) })
      const { id } = await importApplication(tx, blobs, workspace, {
        jobId: job.id,
        applicantId,
        system: plan.ats,
        externalId,
        status: 'new',
        appliedAt: iso(appliedAt - 2 * HOUR),
        ...(resumeUploadId === undefined ? {} : { resumeUploadId }),
      })
      return { id, applicantId }
    }
    const { answers, consents, prescreen } = answersTo(form, random, seeded(`prescreen ${person.email}`))
    const veteran = form.fields.find(field => field.type === 'eeo')
    const sent = { candidate: details, resumeUploadId, answers }
    const outcome =
      way === 'partner'
        ? await createApplication(tx, blobs, workspace, {
            ...sent,
            jobId: job.id,
            from: { system: partner, ...(random.chance(0.8) ? { externalId } : {}) },
            originKeyId: plan.syncKeyId,
          })
        : await applyOnForm(tx, blobs, workspace, job.id, {
            ...sent,
            form: {
              language: job.plan.words?.language ?? (random.chance(0.1) ? 'de' : 'en'),
              consents,
              prescreen,
              files,
              equalOpportunity: veteran && random.chance(0.7) ? { [veteran.id]: 'No' } : {},
              voiceScreeningOptedOut: optedOut,
              ...(willBeCalled ? { screeningPhone: person.phone } : {}),
            },
          })
    const { application } = accepted(outcome)
    return { id: application.id, applicantId: application.applicant_id! }
  })
  const application: Application = { ...made, person, appliedAt }
  if (stops(special)) {
    planStop(replay, { workspace, application: made.id }, person, special)
    return application
  }
  if (resume)
    replay.plan(appliedAt + random.int(2, 40) * 1_000, () => parse(replay, { workspace, application: made.id }))
  if (special === 'unlocked' || (resume && age > 120 && random.chance(0.12)))
    replay.plan(daysAgo(random.between(1, 20)), () => replay.change(tx => unlockResume(tx, workspace, made.id, null)))
  if (willBeCalled) planCall(replay, random, workspace, application, special)
  await planHiring(replay, plan.workspace, application, job, endAfter(random, age), random)
  return application
}

function planStop(replay: Replay, of: ResumeTarget, { email }: Person, special: Stop): void {
  if (special === 'stopped during parsing') replay.plan(replay.now + 10_000, () => claimResume(replay.db, { of }))
  replay.plan(replay.now + MINUTE, () =>
    requestErasure(replay.db, { email, reason: 'stop_processing', requestedBy: 'command_line' }),
  )
}

/** What the worker does, without its sandbox: the files are our own. */
async function parse(replay: Replay, of: ResumeTarget): Promise<void> {
  const { db, blobs } = replay.services
  const claimed = await claimResume(db, { of })
  if (!claimed) return
  const file = await buffer((await blobs.get(claimed.blob_key))!.stream)
  let outcome: ParsedResume | ParseError
  try {
    const text = await extractText(file, claimed.mime)
    outcome = { text, profile: parseProfile(text, claimed.today) }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    outcome = error.reason
  }
  await endReading(db, claimed, 0)
  await replay.change(async tx => {
    if (await finishParsing(tx, claimed, outcome)) await scoreApplication(tx, of.workspace, of.application)
  })
}

/** The kinds of phone pre-screen that can be, and how common each is. */
const CALLS = [
  ['completed', 'complete', 'granted', 10],
  ['completed', 'partial', 'granted', 2],
  ['completed', 'none', 'declined', 1],
  ['no_answer', 'none', 'pending', 3],
  ['failed', 'partial', 'granted', 1],
] as const

function planCall(
  replay: Replay,
  random: Random,
  workspace: string,
  { id, appliedAt }: Application,
  special: Case | undefined,
): void {
  const record = (at: number, call: Partial<StoredScreening>) =>
    replay.plan(at, () =>
      replay.change(tx =>
        recordScreening(
          tx,
          { workspace, id, originKeyId: null },
          {
            call_status: 'scheduled',
            completion_state: 'none',
            duration_sec: null,
            consent_state: 'pending',
            ambiguous_caller: false,
            started_at: null,
            ended_at: null,
            ...call,
          },
        ),
      ),
    )
  const started = special === 'call in progress' ? END - 4 * MINUTE : appliedAt + random.between(0.2, 2) * DAY
  record(appliedAt + 10 * MINUTE, {})
  if (special === 'scheduled call') return
  const [call_status, completion_state, consent_state] = random.weighted(CALLS.map(call => [call, call[3]] as const))
  const seconds = { complete: random.int(240, 900), partial: random.int(60, 239), none: random.int(5, 40) }[
    completion_state
  ]
  const started_at = iso(Math.floor(started))
  const running = { call_status: 'in_progress', completion_state: 'partial', consent_state: 'granted' } as const
  record(started, { ...running, started_at })
  if (special === 'call in progress') return
  const ended = Math.floor(started) + seconds * 1_000
  record(ended, {
    call_status,
    completion_state,
    consent_state,
    duration_sec: call_status === 'no_answer' ? null : seconds,
    ambiguous_caller: call_status === 'completed' && random.chance(0.08),
    started_at,
    ended_at: iso(ended),
  })
}

const NOTES = [
  'Spoke on the phone, very clear about motivation.',
  'Salary expectation is at the upper end of our range.',
  'Asked for two weeks to decide.',
  'Strong portfolio, ask about the gripper project.',
  'Available from the first of next month.',
  'Would prefer to work from home two days a week.',
]
const REASONS = [
  'Not enough experience with the main tools of the role.',
  'Another candidate accepted the offer.',
  'Salary expectation is above the range.',
  'Does not want to work on site.',
  'The team was reorganised and the opening withdrawn.',
]

/** Viewers read; everyone else writes notes. */
const authorsOf = (workspace: Workspace): string[] =>
  workspace.users.filter(user => user.role !== 'viewer').map(user => user.id)

async function planHiring(
  replay: Replay,
  workspace: Workspace,
  { id, applicantId, appliedAt }: Application,
  job: DemoJob,
  end: End,
  random: Random,
): Promise<void> {
  const stages = await replay.db.query(selectJobStages(workspace.id, job.id))
  const steps = stepsTo(random, stages, end, appliedAt)
  const unsigned = { workspace: workspace.id, id, originKeyId: null }
  const authors = authorsOf(workspace)
  const perform = (step: Step) =>
    replay.change(async tx => {
      const change = { ...unsigned, userId: seeded(`author ${appliedAt} ${step.at}`).pick(authors) }
      if (step.stageId) await moveApplication(tx, { ...change, stageId: step.stageId })
      if (step.status === 'rejected') await rejectApplication(tx, { ...change, reason: random.pick(REASONS) })
      else if (step.status === 'hired') await hireApplication(tx, change)
      else if (step.status === 'withdrawn')
        await withdrawApplication(tx, workspace.id, id, {
          reason: seeded(`withdrawal ${appliedAt}`).pick(WITHDRAWAL_REASONS),
        })
      else if (step.status) await setApplicationStatus(tx, change, step.status)
    })
  for (const step of steps) {
    replay.plan(step.at, () => perform(step))
    if (random.chance(0.3))
      replay.plan(step.at + random.int(5, 180) * MINUTE, () =>
        replay.change(tx => addNote(tx, { ...unsigned, body: random.pick(NOTES), authorUserId: random.pick(authors) })),
      )
    const stage = stages.find(one => one.id === step.stageId)
    if (stage && ['interview', 'assessment', 'custom'].includes(stage.type) && random.chance(0.7))
      replay.plan(step.at + 22 * HOUR, () =>
        replay.change(tx =>
          addScorecard(tx, { ...unsigned, card: scorecard(random, end, stage.id, step.at, random.pick(authors)) }),
        ),
      )
  }
  if (end === 'rejected' && random.chance(0.06))
    replay.plan(steps.at(-1)!.at + DAY, () =>
      replay.change(tx =>
        unsubscribeApplicant(tx, workspace.id, applicantId, random.pick(['link', 'one_click', 'product'] as const)),
      ),
    )
}

const RATINGS = ['Technical depth', 'Communication', 'Ownership', 'Teamwork']

function scorecard(random: Random, end: End, stageId: string, from: number, author: string) {
  const good = end === 'hired' || end === 'advanced' || random.chance(0.3)
  return {
    recommendation: random.weighted(
      good
        ? ([
            ['strong_yes', 2],
            ['yes', 4],
            ['no_decision', 1],
          ] as const)
        : ([
            ['no', 4],
            ['strong_no', 1],
            ['no_decision', 2],
          ] as const),
    ),
    summary: good
      ? 'Solved the task calmly and explained each choice.'
      : 'Good talk, but too little depth for this role.',
    stage_id: random.chance(0.9) ? stageId : null,
    ratings: random.sample(RATINGS, random.int(2, 4)).map(name => ({
      name,
      score: good ? random.int(3, 5) : random.int(1, 3),
      comment: random.chance(0.3) ? 'See the summary.' : null,
    })),
    interviewed_at: random.chance(0.9) ? iso(Math.floor(from + 20 * HOUR)) : null,
    report_url: random.chance(0.15) ? 'https://reports.assessments.example/sample' : null,
    author_user_id: author,
  }
}
