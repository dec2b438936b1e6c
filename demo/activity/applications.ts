import type { ApplicationStatus } from '../../src/contract/application-status.ts'
import type { Blobs } from '../../src/kernel/blobs/blobs.ts'
import { ApiError } from '../../src/kernel/errors/api-error.ts'
import { UserError } from '../../src/kernel/errors/user-error.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { pause } from '../../src/kernel/time/pause.ts'
import {
  addNote,
  addScorecard,
  applicationById,
  applyOnForm,
  deleteApplication,
  hireApplication,
  moveApplication,
  parseOneResume,
  recordScreening,
  rejectApplication,
  selectJobStages,
  setApplicationStatus,
  withdrawApplication,
} from '../../src/resources/applications/index.ts'
import { readPublicForm } from '../../src/resources/jobs/index.ts'
import { selectResume, unlockResume } from '../../src/resources/resumes/index.ts'
import { lockUpload, reserveUpload } from '../../src/resources/uploads/index.ts'
import type { DemoFile } from '../files.ts'
import { writeResume } from '../resumes.ts'
import { answersTo } from './answers.ts'
import { makeJob } from './jobs.ts'
import { type Done, type Operation, type OwnApplication, pickOne, type Scene } from './scene.ts'

const OPEN: readonly ApplicationStatus[] = ['new', 'in_review', 'advanced']

interface Applying {
  /** on a job of this run whose skills are known, instead of any open one */
  ownJob?: true
  resume?: true
}

/** A new person applies on the public form. */
export async function apply(scene: Scene, how: Applying = {}): Promise<OwnApplication> {
  const { workspace, random, blobs } = scene
  const open = (how.ownJob && !scene.onlyJob) || !scene.isDemo ? [] : await scene.openJobs()
  if (open.length === 0 && scene.onlyJob) throw new UserError(`${scene.onlyJob} takes no applications any more`)
  const own = scene.jobs.filter(job => job.status === 'published')
  const chosen = open.length > 0 ? undefined : own.length > 0 ? random.pick(own) : await makeJob(scene, 'published')
  const jobId = chosen?.id ?? random.pick(open)
  const person = scene.person(chosen ? { occupation: chosen.occupation } : {})
  const form = await readPublicForm(scene.db, workspace, { id: jobId })
  if (!form) throw new UserError(`there is no job ${jobId}`)
  const required = form.fields.filter(field => field.type === 'file' && field.required)
  const needsResume = how.resume || required.some(field => field.candidate_field === 'resume')
  const resumeUploadId = needsResume ? await upload(scene, person, 'resume') : undefined
  const files: Record<string, string> = {}
  for (const field of required)
    if (field.candidate_field === null) files[field.id] = await upload(scene, person, 'answer')
  const { answers, consents, prescreen } = answersTo(form, random)
  const outcome = await scene.change(tx =>
    applyOnForm(tx, blobs, workspace, jobId, {
      candidate: {
        first_name: person.first,
        last_name: person.last,
        email: person.email,
        phone: person.phone,
        linkedin_url: person.linkedinUrl,
      },
      form: { language: 'en', consents, equalOpportunity: {}, prescreen, files, voiceScreeningOptedOut: false },
      resumeUploadId,
      answers,
    }),
  )
  if (outcome instanceof ApiError) throw outcome
  const { id, applicant_id, stage_id, status } = outcome.application
  const made: OwnApplication = { id, jobId, applicantId: applicant_id!, stageId: stage_id, status, person }
  scene.applications.push(made)
  return made
}

function upload(scene: Scene, person: OwnApplication['person'], purpose: 'resume' | 'answer'): Promise<string> {
  const year = Number(clock.iso().slice(0, 4))
  const { file, filename } = writeResume(scene.random, person, year)
  return uploadFile(
    { change: work => scene.change(work), blobs: scene.blobs },
    scene.workspace,
    file,
    filename,
    purpose,
  )
}

