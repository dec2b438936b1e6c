import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { unsubscribeApplicant } from '../../src/resources/applicants/index.ts'
import { requestErasure } from '../../src/resources/erasures/index.ts'
import type { FormFieldInput } from '../../src/resources/jobs/index.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import {
  BEHIND_PROXY,
  DETAILS,
  type FormJob,
  newFormJob,
  newSite,
  newVisitor,
  openForm,
  pathTo,
  person,
  readApplications,
  request,
  type Site,
  sendForm,
  solve,
  tokenIn,
} from './application-form.ts'

let service: TestService
let site: Site

before(async () => {
  service = await startTestService(BEHIND_PROXY)
  site = await newSite(service)
})

const newToken = async (job: FormJob) => tokenIn((await request(service, job.path)).text)
const count = async (job: FormJob) => (await readApplications(site, job)).length

test('careers form: a filled trap looks like success and stores nothing', async () => {
  const job = await newFormJob(site, { fields: DETAILS })
  const sent = await sendForm(service, job, { token: await openForm(service, job), ...person(), homepage: 'spam' })
  assert.deepEqual([sent.status, pathTo(sent)], [303, `${job.path}/done`])
  assert.equal(await count(job), 0)
})

test('careers form: a solved proof of work is accepted without waiting, one time; without it the form is too fast', async () => {
  const job = await newFormJob(site, { fields: DETAILS })
  const first = person()
  const fast = await sendForm(service, job, { token: await newToken(job), ...first })
  assert.equal(fast.status, 422)
  assert.match(fast.text, /That was very quick/)
  const wrong = await sendForm(service, job, { token: await newToken(job), work: '1,2,3,4,5,6,7,8', ...first })
  assert.match(wrong.text, /That was very quick/)
  const token = await newToken(job)
  const work = solve(token)
  assert.equal((await sendForm(service, job, { token, work, ...first })).status, 303)
  assert.equal(await count(job), 1)
  const again = await sendForm(service, job, { token, work, ...person() })
  assert.equal(again.status, 422)
  assert.match(again.text, /This form was sent before/)
  assert.equal(await count(job), 1)
  // the page that came back has a token of its own
  const renewed = tokenIn(again.text)
  assert.notEqual(renewed, token)
  assert.equal((await sendForm(service, job, { token: renewed, work: solve(renewed), ...person() })).status, 303)
  assert.equal(await count(job), 2)
})

test('careers form: a double click sends one application, and both responses are the page of thanks', async () => {
  const job = await newFormJob(site, { fields: DETAILS })
  const values = { token: await openForm(service, job), ...person() }
  const sent = await Promise.all([sendForm(service, job, values), sendForm(service, job, values)])
  assert.deepEqual(
    sent.map(reply => [reply.status, pathTo(reply)]),
    Array(2).fill([303, `${job.path}/done`]),
  )
  assert.equal(await count(job), 1)
  const mails = await service.services.db.query(sql`
    select kind from candidate_mails where workspace_id = ${site.workspace} and address = ${values['candidate.email']}`)
  assert.deepEqual(mails, [{ kind: 'confirmation' }])
})

test('careers form: a token that expired, is of another form or was made up brings the form back with everything', async () => {
  const job = await newFormJob(site, { fields: DETAILS })
  const other = await newFormJob(site, { fields: DETAILS })
  const values = person()
  const token = await openForm(service, job)
  clock.advance(25 * 3_600_000)
  for (const bad of [token, await openForm(service, other), 'x.1.y', '']) {
    const back = await sendForm(service, job, { token: bad, ...values })
    assert.equal(back.status, 422)
    assert.match(back.text, /This page was open for a long time/)
    assert.ok(back.text.includes(`value="${values['candidate.email']}"`))
    assert.equal(await count(job), 0)
  }
})

