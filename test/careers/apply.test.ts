import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { de } from '../../src/careers/texts/de.ts'
import { en } from '../../src/careers/texts/en.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { editJob, moveJob, readPublicForm, setForm } from '../../src/resources/jobs/index.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import {
  BEHIND_PROXY,
  DETAILS,
  EVERY_TYPE,
  type FormJob,
  newFormJob,
  newSite,
  openForm,
  pathTo,
  person,
  QUESTIONS,
  readApplications,
  request,
  type Site,
  sendForm,
  type Values,
} from './application-form.ts'

let service: TestService
let site: Site

before(async () => {
  service = await startTestService(BEHIND_PROXY)
  site = await newSite(service)
})

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PDF = new Blob(['%PDF-1.4 of a résumé'])
const resume = (name = 'Lebenslauf Müller.pdf') => new File([PDF], name, { type: 'application/pdf' })

/** A complete answer to the form with every type. */
function complete({ ids }: FormJob): Values {
  const id = (label: string) => ids[label]!
  return {
    ...person(),
    'candidate.phone': '030/1234567',
    'candidate.linkedin_url': 'www.linkedin.com/in/zora-applicant',
    resume_upload_id: resume(),
    [`answers.${id('Why this job')}`]: 'I like robots.\r\nA great deal.',
    [`answers.${id('Favourite tool')}`]: ' Vise ',
    [`answers.${id('Level')}`]: 'Junior',
    [`answers.${id('Office')}`]: 'Lübeck',
    [`answers.${id('Languages')}`]: ['German', 'Danish'],
    [`answers.${id('Years of experience')}`]: '3,5',
    [`answers.${id('Earliest start')}`]: '2026-12-31',
    [`answers.${id('Website')}`]: 'robots.example/zora',
    [`answers.${id('Second email')}`]: 'second@applicants.example',
    [`answers.${id('Second phone')}`]: '+49 30 7654321',
    [`files.${id('Certificate')}`]: new File([PNG], 'certificate.png', { type: 'image/png' }),
    [`answers.${id('Do you need a work permit?')}`]: 'false',
    // hidden, and sent by a browser without scripts
    [`answers.${id('Which permit do you have?')}`]: 'Blue card',
    [`answers.${id('Size of your team')}`]: '',
    [`equal_opportunity.${id('Gender')}`]: 'Woman',
    [`equal_opportunity.${id('Disability')}`]: '',
    [`consents.${id('I agree to the processing of my data')}`]: '1',
    [`prescreen.${id('Can you work shifts?')}`]: 'true',
    [`prescreen.${id('Notice period in weeks')}`]: '4',
    [`prescreen.${id('Which robots do you know?')}`]: ['Arms'],
    [`prescreen.${id('Preferred shift')}`]: 'Early',
    [`prescreen.${id('What should we ask you?')}`]: '',
    screening_phone: '+49 30 1112223',
  }
}

const faultsIn = (text: string): string[] => {
  const [, summary = ''] = /class="error-summary"[^>]*>(.*?)<\/div>/s.exec(text) ?? []
  return [...summary.matchAll(/<a href="#q\d+">(.*?)<\/a>/g)].map(([, fault]) =>
    fault!.replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
  )
}

/** The value of a text input in a page. */
const valueIn = (text: string, name: string): string | undefined =>
  new RegExp(`name="${name.replaceAll('.', '\\.')}"[^>]* value="([^"]*)"`).exec(text)?.[1]

