import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { shapes } from '../../src/app.ts'
import { guardedPaths, guardReason, meteredPaths } from '../../src/kernel/http/shape.ts'

/** What may leave only with a scope, or costs units. Removing a line here is a change of what is protected. */
const GUARDED = [
  'applicant.included.applications scope_required:applications:read',
  'application.included.applicant scope_required:applicants:read',
  'application.included.job scope_required:jobs:read',
  'application.included.orders scope_required:orders:read',
  'application.included.score scope_required:applications:read',
  'application.included.stage scope_required:jobs:read',
  'application.rejection_reason scope_required:applications:internal:read',
  'application.start_date scope_required:applications:internal:read',
  'application.withdrawal_reason scope_required:applications:internal:read',
  'application_score.model_version scope_required:applications:internal:read',
  'application_score.rationale scope_required:applications:internal:read',
  'contact_info.phones scope_required:contact:phone:read',
  'interview.meeting_url scope_required:applications:internal:read',
  'interview.place scope_required:applications:internal:read',
  'interview.title scope_required:applications:internal:read',
  'job.included.pipeline_stages scope_required:jobs:read',
  'job.prescreen_questions scope_required:jobs:screening:read',
  'job.voice_screening.dial_in_code scope_required:jobs:screening:read',
  'list_membership.included.sourced_profile scope_required:sourced_profiles:read',
  'order.candidate_url scope_required:orders:write',
  'order.included.applicant scope_required:applicants:read',
  'order.included.application scope_required:applications:read',
  'order.included.job scope_required:jobs:read',
  'order.result scope_required:orders:results:read',
  'person.identity.value scope_required:contact:read',
  'resume.parsed.raw_text scope_required:resume:raw_text:read',
  'screening.audio never_exposed:consent_scope',
  'screening.responses never_exposed:consent_scope',
  'screening.transcript never_exposed:consent_scope',
]
const METERED = [
  'contact_info.emails.value',
  'contact_info.phones.value',
  'order_candidate.email',
  'order_candidate.phone',
  'person.identity.value',
  'resume.parsed.raw_text',
  'resume_download.url',
]

test('contract: guarded and metered fields are exactly these', () => {
  const guarded = shapes.flatMap(s => guardedPaths(s.fields).map(g => `${s.name}.${g.path} ${guardReason(g.guard)}`))
  const metered = shapes.flatMap(s => meteredPaths(s.fields).map(path => `${s.name}.${path}`))
  assert.deepEqual([...new Set(guarded)].toSorted(), GUARDED)
  assert.deepEqual([...new Set(metered)].toSorted(), METERED)
})

/** Consents, equal-opportunity and pre-screen answers, and files that only the candidate sends and reads. */
const READERS = {
  application_private_answers: [
    'src/kernel/citus/placement.ts', // names of tables alone
    'src/resources/applications/store.ts',
    'src/resources/applications/pending-store.ts', // a form that its person chose replaces them
    'src/resources/erasures/',
    'src/resources/candidates/',
  ],
  pending_submissions: [
    'src/kernel/citus/placement.ts', // names of tables alone
    'src/resources/applications/pending-store.ts',
    'src/careers/candidate/data-page.ts', // what the candidate's own download has
    'src/resources/applications/store.ts', // files that go with an application
    'src/resources/backups/store.ts', // names of files alone
    'src/resources/erasures/',
    'src/resources/candidates/',
  ],
  // the pages of the team also show them, metered: applications/answer-file-routes.ts
  application_files: [
    'src/kernel/citus/placement.ts', // names of tables alone
    'src/resources/applications/store.ts',
    'src/resources/applications/files-store.ts',
    'src/resources/applications/pending-store.ts', // a form that its person chose replaces them
    'src/resources/backups/store.ts', // names of files alone
    'src/resources/erasures/',
    'src/resources/candidates/',
  ],
}

test('contract: what only candidates give is read by their own pages and by erasures, and by no other code', () => {
  const src = join(import.meta.dirname, '../../src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'))
  for (const [table, readers] of Object.entries(READERS)) {
    const users = files
      .map(name => `src/${name}`)
      .filter(path => readFileSync(join(src, '..', path), 'utf8').includes(table))
    assert.ok(users.length > 0)
    assert.deepEqual(
      users.filter(path => !readers.some(reader => path.startsWith(reader))),
      [],
      table,
    )
  }
  const shown = shapes.flatMap(shape => Object.keys(shape.fields))
  for (const column of ['equal_opportunity', 'consents', 'prescreen', 'screening_phone'])
    assert.ok(!shown.includes(column))
  const selects = readFileSync(join(src, 'resources/applications/store.ts'), 'utf8')
  assert.doesNotMatch(selects, /select (?!(\$\{workspace\}, )?blob_key)[^;`]*from application_(private_answers|files)/)
})
