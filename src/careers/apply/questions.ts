import { API_LIMITS, DETAIL_LENGTHS, PRESCREEN_TEXT_LENGTH } from '../../contract/limits.ts'
import type { PublicFormField, PublicFormView } from '../../resources/jobs/index.ts'
import type { Texts } from '../texts/en.ts'

/* The hiring pages show a preview with the same code: nothing here may import the server. */

/** How a question is asked. */
export type QuestionKind =
  | 'text'
  | 'textarea'
  | 'select'
  | 'radios'
  | 'checkboxes'
  | 'yesno'
  | 'number'
  | 'date'
  | 'url'
  | 'email'
  | 'phone'
  | 'file'
  | 'consent'
  | 'tick'

export type QuestionCondition = NonNullable<PublicFormField['condition']>

/** One question of the page. */
export interface Question {
  /** Names its input and its faults: `candidate.email`, `answers.<field_id>`, … */
  name: string
  /** Identifies its element. */
  id: string
  /** what conditions name it by */
  fieldId: string | undefined
  kind: QuestionKind
  label: string
  hint: string | null
  required: boolean
  options: readonly string[]
  maxLength: number | null
  autocomplete: string | undefined
  condition: QuestionCondition | null
  /** Says which version of the text is shown. */
  version: number
  /** what the page says if there is no answer */
  missing: string
  /** what it says if the answer cannot be accepted */
  invalid: string
}

/** Questions below one heading. */
export interface FormPart {
  title: string | null
  text: string | null
  condition: QuestionCondition | null
  questions: Question[]
}

export const RESUME = 'resume_upload_id'
export const RESUME_TEXT = 'resume_text'
export const RESUME_TEXT_LENGTH = 50_000
export const OPT_OUT = 'voice_screening_opted_out'
export const SCREENING_PHONE = 'screening_phone'

/** Few options are shown at a glance; more of them would push the rest of the form away. */
const MAX_RADIOS = 5

/** The company may ask for less than the API takes, and not for more. */
const lengthOf = ({ max_length }: Pick<PublicFormField, 'max_length'>, most: number): number =>
  Math.min(max_length ?? most, most)

/** The form as the page asks it: parts in the order of the form, what is voluntary and what is agreed to at the end. */
export function formParts(form: PublicFormView, texts: Texts): FormPart[] {
  const t = texts.apply
  let count = 0
  const asked = (question: Partial<Question> & Pick<Question, 'name' | 'label'>): Question => ({
    id: `q${++count}`,
    fieldId: undefined,
    kind: 'text',
    hint: null,
    required: false,
    options: [],
    maxLength: null,
    autocomplete: undefined,
    condition: null,
    version: 1,
    missing: t.missing(question.label),
    invalid: t.badValue(question.label),
    ...question,
  })

  let last: FormPart = { title: null, text: null, condition: null, questions: [] }
  const parts = [last]
  const eeo: Question[] = []
  const consents: Question[] = []
  let section: string | null = null
  // a condition of a section also applies to what is moved out of it
  let sectionCondition: QuestionCondition | null = null
  for (const field of [...missingDetails(form), ...form.fields]) {
    if (field.type === 'section') {
      last = { title: field.label, text: field.help_text, condition: field.condition, questions: [] }
      parts.push(last)
      section = field.section
      sectionCondition = field.condition
      continue
    }
    const moved = { ...field, condition: field.condition ?? sectionCondition }
    if (field.type === 'eeo') eeo.push(...questionsOf(moved, t, asked))
    else if (field.type === 'consent') consents.push(...questionsOf(moved, t, asked))
    else {
      if (field.section !== section && field.section !== last.title) {
        last = { title: field.section, text: null, condition: sectionCondition, questions: [] }
        parts.push(last)
      }
      section = field.section
      last.questions.push(...questionsOf(field, t, asked))
    }
  }
  // what is read from the résumé fills in the questions below it
  for (const part of parts) part.questions.sort((a, b) => Number(b.name === RESUME) - Number(a.name === RESUME))

  const prescreen = form.questions.map(question => prescreenQuestion(question, t, asked))
  const part = (title: string, text: string | null, questions: Question[]): FormPart[] =>
    questions.length > 0 ? [{ title, text, condition: null, questions }] : []
  return [
    ...parts.filter(({ questions, text }) => questions.length > 0 || text !== null),
    ...part(t.prescreenTitle, t.prescreenHint, prescreen),
    ...(form.has_phone_prescreen && prescreen.length > 0 ? part(t.callTitle, t.callText, callQuestions(t, asked)) : []),
    ...part(t.eeoTitle, eeo.some(({ required }) => required) ? t.eeoTextRequired : t.eeoText, eeo),
    ...part(t.consentTitle, null, consents),
  ]
}

