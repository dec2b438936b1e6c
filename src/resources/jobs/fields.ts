import {
  EXTERNAL_ID_DESCRIPTION,
  isPartnerSystem,
  SOURCE_SYSTEM_KEYWORDS,
  SYSTEM_DESCRIPTION,
  SYSTEM_RULE,
} from '../../contract/source-systems.ts'
import { describedAs, withRules } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import { type InputFault, refuseInput } from '../../kernel/http/faults.ts'
import type { WrittenOf } from '../../kernel/record/field.ts'
import type { Changes } from '../../kernel/record/record.ts'
import { describeInput } from '../../kernel/record/write.ts'
import { type Static, type TSchema, Type } from '../../kernel/schema/types.ts'
import { jobRecord } from './shape.ts'

/**
 * The fields of a job that can be written, under the names of their columns. Whatever writes a job, a push or the
 * product, brings an input of the public shape; `merge` lays it over what is stored, `changesBetween` says what is new.
 */
export type JobFields = WrittenOf<typeof jobRecord.fields>

export const { pathOf, changes: changesBetween } = jobRecord

const orNull = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))

const { source, external_apply_url, close_at, content, compensation, accept_applications, ...plain } = jobRecord.input
const { canonical_url, ...company } = source
const sourceDetails = { canonical_url, ...company }

/** What partners and the product set alike. */
const described = {
  ...plain,
  content: orNull(Type.Object(content, closed)),
  compensation: describeInput(
    orNull(
      Type.Object(
        {
          ...compensation,
          unit: describeInput(
            Type.Optional(Type.Literal('major')),
            jobRecord.fields.compensation.group.fields.unit.description,
          ),
        },
        closed,
      ),
    ),
    jobRecord.fields.compensation.description!,
  ),
  accept_applications,
}

/** What the schemas below cannot say, of any input that claims to be one of them. */
function contradictions(value: unknown): InputFault[] {
  const faults: InputFault[] = []
  const input = membersOf(value)
  const { publish, status } = input
  const { salary_min, salary_max } = membersOf(input['compensation'])
  const { system } = membersOf(input['source'])
  if (typeof system === 'string' && !isPartnerSystem(system)) {
    faults.push({
      param: 'source.system',
      message: SYSTEM_RULE,
      code: 'unsupported_source_system',
    })
  }
  faults.push(...jobRecord.faults(input))
  if (publish === true && status === 'closed') {
    faults.push({ param: 'status', message: 'cannot be combined with publish: true' })
  }
  if (typeof salary_min === 'number' && typeof salary_max === 'number' && salary_max < salary_min) {
    faults.push(SALARY_ORDER)
  }
  return faults
}

const SALARY_ORDER = { param: 'compensation.salary_max', message: 'must not be less than compensation.salary_min' }

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** POST /jobs */
export const pushBody = withRules(
  Type.Object(
    {
      source: Type.Object(
        {
          system: describeInput(describedAs(Type.String(), SOURCE_SYSTEM_KEYWORDS), SYSTEM_DESCRIPTION),
          external_id: describeInput(Type.String({ minLength: 1, maxLength: 200 }), EXTERNAL_ID_DESCRIPTION),
          ...sourceDetails,
        },
        closed,
      ),
      ...described,
      publish: describeInput(Type.Optional(Type.Boolean()), 'Publishes the job after it is stored.'),
      status: describeInput(Type.Optional(Type.Literal('closed')), 'Closes the job after it is stored.'),
    },
    closed,
  ),
  contradictions,
)
export type PushBody = Static<typeof pushBody>

/** A job made in the product. */
export const newJobInput = withRules(
  Type.Object(
    { ...described, external_apply_url, close_at, source: Type.Optional(Type.Object(sourceDetails, closed)) },
    closed,
  ),
  contradictions,
)
export type NewJobInput = Static<typeof newJobInput>

/** A job edited in the product. */
export const jobEditInput = withRules(Type.Partial(newJobInput, closed), contradictions)
export type JobEditInput = Static<typeof jobEditInput>

/** Lays an input over what is stored. Throws where the two together contradict each other. */
export function merge(stored: JobFields | undefined, input: PushBody | JobEditInput): JobFields {
  const next = jobRecord.merge(stored, input)
  if (next.salary_min !== null && next.salary_max !== null && next.salary_max < next.salary_min) {
    refuseInput([SALARY_ORDER])
  }
  return next
}

/** What the score of an application is computed from. */
const SCORED_BY: readonly (keyof JobFields)[] = ['skills_required', 'skills_preferred', 'experience_level', 'years_min']

/** The scores of the job's applications are outdated by these changes. */
export const outdatesScores = ({ changed }: Changes): boolean => SCORED_BY.some(name => changed.includes(pathOf(name)))
