import { type ApplicationStatus, OPEN_STATUSES } from '../../contract/application-status.ts'
import { isPartnerSystem, SYSTEM_RULE } from '../../contract/source-systems.ts'
import { closed } from '../../kernel/http/closed.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { isPhoneNumber, isWebUrl } from '../../kernel/http/formats.ts'
import { parseInstant } from '../../kernel/http/params.ts'
import { type Static, Type } from '../../kernel/schema/types.ts'
import { didYouMean } from '../../kernel/text/edit-distance.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import { charactersIn, isBlankText } from '../../kernel/text/text.ts'
import { applicantRecord } from '../applicants/shape.ts'

/**
 * The status of an application. `new` when it is created; `in_review` and `advanced` are set in the product, forwards
 * only; `hired` and `rejected` from any of these open ones; `in_review` again when a rejected one is reopened;
 * `withdrawn` by the person, from anything. The stage is independent of it: a move changes only the stage and a status
 * change only the status, except that hiring also moves to the job's stage of type `hired`.
 */
const FROM: Readonly<Record<Exclude<ApplicationStatus, 'new'>, readonly ApplicationStatus[]>> = {
  in_review: ['new'],
  advanced: ['new', 'in_review'],
  hired: OPEN_STATUSES,
  rejected: OPEN_STATUSES,
  withdrawn: [...OPEN_STATUSES, 'rejected', 'hired'],
}

export const canBecome = (to: Exclude<ApplicationStatus, 'new'>, from: ApplicationStatus): boolean =>
  FROM[to].includes(from)

/** What is checked before the duplicate rules: without it no earlier application can be found. */
export function identityFaults(system: unknown, email: unknown): InputFault[] {
  const faults: InputFault[] = []
  if (typeof system === 'string' && !isPartnerSystem(system)) {
    faults.push({ param: 'source.system', message: SYSTEM_RULE, code: 'unsupported_source_system' })
  }
  if (typeof email === 'string' && email !== '' && emailKey(email) === undefined) {
    faults.push({ param: 'candidate.email', message: 'must be an email address' })
  }
  return faults
}

const { first_name, last_name, email, phone, linkedin_url } = applicantRecord.input

/** The person of an application, in a request and on the public form. */
export const candidateInput = Type.Object({ first_name, last_name, email, phone, linkedin_url }, closed)
export type CandidateInput = Static<typeof candidateInput>

const PHONE_MESSAGE = 'must have at least one digit, and otherwise only digits, spaces and + ( ) . -'

/** The candidate's details beyond their types and lengths, which the body's schema checks. */
export function candidateFaults(candidate: Partial<Record<keyof CandidateInput, unknown>>): InputFault[] {
  const faults: InputFault[] = []
  const { first_name, last_name, phone, linkedin_url } = candidate
  const blank = (value: unknown) => typeof value === 'string' && value.trim() === ''
  if (blank(first_name)) faults.push({ param: 'candidate.first_name', message: 'must not be blank' })
  if (blank(last_name)) faults.push({ param: 'candidate.last_name', message: 'must not be blank' })
  if (typeof phone === 'string' && !isPhoneNumber(phone))
    faults.push({ param: 'candidate.phone', message: PHONE_MESSAGE })
  if (typeof linkedin_url === 'string' && !isLinkedinUrl(linkedin_url))
    faults.push({ param: 'candidate.linkedin_url', message: 'must be an https URL on linkedin.com' })
  return faults
}

function isLinkedinUrl(text: string): boolean {
  if (!isWebUrl(text)) return false
  const { hostname, port } = new URL(text)
  return /^(?:[a-z0-9-]+\.)*linkedin\.com$/.test(hostname) && port === ''
}

/** A question is shown only if an earlier one has one of these answers; `true` and `false` for one of type boolean. */
export interface AnswerCondition {
  field_id: string
  values: readonly string[]
}

