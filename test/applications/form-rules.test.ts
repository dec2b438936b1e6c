import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  checkSubmission,
  type PrescreenQuestion,
  type Submission,
} from '../../src/resources/applications/form-rules.ts'
import { type AnswerValue, type FormField, shownFields, valueProblem } from '../../src/resources/applications/rules.ts'

const OPTIONS = ['a', 'b', 'c']
const TYPES = [
  'text',
  'number',
  'date',
  'url',
  'select',
  'multiselect',
  'boolean',
  'section',
  'consent',
  'eeo',
] as const
const named = (type: string) => ['select', 'multiselect', 'boolean'].includes(type)

/** A form as the product stores it: conditions name earlier questions, and answers that these can have. */
const forms: fc.Arbitrary<FormField[]> = fc
  .array(
    fc.record({
      type: fc.constantFrom(...TYPES),
      required: fc.boolean(),
      version: fc.integer({ min: 1, max: 3 }),
      condition: fc.option(fc.record({ to: fc.nat(), values: fc.subarray(OPTIONS, { minLength: 1 }) })),
    }),
    { maxLength: 12 },
  )
  .map(drawn => {
    const fields: FormField[] = []
    for (const [i, { type, required, version, condition }] of drawn.entries()) {
      const candidates = fields.filter(field => named(field.type))
      const target = condition && candidates[condition.to % Math.max(candidates.length, 1)]
      const values = target?.type === 'boolean' ? [condition!.to % 2 ? 'true' : 'false'] : (condition?.values ?? [])
      fields.push({
        id: `q${i}`,
        label: `Question ${i}`,
        type,
        required,
        help_text: null,
        options: ['select', 'multiselect', 'eeo'].includes(type) ? OPTIONS : [],
        max_length: 20,
        candidate_field: null,
        version,
        condition: target ? { field_id: target.id, values } : null,
      })
    }
    return fields
  })

const values: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    ' ',
    'a',
    'b',
    'zz',
    '12',
    '-1.5',
    '2026-11-01',
    '2026-02-30',
    'https://a.example',
    true,
  ),
  fc.subarray(OPTIONS),
  fc.boolean(),
  fc.string(),
  fc.constantFrom(null, 7, {}, ['a', 'a'], ['x'], [1]),
)
const answersFor = fc.dictionary(
  fc.integer({ min: 0, max: 13 }).map(n => `q${n}`),
  values,
)

/** What a condition means, written down a second time: by looking back from each field. */
function isShown(fields: readonly FormField[], index: number, answers: Readonly<Record<string, unknown>>): boolean {
  const field = fields[index]!
  const section = fields.slice(0, index).findLastIndex(f => f.type === 'section')
  if (field.type !== 'section' && section >= 0 && !isShown(fields, section, answers)) return false
  if (field.condition === null) return true
  const { field_id, values } = field.condition
  const target = fields.findIndex(f => f.id === field_id)
  if (!isShown(fields, target, answers)) return false
  return [answers[field_id]].flat().some(answer => values.some(value => value === answer || value === String(answer)))
}

test('shownFields: exactly the fields whose conditions are met, through hidden questions and sections', () => {
  fc.assert(
    fc.property(forms, answersFor, (fields, answers) => {
      const expected = fields.filter((_, i) => isShown(fields, i, answers))
      assert.deepEqual(shownFields(fields, answers), expected)
    }),
    { numRuns: 2_000 },
  )
})

const QUESTIONS: PrescreenQuestion[] = [
  { id: 'q0', prompt: 'q0?', answer_type: 'boolean', choices: null, required: true },
  { id: 'q1', prompt: 'q1?', answer_type: 'multi_choice', choices: OPTIONS, required: false },
  { id: 'q2', prompt: 'q2?', answer_type: 'choice', choices: OPTIONS, required: false },
  { id: 'q3', prompt: 'q3?', answer_type: 'number', choices: null, required: true },
  { id: 'q4', prompt: 'q4?', answer_type: 'text', choices: null, required: false },
]