test('careers form: every type of question is asked with its label, type, hint and condition', async () => {
  const job = await newFormJob(site, { fields: EVERY_TYPE, questions: QUESTIONS })
  const { status, text, headers } = await request(service, job.path)
  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('vary'), 'Accept-Language, Accept-Encoding')
  assert.match(text, /<meta name="robots" content="noindex">/)
  assert.ok(headers.get('content-security-policy')!.includes(`connect-src 'self' ${service.origin};`))
  const tag = (name: string) =>
    new RegExp(`<(?:input|select|textarea)[^>]* name="${name.replaceAll('.', '\\.')}"[^>]*>`).exec(text)![0]
  const answer = (label: string) => tag(`answers.${job.ids[label]}`)
  assert.match(tag('candidate.first_name'), /autocomplete="given-name" required/)
  assert.match(tag('candidate.last_name'), /autocomplete="family-name"/)
  assert.match(tag('candidate.email'), /type="email".*inputmode="email".*autocomplete="email"/)
  assert.match(tag('candidate.phone'), /type="tel".*autocomplete="tel"/)
  assert.match(tag('candidate.linkedin_url'), /type="url"/)
  assert.match(tag('resume_upload_id'), /type="file".*accept="application\/pdf,[^"]*\.docx/)
  assert.match(answer('Why this job'), /<textarea .*required aria-describedby="q\d+-hint q\d+-count"/)
  assert.match(answer('Level'), /type="radio"/)
  assert.match(answer('Office'), /<select/)
  assert.match(answer('Languages'), /type="checkbox"/)
  assert.match(answer('Years of experience'), /inputmode="decimal"/)
  assert.match(answer('Earliest start'), /type="date"/)
  assert.match(answer('Do you need a work permit?'), /type="radio"/)
  assert.match(tag(`files.${job.ids['Certificate']}`), /accept="[^"]*image\/png/)
  assert.match(tag(`consents.${job.ids['I agree to the processing of my data']}`), /type="checkbox".*value="1"/)
  assert.match(text, /Only if you answered “Yes” to “Do you need a work permit\?”/)
  assert.match(text, /<h2>Leading people<\/h2>\s*<p class="hint condition">Only if you answered “Senior” to “Level”/)
  // apart from everything else, and after it
  const eeo = text.indexOf('<h2>Equal opportunities</h2>')
  assert.ok(eeo > text.indexOf('<h2>A few questions</h2>') && eeo < text.indexOf('name="equal_opportunity.'))
  assert.match(text, /never shown to the people who decide/)
  // each input that is seen has a label, each group a legend
  for (const [, id] of text.matchAll(/<(?:input|select|textarea) id="(q\d+)"/g))
    assert.ok(text.includes(`<label for="${id}">`), id)
  assert.equal(text.match(/<fieldset/g)!.length, text.match(/<legend>/g)!.length)
  assert.ok(!/ style=|<script>|onclick/.test(text))
})

test('careers form: 303 after every type of question; the API shows what partners may read, with its provenance', async () => {
  const job = await newFormJob(site, { fields: EVERY_TYPE, questions: QUESTIONS })
  const { db, blobs } = service.services
  const token = await openForm(service, job)
  const sent = await sendForm(service, job, { token, ...complete(job) })
  assert.deepEqual([sent.status, pathTo(sent), faultsIn(sent.text)], [303, `${job.path}/done`, []])
  const [application] = await readApplications(site, job)
  assert.deepEqual(
    [application.source, application.status, application.has_resume, application.voice_screening_opted_out],
    ['public_board', 'new', true, false],
  )
  const { body: answers } = await service.get(`/applications/${application.id}/answers`, site.key)
  const expected = {
    'Why this job': 'I like robots.\nA great deal.',
    'Favourite tool': 'Vise',
    Level: 'Junior',
    Office: 'Lübeck',
    Languages: ['German', 'Danish'],
    'Years of experience': '3.5',
    'Earliest start': '2026-12-31',
    Website: 'https://robots.example/zora',
    'Second email': 'second@applicants.example',
    'Second phone': '+49 30 7654321',
    'Do you need a work permit?': false,
  }
  assert.deepEqual(
    answers.answers,
    Object.fromEntries(Object.entries(expected).map(([label, value]) => [job.ids[label], value])),
  )
  const { body: applicant } = await service.get(`/applicants/${application.applicant_id}`, site.key)
  assert.equal(applicant.linkedin_url, 'https://www.linkedin.com/in/zora-applicant')
  assert.deepEqual(
    [applicant.provenance.acquisition, applicant.provenance.consent.basis],
    ['inbound_application', 'candidate_submitted'],
  )
  const { body: contact } = await service.get(`/applicants/${application.applicant_id}/contact-info`, site.key)
  assert.equal(contact.phones[0].value, '030 1234567')

  const stored = (await db.one(sql<{ consents: object; equal_opportunity: object; prescreen: object; files: object }>`
    select consents, equal_opportunity, prescreen, (select jsonb_object_agg(field_id, filename) from application_files f
      where f.workspace_id = p.workspace_id and f.application_id = p.application_id) as files
    from application_private_answers p where workspace_id = ${site.workspace} and application_id = ${application.id}`))!
  const consent = job.ids['I agree to the processing of my data']!
  assert.deepEqual(Object.keys(stored.consents), [consent])
  const { at, ...agreed } = (stored.consents as Record<string, Record<string, unknown>>)[consent]!
  assert.ok(at)
  assert.deepEqual(agreed, {
    accepted: true,
    version: 1,
    language: 'en',
    label: 'I agree to the processing of my data',
    help_text: 'We store your application for six months after the decision.',
  })
  assert.deepEqual(stored.equal_opportunity, { [job.ids['Gender']!]: 'Woman' })
  const screened = (question: string, type: string, answer: unknown) => ({
    [job.ids[question]!]: { question, type, answer },
  })
  assert.deepEqual(stored.prescreen, {
    ...screened('Can you work shifts?', 'boolean', true),
    ...screened('Notice period in weeks', 'number', '4'),
    ...screened('Which robots do you know?', 'multi_choice', ['Arms']),
    ...screened('Preferred shift', 'choice', 'Early'),
  })
  assert.deepEqual(stored.files, { [job.ids['Certificate']!]: 'certificate.png' })
  const file = (await db.one(sql<{ filename: string; blob_key: string }>`
    select filename, blob_key from resumes where workspace_id = ${site.workspace} and application_id = ${application.id}`))!
  assert.equal(file.filename, 'Lebenslauf Müller.pdf')
  assert.equal((await blobs.stat(file.blob_key))!.bytes, PDF.size)

  await sequenceBatch(db)
  const { body: events } = await service.get('/events?limit=100', site.key)
  const event = events.data.find((each: { data: { object: { id: string } } }) => each.data.object.id === application.id)
  assert.equal(event.data.object.origin, undefined)
  const mails = await db.query(sql<{ kind: string; language: string; application_id: string }>`
    select kind, language, application_id from candidate_mails where workspace_id = ${site.workspace}
      and application_id = ${application.id}`)
  assert.deepEqual(mails, [{ kind: 'confirmation', language: 'en', application_id: application.id }])
})

