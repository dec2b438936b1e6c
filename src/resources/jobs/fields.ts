import { type Static, type TSchema, Type } from 'typebox'
import { isPartnerSystem, SYSTEM_RULE } from '../../contract/source-systems.ts'
import type { PlainValue } from '../../kernel/feed/append.ts'
import { withRules } from '../../kernel/http/body.ts'
import { type InputFault, refuseInput } from '../../kernel/http/faults.ts'
import { asUri, bodyInstant, bodyTime, httpsUrl } from '../../kernel/http/formats.ts'
import { charactersIn, isBlankText, noneIfBlank } from '../../kernel/text.ts'
import { EMPLOYMENT_TYPES, EXPERIENCE_LEVELS, LOCATION_TYPES, SALARY_INTERVALS } from './shape.ts'

/**
 * The fields of a job that can be written, under the names of their columns. Whatever writes a job, a push or the
 * product, brings an input of the public shape; `merge` lays it over what is stored, `changesBetween` says what is new.
 */
export interface JobFields {
  title: string
  department: string | null
  team: string | null
  employment_type: string | null
  location_type: string | null
  locations: string[]
  experience_level: string | null
  years_min: number | null
  years_max: number | null
  salary_min: number | null
  salary_max: number | null
  salary_currency: string | null
  salary_interval: string | null
  salary_equity: string | null
  salary_commission: boolean | null
  accept_applications: boolean
  external_apply_url: string | null
  close_at: string | null
  source_company_name: string | null
  source_company_logo_url: string | null
  source_canonical_url: string | null
  summary: string | null
  description_md: string | null
  responsibilities: string[]
  requirements: string[]
  nice_to_have: string[]
  skills_required: string[]
  skills_preferred: string[]
  benefits: string[]
}

type FieldName = keyof JobFields

/** A job of which nothing is known yet; also what an explicit null leaves behind. */
const BLANK: JobFields = {
  title: '',
  department: null,
  team: null,
  employment_type: null,
  location_type: null,
  locations: [],
  experience_level: null,
  years_min: null,
  years_max: null,
  salary_min: null,
  salary_max: null,
  salary_currency: null,
  salary_interval: null,
  salary_equity: null,
  salary_commission: null,
  accept_applications: true,
  external_apply_url: null,
  close_at: null,
  source_company_name: null,
  source_company_logo_url: null,
  source_canonical_url: null,
  summary: null,
  description_md: null,
  responsibilities: [],
  requirements: [],
  nice_to_have: [],
  skills_required: [],
  skills_preferred: [],
  benefits: [],
}

/** A compensation of which only the existence is known. A null interval in the store means that there is none. */
const PLAIN_COMPENSATION = {
  salary_min: null,
  salary_max: null,
  salary_currency: 'USD',
  salary_interval: 'annual',
  salary_equity: null,
  salary_commission: false,
}
const NO_COMPENSATION = {
  salary_min: null,
  salary_max: null,
  salary_currency: null,
  salary_interval: null,
  salary_equity: null,
  salary_commission: null,
}

export const FIELD_NAMES = Object.keys(BLANK) as FieldName[]

const CONTENT = [
  'summary',
  'description_md',
  'responsibilities',
  'requirements',
  'nice_to_have',
  'skills_required',
  'skills_preferred',
  'benefits',
] as const satisfies readonly FieldName[]

/** The name by which partners know a field. */
export function pathOf(name: FieldName): string {
  if ((CONTENT as readonly string[]).includes(name)) return `content.${name}`
  if (name.startsWith('salary_')) {
    return `compensation.${name === 'salary_min' || name === 'salary_max' ? name : name.slice('salary_'.length)}`
  }
  return name.startsWith('source_') ? `source.${name.slice('source_'.length)}` : name
}

const strict = { additionalProperties: false } as const
/** Left out: keeps its value. Null: cleared. */
const clearable = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))
const words = (maxLength: number) => clearable(Type.String({ maxLength }))
const texts = (maxItems: number) => clearable(Type.Array(Type.String(), { maxItems }))
const years = () => clearable(Type.Number({ minimum: 0, maximum: 60 }))
const money = () => clearable(Type.Integer({ minimum: 0, maximum: 100_000_000 }))