test('careers form: a file that came with an expired form is not stored; its question says so', async () => {
  const job = await newFormJob(site, {
    fields: [...DETAILS, { label: 'Résumé', type: 'file', candidate_field: 'resume' }],
  })
  const resume_upload_id = new File(['Skills'], 'cv.txt', { type: 'text/plain' })
  const back = await sendForm(service, job, { token: 'x', ...person(), resume_upload_id })
  assert.equal(back.status, 422)
  assert.match(back.text, /This page was open for a long time/)
  assert.match(back.text, /“Résumé”: The file was not stored, because the form was not accepted yet/)
  const [{ n }] = (await service.services.db.query(sql<{ n: number }>`
    select count(*)::integer as n from uploads where workspace_id = ${site.workspace}`)) as [{ n: number }]
  assert.equal(n, 0)
})

/** The form of the details with everything that can be lost. */
const KEPT: readonly FormFieldInput[] = [
  ...DETAILS,
  { label: 'Résumé', type: 'file', candidate_field: 'resume' },
  { label: 'Why', type: 'textarea' },
  { label: 'Level', type: 'select', options: ['Junior', 'Senior'] },
]
const typed = (job: FormJob) => ({
  ...person(),
  [`answers.${job.ids['Why']}`]: 'Robots & people.\nBoth.',
  [`answers.${job.ids['Level']}`]: 'Senior',
})
/** Asserts that a page is the form with what was typed. */
function assertKept(text: string, values: Record<string, string>) {
  assert.ok(text.includes('id="apply"'))
  assert.ok(text.includes(`value="${values['candidate.email']}"`))
  assert.ok(text.includes('>\nRobots &amp; people.\nBoth.</textarea>'))
  assert.match(text, /<option value="Senior" selected>/)
}

test('careers form: 429 is the form itself with every entry and the wait in words, by address and form; files are not stored', async () => {
  const job = await newFormJob(site, { fields: KEPT })
  const from = newVisitor()
  const values = typed(job)
  const first = await sendForm(
    service,
    job,
    {
      token: await openForm(service, job),
      ...values,
      'candidate.last_name': '',
      resume_upload_id: new File(['Skills'], 'cv.txt', { type: 'text/plain' }),
    },
    { from },
  )
  const ticket = /name="ticket.resume_upload_id" value="([^"]+)"/.exec(first.text)![1]!
  for (let i = 1; i < 60; i++) assert.equal((await sendForm(service, job, { token: 'x' }, { from })).status, 422)
  const token = await openForm(service, job)
  const refused = await sendForm(service, job, { token, ...values, 'ticket.resume_upload_id': ticket }, { from })
  assert.equal(refused.status, 429)
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait > 2_000 && wait <= 3_600)
  assert.match(refused.text, /class="notice warn" role="alert"[^>]*>[^<]*you can send them again in \d\d minutes/)
  assertKept(refused.text, values)
  assert.ok(refused.text.includes(ticket) && refused.text.includes('cv.txt'))
  const uploads = () =>
    service.services.db.one(
      sql<{ n: number }>`select count(*)::integer as n from uploads where workspace_id = ${site.workspace}`,
    )
  const stored = await uploads()
  const resume_upload_id = new File(['Skills'], 'cv.txt', { type: 'text/plain' })
  const german = await sendForm(
    service,
    job,
    { token, resume_upload_id, ...values },
    { from, headers: { 'accept-language': 'de-AT' } },
  )
  assert.match(german.text, /in \d\d Minuten noch einmal senden/)
  assert.match(german.text, /Die Datei wurde nicht gespeichert, weil das Formular noch nicht angenommen wurde/)
  assertKept(german.text, values)
  assert.deepEqual(await uploads(), stored)
  // other visitors are not affected, and this one not for ever
  assert.equal((await sendForm(service, job, { token, ...person() })).status, 303)
  clock.advance(3_700_000)
  const later = await sendForm(service, job, { token: await openForm(service, job), ...person() }, { from })
  assert.equal(later.status, 303)
})