/** An application needs a name and an email address, also where the company's form does not ask for them. */
const missingDetails = ({ fields }: PublicFormView): PublicFormField[] =>
  (['name', 'email'] as const)
    .filter(detail => !fields.some(field => field.candidate_field === detail))
    .map(detail => ({
      id: detail,
      label: detail,
      type: 'text',
      required: true,
      section: null,
      help_text: null,
      options: [],
      max_length: null,
      candidate_field: detail,
      condition: null,
      version: 1,
      is_default_label: true,
      is_default_help_text: false,
    }))

type Asked = (question: Partial<Question> & Pick<Question, 'name' | 'label'>) => Question

function questionsOf(field: PublicFormField, t: Texts['apply'], asked: Asked): Question[] {
  const { id, type, required, options, max_length, condition, version } = field
  const shared = { fieldId: id, required, condition, version, hint: field.help_text }
  // texts of the company are shown as they were written, those of the default form in the page's language
  const label = (field.is_default_label && DEFAULT_LABELS(t)[field.candidate_field ?? id]) || field.label
  switch (field.candidate_field) {
    case 'name':
      return [
        asked({
          ...shared,
          name: 'candidate.first_name',
          label: t.firstName,
          autocomplete: 'given-name',
          maxLength: lengthOf(field, DETAIL_LENGTHS.name),
          missing: t.enterFirstName,
          required: true,
        }),
        asked({
          ...shared,
          name: 'candidate.last_name',
          label: t.lastName,
          hint: null,
          autocomplete: 'family-name',
          maxLength: lengthOf(field, DETAIL_LENGTHS.name),
          missing: t.enterLastName,
          required: true,
        }),
      ]
    case 'email':
      return [
        asked({
          ...shared,
          name: 'candidate.email',
          label,
          kind: 'email',
          hint: field.help_text ?? t.emailHint,
          autocomplete: 'email',
          maxLength: lengthOf(field, DETAIL_LENGTHS.email),
          missing: t.enterEmail,
          invalid: t.badEmail,
          required: true,
        }),
      ]
    case 'phone':
      return [
        asked({
          ...shared,
          name: 'candidate.phone',
          label,
          kind: 'phone',
          hint: field.help_text ?? t.phoneHint,
          autocomplete: 'tel',
          maxLength: lengthOf(field, DETAIL_LENGTHS.phone),
          missing: t.enterPhone,
          invalid: t.badPhone,
        }),
      ]
    case 'linkedin':
      return [
        asked({
          ...shared,
          name: 'candidate.linkedin_url',
          label,
          kind: 'url',
          hint: field.help_text ?? t.linkedinHint,
          autocomplete: 'url',
          maxLength: lengthOf(field, DETAIL_LENGTHS.url),
          missing: t.enterLinkedin,
          invalid: t.badLinkedin,
        }),
      ]
    case 'resume':
      return [
        asked({
          ...shared,
          name: RESUME,
          label,
          kind: 'file',
          hint: (!field.is_default_help_text && field.help_text) || t.fileHint,
          missing: t.enterResume,
          invalid: t.fileFailed,
        }),
      ]
  }
  switch (type) {
    case 'file':
      return [
        asked({
          ...shared,
          name: `files.${id}`,
          label,
          kind: 'file',
          hint: field.help_text ?? t.answerFileHint,
          missing: t.enterFile(label),
          invalid: t.fileFailed,
        }),
      ]
    case 'consent':
      return [
        asked({
          ...shared,
          name: `consents.${id}`,
          label,
          kind: 'consent',
          missing: t.tickBox(label),
          invalid: t.consentChanged(label),
        }),
      ]
    case 'eeo':
      return [
        asked({
          ...shared,
          name: `equal_opportunity.${id}`,
          label,
          kind: options.length > 0 ? 'select' : 'text',
          options,
          maxLength: max_length,
          invalid: options.length > 0 ? t.badOption(label) : t.badValue(label),
        }),
      ]
  }
  return [
    asked({
      ...shared,
      name: `answers.${id}`,
      label,
      kind: kindOf(type, options, required),
      options,
      maxLength: max_length,
      invalid: invalidText(type, label, options, t),
    }),
  ]
}