/** Counted without the blanks around it, which are not stored. */
const TITLE_LENGTH = 300
const title = Type.String({
  pattern: '\\S',
  description: `At most ${TITLE_LENGTH} characters, not counting blanks around them.`,
})

const described = {
  department: words(200),
  team: words(200),
  employment_type: clearable(Type.Enum([...EMPLOYMENT_TYPES])),
  location_type: clearable(Type.Enum([...LOCATION_TYPES])),
  locations: texts(20),
  experience_level: clearable(Type.Enum([...EXPERIENCE_LEVELS])),
  years_min: years(),
  years_max: years(),
  content: clearable(
    Type.Object(
      {
        summary: words(2000),
        description_md: words(30_000),
        responsibilities: texts(50),
        requirements: texts(50),
        nice_to_have: texts(50),
        skills_required: texts(100),
        skills_preferred: texts(100),
        benefits: texts(50),
      },
      strict,
    ),
  ),
  compensation: clearable(
    Type.Object(
      {
        salary_min: money(),
        salary_max: money(),
        currency: clearable(Type.String({ pattern: '^[A-Za-z]{3}$' })),
        interval: clearable(Type.Enum([...SALARY_INTERVALS])),
        equity: words(200),
        commission: clearable(Type.Boolean()),
        unit: Type.Optional(Type.Literal('major')),
      },
      strict,
    ),
  ),
  accept_applications: clearable(Type.Boolean()),
}

const sourceDetails = {
  canonical_url: clearable(httpsUrl()),
  company_name: words(200),
  company_logo_url: clearable(httpsUrl()),
}

/** What the schemas below cannot say, of any input that claims to be one of them. */
function contradictions(value: unknown): InputFault[] {
  const faults: InputFault[] = []
  const input = membersOf(value)
  const { title, publish, status } = input
  const { salary_min, salary_max } = membersOf(input['compensation'])
  const { system } = membersOf(input['source'])
  if (typeof system === 'string' && !isPartnerSystem(system)) {
    faults.push({
      param: 'source.system',
      message: SYSTEM_RULE,
      code: 'unsupported_source_system',
    })
  }
  if (typeof title === 'string' && charactersIn(title.trim()) > TITLE_LENGTH) {
    faults.push({ param: 'title', message: `must be at most ${TITLE_LENGTH} characters` })
  }
  if (publish === true && status === 'closed') {
    faults.push({ param: 'status', message: 'must not be given together with publish: true' })
  }
  if (typeof salary_min === 'number' && typeof salary_max === 'number' && salary_max < salary_min) {
    faults.push(SALARY_ORDER)
  }
  return faults
}

const SALARY_ORDER = { param: 'compensation.salary_max', message: 'must not be below compensation.salary_min' }

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** POST /jobs */
export const pushBody = withRules(
  Type.Object(
    {
      source: Type.Object(
        { system: Type.String(), external_id: Type.String({ minLength: 1, maxLength: 200 }), ...sourceDetails },
        strict,
      ),
      title,
      ...described,
      publish: Type.Optional(Type.Boolean()),
      status: Type.Optional(Type.Literal('closed')),
    },
    strict,
  ),
  contradictions,
)
export type PushBody = Static<typeof pushBody>

const productOnly = { external_apply_url: clearable(httpsUrl()), close_at: clearable(bodyTime()) }

/** A job made in the product. */
export const newJobInput = withRules(
  Type.Object(
    { title, ...described, ...productOnly, source: Type.Optional(Type.Object(sourceDetails, strict)) },
    strict,
  ),
  contradictions,
)
export type NewJobInput = Static<typeof newJobInput>

/** A job edited in the product. */
export const jobEditInput = withRules(Type.Partial(newJobInput, strict), contradictions)
export type JobEditInput = Static<typeof jobEditInput>

