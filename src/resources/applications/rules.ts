import type { FieldFault } from '../../contract/errors.ts'
import { isPartnerSystem } from '../../contract/source-systems.ts'
import { Failure, fail, invalid } from '../../kernel/failure.ts'
import { parseInstant } from '../../kernel/http/params.ts'
import type { Status } from './shape.ts'

/**
 * The status of an application. `new` when it is created; `in_review` and `advanced` are set in the product, forwards
 * only; `hired` and `rejected` from any of these open ones; `in_review` again when a rejected one is reopened;
 * `withdrawn` by the person, from anything. The stage is independent of it: a move changes only the stage and a status
 * change only the status, except that hiring also moves to the job's stage of type `hired`.
 */
const FROM: Readonly<Record<Exclude<Status, 'new'>, readonly Status[]>> = {
  in_review: ['new'],
  advanced: ['new', 'in_review'],
  hired: ['new', 'in_review', 'advanced'],
  rejected: ['new', 'in_review', 'advanced'],
  withdrawn: ['new', 'in_review', 'advanced', 'rejected', 'hired'],
}

export const canBecome = (to: Exclude<Status, 'new'>, from: Status): boolean => FROM[to].includes(from)

/** Instants, not texts: `…+01:00` and more digits than milliseconds name the same time. */
export function requireFresh(expected: string | undefined, updatedAt: string): void {
  if (expected === undefined) return
  const instant = parseInstant(expected)
  if (instant === undefined) invalid('expected_updated_at', 'must be an RFC 3339 timestamp')
  if (instant !== updatedAt) fail('stale_resource', { param: 'expected_updated_at' })
}

export function requireSourceSystem(system: string): void {
  if (!isPartnerSystem(system)) fail('unsupported_source_system', { param: 'source.system' })
}

export interface Candidate {
  firstName: string
  lastName: string
  email: string
  phone?: string | undefined
  linkedinUrl?: string | undefined
}

/** The candidate's details beyond their types and lengths, which the body's schema has checked. */
export function candidateFaults(candidate: Candidate): FieldFault[] {
  const faults: FieldFault[] = []
  const { firstName, lastName, phone, linkedinUrl } = candidate
  if (firstName.trim() === '') faults.push({ param: 'candidate.first_name', message: 'must not be blank' })
  if (lastName.trim() === '') faults.push({ param: 'candidate.last_name', message: 'must not be blank' })
  if (phone !== undefined && !/^[0-9 +().-]*[0-9][0-9 +().-]*$/.test(phone))
    faults.push({ param: 'candidate.phone', message: 'must hold digits, spaces and + ( ) . - only' })
  if (linkedinUrl !== undefined && !isLinkedinAddress(linkedinUrl))
    faults.push({ param: 'candidate.linkedin_url', message: 'must be an https address on linkedin.com' })
  return faults
}