test('careers form: applying costs nothing of the budget for personal data', async () => {
  const other = await newSite(service, 'Budget AG')
  const job = await newFormJob(other, { fields: DETAILS })
  const spent = () =>
    service.services.db.one(sql<{ units: number }>`
      select coalesce(sum(units), 0)::integer as units from personal_data_reads where workspace_id = ${other.workspace}`)
  await sendForm(service, job, { token: await openForm(service, job), ...person() })
  assert.equal((await readApplications(other, job)).length, 1)
  assert.deepEqual(await spent(), { units: 0 })
})

test('careers form: 422 with every fault, what was typed and the files that arrived; sent again with them it succeeds', async () => {
  const job = await newFormJob(site, { fields: EVERY_TYPE, questions: QUESTIONS })
  const id = (label: string) => job.ids[label]!
  const wrong: Values = {
    token: await openForm(service, job),
    ...complete(job),
    'candidate.first_name': ' ',
    'candidate.email': 'zora@@applicants',
    'candidate.phone': 'call me',
    'candidate.linkedin_url': 'https://elsewhere.example/in/zora',
    [`answers.${id('Why this job')}`]: 'x'.repeat(201),
    [`answers.${id('Favourite tool')}`]: '<b>"Vise"</b>',
    [`answers.${id('Level')}`]: 'Senior',
    [`answers.${id('Office')}`]: 'Paris',
    [`answers.${id('Years of experience')}`]: 'many',
    [`answers.${id('Earliest start')}`]: 'soon',
    [`answers.${id('Website')}`]: 'my site',
    [`answers.${id('Do you need a work permit?')}`]: 'true',
    [`answers.${id('Which permit do you have?')}`]: ' ',
    [`consents.${id('I agree to the processing of my data')}`]: [],
    [`prescreen.${id('Can you work shifts?')}`]: [],
    [`prescreen.${id('Notice period in weeks')}`]: 'four',
    screening_phone: 'no',
  }
  const back = await sendForm(service, job, wrong)
  assert.equal(back.status, 422)
  assert.match(back.text, /<title>Error: Apply: Test engineer/)
  assert.deepEqual(faultsIn(back.text), [
    'Enter your first name',
    'Enter your email address in the form name@example.com',
    'Enter your phone number with digits, spaces and + ( ) . - only',
    'Enter the address of a LinkedIn profile, such as https://www.linkedin.com/in/your-name',
    '“Why this job” must have at most 200 characters',
    '“Office”: choose from the answers that are offered',
    '“Years of experience” must be a number, such as 12, 3.5 or 60,000',
    '“Earliest start” must be a date, such as 2026-11-30',
    '“Website” must be a web address that begins with https://',
    '“Which permit do you have?” needs an answer',
    '“Size of your team” needs an answer',
    '“Can you work shifts?” needs an answer',
    '“Notice period in weeks” must be a number, such as 12, 3.5 or 60,000',
    '“Number to call” must be a phone number with digits, spaces and + ( ) . - only',
    'Tick the box to continue: “I agree to the processing of my data”',
  ])
  assert.equal(valueIn(back.text, 'candidate.last_name'), wrong['candidate.last_name'])
  assert.equal(valueIn(back.text, `answers.${id('Favourite tool')}`), '&lt;b&gt;&quot;Vise&quot;&lt;/b&gt;')
  assert.match(back.text, /value="Danish" checked/)
  assert.match(back.text, /<span class="file-name">Lebenslauf Müller\.pdf<\/span>/)
  assert.match(back.text, /<span class="file-name">certificate\.png<\/span>/)
  assert.match(back.text, /aria-describedby="q\d+-fault" aria-invalid="true"/)
  assert.deepEqual(await readApplications(site, job), [])

  const ticket = (name: string) => valueIn(back.text, `ticket.${name}`)!
  const good = {
    token: /name="token" value="([^"]+)"/.exec(back.text)![1]!,
    ...complete(job),
    resume_upload_id: new File([], ''),
    [`files.${id('Certificate')}`]: new File([], ''),
    'ticket.resume_upload_id': ticket('resume_upload_id'),
    [`ticket.files.${id('Certificate')}`]: ticket(`files.${id('Certificate')}`),
  }
  await openForm(service, job)
  const sent = await sendForm(service, job, good)
  assert.deepEqual([sent.status, faultsIn(sent.text)], [303, []])
  const [application] = await readApplications(site, job)
  assert.equal(application.has_resume, true)
})

