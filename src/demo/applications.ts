import { API_LIMITS } from '../contract/limits.ts'
import { newHandle } from '../kernel/ids/handles.ts'
import { MODEL_VERSION } from '../resources/applications/actions.ts'
import { parseProfile } from '../resources/resumes/actions.ts'
import { type Applicant, enrol } from './applicants.ts'
import { noteRows, pastCall, presentCall, REJECTION_REASONS, scorecardRows, scoreOf } from './evaluation.ts'
import { answersTo, privateAnswersTo } from './forms.ts'
import type { Job } from './jobs.ts'
import type { Cast, Person } from './people.ts'
import { likelyStatus, type Status, type Step, walk } from './pipeline.ts'
import { type Random, seeded } from './random.ts'
import { scannedResume, writeResume } from './resumes.ts'
import { DAY, type Draft, iso, isoOrNull, type Row } from './rows.ts'

export interface Application {
  id: string
  job: Job
  applicant: Applicant | null
  person: Person
  source: string
  appliedAt: number
  updatedAt: number
  steps: Step[]
  resumeId: string | null
  parse: { status: ParseStatus; at: number | null } | null
  access: Access | null
  score: { pct: number; at: number } | null
  call: { status: unknown; completion: unknown; at: number } | null
  noteAt: number | null
}

export type ParseStatus = 'pending' | 'parsing' | 'parsed' | 'failed'

type AccessState = 'open' | 'view_only' | 'locked' | 'unlocked'

export interface Access {
  state: AccessState
  /** the state before it; null for the first one */
  previous: AccessState | null
  /** when it came to be in this state */
  since: number
  changesAt: number | null
  unlockedAt: number | null
}

export interface ApplicationsPlan {
  workspace: { id: string; name: string }
  jobs: readonly Job[]
  cast: Cast
  /** people whom the workspace knows from elsewhere as well */
  acquaintances: readonly Person[]
  authors: readonly string[]
  /** the system that some were imported from */
  ats: string
  count: number
  spanDays: number
  /** cases of which the demo must hold one, by their place in time; the last is the newest */
  cases?: ReadonlyMap<number, Case>
}

export type Case =
  | 'no applicant'
  | 'scheduled call'
  | 'call in progress'
  | 'parse pending'
  | 'parse running'
  | 'parse failed'
  | 'unlocked'
  | 'no resume'

/**
 * Applications from the oldest to the newest, with everything that belongs to them but the rows of the applicants. Reading
 * a résumé takes milliseconds: the event loop runs between two of them.
 */
export function* planApplications(
  draft: Draft,
  plan: ApplicationsPlan,
): Generator<void, { applications: Application[]; applicants: Applicant[] }, void> {
  const random = seeded(`${plan.workspace.name} applications`)
  const applicants: Applicant[] = []
  const known = [...plan.acquaintances]
  const applications: Application[] = []
  for (let i = 0; i < plan.count; i++) {
    // a little more of them in recent weeks
    const age = plan.spanDays * ((plan.count - i - random.between(0.2, 0.8)) / plan.count) ** 1.3
    const appliedAt = draft.daysAgo(age)
    const job = openJob(random, plan.jobs, age)
    if (!job) continue
    const special = plan.cases?.get(i)
    const source = sourceOf(random, job, plan.ats)
    const applicant =
      special === 'no applicant' ? null : whoApplies(random, plan, applicants, known, job, appliedAt, source)
    applications.push(apply(draft, random, plan, { job, applicant, appliedAt, age, source, special }))
    yield
  }
  return { applications, applicants }
}

function openJob(random: Random, jobs: readonly Job[], age: number): Job | null {
  const open = jobs.filter(({ plan }) => plan.published !== null && plan.published > age && plan.openUntil < age)
  return open.length === 0 ? null : random.weighted(open.map(job => [job, job.plan.pull] as const))
}

function sourceOf(random: Random, job: Job, ats: string): string {
  const partner = job.plan.pushed?.[0] ?? 'jobcircle'
  return random.weighted([
    ['public_board', 10],
    // a form with a box that only the candidate can tick takes no applications from partners
    [`partner_api:${partner}`, job.form === 'everything' ? 0 : job.plan.pushed ? 10 : 3],
    [`import:${ats}`, 2],
  ])
}