export interface FormField {
  id: string
  label: string
  type: string
  required: boolean
  help_text: string | null
  options: string[]
  max_length: number | null
  candidate_field: 'name' | 'email' | 'phone' | 'linkedin' | 'resume' | null
  /** rises when label, help text or options change */
  version: number
  condition: AnswerCondition | null
}

export type AnswerValue = string | boolean | string[]
export interface FormAnswer {
  field_id: string
  /** May have any type: a wrong one is a fault of the answer, found after the duplicate rules. */
  value: unknown
}

/** Characters of an answer to a question that states no limit of its own. */
export const FORM_TEXT = 20_000

/**
 * The questions that are shown to someone who gave these answers. A question counts as unanswered while it is hidden;
 * a hidden section hides every field up to the next section.
 */
export function shownFields<F extends Pick<FormField, 'id' | 'type' | 'condition'>>(
  fields: readonly F[],
  answers: Readonly<Record<string, unknown>>,
): F[] {
  const shown = new Set<string>()
  const holds = ({ condition }: F): boolean =>
    condition === null || (shown.has(condition.field_id) && hasAnswer(answers, condition.field_id, condition.values))
  let sectionShown = true
  return fields.filter(field => {
    const visible = (field.type === 'section' || sectionShown) && holds(field)
    if (field.type === 'section') sectionShown = visible
    if (visible) shown.add(field.id)
    return visible
  })
}

/** Whether the question has one of these answers, or names one of them among others. */
function hasAnswer(answers: Readonly<Record<string, unknown>>, id: string, values: readonly string[]): boolean {
  const answer = Object.hasOwn(answers, id) ? answers[id] : undefined
  const given = Array.isArray(answer) ? answer : [answer]
  return given.some(value => (typeof value === 'string' || typeof value === 'boolean') && values.includes(`${value}`))
}

/** The faults of all answers, each with its own code and place. */
export function answerFaults(fields: readonly FormField[], answers: readonly FormAnswer[]): InputFault[] {
  const byId = new Map(fields.map(field => [field.id, field]))
  const seen = new Set<string>()
  return answers.flatMap(({ field_id, value }, i): InputFault[] => {
    const refused = (code: NonNullable<InputFault['code']>, message: string, place = 'field_id') => [
      { param: `answers[${i}].${place}`, message, code },
    ]
    if (typeof field_id !== 'string') return [] // refused for its shape
    const field = byId.get(field_id)
    if (!field) return refused('unknown_answer_field', unknownField(field_id, fields))
    if (seen.has(field_id)) return refused('duplicate_answer_field', 'is answered twice')
    seen.add(field_id)
    if (!isAnswerable(field)) return refused('answer_field_not_accepted', 'can only be answered by the candidate')
    if (field.candidate_field !== null) return refused('answer_field_reserved', 'must be sent in `candidate`')
    const problem = valueProblem(field, value)
    return problem ? refused('invalid_answer_value', problem.message, 'value') : []
  })
}

const FIELDS_SHOWN = 50

function unknownField(id: string, fields: readonly FormField[]): string {
  const known = fields.filter(field => isAnswerable(field) && field.candidate_field === null).map(field => field.id)
  if (known.length === 0) return 'is not a question of this form; the form has no questions to answer here'
  const meant = didYouMean(id, known)
  const hint = meant ? `; did you mean ${meant}?` : '.'
  const more = known.length > FIELDS_SHOWN ? ' and others' : ''
  return `is not a question of this form${hint} Its questions are ${known.slice(0, FIELDS_SHOWN).join(', ')}${more}`
}

/** What is stored of answers without faults: blank ones count as not given. */
export const answersById = (answers: readonly FormAnswer[]): Record<string, AnswerValue> =>
  Object.fromEntries(answers.filter(a => !isBlank(a.value)).map(a => [a.field_id, a.value as AnswerValue]))

