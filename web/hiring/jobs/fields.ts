import type { Job } from '../../../packages/sdk/src/generated.ts'
import { LANGUAGE_CODES } from '../../../src/contract/languages.ts'
import { fromLocal, toLocal } from '../../ui/form.tsx'

/** A field of the editor: a line of text, entries, a switch, a number, a time, or one of a few. */
type Kind = 'text' | 'texts' | 'flag' | 'number' | 'time'

/** Every field of a job that can be edited, by its name in the API, in the order of the form. */
export const JOB_FIELDS = {
  title: ['Title', 'text'],
  department: ['Department', 'text'],
  team: ['Team', 'text'],
  employment_type: ['Employment', 'text'],
  experience_level: ['Level', 'text'],
  years_min: ['Minimum years', 'number'],
  years_max: ['Maximum years', 'number'],
  location_type: ['Workplace', 'text'],
  locations: ['Locations', 'texts'],
  language: ['Language', 'text'],
  'content.summary': ['Summary', 'text'],
  'content.description_md': ['Description', 'text'],
  'content.responsibilities': ['Responsibilities', 'texts'],
  'content.requirements': ['Requirements', 'texts'],
  'content.nice_to_have': ['Nice to have', 'texts'],
  'content.skills_required': ['Required skills', 'texts'],
  'content.skills_preferred': ['Preferred skills', 'texts'],
  'content.benefits': ['Benefits', 'texts'],
  'compensation.salary_min': ['Minimum salary', 'number'],
  'compensation.salary_max': ['Maximum salary', 'number'],
  'compensation.currency': ['Currency', 'text'],
  'compensation.interval': ['Paid per', 'text'],
  'compensation.equity': ['Equity', 'text'],
  'compensation.commission': ['Commission', 'flag'],
  accept_applications: ['Accepts applications', 'flag'],
  external_apply_url: ['External application page', 'text'],
  close_at: ['Closes', 'time'],
  'source.company_name': ['Company name', 'text'],
  'source.company_logo_url': ['Company logo', 'text'],
  'source.canonical_url': ['Public page', 'text'],
} as const satisfies Readonly<Record<string, readonly [label: string, kind: Kind]>>

export type JobField = keyof typeof JOB_FIELDS
export const JOB_FIELD_NAMES = Object.keys(JOB_FIELDS) as JobField[]

type ValueOf<K extends Kind> = K extends 'texts' ? readonly string[] : K extends 'flag' ? boolean : string

/** What the form holds: numbers and times as they are typed. */
export type JobValues = { [F in JobField]: ValueOf<(typeof JOB_FIELDS)[F][1]> }
type Value = JobValues[JobField]

/** What a name in the API or in the history is called. */
const OTHER_LABELS: Readonly<Record<string, string>> = {
  status: 'Status',
  compensation: 'Pay',
  content: 'Text',
  pipeline_stages: 'Stages',
  application_form: 'Application form',
  prescreen_questions: 'Pre-screen questions',
  scorecard_criteria: 'Criteria',
}

export const findFieldLabel = (name: string): string =>
  name in JOB_FIELDS ? JOB_FIELDS[name as JobField][0] : (OTHER_LABELS[name] ?? name)

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

export const CHOICES = {
  employment_type: [
    ['full_time', 'Full time'],
    ['part_time', 'Part time'],
    ['contract', 'Contract'],
    ['intern', 'Internship'],
    ['temp', 'Temporary'],
  ],
  location_type: [
    ['onsite', 'On site'],
    ['hybrid', 'Hybrid'],
    ['remote', 'Remote'],
  ],
  experience_level: [
    ['intern', 'Intern'],
    ['junior', 'Junior'],
    ['mid', 'Mid-level'],
    ['senior', 'Senior'],
    ['lead', 'Lead'],
    ['principal', 'Principal'],
  ],
  language: LANGUAGE_CODES.map(code => [code, languageNames.of(code) ?? code] as const).toSorted(([, a], [, b]) =>
    a.localeCompare(b, 'en'),
  ),
  'compensation.interval': [
    ['annual', 'Year'],
    ['monthly', 'Month'],
    ['hourly', 'Hour'],
  ],
} as const