const withoutBlanks = (texts: readonly string[] | null | undefined) =>
  texts?.filter(text => !isBlankText(text)) ?? texts
const contentOf = (value: string | string[] | null | undefined) =>
  Array.isArray(value) ? withoutBlanks(value) : noneIfBlank(value)

/** Lays an input over what is stored. Throws where the two together contradict each other. */
export function merge(stored: JobFields | undefined, input: Omit<PushBody, 'source'> | JobEditInput): JobFields {
  const next: JobFields = { ...(stored ?? BLANK) }
  const take = (values: Readonly<Record<string, unknown>>, cleared: Partial<JobFields> = BLANK) => {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) continue
      Object.assign(next, { [name]: value === null ? cleared[name as FieldName] : value })
    }
  }
  const given = input as JobEditInput & { source?: PushBody['source'] }
  take({
    title: given.title?.trim(),
    department: noneIfBlank(given.department),
    team: noneIfBlank(given.team),
    employment_type: given.employment_type,
    location_type: given.location_type,
    locations: withoutBlanks(given.locations),
    experience_level: given.experience_level,
    years_min: given.years_min,
    years_max: given.years_max,
    accept_applications: given.accept_applications,
    external_apply_url: given.external_apply_url && asUri(given.external_apply_url),
    close_at: given.close_at && bodyInstant(given.close_at),
    source_company_name: noneIfBlank(given.source?.company_name),
    source_company_logo_url: given.source?.company_logo_url && asUri(given.source.company_logo_url),
    source_canonical_url: given.source?.canonical_url && asUri(given.source.canonical_url),
  })
  if (given.content === null) take(Object.fromEntries(CONTENT.map(name => [name, null])))
  else if (given.content) take(Object.fromEntries(CONTENT.map(name => [name, contentOf(given.content![name])])))
  if (given.compensation === null) take(NO_COMPENSATION, NO_COMPENSATION)
  else if (given.compensation) {
    const { salary_min, salary_max, currency, interval, equity, commission } = given.compensation
    if (next.salary_interval === null) Object.assign(next, PLAIN_COMPENSATION)
    take(
      {
        salary_min,
        salary_max,
        salary_currency: currency?.toUpperCase() ?? currency,
        salary_interval: interval,
        salary_equity: noneIfBlank(equity),
        salary_commission: commission,
      },
      PLAIN_COMPENSATION,
    )
  }
  if (next.salary_min !== null && next.salary_max !== null && next.salary_max < next.salary_min) {
    refuseInput([SALARY_ORDER])
  }
  return next
}

const same = (a: unknown, b: unknown) =>
  Array.isArray(a) && Array.isArray(b) ? JSON.stringify(a) === JSON.stringify(b) : a === b

export interface Changes {
  /** public names of the fields that differ */
  changed: string[]
  /** old values of the simple ones */
  previous: Record<string, PlainValue>
}

/** An event is thin: a list, a text of the posting or an endless address is none of its values. */
const LONGEST_PREVIOUS = 300
const isSimple = (name: FieldName, value: unknown) =>
  !Array.isArray(value) &&
  !(CONTENT as readonly string[]).includes(name) &&
  !(typeof value === 'string' && value.length > LONGEST_PREVIOUS)

/** What the score of an application is computed from. */
const SCORED_BY: readonly FieldName[] = ['skills_required', 'skills_preferred', 'experience_level', 'years_min']

/** The scores of the job's applications are outdated by these changes. */
export const outdatesScores = ({ changed }: Changes): boolean => SCORED_BY.some(name => changed.includes(pathOf(name)))

/** What differs; against nothing, what was set. */
export function changesBetween(stored: JobFields | undefined, next: JobFields): Changes {
  const before = stored ?? BLANK
  const names = FIELD_NAMES.filter(name => !same(before[name], next[name]))
  const simple = stored ? names.filter(name => isSimple(name, before[name])) : []
  return {
    changed: names.map(pathOf),
    previous: Object.fromEntries(simple.map(name => [pathOf(name), before[name] as PlainValue])),
  }
}