test('careers form: a text of consent that changed since it was shown is asked for again, not ticked', async () => {
  const fields = [...DETAILS, { label: 'I agree', type: 'consent' as const, required: true, help_text: 'For a year.' }]
  const job = await newFormJob(site, { fields })
  const { db } = service.services
  const consent = `consents.${job.ids['I agree']}`
  const token = await openForm(service, job)
  const stored = (await readPublicForm(db, site.workspace, { id: job.id }))!
  await db.transaction(tx =>
    setForm(
      tx,
      site.workspace,
      job.id,
      fields.map((field, i) => ({
        ...field,
        id: stored.fields[i]!.id,
        ...(field.label === 'I agree' ? { help_text: 'For ten years.' } : {}),
      })),
    ),
  )
  const values = { token, ...person(), [consent]: '1' }
  const back = await sendForm(service, job, values)
  assert.equal(back.status, 422)
  assert.deepEqual(faultsIn(back.text), [
    '“I agree”: the text has changed. Please read it again, and tick the box if you agree.',
  ])
  const box = new RegExp(`<input[^>]*name="${consent}"[^>]*>`).exec(back.text)![0]
  assert.match(box, /value="2"/)
  assert.ok(!box.includes('checked'))
  assert.equal((await sendForm(service, job, { ...values, [consent]: '2' })).status, 303)
})

test('careers form: a résumé can be pasted as text, and is stored as a file', async () => {
  const job = await newFormJob(site, {
    fields: [...DETAILS, { label: 'Résumé', type: 'file', required: true, candidate_field: 'resume' }],
  })
  const typed = { ...person(), resume_text: 'Zora Applicant\nBuilds robots' }
  const back = await sendForm(service, job, { token: await openForm(service, job), ...typed, 'candidate.email': '' })
  assert.equal(back.status, 422)
  assert.match(back.text, /<details open>.*Zora Applicant\nBuilds robots<\/textarea>/s)
  assert.equal(valueIn(back.text, 'ticket.resume_upload_id'), '')
  assert.equal((await sendForm(service, job, { token: await openForm(service, job), ...typed })).status, 303)
  const [application] = await readApplications(site, job)
  const file = await service.services.db.one(sql<{ filename: string; mime: string; bytes: number }>`
    select filename, mime, bytes from resumes where workspace_id = ${site.workspace} and application_id = ${application.id}`)
  assert.deepEqual(file, { filename: 'resume.txt', mime: 'text/plain', bytes: 28 })
})