/** Only the candidate can answer these, on the public form. */
export const isAnswerable = ({ type, candidate_field }: Pick<FormField, 'type' | 'candidate_field'>): boolean =>
  !['section', 'consent', 'eeo', 'file'].includes(type) && candidate_field !== 'resume'

/** Why an answer is refused, for pages: they say it in the reader's language. */
export type AnswerProblem =
  | 'wrong_type'
  | 'twice'
  | 'not_an_option'
  | 'too_long'
  | 'not_a_number'
  | 'not_a_date'
  | 'not_a_url'
  | 'not_an_email'
  | 'not_a_phone'

export interface Problem {
  reason: AnswerProblem
  message: string
}

/** Why a value does not fit its question; undefined where it does. A blank text is not an answer, which always fits. */
export function valueProblem(
  field: Pick<FormField, 'type' | 'options' | 'max_length'>,
  value: unknown,
): Problem | undefined {
  const { type, options } = field
  const problem = (reason: AnswerProblem, message: string): Problem => ({ reason, message })
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : problem('wrong_type', 'must be true or false')
  if (type === 'multiselect') {
    if (!Array.isArray(value) || !value.every(v => typeof v === 'string'))
      return problem('wrong_type', 'must be a list of options')
    if (new Set(value).size !== value.length) return problem('twice', 'names an option twice')
    return options.length === 0 || value.every(v => options.includes(v))
      ? undefined
      : problem('not_an_option', 'must name options of the question')
  }
  if (typeof value !== 'string') return problem('wrong_type', 'must be a string')
  if (isBlankText(value)) return undefined
  if (options.length > 0)
    return options.includes(value) ? undefined : problem('not_an_option', 'must be one of the options')
  if (type === 'select') return problem('not_an_option', 'must be one of the options')
  const most = field.max_length ?? FORM_TEXT
  if (charactersIn(value) > most) return problem('too_long', `must be at most ${most} characters`)
  if (type === 'number' && !/^-?\d{1,15}(?:\.\d{1,10})?$/.test(value))
    return problem('not_a_number', 'must be a number')
  if (type === 'date' && !parseInstant(`${value}T00:00:00Z`))
    return problem('not_a_date', 'must be a date such as 2026-11-01')
  if (type === 'url' && !isWebUrl(value, ['https:', 'http:']))
    return problem('not_a_url', 'must be an http or https URL')
  if (type === 'email' && emailKey(value) === undefined) return problem('not_an_email', 'must be an email address')
  if (type === 'phone' && !isPhoneNumber(value)) return problem('not_a_phone', PHONE_MESSAGE)
  return undefined
}

export const isBlank = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' ? isBlankText(value) : Array.isArray(value) && value.length === 0)

/**
 * Required questions of those shown that have no answer. A required phone and résumé are not asked for through the API,
 * and what only the candidate may answer cannot be.
 */
export function missingAnswers(
  shown: readonly FormField[],
  answers: Readonly<Record<string, AnswerValue>>,
  given: { linkedin: boolean },
): InputFault[] {
  return shown.flatMap(field => {
    if (!field.required) return []
    const fault = (param: string): InputFault[] => [
      { param, message: `required question ${field.id} is not answered`, code: 'missing_required_answers' },
    ]
    if (field.candidate_field === 'linkedin') return given.linkedin ? [] : fault('candidate.linkedin_url')
    if (field.candidate_field !== null) return []
    return isAnswerable(field) && isBlank(answers[field.id]) ? fault('answers') : []
  })
}

/** A required consent box is shown, which only the candidate can tick. */
export const needsConsent = (shown: readonly FormField[]): boolean =>
  shown.some(field => field.type === 'consent' && field.required)

/** The stage of a change to an application. */
export const changedStageFaults = (stages: readonly { id: string }[], wanted: string): InputFault[] =>
  stages.some(stage => stage.id === wanted)
    ? []
    : [{ param: 'stage_id', message: 'must be a stage of the application’s job', code: 'invalid_stage' }]