/** A value in words: `Full time` for `full_time`. */
export function describeField(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(', ')
  const choices: readonly (readonly [string, string])[] = CHOICES[name as keyof typeof CHOICES] ?? []
  return choices.find(([choice]) => choice === value)?.[1] ?? String(value)
}

const DEFAULTS: Partial<JobValues> = {
  'compensation.interval': 'annual',
  accept_applications: true,
}

const blankOf = (field: JobField): Value => {
  const kind = JOB_FIELDS[field][1]
  return DEFAULTS[field] ?? (kind === 'texts' ? [] : kind === 'flag' ? false : '')
}

/** The values of a job, or those of a new one. */
export const jobValues = (job?: Job): JobValues =>
  Object.fromEntries(
    JOB_FIELD_NAMES.map(field => {
      const [group, name] = field.split('.') as [string, string | undefined]
      const outer = job && (job as unknown as Record<string, unknown>)[group]
      const stored = name === undefined ? outer : (outer as Record<string, unknown> | null | undefined)?.[name]
      if (stored === null || stored === undefined) return [field, blankOf(field)]
      const kind = JOB_FIELDS[field][1]
      return [field, kind === 'time' ? toLocal(stored as string) : kind === 'number' ? String(stored) : stored]
    }),
  ) as JobValues

/** Entries of a list without blank ones. */
export const entries = (value: readonly string[]) => value.map(entry => entry.trim()).filter(entry => entry !== '')

/** Blank lines and spaces at the ends make no difference. */
const settled = (value: Value): string =>
  JSON.stringify(typeof value === 'string' ? value.trim() : typeof value === 'boolean' ? value : entries(value))

export const isSame = (a: Value, b: Value): boolean => a === b || settled(a) === settled(b)

/** The fields in which the two differ. */
export const changedFields = (a: JobValues, b: JobValues): JobField[] =>
  JOB_FIELD_NAMES.filter(field => !isSame(a[field], b[field]))

function toInput(field: JobField, value: Value): unknown {
  const kind = JOB_FIELDS[field][1]
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return entries(value)
  const text = value.trim()
  if (text === '') return field === 'title' ? '' : null
  return kind === 'number' ? Number(text) : kind === 'time' ? fromLocal(text) : field === 'title' ? text : value
}

/** What the service is sent: these fields as a body of the API has them. */
export function buildInput(values: JobValues, fields: readonly JobField[]): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  // currency and interval mean nothing without the rest, and belong to it
  const pay = JOB_FIELD_NAMES.filter(field => field.startsWith('compensation.'))
  const sent = fields.some(field => pay.includes(field)) ? new Set([...fields, ...pay]) : new Set(fields)
  for (const field of sent) {
    const [group, name] = field.split('.') as [string, string | undefined]
    const value = toInput(field, values[field])
    if (name === undefined) input[group] = value
    else input[group] = { ...(input[group] as object | undefined), [name]: value }
  }
  if (input['compensation'] && isWithoutPay(values)) input['compensation'] = null
  return input
}

/** Pay without a currency would be in dollars, which the writer did not choose. */
export const lacksCurrency = (values: JobValues): boolean =>
  !isWithoutPay(values) && values['compensation.currency'].trim() === ''

const isWithoutPay = (values: JobValues): boolean =>
  !values['compensation.commission'] &&
  (['compensation.salary_min', 'compensation.salary_max', 'compensation.equity'] as const).every(
    field => values[field].trim() === '',
  )

export interface Rebased {
  values: JobValues
  /** changed there and not here: taken over */
  taken: JobField[]
  /** changed on both sides: the reader's own value stays until they decide */
  conflicts: JobField[]
}

/** What the reader typed, on top of what someone else stored since: nothing of either is lost. */
export function rebase(base: JobValues, mine: JobValues, theirs: JobValues): Rebased {
  const taken: JobField[] = []
  const conflicts: JobField[] = []
  const values: Record<string, Value> = { ...mine }
  for (const field of changedFields(base, theirs)) {
    if (isSame(base[field], mine[field])) {
      values[field] = theirs[field]
      taken.push(field)
    } else if (!isSame(mine[field], theirs[field])) conflicts.push(field)
  }
  return { values: values as unknown as JobValues, taken, conflicts }
}
