import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw, sql } from '../../src/kernel/db/sql.ts'
import {
  addApplicant,
  editApplicant,
  fillMissingDetails,
  importApplicant,
  lockApplicantById,
} from '../../src/resources/applicants/index.ts'
import { applicantRecord } from '../../src/resources/applicants/shape.ts'
import { apply, newJob, readEvents, sharedWorld } from './setup.ts'

/** Every detail that the record declares as written, so that a new one is covered without a change here. */
const world = await sharedWorld()
const { service, workspace } = world
const { db } = service.services

const DETAILS = applicantRecord.written.filter(name => name !== 'external_refs')

let count = 0
/** A value for every detail, with blanks around it. */
function everyDetail(): Record<string, string> {
  const tag = `d${++count}`
  const exampleOf = (name: string) =>
    name === 'email'
      ? `${tag}@example.org`
      : name === 'linkedin_url'
        ? `https://www.linkedin.com/in/${tag}`
        : name.endsWith('_url')
          ? `https://${tag}.example/${name}`
          : `${name} ${tag}`
  return Object.fromEntries(DETAILS.map(name => [name, ` ${exampleOf(name)} `]))
}

const trimmed = (details: Record<string, string>) =>
  Object.fromEntries(Object.entries(details).map(([name, value]) => [name, value.trim()]))

const storedDetails = async (id: string) =>
  (await db.one(sql<Record<string, unknown>>`
    select ${raw(DETAILS.join(', '))} from applicants where workspace_id = ${workspace} and id = ${id}`))!

const PROVENANCE = {
  origin: 'applicant',
  acquisition: 'inbound_application',
  provider: null,
  consentBasis: 'candidate_submitted',
} as const

const add = (person: Record<string, string> = {}) =>
  db.transaction(tx => addApplicant(tx, workspace, person, PROVENANCE, null))

const lastUpdate = async () =>
  (await readEvents(world, workspace)).filter(event => event.type === 'applicant.updated').at(-1)!

/** Partners know the parts of a name only as full_name, and an address and a phone number as contact_info. */
const HIDDEN = ['first_name', 'last_name', 'email', 'phone']
const NAMES = ['full_name', 'contact_info', ...DETAILS.filter(name => !HIDDEN.includes(name))]

test('applicant details: a new applicant has every detail that was given, trimmed', async () => {
  const given = everyDetail()
  assert.deepEqual(await storedDetails(await add(given)), trimmed(given))
})

test('applicant details: an edit stores each, and applicant.updated names them in order, without their values', async () => {
  const id = await add()
  const given = everyDetail()
  const edit = (details: object) => db.transaction(tx => editApplicant(tx, workspace, id, details, null))
  assert.deepEqual(await edit(given), NAMES)
  assert.deepEqual(await storedDetails(id), trimmed(given))
  const { data } = await lastUpdate()
  assert.deepEqual([data.object['changed'], 'previous_attributes' in data], [NAMES, false])

  assert.deepEqual(await edit({}), [])
  for (const name of DETAILS) {
    await edit({ [name]: null })
    assert.equal((await storedDetails(id))[name], null, name)
  }
})

test('applicant details: an application fills each that is missing and replaces none', async () => {
  const fill = (id: string, details: object) =>
    db.transaction(async tx => {
      const existing = (await tx.one(lockApplicantById(workspace, id)))!
      await fillMissingDetails(tx, workspace, existing, details, null)
    })
  const given = everyDetail()
  const id = await add()
  await fill(id, given)
  assert.deepEqual(await storedDetails(id), trimmed(given))
  await fill(id, everyDetail())
  assert.deepEqual(await storedDetails(id), trimmed(given))
})

test('applicant details: an import replaces each that it sends, and only those', async () => {
  const ref = { system: 'acme', type: null, id: 'p-1', connection_id: null, link_origin: null, last_synced_at: null }
  const receive = (details: object) => db.transaction(tx => importApplicant(tx, workspace, ref, details))
  const first = everyDetail()
  const id = await receive(first)
  const second = everyDetail()
  assert.equal(await receive(second), id)
  assert.deepEqual(await storedDetails(id), trimmed(second))

  const before = (await readEvents(world, workspace)).length
  assert.equal(await receive(Object.fromEntries(DETAILS.map(name => [name, null]))), id)
  assert.equal(await receive({}), id)
  assert.deepEqual(await storedDetails(id), trimmed(second))
  assert.equal((await readEvents(world, workspace)).length, before, 'the same reference is no change')
})

test('applicant.updated: names only fields and links of an applicant, also where a phone number was added', async () => {
  const email = 'known.person@example.org'
  const first = await apply(world, {}, { email })
  const second = { ...world, job: await newJob(service, workspace) }
  await apply(second, {}, { email, phone: '+49 30 123456', linkedin_url: 'https://www.linkedin.com/in/known-person' })
  const { data } = await lastUpdate()
  assert.deepEqual(data.object['changed'], ['contact_info', 'linkedin_url'])
  const narrow = await service.key({ workspace, scopes: ['applicants:read'] })
  const { body } = await service.get(`/applicants/${first.applicant_id}`, narrow)
  const known = [...Object.keys(body), ...Object.keys(body.links)]
  for (const name of data.object['changed'] as string[]) assert.ok(known.includes(name), name)
})