/** Mostly somebody new who does such work; sometimes a person known from elsewhere, or one who applied before. */
function whoApplies(
  random: Random,
  plan: ApplicationsPlan,
  applicants: Applicant[],
  known: Person[],
  job: Job,
  at: number,
  source: string,
): Applicant {
  const earlier = random.chance(0.24) ? random.pick(applicants.length > 0 ? applicants : [undefined]) : undefined
  if (earlier && !earlier.jobs.has(job.id)) {
    earlier.jobs.add(job.id)
    earlier.lastSeenAt = at
    earlier.updatedAt = at
    return earlier
  }
  const acquaintance = random.chance(0.2) ? takeFitting(known, job) : undefined
  const person =
    acquaintance ??
    plan.cast.next({
      occupation: random.chance(0.85) ? job.occupation.name : 'data',
      ...(job.plan.level && random.chance(0.6) ? { level: job.plan.level } : {}),
    })
  const applicant = enrol(random, person, at, {
    known: acquaintance !== undefined,
    imported: source.startsWith('import:'),
    partner: source.startsWith('partner_api:') ? source.slice('partner_api:'.length) : null,
  })
  applicant.jobs.add(job.id)
  applicants.push(applicant)
  return applicant
}

function takeFitting(known: Person[], job: Job): Person | undefined {
  const at = known.findIndex(person => person.occupation === job.occupation)
  return known.splice(Math.max(0, at), 1)[0]
}

interface Facts {
  job: Job
  applicant: Applicant | null
  appliedAt: number
  age: number
  source: string
  special: Case | undefined
}

function apply(draft: Draft, random: Random, plan: ApplicationsPlan, facts: Facts): Application {
  const { job, applicant, appliedAt, age, source, special } = facts
  const { now } = draft
  const workspaceId = plan.workspace.id
  const id = newHandle('application', appliedAt)
  const keys = { workspace_id: workspaceId, application_id: id }
  const person = applicant?.person ?? plan.cast.next({ occupation: job.occupation.name })
  const status: Status = likelyStatus(random, age)
  const steps = walk(random, job, status, appliedAt, now)
  const last = steps.at(-1)!

  const resume = special === 'no resume' ? null : addResume(draft, random, plan, { ...facts, id, person })
  const score = resume?.read ? scoreOf(job, resume.read.profile, resume.read.text) : undefined
  const scoredAt = Math.min((resume?.parse.at ?? appliedAt) + 2000, now)
  const notes = noteRows(random, steps, plan.authors, now)
  const scorecards = scorecardRows(random, steps, plan.authors, now)
  const publicForm = source === 'public_board'
  const optedOut = publicForm && special === undefined && random.chance(0.07)
  const call = optedOut ? null : callFor(random, job, special, steps, appliedAt, now)
  const updatedAt = Math.max(
    last.at,
    resume?.parse.at ?? 0,
    resume?.access.unlockedAt ?? 0,
    score ? scoredAt : 0,
    call?.ended ?? 0,
    ...[...notes, ...scorecards].map(row => row['at'] as number),
  )

  const [way, system = null] = source.split(':')
  draft.add('applications', {
    workspace_id: workspaceId,
    id,
    job_id: job.id,
    applicant_id: applicant?.id ?? null,
    stage_id: last.stage.id,
    status,
    source,
    source_system: system,
    source_external_id:
      way === 'import' || (system !== null && random.chance(0.8))
        ? `cand-${random.int(10_000, 99_999)}-${random.letters(3)}`
        : null,
    applied_at: iso(appliedAt),
    updated_at: iso(updatedAt),
    parse_status: resume?.parse.status ?? null,
    has_resume: resume !== null,
    resume_unlocked_at: isoOrNull(resume?.access.unlockedAt ?? null),
    resume_access_state: resume?.access.state ?? null,
    resume_access_changes_at: isoOrNull(resume?.access.changesAt ?? null),
    voice_screening_opted_out: optedOut,
    // given on the public form alone
    screening_phone: call && publicForm ? person.phone : null,
    rejection_reason: status === 'rejected' ? random.pick(REJECTION_REASONS) : null,
    hired_at: status === 'hired' ? iso(last.at) : null,
  })
  const answers = way === 'import' ? {} : answersTo(random, job.form, appliedAt, now)
  draft.add('application_answers', { ...keys, answers })
  const privately = publicForm ? privateAnswersTo(random, job.form, appliedAt) : null
  if (privately) draft.add('application_private_answers', { ...keys, ...privately })
  draft.add(
    'stage_transitions',
    ...steps
      .filter(step => step.stage !== step.previousStage)
      .map(step => ({
        ...keys,
        from_stage_id: step.previousStage?.id ?? null,
        to_stage_id: step.stage.id,
        at: iso(step.at),
      })),
  )
  for (const { at: _, ...row } of notes) draft.add('notes', { ...keys, ...row })
  for (const { at: _, ...row } of scorecards) draft.add('scorecards', { ...keys, ...row })
  if (score)
    draft.add('application_scores', { ...keys, ...score, model_version: MODEL_VERSION, scored_at: iso(scoredAt) })
  if (call) draft.add('screenings', { ...keys, ...call.row })

  return {
    id,
    job,
    applicant,
    person,
    source,
    appliedAt,
    updatedAt,
    steps,
    resumeId: resume?.id ?? null,
    parse: resume?.parse ?? null,
    access: resume?.access ?? null,
    score: score ? { pct: score.match_pct, at: scoredAt } : null,
    call: call?.ended
      ? { status: call.row['call_status'], completion: call.row['completion_state'], at: call.ended }
      : null,
    noteAt: notes.length > 0 ? (notes.at(-1)!['at'] as number) : null,
  }
}