test('careers form: without a proof of work the limits are stricter; a form with faults uses up none of them', async () => {
  const job = await newFormJob(site, { fields: KEPT })
  const from = newVisitor()
  for (let i = 0; i < 12; i++) {
    const { status } = await sendForm(service, job, { token: await openForm(service, job) }, { from })
    assert.equal(status, 422)
  }
  for (let i = 0; i < 10; i++) {
    const { status } = await sendForm(service, job, { token: await openForm(service, job), ...person() }, { from })
    assert.equal(status, 303)
  }
  const values = typed(job)
  const token = await openForm(service, job)
  const refused = await sendForm(service, job, { token, ...values }, { from })
  assert.equal(refused.status, 429)
  assertKept(refused.text, values)
  assert.equal(await count(job), 10)
  assert.equal((await sendForm(service, job, { token, work: solve(token), ...person() }, { from })).status, 303)
})

test('careers form: with a proof of work 30 applications an hour from one address, then 429', async () => {
  const job = await newFormJob(site, { fields: DETAILS })
  const from = newVisitor()
  const { db } = service.services
  const sendSolved = async () => {
    const token = await newToken(job)
    return (await sendForm(service, job, { token, work: solve(token), ...person() }, { from })).status
  }
  assert.equal(await sendSolved(), 303)
  // as after 29 more of them
  await db.query(sql`update sign_in_attempts set used = 30 where used = 1`)
  assert.equal(await sendSolved(), 429)
})

test('careers form: 413 is the form with what could be read; a text that was cut has its fault', async () => {
  const job = await newFormJob(site, { fields: KEPT })
  const values = typed(job)
  const token = await openForm(service, job)
  const pasted = await sendForm(service, job, { token, ...values, resume_text: 'x'.repeat(1_000_001) })
  assert.equal(pasted.status, 413)
  assertKept(pasted.text, values)
  assert.match(pasted.text, /The form was too large to be read completely/)
  assert.match(pasted.text, /“Text of your résumé” must have at most 50,000 characters/)
  const many = Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`answers.${i}`, 'x']))
  const cut = await sendForm(service, job, { token, ...values, ...many })
  assert.equal(cut.status, 413)
  assertKept(cut.text, values)
  // a film before the rest of the form
  const film = new File([Buffer.alloc(101 * 1024 * 1024)], 'film.mp4', { type: 'video/mp4' })
  const skipped = await sendForm(service, job, { token, resume_upload_id: film, ...values })
  assert.equal(skipped.status, 422)
  assertKept(skipped.text, values)
  assert.equal(await count(job), 0)
})

test('careers form: 422 for a pasted résumé of more than 50,000 characters, with the form; 303 for that many', async () => {
  const job = await newFormJob(site, { fields: KEPT })
  const values = typed(job)
  const token = await openForm(service, job)
  const back = await sendForm(service, job, { token, ...values, resume_text: 'é'.repeat(50_001) })
  assert.equal(back.status, 422)
  assert.match(back.text, /“Text of your résumé” must have at most 50,000 characters/)
  assertKept(back.text, values)
  assert.ok(back.text.includes('é'.repeat(50_001)))
  assert.equal(await count(job), 0)
  const sent = await sendForm(service, job, { token, ...values, resume_text: '😀'.repeat(50_000) })
  assert.equal(sent.status, 303)
  assert.equal((await readApplications(site, job))[0].has_resume, true)
})

test('careers form: 403 for a form or a request of the script from another origin', async () => {
  const job = await newFormJob(site, { fields: DETAILS })
  const token = await openForm(service, job)
  const foreign = { origin: 'https://elsewhere.example' }
  const sent = await sendForm(service, job, { token, ...person() }, { headers: foreign })
  assert.equal(sent.status, 403)
  assert.match(sent.text, /not sent from a page of this site/)
  for (const below of ['/uploads', '/reading', '/token']) {
    const { status } = await request(service, job.path + below, { method: 'POST', headers: foreign, body: '{}' })
    assert.equal(status, 403)
  }
  assert.equal(await count(job), 0)
})

