import type { Queryable } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import type { FormFieldInput, QuestionInput } from '../../src/resources/jobs/index.ts'

/** What every candidate is asked for; sent in `candidate` and with the file, so never among the answers. */
const candidateFields = (section?: string): FormFieldInput[] => {
  const place = section === undefined ? {} : { section }
  return [
    { label: 'Full name', type: 'text', required: true, max_length: 200, candidate_field: 'name', ...place },
    { label: 'Email address', type: 'email', required: true, candidate_field: 'email', ...place },
    { label: 'Phone', type: 'phone', candidate_field: 'phone', ...place },
    { label: 'LinkedIn profile', type: 'url', candidate_field: 'linkedin', ...place },
    {
      label: 'Résumé',
      type: 'file',
      help_text: 'PDF, Word, RTF or plain text, up to 5 MB.',
      candidate_field: 'resume',
      ...place,
    },
  ]
}

/** Nothing required beyond the candidate's own details, so that a partner can create an application with little. */
export const TEMPLATE: readonly FormFieldInput[] = [
  ...candidateFields(),
  { label: 'Why do you want to join us?', type: 'textarea', max_length: 5000 },
  {
    label: 'How did you hear about us?',
    type: 'select',
    options: ['Job board', 'A friend', 'Conference', 'Search engine'],
  },
  {
    label: 'Which areas interest you?',
    type: 'multiselect',
    options: ['Software', 'Hardware', 'Operations', 'People'],
  },
  { label: 'Would you relocate?', type: 'boolean' },
]

export const QUESTIONS: readonly FormFieldInput[] = [
  ...candidateFields(),
  { label: 'Have you been on call before?', type: 'boolean', required: true },
  {
    label: 'Which clouds have you run in production?',
    type: 'multiselect',
    required: true,
    options: ['AWS', 'Azure', 'Google Cloud', 'Own hardware'],
  },
]

const RETIRED = 'Preferred shift for lab work'

/** A question that is shown after certain answers to another, which is named by its label. */
type PlannedField = FormFieldInput & { after?: readonly [label: string, ...values: string[]] }

const planned = (fields: readonly PlannedField[]): FormFieldInput[] =>
  fields.map(({ after, ...field }) => {
    if (!after) return field
    const [label, ...values] = after
    return { ...field, condition: { position: fields.findIndex(other => other.label === label), values } }
  })

/** Every type of field, sections, one of them conditional, a field that is retired later, consents, equal opportunity. */
const EVERY_FIELD: readonly PlannedField[] = [
  { label: 'About you', type: 'section' },
  ...candidateFields('About you'),
  { label: 'Your work', type: 'section' },
  { label: 'Years of work with ROS', type: 'number', required: true, section: 'Your work' },
  {
    label: 'What are you proud of?',
    type: 'textarea',
    section: 'Your work',
    help_text: 'A few sentences are enough.',
    max_length: 3000,
  },
  {
    label: 'Languages you write fluently',
    type: 'multiselect',
    section: 'Your work',
    options: ['C++', 'Python', 'Rust', 'MATLAB'],
  },
  { label: 'A link to code of yours', type: 'url', section: 'Your work' },
  { label: 'Yourself in one line', type: 'text', section: 'Your work', max_length: 120 },
  {
    label: 'A sample of your work',
    type: 'file',
    section: 'Your work',
    help_text: 'A drawing, a report or a photo: PDF, DOCX, DOC, RTF, TXT, PNG or JPEG, at most 5 MB.',
  },
  { label: 'Details', type: 'section' },
  { label: RETIRED, type: 'select', section: 'Details', options: ['Morning', 'Afternoon', 'Night'] },
  { label: 'Preferred site', type: 'select', required: true, section: 'Details', options: ['Boston', 'Zurich'] },
  { label: 'Earliest start', type: 'date', section: 'Details' },
  { label: 'Email of a reference', type: 'email', section: 'Details' },
  { label: 'Phone of a reference', type: 'phone', section: 'Details' },
  { label: 'Do you need a visa?', type: 'boolean', section: 'Details' },
  { label: 'Your visa', type: 'section', after: ['Do you need a visa?', 'true'] },
  {
    label: 'Which country issued your passport?',
    type: 'text',
    required: true,
    section: 'Your visa',
    max_length: 80,
    help_text: 'We take care of the application and its cost.',
  },
  {
    label: 'Do you have one of these already?',
    type: 'select',
    section: 'Your visa',
    options: ['H-1B', 'O-1', 'B permit', 'None of them'],
  },
  { label: 'Before you send it', type: 'section' },
  {
    label: 'I agree that my data is kept for two years',
    type: 'consent',
    required: true,
    section: 'Before you send it',
    help_text: 'Without a new application we delete it after that. You can withdraw your consent at any time.',
  },
  {
    label: 'Tell me about other jobs that fit',
    type: 'consent',
    section: 'Before you send it',
    help_text: 'At most one email a month.',
  },
  {
    label: 'Are you a veteran?',
    type: 'eeo',
    section: 'Before you send it',
    options: ['Yes', 'No', 'I prefer not to say'],
    help_text: 'The people who decide about your application never see the answer.',
  },
]

export const EVERYTHING_AT_FIRST = planned(EVERY_FIELD)

/** The same fields, by their ids, without the one that is retired. */
export async function EVERYTHING(db: Queryable, workspace: string, job: string): Promise<FormFieldInput[]> {
  const rows = await db.query(sql<{ id: string; label: string }>`
    select id, label from form_fields where workspace_id = ${workspace} and job_id = ${job} and deleted_at is null`)
  const idOf = new Map(rows.map(row => [row.label, row.id]))
  return planned(EVERY_FIELD.filter(field => field.label !== RETIRED)).map(field => ({
    ...field,
    id: idOf.get(field.label)!,
  }))
}

/** Three standard questions, then up to five of the job's own. */
export const questionsAbout = (skills: readonly string[]): QuestionInput[] => [
  {
    kind: 'common',
    prompt: 'Are you allowed to work where the job is?',
    response_key: 'work_authorization',
    answer_type: 'boolean',
    required: true,
    source: 'template',
  },
  {
    kind: 'common',
    prompt: 'How many years of relevant experience do you have?',
    response_key: 'years_experience',
    answer_type: 'number',
    required: true,
    source: 'template',
  },
  {
    kind: 'common',
    prompt: 'When could you start?',
    response_key: 'start_date',
    answer_type: 'text',
    source: 'template',
  },
  {
    kind: 'adaptive',
    prompt: `Have you worked with ${skills[0]} in production?`,
    response_key: 'main_skill',
    answer_type: 'boolean',
    required: true,
    source: 'ai',
  },
  {
    kind: 'adaptive',
    prompt: `How many years have you used ${skills[1]}?`,
    response_key: 'second_skill_years',
    answer_type: 'number',
    source: 'ai',
  },
  {
    kind: 'adaptive',
    prompt: 'Which of these have you used?',
    response_key: 'tools',
    answer_type: 'multi_choice',
    choices: skills.slice(0, 5),
    source: 'ai',
  },
  {
    kind: 'adaptive',
    prompt: 'Where would you rather work?',
    response_key: 'work_place',
    answer_type: 'choice',
    choices: ['On site', 'Hybrid', 'Remote'],
    source: 'recruiter',
  },
  {
    kind: 'adaptive',
    prompt: 'What would you like to learn next?',
    response_key: 'learn_next',
    answer_type: 'text',
    source: 'recruiter',
  },
]