function callFor(
  random: Random,
  job: Job,
  special: Case | undefined,
  steps: readonly Step[],
  appliedAt: number,
  now: number,
) {
  if (special === 'scheduled call') return { row: presentCall('scheduled', now) as Row, ended: null }
  if (special === 'call in progress') return { row: presentCall('in_progress', now) as Row, ended: null }
  if (!job.hasVoiceScreening || !random.chance(steps.length > 1 ? 0.4 : 0.15)) return null
  const { ended, ...row } = pastCall(random, appliedAt, now)
  return { row: row as Row, ended }
}

function addResume(
  draft: Draft,
  random: Random,
  plan: ApplicationsPlan,
  facts: Facts & { id: string; person: Person },
) {
  const { id: applicationId, applicant, person, appliedAt, special } = facts
  if (special === undefined && random.chance(0.12)) return null
  const id = newHandle('resume', appliedAt)
  const failed = special === 'parse failed' || (special === undefined && random.chance(0.03))
  const status: ParseStatus = failed
    ? 'failed'
    : special === 'parse pending'
      ? 'pending'
      : special === 'parse running'
        ? 'parsing'
        : 'parsed'
  const year = new Date(draft.now).getUTCFullYear()
  const resume = failed ? { ...scannedResume(person), text: '' } : writeResume(random, person, year)
  const read =
    status === 'parsed' ? { text: resume.text, profile: parseProfile(resume.text, iso(draft.now).slice(0, 7)) } : null
  const ended = status === 'parsed' || status === 'failed'
  const parsedAt = ended ? Math.min(appliedAt + random.int(2_000, 30_000), draft.now) : null
  const key = `resumes/${plan.workspace.id}/${id}`
  draft.files.push({ key, contentType: resume.file.mime, body: resume.file.body })
  draft.add('resumes', {
    workspace_id: plan.workspace.id,
    id,
    application_id: applicationId,
    applicant_id: applicant?.id ?? null,
    filename: resume.filename,
    mime: resume.file.mime,
    bytes: resume.file.body.length,
    blob_key: key,
    parse_status: status,
    // a page without text fails at the first try
    parse_attempts: status === 'pending' ? 0 : 1,
    // The lease ends soon; then the file is read like that of a worker that died.
    parse_leased_until: status === 'parsing' ? iso(draft.now + 60_000) : null,
    parse_lease_token: status === 'parsing' ? random.uuid() : null,
    parsed: read?.profile ?? null,
    raw_text: read?.text ?? null,
    parsed_at: status === 'parsed' ? isoOrNull(parsedAt) : null,
    created_at: iso(appliedAt),
  })
  return {
    id,
    read,
    parse: { status, at: parsedAt },
    access: accessOf(random, appliedAt, draft.now, special === 'unlocked'),
  }
}

function accessOf(random: Random, appliedAt: number, now: number, unlocked: boolean): Access {
  const viewOnlyFrom = appliedAt + API_LIMITS.resumeOpenDays * DAY
  const lockedFrom = appliedAt + API_LIMITS.resumeViewDays * DAY
  if (unlocked || (now > lockedFrom && random.chance(0.12))) {
    const at = Math.floor(Math.max(appliedAt, now - random.between(1, 20) * DAY))
    const previous = at < viewOnlyFrom ? 'open' : at < lockedFrom ? 'view_only' : 'locked'
    return { state: 'unlocked', previous, since: at, changesAt: null, unlockedAt: at }
  }
  const still = { unlockedAt: null }
  if (now < viewOnlyFrom) return { ...still, state: 'open', previous: null, since: appliedAt, changesAt: viewOnlyFrom }
  if (now < lockedFrom) {
    return { ...still, state: 'view_only', previous: 'open', since: viewOnlyFrom, changesAt: lockedFrom }
  }
  return { ...still, state: 'locked', previous: 'view_only', since: lockedFrom, changesAt: null }
}