/** Reserves an upload and puts the file there, as a client does. `publicForm`: what it is for, on the public form. */
export async function uploadFile(
  { change, blobs }: { change: Scene['change']; blobs: Blobs },
  workspace: string,
  file: DemoFile,
  filename: string,
  publicForm?: 'resume' | 'answer',
): Promise<string> {
  const reservation = { contentType: file.mime, sizeBytes: file.body.length, filename, originKeyId: null, publicForm }
  const { id, key } = await change(async tx => {
    const { upload_id } = await reserveUpload(tx, blobs, workspace, reservation)
    return { id: upload_id, key: (await tx.only(lockUpload(workspace, upload_id))).blob_key }
  })
  await blobs.put(key, file.body, { contentType: file.mime, bytes: file.body.length })
  return id
}

const ownApplication = (scene: Scene, statuses: readonly ApplicationStatus[] = OPEN): Promise<OwnApplication> =>
  pickOne(
    scene,
    scene.applications,
    one => statuses.includes(one.status),
    () => apply(scene),
  )

const done = (one: OwnApplication): Done => ({
  id: one.id,
  handles: { application: one.id, applicant: one.applicantId, job: one.jobId },
})

const changeOf = (scene: Scene, one: OwnApplication) => ({ ...scene.actor, id: one.id })

async function setStatus(scene: Scene, one: OwnApplication, to: 'in_review' | 'advanced'): Promise<Done> {
  await scene.change(tx => setApplicationStatus(tx, changeOf(scene, one), to))
  one.status = to
  return done(one)
}

/** As candidates say it; many say nothing. */
export const WITHDRAWAL_REASONS = ['I accepted another offer.', 'I am moving to another city.', undefined, undefined]

const NOTES = [
  'Spoke on the phone: clear, curious, asks good questions.',
  'Could start in six weeks. Salary expectation fits the range.',
  'Strong on the fundamentals; wants to see the team before deciding.',
  'References are friendly and specific.',
]
const REASONS = [
  'Another candidate was further along.',
  'The experience does not match the level of the position.',
  'The salary expectation is above the range.',
]

export const note = async (scene: Scene): Promise<Done> => {
  const one = await ownApplication(scene)
  const body = scene.random.pick(NOTES)
  await scene.change(tx => addNote(tx, { ...changeOf(scene, one), body, authorUserId: null }))
  return done(one)
}

export const scorecard = async (scene: Scene): Promise<Done> => {
  const one = await ownApplication(scene)
  const { random } = scene
  const card = {
    recommendation: random.pick(['strong_yes', 'yes', 'no_decision', 'no'] as const),
    summary: random.pick(NOTES),
    stage_id: one.stageId,
    ratings: [{ name: 'Problem solving', score: random.int(2, 5), comment: null }],
    interviewed_at: null,
    report_url: null,
    author_user_id: null,
  }
  await scene.change(tx => addScorecard(tx, { ...changeOf(scene, one), card }))
  return done(one)
}

export const reject = async (scene: Scene): Promise<Done> => {
  const one = await ownApplication(scene)
  await scene.change(tx => rejectApplication(tx, { ...changeOf(scene, one), reason: scene.random.pick(REASONS) }))
  one.status = 'rejected'
  return done(one)
}

export const hire = async (scene: Scene): Promise<Done> => {
  const one = await ownApplication(scene, ['advanced', 'in_review', 'new'])
  const hired = await scene.change(tx => hireApplication(tx, changeOf(scene, one)))
  one.status = 'hired'
  one.stageId = hired?.stage_id ?? one.stageId
  return done(one)
}

async function withdraw(scene: Scene): Promise<Done> {
  const one = await ownApplication(scene)
  const reason = scene.random.pick(WITHDRAWAL_REASONS)
  await scene.change(tx => withdrawApplication(tx, scene.workspace, one.id, { reason }))
  one.status = 'withdrawn'
  return done(one)
}

