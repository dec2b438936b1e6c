import { API_LIMITS } from '../../contract/limits.ts'
import { closed } from '../../kernel/http/closed.ts'
import { type Static, Type } from '../../kernel/schema/types.ts'
import { ANSWER_TYPES, FORM_FIELD_TYPES, QUESTION_SOURCES, STAGE_TYPES } from './shape.ts'

const nullableText = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]))
const label = (maxLength: number) => Type.String({ maxLength, pattern: '\\S' })
const texts = (maxItems: number) => Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems })

const stageInput = Type.Object(
  {
    id: Type.Optional(Type.String()),
    name: label(120),
    type: Type.Enum([...STAGE_TYPES]),
    is_terminal: Type.Optional(Type.Boolean()),
    order_package_ids: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), { maxItems: API_LIMITS.packagesPerStage }),
    ),
  },
  closed,
)
export type StageInput = Static<typeof stageInput>

/** The applications of a stage that is removed go to another one, named by its place in the new list, from 0. */
const stageMove = Type.Object({ from: Type.String(), to: Type.Integer({ minimum: 0 }) }, closed)
export type StageMove = Static<typeof stageMove>

const stageParts = {
  stages: Type.Array(stageInput, { minItems: 1, maxItems: 50 }),
  moves: Type.Optional(Type.Array(stageMove, { maxItems: 50 })),
}
export const stagesInput = Type.Object(stageParts, closed)

/** What was read with the part, so that nothing is overwritten that the writer did not see. */
const expected = { expected_version: Type.Optional(Type.String({ maxLength: 100 })) }
export const stagesBody = Type.Object({ ...stageParts, ...expected }, closed)

const conditionValues = Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { minItems: 1, maxItems: 200 })

/** The earlier field by its id or, for one that has none yet, by its place in the list, from 0. */
const conditionInput = Type.Union([
  Type.Object({ field_id: Type.String(), values: conditionValues }, closed),
  Type.Object({ position: Type.Integer({ minimum: 0 }), values: conditionValues }, closed),
  Type.Null(),
])

const fieldInput = Type.Object(
  {
    id: Type.Optional(Type.String()),
    label: label(500),
    type: Type.Enum([...FORM_FIELD_TYPES]),
    required: Type.Optional(Type.Boolean()),
    section: nullableText(200),
    help_text: nullableText(2000),
    options: Type.Optional(texts(200)),
    max_length: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 100_000 }), Type.Null()])),
    candidate_field: Type.Optional(
      Type.Union([Type.Enum(['name', 'email', 'phone', 'linkedin', 'resume']), Type.Null()]),
    ),
    condition: Type.Optional(conditionInput),
  },
  closed,
)
export type FormFieldInput = Static<typeof fieldInput>
const fieldParts = { fields: Type.Array(fieldInput, { maxItems: 200 }) }
export const fieldsInput = Type.Object(fieldParts, closed)
export const formBody = Type.Object({ ...fieldParts, ...expected }, closed)
export const versionBody = Type.Object(expected, closed)

const questionInput = Type.Object(
  {
    id: Type.Optional(Type.String({ format: 'uuid' })),
    kind: Type.Enum(['common', 'adaptive']),
    prompt: label(1000),
    response_key: Type.String({ pattern: '^[a-z][a-z0-9_]{0,59}$' }),
    answer_type: Type.Enum([...ANSWER_TYPES]),
    choices: Type.Optional(Type.Union([texts(50), Type.Null()])),
    required: Type.Optional(Type.Boolean()),
    source: Type.Optional(Type.Enum([...QUESTION_SOURCES])),
  },
  closed,
)
export type QuestionInput = Static<typeof questionInput>
const questionParts = { questions: Type.Array(questionInput, { maxItems: 50 }) }
export const questionsInput = Type.Object(questionParts, closed)
export const questionsBody = Type.Object({ ...questionParts, ...expected }, closed)
