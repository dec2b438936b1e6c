import type { Random } from './random.ts'
import { DAY, iso, type Row } from './rows.ts'

/** A question of an application form, and how a candidate of the demo answers it. */
interface Question {
  id: string
  label: string
  type: string
  required?: true
  section?: string
  help?: string
  options?: readonly string[]
  maxLength?: number
  candidateField?: string
  deletedDaysAgo?: number
  answer?: (random: Random, appliedAt: number) => string | boolean | string[]
}

const SKILL_AREAS = ['Software', 'Hardware', 'Operations', 'People']
const EEO_ANSWERS = ['Yes', 'No', 'Prefer not to say']
const SHIFTS = ['Morning', 'Afternoon', 'Night']

/** What every candidate is asked for; sent in `candidate` and with the file, so never among the answers. */
const candidateQuestions = (prefix: string): Question[] => [
  {
    id: `${prefix}full_name`,
    label: 'Full name',
    type: 'text',
    required: true,
    maxLength: 200,
    candidateField: 'name',
  },
  { id: `${prefix}email`, label: 'E-mail address', type: 'email', required: true, candidateField: 'email' },
  { id: `${prefix}phone`, label: 'Phone', type: 'phone', candidateField: 'phone' },
  { id: `${prefix}linkedin`, label: 'LinkedIn profile', type: 'url', candidateField: 'linkedin' },
  {
    id: `${prefix}resume`,
    label: 'Résumé',
    type: 'file',
    help: 'PDF, DOCX, DOC, RTF or TXT, at most 5 MB',
    candidateField: 'resume',
  },
]

/** Nothing required beyond the candidate's own details, so that a partner can create an application with little. */
const TEMPLATE: readonly Question[] = [
  ...candidateQuestions(''),
  {
    id: 'cover_letter',
    label: 'Why do you want to join us?',
    type: 'textarea',
    maxLength: 5000,
    answer: random => random.pick(MOTIVES),
  },
  {
    id: 'heard_about_us',
    label: 'How did you hear about us?',
    type: 'select',
    options: ['Job board', 'A friend', 'Conference', 'Search engine'],
    answer: random => random.pick(['Job board', 'A friend', 'Conference', 'Search engine']),
  },
  {
    id: 'areas',
    label: 'Which areas interest you?',
    type: 'multiselect',
    options: SKILL_AREAS,
    answer: random => random.sample(SKILL_AREAS, random.int(1, 3)),
  },
  { id: 'relocate', label: 'Would you relocate?', type: 'boolean', answer: random => random.chance(0.5) },
]

const QUESTIONS: readonly Question[] = [
  ...candidateQuestions('sre_'),
  {
    id: 'sre_on_call',
    label: 'Have you been on call before?',
    type: 'boolean',
    required: true,
    answer: random => random.chance(0.8),
  },
  {
    id: 'sre_clouds',
    label: 'Which clouds have you run in production?',
    type: 'multiselect',
    required: true,
    options: ['AWS', 'Azure', 'Google Cloud', 'Own hardware'],
    answer: random => random.sample(['AWS', 'Azure', 'Google Cloud', 'Own hardware'], random.int(1, 2)),
  },
]

const MOTIVES = [
  'I have followed your robots since the first trade fair and would love to build the next generation.',
  'I want to work on something that people can touch.',
  'Your team publishes what it learns, and I would like to be part of that.',
  'After years in consulting I want to see a product through.',
]

/** Every type of field, sections, a field that was deleted, a consent box and an equal-opportunity question. */
const EVERYTHING: readonly Question[] = [
  { id: 'rse_about', label: 'About you', type: 'section' },
  ...candidateQuestions('rse_').map(question => ({ ...question, section: 'About you' })),
  { id: 'rse_work', label: 'Your work', type: 'section' },
  {
    id: 'rse_years_ros',
    label: 'Years of work with ROS',
    type: 'number',
    required: true,
    section: 'Your work',
    answer: random => String(random.int(0, 12)),
  },
  {
    id: 'rse_proud_of',
    label: 'What are you proud of?',
    type: 'textarea',
    section: 'Your work',
    help: 'A few sentences are enough.',
    maxLength: 3000,
    answer: random =>
      random.pick(['A planner that runs at 200 Hz on a small board.', 'Our open-source driver for a lidar.']),
  },
  {
    id: 'rse_languages',
    label: 'Languages you write fluently',
    type: 'multiselect',
    section: 'Your work',
    options: ['C++', 'Python', 'Rust', 'MATLAB'],
    answer: random => random.sample(['C++', 'Python', 'Rust', 'MATLAB'], random.int(1, 3)),
  },
  {
    id: 'rse_code',
    label: 'A link to code of yours',
    type: 'url',
    section: 'Your work',
    answer: () => 'https://code.example/portfolio',
  },
  {
    id: 'rse_headline',
    label: 'Yourself in one line',
    type: 'text',
    section: 'Your work',
    maxLength: 120,
    answer: () => 'I make robots move.',
  },
  { id: 'rse_details', label: 'Details', type: 'section' },
  {
    id: 'rse_shift',
    label: 'Preferred shift for lab work',
    type: 'select',
    section: 'Details',
    options: SHIFTS,
    deletedDaysAgo: 70,
    answer: random => random.pick(SHIFTS),
  },
  {
    id: 'rse_site',
    label: 'Preferred site',
    type: 'select',
    required: true,
    section: 'Details',
    options: ['Boston', 'Zurich'],
    answer: random => random.pick(['Boston', 'Zurich']),
  },
  {
    id: 'rse_start',
    label: 'Earliest start',
    type: 'date',
    section: 'Details',
    answer: (random, appliedAt) => iso(appliedAt + random.int(30, 120) * DAY).slice(0, 10),
  },
  {
    id: 'rse_visa',
    label: 'Do you need a visa?',
    type: 'boolean',
    section: 'Details',
    answer: random => random.chance(0.3),
  },
  { id: 'rse_reference_email', label: 'E-mail of a reference', type: 'email', section: 'Details' },
  { id: 'rse_reference_phone', label: 'Phone of a reference', type: 'phone', section: 'Details' },
  {
    id: 'rse_consent',
    label: 'I agree that my data is kept for two years',
    type: 'consent',
    required: true,
    section: 'Details',
  },
  { id: 'rse_veteran', label: 'Are you a veteran?', type: 'eeo', section: 'Details', options: EEO_ANSWERS },
]