const review = async (scene: Scene): Promise<Done> => {
  const one = await ownApplication(scene, ['new', 'in_review'])
  return setStatus(scene, one, one.status === 'new' ? 'in_review' : 'advanced')
}

/** One stage on, as far as an interview or an offer; from the last of them back to the first. */
const moveOn = async (scene: Scene): Promise<Done> => {
  const one = await ownApplication(scene)
  const stages = (await scene.db.query(selectJobStages(scene.workspace, one.jobId))).filter(stage => !stage.is_terminal)
  const next = stages[stages.findIndex(stage => stage.id === one.stageId) + 1] ?? stages[0]
  if (!next || next.id === one.stageId) throw new UserError(`job ${one.jobId} has no stage to move to`)
  await scene.change(tx => moveApplication(tx, { ...changeOf(scene, one), stageId: next.id }))
  one.stageId = next.id
  return done(one)
}

const PARSE_WITHIN_MS = 60_000
const LOOK_AGAIN_MS = 100

/** A person applies with a résumé, and it is read and scored: here, or by a worker of a running service if it is first. */
export const readResume = async (scene: Scene): Promise<Done> => {
  const { db, blobs, log, workspace } = scene
  const one = await apply(scene, { ownJob: true, resume: true })
  const end = clock.monotonic() + PARSE_WITHIN_MS
  while (clock.monotonic() < end) {
    const row = await db.one(applicationById(workspace, one.id))
    if (row?.parse_status === 'parsed' || row?.parse_status === 'failed') return done(one)
    if (!(await parseOneResume(db, blobs, log, { workspace, application: one.id }))) await pause(LOOK_AGAIN_MS)
  }
  throw new UserError(`the résumé of ${one.id} was not read within ${PARSE_WITHIN_MS / 1_000} seconds`)
}

export const applicationOperations = {
  'application.created': {
    description: 'A new person applies on the public form.',
    run: async scene => done(await apply(scene)),
  },
  'application.updated': { description: 'Adds a note to an application.', run: note },
  'application.status_changed': { description: 'Moves an application to status in_review.', run: review },
  'application.stage_changed': { description: 'Moves an application to the next stage of its job.', run: moveOn },
  'application.withdrawn': {
    description: 'The applicant withdraws.',
    run: withdraw,
  },
  'application.deleted': {
    description: 'Creates an application and deletes it.',
    run: async scene => {
      const one = await apply(scene)
      scene.applications.splice(scene.applications.indexOf(one), 1)
      await scene.change(tx => deleteApplication(tx, changeOf(scene, one), 'Sent by mistake.'))
      return done(one)
    },
  },
  'application.scored': {
    description: 'A person applies with a résumé, which is parsed and scored.',
    run: readResume,
  },
  'application.resume_parsed': { description: 'A person applies with a résumé, which is parsed.', run: readResume },
  'application.screening_completed': {
    description: 'A phone pre-screen takes place.',
    run: async scene => {
      const one = await apply(scene)
      const seconds = scene.random.int(180, 900)
      const endedAt = clock.now()
      await scene.change(tx =>
        recordScreening(tx, changeOf(scene, one), {
          call_status: 'completed',
          completion_state: 'complete',
          duration_sec: seconds,
          consent_state: 'granted',
          ambiguous_caller: false,
          started_at: new Date(endedAt - seconds * 1000).toISOString(),
          ended_at: new Date(endedAt).toISOString(),
        }),
      )
      return done(one)
    },
  },
  'resume.access_changed': {
    description: 'Unlocks the résumé of an application permanently.',
    run: async scene => {
      const one = await apply(scene, { resume: true })
      await scene.change(tx => unlockResume(tx, scene.workspace, one.id, null))
      const row = await scene.db.one(selectResume(scene.workspace, one.id))
      return { id: row!.id, handles: { resume: row!.id, ...done(one).handles } }
    },
  },
} as const satisfies Record<string, Operation>