test('careers form: 422 at the question for a file that is too large, empty or of another type', async () => {
  const job = await newFormJob(site, {
    fields: [...DETAILS, { label: 'Résumé', type: 'file', candidate_field: 'resume' }],
  })
  const tried = async (file: File) =>
    faultsIn(
      (await sendForm(service, job, { token: await openForm(service, job), ...person(), resume_upload_id: file })).text,
    )
  const large = new File([new Uint8Array(5_242_881)], 'large.pdf', { type: 'application/pdf' })
  assert.deepEqual(await tried(large), ['“Résumé”: The file is larger than 5 MB. Choose a smaller one.'])
  assert.deepEqual(await tried(new File([], 'empty.pdf', { type: 'application/pdf' })), [
    '“Résumé”: The file is empty. Choose another one.',
  ])
  assert.deepEqual(await tried(new File(['x'], 'program.exe', { type: 'application/x-msdownload' })), [
    '“Résumé”: Files of this type are not accepted here. Choose a PDF, for example.',
  ])
  assert.deepEqual(await readApplications(site, job), [])
  // the largest file that is allowed, of a type that only its name shows
  const most = new File(['PK\x03\x04', new Uint8Array(5_242_876)], 'just.docx', { type: 'application/octet-stream' })
  assert.deepEqual(await tried(most), [])
  assert.equal((await readApplications(site, job)).length, 1)
})

test('careers form: the opt-out of the phone pre-screen is stored, and the number to call is not', async () => {
  const job = await newFormJob(site, { fields: DETAILS, questions: QUESTIONS.slice(1, 2) })
  const sent = await sendForm(service, job, {
    token: await openForm(service, job),
    ...person(),
    voice_screening_opted_out: 'true',
    screening_phone: '+49 30 1112223',
  })
  assert.equal(sent.status, 303)
  const stored = await service.services.db.query(sql`
    select voice_screening_opted_out, screening_phone from applications
    where workspace_id = ${site.workspace} and job_id = ${job.id}`)
  assert.deepEqual(stored, [{ voice_screening_opted_out: true, screening_phone: null }])
})

test('careers form: closed while it was open: 409 with what was typed to copy, and other jobs', async () => {
  const job = await newFormJob(site, { fields: EVERY_TYPE, questions: QUESTIONS })
  const token = await openForm(service, job)
  const { db } = service.services
  await db.transaction(tx => moveJob(tx, site.workspace, job.id, 'close'))
  const sent = await sendForm(service, job, { token, ...complete(job) })
  assert.equal(sent.status, 409)
  assert.match(sent.text, /<h1>This job no longer accepts applications<\/h1>/)
  assert.match(sent.text, /<textarea[^>]* readonly>.*Why this job\nI like robots\.\nA great deal\./s)
  assert.ok(!sent.text.includes('Woman'))
  assert.match(sent.text, new RegExp(`href="/careers/${site.slug}"`))
  assert.deepEqual(await readApplications(site, job), [])
  const opened = await request(service, job.path)
  assert.deepEqual([opened.status, opened.location], [303, job.path.replace('/apply', '')])
})

test('careers form: applications elsewhere since it was opened: 409 with what was typed to copy, and the way there', async () => {
  const job = await newFormJob(site, { fields: EVERY_TYPE, questions: QUESTIONS })
  const token = await openForm(service, job)
  await service.services.db.query(sql`
    update jobs set external_apply_url = 'https://ats.example/apply' where workspace_id = ${site.workspace} and id = ${job.id}`)
  const sent = await sendForm(service, job, { token, ...complete(job) })
  assert.equal(sent.status, 409)
  assert.match(sent.text, /<h1>This job now takes applications on another website<\/h1>/)
  assert.match(
    sent.text,
    /<a class="button" href="https:\/\/ats\.example\/apply" rel="noopener">Apply at ats\.example<\/a>/,
  )
  assert.match(sent.text, /<textarea[^>]* readonly>.*Why this job\nI like robots\.\nA great deal\./s)
  assert.deepEqual(await readApplications(site, job), [])
})