const FORMS = { template: TEMPLATE, everything: EVERYTHING, questions: QUESTIONS } as const

export type Form = keyof typeof FORMS

export const formRows = (workspaceId: string, jobId: string | null, form: Form, now: number): Row[] =>
  FORMS[form].map((question, i) => ({
    workspace_id: workspaceId,
    id: question.id,
    job_id: jobId,
    position: i + 1,
    label: question.label,
    type: question.type,
    required: question.required ?? false,
    section: question.section ?? null,
    help_text: question.help ?? null,
    options: question.options ?? [],
    max_length: question.maxLength ?? null,
    candidate_field: question.candidateField ?? null,
    deleted_at: question.deletedDaysAgo === undefined ? null : iso(now - question.deletedDaysAgo * DAY),
  }))

/** Optional questions are sometimes skipped; a deleted one was answered only while it stood on the form. */
export function answersTo(random: Random, form: Form, appliedAt: number, now: number): Record<string, unknown> {
  const answers: Record<string, unknown> = {}
  for (const { id, answer, required, deletedDaysAgo } of FORMS[form]) {
    if (!answer || (deletedDaysAgo !== undefined && appliedAt > now - deletedDaysAgo * DAY)) continue
    const value = answer(random, appliedAt)
    if (required || random.chance(0.8)) answers[id] = value
  }
  return answers
}

/** What only the candidate gives, on the public form; kept apart and never shown. */
export function privateAnswersTo(random: Random, form: Form, appliedAt: number): Row | null {
  if (form !== 'everything') return null
  return {
    equal_opportunity: random.chance(0.7) ? { rse_veteran: random.pick(EEO_ANSWERS) } : {},
    consents: { rse_consent: { accepted: true, at: iso(appliedAt) } },
  }
}

interface Prescreen {
  kind: 'common' | 'adaptive'
  prompt: string
  key: string
  type: 'boolean' | 'number' | 'text' | 'choice' | 'multi_choice'
  choices?: readonly string[]
  required?: true
  source: 'template' | 'ai' | 'recruiter'
}

const COMMON: readonly Prescreen[] = [
  {
    kind: 'common',
    prompt: 'Are you allowed to work where the job is?',
    key: 'work_authorization',
    type: 'boolean',
    required: true,
    source: 'template',
  },
  {
    kind: 'common',
    prompt: 'How many years of relevant experience do you have?',
    key: 'years_experience',
    type: 'number',
    required: true,
    source: 'template',
  },
  { kind: 'common', prompt: 'When could you start?', key: 'start_date', type: 'text', source: 'template' },
]

const adaptive = (skills: readonly string[]): Prescreen[] => [
  {
    kind: 'adaptive',
    prompt: `Have you worked with ${skills[0]} in production?`,
    key: 'main_skill',
    type: 'boolean',
    required: true,
    source: 'ai',
  },
  {
    kind: 'adaptive',
    prompt: `How many years have you used ${skills[1]}?`,
    key: 'second_skill_years',
    type: 'number',
    source: 'ai',
  },
  {
    kind: 'adaptive',
    prompt: 'Which of these have you used?',
    key: 'tools',
    type: 'multi_choice',
    choices: skills.slice(0, 5),
    source: 'ai',
  },
  {
    kind: 'adaptive',
    prompt: 'Where would you rather work?',
    key: 'work_place',
    type: 'choice',
    choices: ['On site', 'Hybrid', 'Remote'],
    source: 'recruiter',
  },
  {
    kind: 'adaptive',
    prompt: 'What would you like to learn next?',
    key: 'learn_next',
    type: 'text',
    source: 'recruiter',
  },
]

export function questionRows(random: Random, workspaceId: string, jobId: string, skills: readonly string[]): Row[] {
  const chosen = adaptive(skills).slice(
    0,
    random.weighted([
      [5, 2],
      [3, 2],
      [0, 1],
    ] as const),
  )
  return [COMMON, chosen].flatMap(questions =>
    questions.map((question, i) => ({
      workspace_id: workspaceId,
      id: random.uuid(),
      job_id: jobId,
      kind: question.kind,
      position: i + 1,
      prompt: question.prompt,
      response_key: question.key,
      answer_type: question.type,
      choices: question.choices ?? null,
      required: question.required ?? false,
      source: question.source,
    })),
  )
}
