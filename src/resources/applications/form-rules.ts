import { API_LIMITS, PRESCREEN_TEXT_LENGTH } from '../../contract/limits.ts'
import { checkText } from '../../kernel/http/body.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import { charactersIn, isBlankText } from '../../kernel/text/text.ts'
import { type StoredUpload, typesFor, type UploadPurpose } from '../uploads/index.ts'
import {
  type AnswerProblem,
  type AnswerValue,
  answersById,
  type CandidateInput,
  candidateFaults,
  candidateInput,
  type FormAnswer,
  type FormField,
  isAnswerable,
  isBlank,
  shownFields,
  valueProblem,
} from './rules.ts'

/** What only the candidate can give, on the public form. No interface shows it. */
export interface PublicForm {
  /** The language of the page, such as `de`: it is stored with consents and used for the emails. */
  language: string
  /** ticked boxes: field id to the version of the text that was shown */
  consents: Readonly<Record<string, number>>
  /** field id to answer */
  equalOpportunity: Readonly<Record<string, AnswerValue>>
  /** question id to answer */
  prescreen: Readonly<Record<string, AnswerValue>>
  /** id of a field of type `file` to upload id */
  files: Readonly<Record<string, string>>
  voiceScreeningOptedOut: boolean
  /** the number that the candidate agreed to be called at for the pre-screen */
  screeningPhone?: string | undefined
}

export interface PrescreenQuestion {
  id: string
  prompt: string
  answer_type: 'boolean' | 'number' | 'text' | 'choice' | 'multi_choice'
  choices: string[] | null
  required: boolean
}

/** Why a form is refused, as a page says it in the reader's language. */
export type FormFaultReason =
  | AnswerProblem
  | 'required'
  | 'bad_text'
  | 'not_a_linkedin_url'
  /** a test workspace takes addresses of test domains alone */
  | 'real_mailbox'
  /** a required box is not ticked */
  | 'consent_required'
  /** the text of a box changed after it was shown */
  | 'consent_outdated'
  /** unknown, or its hour is over */
  | 'upload_gone'
  | 'upload_used'
  /** no file has arrived yet */
  | 'upload_incomplete'
  | 'file_type'
  | 'file_size'

export interface FormFault extends InputFault {
  reason: FormFaultReason
}

/** What a submission of the public form has. */
export interface Submission {
  candidate: CandidateInput
  form: PublicForm
  answers: readonly FormAnswer[]
  resumeUploadId?: string | undefined
  /** the applicant in whose session it was sent, after a link that was mailed to them */
  provedBy?: string | undefined
  /** a keyed hash of the network that it came from */
  network?: string | undefined
}

/** An upload that the submission names, and the size of its file; null: none has arrived. */
export interface UploadedFile {
  upload: StoredUpload
  bytes: number | null
}

/** What is stored of a submission without faults. */
export interface Accepted {
  candidate: CandidateInput
  resumeUploadId: string | undefined
  answers: Record<string, AnswerValue>
  /** in the order of the form */
  consents: readonly FormField[]
  equalOpportunity: Record<string, AnswerValue>
  prescreen: Record<string, AnswerValue>
  /** field id to upload id */
  files: Record<string, string>
}

const MISSING = { reason: 'required', code: 'missing_required_answers', message: 'is required' } as const

/** The answer to a question that the form has; undefined for a blank one. */
const answerTo = <T>(answers: Readonly<Record<string, T>>, id: string): T | undefined =>
  Object.hasOwn(answers, id) && !isBlank(answers[id]) ? answers[id] : undefined

/**
 * Checks a submission against the form as it is now. Answers to questions that are not shown, or that the form no longer
 * has, are neither required nor stored. `files`: by upload id.
 */
