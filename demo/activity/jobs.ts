import {
  createJob,
  deleteJob,
  editJob,
  moveJob,
  type QuestionInput,
  setQuestions,
} from '../../src/resources/jobs/index.ts'
import { PLACES, placeName } from '../names.ts'
import { EXPERIENCE, LEVELS, OCCUPATIONS, titleAt } from '../occupations.ts'
import { type Done, type Operation, type OwnJob, pickOne, type Scene } from './scene.ts'

const RAISE = 1_000

export async function makeJob(scene: Scene, status: 'draft' | 'published'): Promise<OwnJob> {
  const { random, workspace } = scene
  const occupation = random.pick([...OCCUPATIONS.values()])
  const level = random.pick(LEVELS.slice(1))
  const [yearsMin, yearsMax] = EXPERIENCE[level]
  const salary = random.int(60, 180) * RAISE
  const input = {
    title: titleAt(level, occupation.title),
    department: occupation.department,
    employment_type: 'full_time' as const,
    location_type: random.pick(['remote', 'hybrid', 'onsite'] as const),
    locations: [placeName(random.pick(PLACES))],
    experience_level: level,
    years_min: yearsMin,
    years_max: yearsMax,
    content: {
      summary: `We are looking for a ${occupation.title}.`,
      responsibilities: [...occupation.duties],
      skills_required: occupation.skills.slice(0, 4),
      skills_preferred: occupation.skills.slice(4),
    },
    compensation: { salary_min: salary, salary_max: salary + 20 * RAISE },
  }
  const id = await scene.change(async tx => {
    const made = await createJob(tx, workspace, input)
    if (status === 'published') await moveJob(tx, workspace, made, 'publish')
    return made
  })
  const job: OwnJob = { id, occupation: occupation.name, status, salary }
  scene.jobs.push(job)
  return job
}

const ownJob = (scene: Scene, status: OwnJob['status']): Promise<OwnJob> =>
  pickOne(
    scene,
    scene.jobs,
    job => job.status === status,
    async () => {
      if (status !== 'closed') return makeJob(scene, status)
      const job = await makeJob(scene, 'published')
      await move(scene, job, 'close', 'closed')
      return job
    },
  )

async function move(
  scene: Scene,
  job: OwnJob,
  name: 'publish' | 'unpublish' | 'close' | 'reopen',
  to: OwnJob['status'],
): Promise<Done> {
  await scene.change(tx => moveJob(tx, scene.workspace, job.id, name))
  job.status = to
  return done(job)
}

const done = (job: OwnJob): Done => ({ id: job.id, handles: { job: job.id } })

const QUESTIONS: readonly QuestionInput[] = [
  { kind: 'common', prompt: 'When could you start?', response_key: 'start', answer_type: 'text' },
  { kind: 'common', prompt: 'Do you hold a driving licence?', response_key: 'licence', answer_type: 'boolean' },
  { kind: 'common', prompt: 'How many people did you lead?', response_key: 'people_led', answer_type: 'number' },
  { kind: 'adaptive', prompt: 'Which tools do you use most?', response_key: 'tools', answer_type: 'text' },
  { kind: 'adaptive', prompt: 'Would you travel to customers?', response_key: 'travel', answer_type: 'boolean' },
]

export const jobOperations = {
  'job.published': {
    description: 'Creates a job and publishes it.',
    run: async scene => move(scene, await makeJob(scene, 'draft'), 'publish', 'published'),
  },
  'job.updated': {
    description: 'Raises the pay of a published job.',
    run: async scene => {
      const job = await ownJob(scene, 'published')
      const salary = job.salary + RAISE
      const compensation = { salary_min: salary, salary_max: salary + 20 * RAISE }
      await scene.change(tx => editJob(tx, scene.workspace, job.id, { compensation }))
      job.salary = salary
      return done(job)
    },
  },
  'job.closed': {
    description: 'Closes a published job.',
    run: async scene => move(scene, await ownJob(scene, 'published'), 'close', 'closed'),
  },
  'job.reopened': {
    description: 'Publishes a closed job again.',
    run: async scene => move(scene, await ownJob(scene, 'closed'), 'reopen', 'published'),
  },
  'job.unpublished': {
    description: 'Takes a published job back to draft.',
    run: async scene => move(scene, await ownJob(scene, 'published'), 'unpublish', 'draft'),
  },
  'job.deleted': {
    description: 'Creates a draft without applications and deletes it.',
    run: async scene => {
      const job = await makeJob(scene, 'draft')
      scene.jobs.splice(scene.jobs.indexOf(job), 1)
      await scene.change(tx => deleteJob(tx, scene.workspace, job.id, 'The position is no longer planned.'))
      return done(job)
    },
  },
  'job.sections_updated': {
    description: 'Changes the pre-screen questions of a job.',
    run: async scene => {
      const job = await ownJob(scene, 'published')
      const questions = scene.random.sample(QUESTIONS, 3)
      await scene.change(tx => setQuestions(tx, scene.workspace, job.id, questions))
      return done(job)
    },
  },
} as const satisfies Record<string, Operation>