function kindOf(type: string, options: readonly string[], required: boolean): QuestionKind {
  if (type === 'multiselect') return 'checkboxes'
  if (type === 'boolean') return 'yesno'
  // without a choice for “none”, radio buttons cannot be taken back
  if (options.length > 0) return required && options.length <= MAX_RADIOS ? 'radios' : 'select'
  return type === 'textarea' ||
    type === 'number' ||
    type === 'date' ||
    type === 'url' ||
    type === 'email' ||
    type === 'phone'
    ? type
    : 'text'
}

function invalidText(type: string, label: string, options: readonly string[], t: Texts['apply']): string {
  if (options.length > 0 || type === 'select') return t.badOption(label)
  if (type === 'number') return t.badNumber(label)
  if (type === 'date') return t.badDate(label)
  if (type === 'email') return t.badEmailOf(label)
  if (type === 'phone') return t.badPhoneOf(label)
  return type === 'url' ? t.badUrl(label) : t.badValue(label)
}

type PrescreenQuestion = PublicFormView['questions'][number]

const PRESCREEN_KINDS: Readonly<Record<PrescreenQuestion['answer_type'], string>> = {
  boolean: 'boolean',
  number: 'number',
  text: 'text',
  choice: 'select',
  multi_choice: 'multiselect',
}

function prescreenQuestion(question: PrescreenQuestion, t: Texts['apply'], asked: Asked): Question {
  const { id, prompt, answer_type, required } = question
  const options = question.choices ?? []
  const type = PRESCREEN_KINDS[answer_type]
  return asked({
    name: `prescreen.${id}`,
    label: prompt,
    kind: answer_type === 'text' ? 'textarea' : kindOf(type, options, required),
    required,
    options,
    maxLength: answer_type === 'text' ? PRESCREEN_TEXT_LENGTH : null,
    invalid: invalidText(type, prompt, options, t),
  })
}

const callQuestions = (t: Texts['apply'], asked: Asked): Question[] => [
  asked({
    name: SCREENING_PHONE,
    label: t.callPhone,
    kind: 'phone',
    hint: t.callPhoneHint,
    autocomplete: 'tel',
    maxLength: DETAIL_LENGTHS.phone,
    invalid: t.badPhoneOf(t.callPhone),
  }),
  asked({ name: OPT_OUT, label: t.callOptOut, kind: 'tick' }),
]

const DEFAULT_LABELS = (t: Texts['apply']): Readonly<Record<string, string>> => ({
  email: t.email,
  phone: t.phone,
  linkedin: t.linkedin,
  resume: t.resume,
  cover_letter: t.coverLetter,
})

export const questionsIn = (parts: readonly FormPart[]): Question[] => parts.flatMap(part => part.questions)

/** What the file of a question may be. */
export const choosePurpose = ({ name }: Pick<Question, 'name'>): 'resume' | 'answer' =>
  name === RESUME ? 'resume' : 'answer'

export const MAX_FILE_BYTES = API_LIMITS.resumeFileBytes