function isLinkedinAddress(text: string): boolean {
  if (!/^https:\/\//i.test(text) || /[\s\\]/.test(text) || !URL.canParse(text)) return false
  const { hostname, username, password, port } = new URL(text)
  return /^(?:[a-z0-9-]+\.)*linkedin\.com$/.test(hostname) && username === '' && password === '' && port === ''
}

export const refuseFaults = (faults: FieldFault[]): void => {
  const first = faults[0]
  if (first)
    fail('invalid_request', { param: first.param, message: `${first.param}: ${first.message}`, errors: faults })
}

export interface FormField {
  id: string
  label: string
  type: string
  required: boolean
  options: string[]
  max_length: number | null
  candidate_field: 'name' | 'email' | 'phone' | 'linkedin' | 'resume' | null
}

export type AnswerValue = string | boolean | string[]
export interface Answer {
  field_id: string
  value: AnswerValue
}

const MAX_TEXT = 20_000

/** One answer after the other, each refused with its own code and place; then what is missing. */
export function checkAnswers(fields: readonly FormField[], answers: readonly Answer[]): Record<string, AnswerValue> {
  const byId = new Map(fields.map(field => [field.id, field]))
  const accepted = new Map<string, AnswerValue>()
  for (const [i, { field_id, value }] of answers.entries()) {
    const param = `answers[${i}].field_id`
    const field = byId.get(field_id)
    if (!field) return fail('unknown_answer_field', { param })
    if (accepted.has(field_id)) fail('duplicate_answer_field', { param })
    if (!isAnswerable(field)) fail('answer_field_not_accepted', { param })
    if (field.candidate_field !== null) fail('answer_field_reserved', { param })
    const problem = valueProblem(field, value)
    if (problem)
      fail('invalid_answer_value', { param: `answers[${i}].value`, message: `answers[${i}].value ${problem}` })
    accepted.set(field_id, value)
  }
  return Object.fromEntries(accepted)
}

/** Only the candidate can answer these, on the public form. */
const isAnswerable = ({ type, candidate_field }: FormField): boolean =>
  !['section', 'consent', 'eeo', 'file'].includes(type) && candidate_field !== 'resume'

/** Why a value does not fit its question; undefined where it does. Blank answers to optional questions are fine. */
export function valueProblem(field: FormField, value: AnswerValue): string | undefined {
  const { type, options, max_length } = field
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'must be true or false'
  if (type === 'multiselect') {
    if (!Array.isArray(value)) return 'must be a list of options'
    if (new Set(value).size !== value.length) return 'names an option twice'
    return options.length === 0 || value.every(v => options.includes(v))
      ? undefined
      : 'must name options of the question'
  }
  if (typeof value !== 'string') return 'must be a string'
  if (value === '' && !field.required) return undefined
  if (options.length > 0) return options.includes(value) ? undefined : 'must be one of the options'
  if (type === 'select') return 'must be one of the options'
  if (value.length > (max_length ?? MAX_TEXT)) return `must be at most ${max_length ?? MAX_TEXT} characters`
  if (type === 'number') return /^-?\d{1,15}(?:\.\d{1,10})?$/.test(value) ? undefined : 'must be a number'
  if (type === 'date') return parseInstant(`${value}T00:00:00Z`) ? undefined : 'must be a date such as 2026-11-01'
  if (type === 'url') return /^https?:\/\//i.test(value) && URL.canParse(value) ? undefined : 'must be a web address'
  return undefined
}

const isBlank = (value: AnswerValue | undefined): boolean =>
  value === undefined || (typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0)

/**
 * Required questions that have no answer. Through the API a required phone and résumé are not asked for, and what only
 * the candidate may answer cannot be; on the public form everything required is.
 */
export function missingAnswers(
  fields: readonly FormField[],
  answers: Readonly<Record<string, AnswerValue>>,
  given: { phone: boolean; linkedin: boolean; resume: boolean; publicForm: boolean },
): FieldFault[] {
  return fields.flatMap(field => {
    if (!field.required) return []
    const fault = (param: string) => [{ param, message: `required question ${field.id} is not answered` }]
    switch (field.candidate_field) {
      case 'name':
      case 'email':
        return []
      case 'phone':
        return given.publicForm && !given.phone ? fault('candidate.phone') : []
      case 'linkedin':
        return given.linkedin ? [] : fault('candidate.linkedin_url')
      case 'resume':
        return given.publicForm && !given.resume ? fault('resume_upload_id') : []
    }
    return isAnswerable(field) && isBlank(answers[field.id]) ? fault('answers') : []
  })
}

export function refuseMissing(missing: FieldFault[]): void {
  const first = missing[0]
  if (!first) return
  const message = `Required questions are not answered: ${missing.length}.`
  fail('missing_required_answers', { param: first.param, message, errors: missing })
}

/** A required consent box that was not ticked; through the API none ever is. */
export const needsConsent = (fields: readonly FormField[], ticked: ReadonlySet<string>): boolean =>
  fields.some(field => field.type === 'consent' && field.required && !ticked.has(field.id))

export const invalidStage = (message: string): Failure =>
  new Failure('invalid_stage', { param: 'stage_id', message: `stage_id ${message}` })
