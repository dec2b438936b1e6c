import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { shapes } from '../../src/app.ts'
import { ERROR_CODES } from '../../src/contract/errors.ts'
import { guardedPaths, meteredPaths, reasonOf } from '../../src/kernel/http/shape.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The text of every test but the pins: what they name, they provoke. */
const tests = ['src', 'test']
  .flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)),
  )
  .filter(file => file.endsWith('.test.ts') && !file.startsWith('test/contract'))
  .map(file => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n')

/** Codes of endpoints that this version does not have yet. The list only ever gets shorter. */
const NOT_YET = new Set<string>([
  'answer_field_not_accepted',
  'answer_field_reserved',
  'applicant_suppressed',
  'applicant_unsubscribed',
  'application_conflict',
  'application_modified_concurrently',
  'candidate_consent_required',
  'delivery_failed',
  'duplicate_answer_field',
  'event_type_not_permitted',
  'invalid_answer_value',
  'invalid_application_state',
  'invalid_event_type',
  'invalid_job_transition',
  'invalid_stage',
  'job_modified_concurrently',
  'job_not_accepting_applications',
  'job_not_publishable',
  'message_quota_exceeded',
  'missing_required_answers',
  'not_an_identity',
  'pool_search_unavailable',
  'recipient_unsubscribed',
  'resume_locked',
  'resume_rejected',
  'sender_email_missing',
  'stale_resource',
  'suppression_check_unavailable',
  'too_many_pending_uploads',
  'unknown_answer_field',
  'unknown_event_type',
  'unpublished_requires_opt_in',
  'unsupported_source_system',
  'upload_not_completed',
  'upload_not_found',
  'webhook_endpoint_disabled',
  'webhook_endpoint_exists',
  'webhook_endpoint_limit_reached',
  'webhook_url_not_allowed',
  'webhooks_self_serve_disabled',
])

test('every error code is provoked by a test', () => {
  const silent = ERROR_CODES.filter(code => !new RegExp(`\\b${code}\\b`).test(tests))
  assert.deepEqual(silent.toSorted(), [...NOT_YET].toSorted())
})

/** What may leave only with a scope, or costs units. Removing a line here is a change of what is protected. */
const GUARDED: string[] = []
const METERED: string[] = []

test('guarded and metered fields are exactly these', () => {
  const guarded = shapes.flatMap(s => guardedPaths(s.fields).map(g => `${s.name}.${g.path} ${reasonOf(g.guard)}`))
  const metered = shapes.flatMap(s => meteredPaths(s.fields).map(path => `${s.name}.${path}`))
  assert.deepEqual([...new Set(guarded)].toSorted(), GUARDED)
  assert.deepEqual([...new Set(metered)].toSorted(), METERED)
})