export function checkSubmission(
  fields: readonly FormField[],
  questions: readonly PrescreenQuestion[],
  submission: Submission,
  files: ReadonlyMap<string, UploadedFile>,
): { faults: FormFault[]; accepted: Accepted } {
  const { form, answers: given } = submission
  const own = fields.filter(field => isAnswerable(field) && field.candidate_field === null)
  const known = new Set(own.map(field => field.id))
  const answers = answersById(given.filter(({ field_id }) => known.has(field_id)))
  const shown = shownFields(fields, answers)
  const hidden = new Set(fields.filter(field => !shown.includes(field)).map(field => field.candidate_field))
  const { phone, linkedin_url, ...named } = submission.candidate
  const candidate: CandidateInput = {
    ...named,
    ...(isBlank(phone) || hidden.has('phone') ? {} : { phone }),
    ...(isBlank(linkedin_url) || hidden.has('linkedin') ? {} : { linkedin_url }),
  }
  const resumeUploadId = hidden.has('resume') ? undefined : submission.resumeUploadId
  const faults = candidateProblems(candidate)
  const accepted: Accepted = {
    candidate,
    resumeUploadId,
    answers: {},
    consents: [],
    equalOpportunity: {},
    prescreen: {},
    files: {},
  }
  const consents: FormField[] = []
  const fault = (param: string, problem: Omit<FormFault, 'param'>) => faults.push({ param, ...problem })

  const check = (
    param: string,
    field: Pick<FormField, 'id' | 'type' | 'required' | 'options' | 'max_length'>,
    from: Readonly<Record<string, unknown>>,
    into: Record<string, AnswerValue>,
  ) => {
    const answer = answerTo(from, field.id)
    if (answer === undefined) {
      if (field.required) fault(param, MISSING)
      return
    }
    const problem = valueProblem(field, answer)
    if (problem) fault(param, { ...problem, code: 'invalid_answer_value' })
    else into[field.id] = answer as AnswerValue
  }
  const checkFile = (param: string, id: string, purpose: UploadPurpose): boolean => {
    const problem = used.has(id) ? UPLOAD_USED : fileProblem(files.get(id), purpose)
    used.add(id)
    if (problem) fault(param, problem)
    return !problem
  }
  const used = new Set<string>()

  for (const field of shown) {
    const { id, required } = field
    switch (field.candidate_field) {
      case 'name':
      case 'email':
        continue
      case 'phone':
        if (required && candidate.phone === undefined) fault('candidate.phone', MISSING)
        continue
      case 'linkedin':
        if (required && candidate.linkedin_url === undefined) fault('candidate.linkedin_url', MISSING)
        continue
      case 'resume':
        if (required && resumeUploadId === undefined) fault('resume_upload_id', MISSING)
        continue
    }
    if (field.type === 'consent') {
      const version = answerTo(form.consents, id)
      if (version === undefined) {
        if (required) fault(`consents.${id}`, CONSENT_REQUIRED)
      } else if (version !== field.version) fault(`consents.${id}`, CONSENT_OUTDATED)
      else consents.push(field)
    } else if (field.type === 'eeo')
      check(`equal_opportunity.${id}`, field, form.equalOpportunity, accepted.equalOpportunity)
    else if (field.type === 'file') {
      const uploadId = answerTo(form.files, id)
      if (uploadId === undefined) {
        if (required) fault(`files.${id}`, MISSING)
      } else if (checkFile(`files.${id}`, uploadId, 'answer')) accepted.files[id] = uploadId
    } else if (isAnswerable(field)) check(`answers.${id}`, field, answers, accepted.answers)
  }
  if (resumeUploadId !== undefined) checkFile('resume_upload_id', resumeUploadId, 'resume')
  for (const question of questions)
    check(`prescreen.${question.id}`, asField(question), form.prescreen, accepted.prescreen)
  for (const { param, message } of textFaults(accepted)) {
    if (!faults.some(other => other.param === param)) fault(param, { message, reason: 'bad_text' })
  }
  const { screeningPhone } = form
  if (screeningPhone !== undefined && !form.voiceScreeningOptedOut && !isPhone(screeningPhone))
    fault('screening_phone', { message: 'must be a phone number', reason: 'not_a_phone' })
  return { faults, accepted: { ...accepted, consents } }
}

const CONSENT_REQUIRED = {
  reason: 'consent_required',
  code: 'candidate_consent_required',
  message: 'must be ticked',
} as const
const UPLOAD_USED = { reason: 'upload_used', code: 'upload_already_used', message: 'was already used' } as const
const CONSENT_OUTDATED = {
  reason: 'consent_outdated',
  code: 'candidate_consent_required',
  message: 'the text changed after it was shown',
} as const

/** A pre-screen question is answered like the question of a form that has its type. */
const asField = ({ id, answer_type, choices, required }: PrescreenQuestion) => ({
  id,
  required,
  type: { choice: 'select', multi_choice: 'multiselect', boolean: 'boolean', number: 'number', text: 'textarea' }[
    answer_type
  ],
  options: choices ?? [],
  max_length: PRESCREEN_TEXT_LENGTH,
})

/** Text that the database cannot store. */
const textFaults = ({ candidate, answers, equalOpportunity, prescreen }: Accepted) =>
  checkText({ candidate, answers, equal_opportunity: equalOpportunity, prescreen }).map(({ param, message }) => ({
    param: param.replace(/\[\d+\]$/, ''),
    message,
  }))

/** The limits of each detail are those of the API. */
const LENGTHS = Object.entries(candidateInput.properties).map(
  ([name, schema]) => [name as keyof CandidateInput, (schema as { maxLength: number }).maxLength] as const,
)

const REASONS: Readonly<Record<string, FormFaultReason>> = {
  'candidate.phone': 'not_a_phone',
  'candidate.linkedin_url': 'not_a_linkedin_url',
}

function candidateProblems(candidate: CandidateInput): FormFault[] {
  const faults = new Map<string, FormFault>()
  for (const [name, most] of LENGTHS) {
    const param = `candidate.${name}`
    const value = candidate[name]
    const needed = name === 'first_name' || name === 'last_name' || name === 'email'
    if (needed && (value === undefined || isBlankText(value)))
      faults.set(param, { param, message: 'is required', reason: 'required' })
    else if (value !== undefined && charactersIn(value) > most)
      faults.set(param, { param, message: `must be at most ${most} characters`, reason: 'too_long' })
    else if (name === 'email' && emailKey(value ?? '') === undefined)
      faults.set(param, { param, message: 'must be an email address', reason: 'not_an_email' })
  }
  for (const fault of candidateFaults(candidate)) {
    const reason = REASONS[fault.param]
    if (reason && !faults.has(fault.param)) faults.set(fault.param, { ...fault, reason })
  }
  return [...faults.values()]
}

const isPhone = (phone: string) => charactersIn(phone) <= 50 && candidateFaults({ phone }).length === 0

function fileProblem(file: UploadedFile | undefined, purpose: UploadPurpose): Omit<FormFault, 'param'> | undefined {
  const upload = file?.upload.public_form ? file.upload : undefined
  if (upload?.consumed) return UPLOAD_USED
  if (!file || !upload || upload.expired)
    return { reason: 'upload_gone', code: 'upload_not_found', message: 'is unknown or has expired' }
  if (!typesFor(purpose).includes(upload.content_type))
    return { reason: 'file_type', code: 'invalid_upload', message: `must be one of ${typesFor(purpose).join(', ')}` }
  if (file.bytes === null)
    return { reason: 'upload_incomplete', code: 'upload_not_completed', message: 'no file has arrived yet' }
  if (file.bytes < 1 || file.bytes > API_LIMITS.resumeFileBytes)
    return { reason: 'file_size', code: 'resume_rejected', message: 'is empty or larger than 5 MB' }
  return undefined
}
