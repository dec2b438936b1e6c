import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseProfile } from '../../packages/resume-parser/src/index.ts'
import { TODAY } from '../../packages/resume-parser/test/resume-files.ts'
import { parseNext } from '../../src/resources/applications/index.ts'
import { apply, startWorld, upload } from './setup.ts'

const world = await startWorld()
const { service, key } = world
const { db, blobs, log } = service.services

/** The profile that the service serves for a text. */
async function served(text: string) {
  const app = await apply(world, { resume_upload_id: await upload(world, Buffer.from(text)) })
  while (await parseNext(db, blobs, log));
  const read = await service.get(`/applications/${app.id}/resume`, key)
  assert.equal(read.status, 200)
  return read.body.parsed
}

test('GET /applications/{h}/resume: an employer before a year is read whole, and not as a month', async () => {
  const parsed = await served(
    'Ada Byron\n\nExperience\nEngineer, Blue Ocean, 2019 - present\nSenior Engineer, Decathlon, 2017 - 2019\n',
  )
  assert.equal(parsed.current_company, 'Blue Ocean')
  assert.equal(parsed.current_title, 'Engineer')
  assert.equal(Math.floor(parsed.total_years_experience), new Date().getUTCFullYear() - 2017)
  assert.equal(parseProfile('Experience\nAnalyst, Mars, 2019 - 2021', TODAY).current_company, 'Mars')
})

test('GET /applications/{h}/resume: work_authorization is the text of its section, and no skill', async () => {
  const parsed = await served(
    'Ada Byron\n\nSKILLS\nPython, C++\n\nWORK AUTHORIZATION\nNeeds visa sponsorship\n\nEXPERIENCE\nEngineer, Visa, 2019 - 2021\n',
  )
  assert.deepEqual(parsed.skills, ['Python', 'C++'])
  assert.equal(parsed.work_authorization, 'Needs visa sponsorship')
  assert.equal(parsed.visa_required, true)
})
