import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { JOB_STATUSES } from '../../src/contract/job-status.ts'
import { publishBlockers } from '../../src/contract/publish-readiness.ts'
import { isPartnerSystem } from '../../src/contract/source-systems.ts'
import { ApiError } from '../../src/kernel/errors/api-error.ts'
import { changesBetween, type JobFields, merge, type PushBody, pathOf } from '../../src/resources/jobs/fields.ts'
import { checkTransition, TRANSITIONS } from '../../src/resources/jobs/lifecycle.ts'
import { jobRecord } from '../../src/resources/jobs/shape.ts'

/** Given, null or left out. */
const clearable = <T>(value: fc.Arbitrary<T>) => fc.option(fc.option(value, { nil: null }), { nil: undefined })
const texts = clearable(fc.array(fc.string(), { maxLength: 4 }))
const given = <T extends object>(record: fc.Arbitrary<T>) =>
  record.map(value => Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)))

const body = given(
  fc.record({
    title: fc.string({ minLength: 1 }).filter(text => text.trim() !== ''),
    department: clearable(fc.string()),
    locations: texts,
    years_min: clearable(fc.double({ min: 0, max: 60, noNaN: true })),
    accept_applications: clearable(fc.boolean()),
    content: clearable(given(fc.record({ summary: clearable(fc.string()), skills_required: texts }))),
    compensation: clearable(
      given(
        fc.record({
          salary_min: clearable(fc.integer({ min: 0, max: 50 })),
          salary_max: clearable(fc.integer({ min: 50, max: 100 })),
          currency: clearable(fc.constantFrom('usd', 'EUR')),
          interval: clearable(fc.constantFrom('hourly', 'annual')),
          commission: clearable(fc.boolean()),
        }),
      ),
    ),
    source: given(fc.record({ company_name: clearable(fc.string()) })),
  }),
) as unknown as fc.Arbitrary<PushBody>

test('job rules: property: the same body over its own result is no change', () => {
  fc.assert(
    fc.property(body, body, (first, second) => {
      const stored = merge(merge(undefined, first), second)
      assert.deepEqual(changesBetween(stored, merge(stored, second)), { changed: [], previous: {} })
    }),
  )
})

test('job rules: property: absent fields keep their value, present ones get the given value', () => {
  fc.assert(
    fc.property(body, body, (first, second) => {
      const stored = merge(undefined, first)
      const next = merge(stored, second)
      if (second.department === undefined) assert.equal(next.department, stored.department)
      else assert.equal(next.department, second.department?.trim() ? second.department : null)
      if (second.content === undefined) assert.deepEqual(next.skills_required, stored.skills_required)
      if (second.compensation === null) assert.equal(next.salary_interval, null)
      else if (second.compensation) assert.notEqual(next.salary_interval, null)
      const { changed } = changesBetween(stored, next)
      for (const name of jobRecord.written) {
        const differs = JSON.stringify(stored[name]) !== JSON.stringify(next[name])
        assert.equal(changed.includes(pathOf(name)), differs, name)
      }
    }),
  )
})

test('job rules: every field has a public name of its own', () => {
  const paths = jobRecord.written.map(pathOf)
  assert.equal(new Set(paths).size, paths.length)
  assert.equal(pathOf('salary_equity'), 'compensation.equity')
  assert.equal(pathOf('salary_min'), 'compensation.salary_min')
  assert.equal(pathOf('source_canonical_url'), 'source.canonical_url')
  assert.equal(pathOf('benefits'), 'content.benefits')
})

test('job rules: previous_attributes hold no lists, no texts of the posting and nothing long', () => {
  const before: JobFields = {
    ...merge(undefined, { title: 'a', content: { summary: 'x' }, locations: ['y'] } as PushBody),
  }
  before.source_canonical_url = `https://${'x'.repeat(400)}`
  const next = merge(before, {
    title: 'b',
    content: null,
    locations: null,
    source: { canonical_url: null },
  } as unknown as PushBody)
  assert.deepEqual(changesBetween(before, next), {
    changed: ['title', 'locations', 'source.canonical_url', 'content.summary'],
    previous: { title: 'a' },
  })
})

const READY = { title: 'x', summary: 's', description_md: null, non_terminal_stages: 1, close_at_passed: false }

test('job rules: readiness: each of the four conditions by itself, and all at the same time', () => {
  const params = (over: object) => publishBlockers({ ...READY, ...over }).map(gap => gap.param)
  assert.deepEqual(params({}), [])
  assert.deepEqual(params({ summary: null, description_md: 'd' }), [])
  assert.deepEqual(params({ title: ' ' }), ['title'])
  assert.deepEqual(params({ summary: ' ' }), ['content'])
  assert.deepEqual(params({ non_terminal_stages: 0 }), ['pipeline_stages'])
  assert.deepEqual(params({ close_at_passed: true }), ['close_at'])
  assert.deepEqual(params({ title: '', summary: null, non_terminal_stages: 0, close_at_passed: true }), [
    'title',
    'content',
    'pipeline_stages',
    'close_at',
  ])
})

test('job rules: moves: from each status, either the move, nothing, or a refusal that names the status', () => {
  for (const move of Object.values(TRANSITIONS)) {
    for (const status of JOB_STATUSES) {
      const decide = () => checkTransition(move, { ...READY, id: 'job_1', status })
      if (status === move.to) assert.equal(decide(), false)
      else if (status === move.from) assert.equal(decide(), true)
      else assert.throws(decide, (error: unknown) => error instanceof ApiError && error.message.includes(status))
    }
  }
})

test('job rules: property: a partner system matches the pattern and is never one of the product', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('t', 'a', 'h', 'o', 'e', '_', '1', 'A', '-') }), name => {
      assert.equal(isPartnerSystem(name), /^[a-z0-9_]{2,40}$/.test(name) && !name.startsWith('tahoe'))
    }),
  )
})
