import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { startTestService, type TestService } from '../harness/service.ts'
import {
  applicationsOf,
  BEHIND_PROXY,
  DETAILS,
  newFormJob,
  newSite,
  openForm,
  person,
  type Site,
  sendForm,
} from './application-form.ts'

let service: TestService
let site: Site

before(async () => {
  service = await startTestService(BEHIND_PROXY)
  site = await newSite(service)
})

test('careers form: 303 to the page of thanks, and the application is there for partners', async () => {
  const job = await newFormJob(site, { fields: DETAILS })
  const token = await openForm(service, job)
  const sent = await sendForm(service, job, { token, ...person() })
  assert.deepEqual([sent.status, sent.location], [303, `${job.path}/done`])
  const [application] = await applicationsOf(site, job)
  assert.equal(application.source, 'public_board')
})