test('careers form: a job past its close_at is closed before the worker comes, on the page and in the API', async () => {
  const job = await newFormJob(site, { fields: DETAILS })
  const token = await openForm(service, job)
  await service.services.db.query(sql`
    update jobs set close_at = app_now() - interval '1 second' where workspace_id = ${site.workspace} and id = ${job.id}`)
  const opened = await request(service, job.path)
  assert.deepEqual([opened.status, opened.location], [303, job.path.replace('/apply', '')])
  const sent = await sendForm(service, job, { token, ...person() })
  assert.equal(sent.status, 409)
  assert.match(sent.text, /<h1>This job no longer accepts applications<\/h1>/)
  const { status, body } = await service.post('/applications', site.key, {
    job_id: job.id,
    source: { system: 'acme_ats' },
    candidate: { first_name: 'Zora', last_name: 'Late', email: 'late@applicants.example' },
  })
  assert.deepEqual([status, body.detail.code], [409, 'job_not_accepting_applications'])
  assert.deepEqual(await readApplications(site, job), [])
})

test('careers form: 422 for an email address or phone number that is none, and for a pre-screen text with its own limit', async () => {
  const job = await newFormJob(site, {
    fields: [...DETAILS, { label: 'Second email', type: 'email' }, { label: 'Second phone', type: 'phone' }],
    questions: QUESTIONS.filter(({ answer_type }) => answer_type === 'text'),
  })
  const ask = `prescreen.${job.ids['What should we ask you?']}`
  const values = { token: await openForm(service, job), ...person() }
  const back = await sendForm(service, job, {
    ...values,
    [`answers.${job.ids['Second email']}`]: 'notanemail',
    [`answers.${job.ids['Second phone']}`]: 'abc',
    [ask]: 'x'.repeat(5_001),
  })
  assert.equal(back.status, 422)
  assert.deepEqual(faultsIn(back.text), [
    en.apply.badEmailOf('Second email'),
    en.apply.badPhoneOf('Second phone'),
    en.apply.tooLong('What should we ask you?', 5_000),
  ])
  assert.ok(back.text.includes('data-most="5000"'))
  assert.equal((await sendForm(service, job, { ...values, [ask]: 'x'.repeat(5_000) })).status, 303)
})

test('careers form: a job that takes no applications leads to its page, one with another form there; drafts are 404', async () => {
  const { db } = service.services
  const job = await newFormJob(site, { fields: DETAILS })
  const token = await openForm(service, job)
  await db.transaction(tx => editJob(tx, site.workspace, job.id, { accept_applications: false }))
  assert.equal((await request(service, job.path)).location, job.path.replace('/apply', ''))
  assert.equal((await sendForm(service, job, { token, ...person() })).status, 409)
  const outside = await newFormJob(site, { externalUrl: 'https://jobs.elsewhere.example/apply' })
  const { status, location } = await request(service, outside.path)
  assert.deepEqual([status, location], [303, 'https://jobs.elsewhere.example/apply'])
  await db.transaction(tx => moveJob(tx, site.workspace, job.id, 'unpublish'))
  assert.equal((await request(service, job.path)).status, 404)
  assert.equal((await sendForm(service, job, { token, ...person() })).status, 404)
  assert.equal((await request(service, `/careers/${site.slug}/jobs/none/apply`)).status, 404)
})

test('careers form: a site that is switched off has no form, and takes none', async () => {
  const other = await newSite(service, 'Closed doors')
  const job = await newFormJob(other, { fields: DETAILS })
  const token = await openForm(service, job)
  await service.services.db.query(sql`update career_sites set enabled = false where workspace_id = ${other.workspace}`)
  assert.equal((await request(service, job.path)).status, 404)
  assert.equal((await sendForm(service, job, { token, ...person() })).status, 404)
})

test('careers form: name and email address are asked for even where the form has neither, and required', async () => {
  const job = await newFormJob(site, { fields: [{ label: 'Gender', type: 'eeo', options: ['Woman'] }] })
  const back = await sendForm(service, job, { token: await openForm(service, job) })
  assert.deepEqual(faultsIn(back.text), ['Enter your first name', 'Enter your last name', 'Enter your email address'])
  assert.equal((await sendForm(service, job, { token: await openForm(service, job), ...person() })).status, 303)
})

/** Every text of a section that takes no values. */
const plainTexts = (section: object): string[] =>
  Object.values(section).flatMap(text =>
    typeof text === 'string' ? [text] : typeof text === 'object' ? plainTexts(text) : [],
  )

