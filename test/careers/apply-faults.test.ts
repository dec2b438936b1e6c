import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import {
  BEHIND_PROXY,
  DETAILS,
  newFormJob,
  newSite,
  openForm,
  person,
  request,
  type Site,
  sendForm,
  tokenIn,
} from './application-form.ts'

let service: TestService
let site: Site

before(async () => {
  service = await startTestService(BEHIND_PROXY)
  site = await newSite(service)
})
after(() => clock.reset())

/** The entries of the list of faults above the form. */
const summaryOf = (html: string): string[] => {
  const [list = ''] = /<div class="error-summary"[\s\S]*?<\/ul>/.exec(html) ?? []
  return [...list.matchAll(/<a href="#[^"]*">([^<]*)<\/a>/g)].map(([, text]) => text!)
}

const FIELDS = [
  ...DETAILS,
  { label: 'Phone', type: 'phone', candidate_field: 'phone' },
  { label: 'Résumé', type: 'file', candidate_field: 'resume' },
  { label: 'Certificate', type: 'file' },
  { label: 'Reference', type: 'email' },
  { label: 'Phone of the reference', type: 'phone' },
  { label: 'I agree', type: 'consent', required: true },
  { label: 'I agree to more', type: 'consent', required: true },
] as const

for (const lang of ['en', 'de']) {
  test(`careers form (${lang}): every entry of the list of faults can be understood alone, and no two read the same`, async () => {
    const job = await newFormJob(site, { fields: FIELDS })
    const { ids } = job
    const empty = (name: string) => new File([''], name, { type: 'text/plain' })
    const values = {
      token: await openForm(service, job),
      ...person(),
      'candidate.email': 'no address',
      'candidate.phone': 'call me',
      resume_upload_id: empty('cv.txt'),
      [`files.${ids['Certificate']}`]: empty('certificate.txt'),
      [`answers.${ids['Reference']}`]: 'no address',
      [`answers.${ids['Phone of the reference']}`]: 'call her',
      // these consents are to an earlier version of the text
      [`consents.${ids['I agree']}`]: '7',
      [`consents.${ids['I agree to more']}`]: '7',
    }
    const { status, text } = await sendForm(service, { ...job, path: `${job.path}?lang=${lang}` }, values)
    assert.equal(status, 422)
    const entries = summaryOf(text)
    assert.equal(entries.length, 8, entries.join('\n'))
    assert.equal(new Set(entries).size, 8, entries.join('\n'))
    const [resume, own, , certificate, reference] = entries
    assert.match(own!, lang === 'en' ? /your email address/ : /Ihre E-Mail-Adresse/)
    assert.match(resume!, lang === 'en' ? /^“Résumé”: The file is empty/ : /^„Lebenslauf“: Die Datei ist leer/)
    for (const [entry, label] of [
      [certificate, 'Certificate'],
      [reference, 'Reference'],
    ] as const)
      assert.ok(entry!.includes(label), entry)
    for (const entry of entries.slice(-2)) assert.match(entry, /I agree/)
  })
}

test('careers form: what comes too fast without scripts shows every fault, and says of its file what is true', async () => {
  const own = await newSite(service)
  const job = await newFormJob(own, { fields: FIELDS })
  const values = {
    token: tokenIn((await request(service, job.path)).text),
    ...person(),
    'candidate.last_name': '',
    [`answers.${job.ids['Reference']}`]: 'no address',
    resume_upload_id: new File(['Skills: welding'], 'cv.txt', { type: 'text/plain' }),
  }
  const { status, text } = await sendForm(service, job, values)
  assert.equal(status, 422)
  assert.match(text, /That was very quick/)
  assert.deepEqual(summaryOf(text), [
    '“Résumé”: The file was not stored, because the form was not accepted yet. Choose it again.',
    'Enter your last name',
    '“Reference” must be an email address in the form name@example.com',
    'Tick the box to continue: “I agree”',
    'Tick the box to continue: “I agree to more”',
  ])
  const stored = await service.services.db.query(sql`select 1 from uploads where workspace_id = ${own.workspace}`)
  assert.deepEqual(stored, [])
})

test('page of thanks: names the job and the address that was typed, without scripts and for some minutes, and leads on', async () => {
  const job = await newFormJob(site, { title: 'Welder', fields: DETAILS })
  const values = { token: await openForm(service, job), ...person(), 'candidate.email': 'tpyo+x@applicants.example' }
  const { location } = await sendForm(service, job, values)
  const done = new URL(location!, service.origin)
  assert.equal(done.pathname, `${job.path}/done`)
  assert.ok(!location!.includes('tpyo'), 'the address is sealed')
  const { text } = await request(service, location!)
  assert.match(
    text,
    /Your application for “Welder” was sent\.[\s\S]*You gave this address: tpyo\+x@applicants\.example/,
  )
  assert.match(text, new RegExp(`<a class="button secondary" href="/careers/${site.slug}/applications">`))

  const other = await newFormJob(site, { fields: DETAILS })
  const shown = async (path: string) => /You gave this address/.test((await request(service, path)).text)
  assert.equal(await shown(`${other.path}/done${done.search}`), false, 'of another job')
  assert.equal(await shown(`${job.path}/done?to=x`), false)
  clock.advance(601_000)
  assert.equal(await shown(location!), false)
})
