import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shapes } from '../../src/app.ts'
import { guardedPaths, meteredPaths, reasonOf } from '../../src/kernel/http/shape.ts'

/** Written out by hand: removing a guard or a price is the change under review. */
const GUARDED: Record<string, Record<string, string>> = {
  application: { rejection_reason: 'scope_required:applications:internal:read' },
  application_answers: {},
  application_score: {
    rationale: 'scope_required:applications:internal:read',
    model_version: 'scope_required:applications:internal:read',
  },
  screening: {
    responses: 'never_exposed:consent_scope',
    transcript: 'never_exposed:consent_scope',
    audio: 'never_exposed:consent_scope',
  },
  stage_transition: {},
  note: {},
  scorecard: {},
  resume: { 'parsed.raw_text': 'scope_required:resume:raw_text:read' },
  resume_download: {},
  applicant: {},
  contact_info: { phones: 'scope_required:contact:phone:read' },
  upload: {},
}

const METERED: Record<string, string[]> = {
  resume: ['parsed.raw_text'],
  resume_download: ['url'],
  contact_info: ['emails.value', 'phones.value'],
}

for (const [name, guards] of Object.entries(GUARDED)) {
  test(`${name}: its guarded and metered fields`, () => {
    const shape = shapes.find(s => s.name === name)!
    const found = guardedPaths(shape.fields).map(({ path, guard }) => [path, reasonOf(guard)])
    assert.deepEqual(Object.fromEntries(found), guards)
    assert.deepEqual(meteredPaths(shape.fields), METERED[name] ?? [])
  })
}