test('careers form: in German every text of the page is German, by the browser or by choice; what the company wrote stays', async () => {
  const job = await newFormJob(site, { fields: EVERY_TYPE, questions: QUESTIONS })
  const german = { 'accept-language': 'de-CH, en;q=0.5' }
  const shared = new Set(plainTexts(de.apply))
  const english = plainTexts(en.apply).filter(text => !shared.has(text) && text.length > 3)
  const opened = await request(service, job.path, { headers: german })
  const chosen = await request(service, `${job.path}?lang=de`, { headers: { 'accept-language': 'en' } })
  const back = await sendForm(
    service,
    job,
    { token: await openForm(service, job), 'candidate.phone': '?' },
    { headers: german },
  )
  const done = await request(service, `${job.path}/done?lang=de`)
  for (const { text } of [opened, chosen, back, done]) {
    assert.match(text, /<html lang="de">/)
    const shown = text.replaceAll('&#39;', "'")
    assert.deepEqual(
      english.filter(words => shown.includes(`>${words}<`) || shown.includes(`&quot;${words}&quot;`)),
      [],
    )
  }
  assert.deepEqual(faultsIn(back.text).slice(0, 5), [
    'Fügen Sie Ihren Lebenslauf hinzu: als Datei oder als Text',
    'Geben Sie Ihren Vornamen ein',
    'Geben Sie Ihren Nachnamen ein',
    'Geben Sie Ihre E-Mail-Adresse ein',
    'Geben Sie Ihre Telefonnummer nur mit Ziffern, Leerzeichen und + ( ) . - ein',
  ])
  assert.match(
    opened.text,
    /Nur wenn Sie „<span lang="en">Do you need a work permit\?<\/span>“ mit „Ja“ beantwortet haben/,
  )
  assert.match(chosen.text, /action="[^"]*\/apply\?lang=de"/)
})

test('careers form: numbers and dates are read by the language of the page; an ambiguous one is a fault, never another number', async () => {
  const job = await newFormJob(site, {
    fields: [...DETAILS, { label: 'Salary', type: 'number' }, { label: 'Start', type: 'date' }],
    questions: QUESTIONS.filter(({ answer_type }) => answer_type === 'number'),
  })
  const salary = `answers.${job.ids['Salary']}`
  const start = `answers.${job.ids['Start']}`
  const notice = `prescreen.${job.ids['Notice period in weeks']}`
  const sendIn = async (language: string, values: Values) =>
    sendForm(
      service,
      job,
      { token: await openForm(service, job), ...person(), ...values },
      { headers: { 'accept-language': language } },
    )
  for (const [language, values, faults] of [
    ['en', { [salary]: '60.000' }, [en.apply.ambiguousNumber('Salary', '60.000')]],
    ['de', { [salary]: '60,000' }, [de.apply.ambiguousNumber('Salary', '60,000')]],
    ['en', { [salary]: '60,00,0' }, [en.apply.badNumber('Salary')]],
    ['de', { [salary]: '60,00,0' }, [de.apply.badNumber('Salary')]],
    ['en', { [notice]: '1.200' }, [en.apply.ambiguousNumber('Notice period in weeks', '1.200')]],
    ['en', { [start]: '12/31/2026' }, [en.apply.badDate('Start')]],
    ['en', { [start]: '03/04/2026' }, [en.apply.badDate('Start')]],
    ['en', { [start]: '3.4.2026' }, [en.apply.badDate('Start')]],
    ['de', { [start]: '31/12/2026' }, [de.apply.badDate('Start')]],
    ['de', { [start]: '31.2.2026' }, [de.apply.badDate('Start')]],
  ] as const) {
    const back = await sendIn(language, values)
    assert.deepEqual([back.status, faultsIn(back.text)], [422, faults])
    for (const [name, typed] of Object.entries(values)) assert.equal(valueIn(back.text, name), typed)
  }
  for (const [language, values, stored] of [
    ['en', { [salary]: '60,000', [start]: '2026-12-31', [notice]: '1,5' }, { Salary: '60000', Start: '2026-12-31' }],
    ['de', { [salary]: '60.000', [start]: '3.4.2026', [notice]: '1,5' }, { Salary: '60000', Start: '2026-04-03' }],
  ] as const) {
    assert.equal((await sendIn(language, values)).status, 303)
    const [{ id }] = await readApplications(site, job)
    const { body } = await service.get(`/applications/${id}/answers`, site.key)
    assert.deepEqual({ Salary: body.answers[job.ids['Salary']!], Start: body.answers[job.ids['Start']!] }, stored)
  }
})