test('careers form: a duplicate, a suppressed and an unsubscribed person get the same response; only emails differ', async () => {
  const { db } = service.services
  const job = await newFormJob(site, { fields: DETAILS })
  const other = await newFormJob(site, { fields: DETAILS })
  const sendAs = async (to: FormJob, values: ReturnType<typeof person>) =>
    sendForm(service, to, { token: await openForm(service, to), ...values })
  const fresh = person()
  const seen = (reply: Awaited<ReturnType<typeof sendForm>>) => {
    const { date: _, ...rest } = Object.fromEntries(reply.headers)
    // the sealed address is another text each time, as long as the address
    const headers = { ...rest, location: pathTo(reply) }
    return { status: reply.status, headers, text: reply.text }
  }
  const first = await sendAs(job, fresh)
  const again = await sendAs(job, { ...fresh, 'candidate.first_name': 'Zorah' })
  assert.deepEqual(seen(again), seen(first))

  const gone = person()
  await sendAs(other, gone)
  const [{ applicant_id: unsubscribed }] = await readApplications(site, other)
  await db.transaction(tx => unsubscribeApplicant(tx, site.workspace, unsubscribed, 'link'))
  assert.deepEqual(seen(await sendAs(job, gone)), seen(first))

  const erased = person()
  await requestErasure(db, { email: erased['candidate.email'], requestedBy: 'operator' })
  const beforeIt = await count(job)
  assert.deepEqual(seen(await sendAs(job, erased)), seen(first))
  assert.equal(await count(job), beforeIt)
  const mails = await db.query(sql<{ address: string; kind: string }>`
    select address, kind from candidate_mails where workspace_id = ${site.workspace}
      and address = any(${[fresh, gone, erased].map(values => values['candidate.email'])}::text[]) order by created_at, id`)
  assert.deepEqual(
    mails.map(({ address, kind }) => [address === fresh['candidate.email'] ? 'fresh' : 'gone', kind]),
    [
      ['fresh', 'confirmation'],
      ['fresh', 'already_applied'],
      ['gone', 'confirmation'],
      ['gone', 'confirmation'],
    ],
  )
  // an incomplete form says the same about everyone
  const incomplete = (values: ReturnType<typeof person>) => sendAs(job, { ...values, 'candidate.last_name': '' })
  for (const values of [fresh, gone, erased, person()]) assert.equal((await incomplete(values)).status, 422)
})

test('careers form: the page of thanks says the same to everyone, and is of no use for guessing', async () => {
  const job = await newFormJob(site, { fields: DETAILS })
  const { status, text } = await request(service, `${job.path}/done`)
  assert.equal(status, 200)
  assert.match(text, /If you had applied for this job before, you choose there which of your forms is used/)
})

test('careers form: the page of thanks states nothing that is untrue for a person whose data was erased, in both languages', async () => {
  const { db } = service.services
  await db.query(sql`
    update career_sites set contact_email = 'jobs@nordlicht.example' where workspace_id = ${site.workspace}`)
  const job = await newFormJob(site, { fields: DETAILS })
  const erased = person()
  await requestErasure(db, { email: erased['candidate.email'], requestedBy: 'operator' })
  const pages = async (values: ReturnType<typeof person>, lang: string) => {
    const { location, status } = await sendForm(service, job, { token: await openForm(service, job), ...values })
    assert.equal(status, 303)
    const { text } = await request(service, `${location}&lang=${lang}`)
    // a page of thanks names the address that was typed
    return text.replaceAll(values['candidate.email'], '').replaceAll(/to=[^"&]+/g, '')
  }
  for (const [lang, condition, contact, received] of [
    [
      'en',
      /If the address that you gave can be used here, a confirmation arrives/,
      /or write to jobs@nordlicht\.example/,
      /received/,
    ],
    ['de', /Wenn die angegebene Adresse hier verwendet werden kann/, /jobs@nordlicht\.example/, /erhalten/],
  ] as const) {
    const page = await pages(erased, lang)
    assert.match(page, condition)
    assert.match(page, contact)
    assert.doesNotMatch(page.split('<main')[1]!.split('</main>')[0]!, received)
    assert.equal(page, await pages(person(), lang), 'the same as for everyone')
  }
})