const submissions: fc.Arbitrary<Submission> = fc.record({
  candidate: fc.constant({ first_name: 'Ada', last_name: 'Byron', email: 'ada@example.org' }),
  resumeUploadId: fc.constant(undefined),
  answers: answersFor.map(all => Object.entries(all).map(([field_id, value]) => ({ field_id, value }))),
  form: fc.record({
    language: fc.constant('en'),
    consents: fc.dictionary(
      fc.integer({ min: 0, max: 13 }).map(n => `q${n}`),
      fc.integer({ min: 0, max: 3 }),
    ),
    equalOpportunity: answersFor as fc.Arbitrary<Record<string, AnswerValue>>,
    prescreen: answersFor as fc.Arbitrary<Record<string, AnswerValue>>,
    files: fc.constant({}),
    voiceScreeningOptedOut: fc.boolean(),
  }),
})

const isNone = (value: unknown) =>
  value === undefined || (typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0)

test('checkSubmission: what is stored was asked, is shown and fits; each other answer or missing one is a fault', () => {
  fc.assert(
    fc.property(forms, submissions, (fields, submission) => {
      const { faults, accepted } = checkSubmission(fields, QUESTIONS, submission, new Map())
      const params = new Set(faults.map(fault => fault.param))
      assert.equal(params.size, faults.length, 'one fault for each question')
      const given = Object.fromEntries(submission.answers.map(a => [a.field_id, a.value]))
      const asked = Object.fromEntries(
        fields.filter(f => !['section', 'consent', 'eeo'].includes(f.type)).map(f => [f.id, given[f.id]]),
      )
      for (const [i, field] of fields.entries()) {
        const shown = isShown(fields, i, asked)
        const [kind, from] = placeOf(field.type, given, submission)
        const value = from[field.id]
        const param = `${kind}.${field.id}`
        const stored =
          kind === 'consents'
            ? accepted.consents.includes(field)
            : Object.hasOwn(kind === 'answers' ? accepted.answers : accepted.equalOpportunity, field.id)
        const fits =
          kind === 'consents' ? value === field.version : !isNone(value) && valueProblem(field, value) === undefined
        const missing = isNone(value)
        assert.equal(stored, kind !== 'none' && shown && fits, `${param} stored`)
        const faulty = kind !== 'none' && shown && (missing ? field.required : !fits || hasBadText(value))
        assert.equal(params.has(param), faulty, `${param} is a fault`)
      }
    }),
    { numRuns: 2_000 },
  )
})

type Place = readonly [kind: 'consents' | 'equal_opportunity' | 'none' | 'answers', from: Record<string, unknown>]

function placeOf(type: string, answers: Record<string, unknown>, { form }: Submission): Place {
  if (type === 'consent') return ['consents', form.consents]
  if (type === 'eeo') return ['equal_opportunity', form.equalOpportunity]
  return type === 'section' ? ['none', {}] : ['answers', answers]
}

const hasBadText = (value: unknown): boolean =>
  [value].flat().some(text => typeof text === 'string' && (text.includes('\0') || !text.isWellFormed()))

test('checkSubmission: pre-screen answers fit their type and choices, and required ones are given', () => {
  fc.assert(
    fc.property(submissions, submission => {
      const { faults, accepted } = checkSubmission([], QUESTIONS, submission, new Map())
      const { prescreen } = submission.form
      for (const question of QUESTIONS) {
        const value: unknown = prescreen[question.id]
        const fault = faults.find(f => f.param === `prescreen.${question.id}`)
        if (isNone(value)) assert.equal(fault?.reason, question.required ? 'required' : undefined)
        else assert.equal(Object.hasOwn(accepted.prescreen, question.id), fault === undefined)
      }
      for (const [id, value] of Object.entries(accepted.prescreen)) {
        const { answer_type, choices } = QUESTIONS.find(q => q.id === id)!
        if (answer_type === 'boolean') assert.equal(typeof value, 'boolean')
        else if (answer_type === 'multi_choice') assert.ok((value as string[]).every(v => choices!.includes(v)))
        else if (answer_type === 'choice') assert.ok(choices!.includes(value as string))
        else if (answer_type === 'number') assert.ok(Number.isFinite(Number(value)))
        else assert.equal(typeof value, 'string')
      }
    }),
    { numRuns: 1_000 },
  )
})
