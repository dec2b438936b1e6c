import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { FORMATS, zip } from '../../packages/resume-parser/test/resume-files.ts'
import { writeCandidateMail } from '../../src/careers/candidate/mails.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { ApiError } from '../../src/kernel/errors/api-error.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { sendNextMails } from '../../src/kernel/mail/queue.ts'
import { editApplicant, importApplicant } from '../../src/resources/applicants/index.ts'
import { applyOnForm, parseNext, recordScreening, withdrawApplication } from '../../src/resources/applications/index.ts'
import { candidateMails, queueMail } from '../../src/resources/candidates/index.ts'
import { allRequests, declineRequest, requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { runNextExport } from '../../src/resources/exports/index.ts'
import { addRemark, askForCards, changeTags, saveCardDraft, writeNote } from '../../src/resources/hiring-team/index.ts'
import { addMembers, createList, setMemberStage } from '../../src/resources/lists/index.ts'
import { importPoolBatch, readPoolLine, WordCounts } from '../../src/resources/pool/index.ts'
import { POOL_NUMBERS, POOL_TEXTS } from '../../src/resources/pool/rules.ts'
import {
  addAttachment,
  importProfiles,
  readProfile,
  revealContactInfo,
} from '../../src/resources/sourced-profiles/index.ts'
import { PROFILE_NUMBERS, PROFILE_TEXTS } from '../../src/resources/sourced-profiles/rules.ts'
import { formUpload, newJob, newTenant, upload, type World } from '../applications/setup.ts'
import { PLANT } from '../harness/personal-data.ts'
import type { TestService } from '../harness/service.ts'
import { acceptance, accepted, act, newOrder } from '../orders/setup.ts'
import { askAllHolders } from './holders.ts'

/** Words and numbers that stand nowhere else, each planted in one field. */
export class Plants {
  readonly all = new Map<string, string>()
  readonly #tag: string
  readonly #digit: number
  readonly #stays: boolean
  #n = 0

  /** `tag`: a letter of their own for each person. `stays`: the person will not be erased. */
  constructor(tag: string, opts: { stays?: true } = {}) {
    this.#tag = tag
    this.#digit = Number.parseInt(tag, 36) - 9
    this.#stays = opts.stays ?? false
  }

  /** Letters and digits, so that no stemming changes it. */
  word(where: string): string {
    return this.#note(where, `${PLANT}${this.#tag}${++this.#n}x`)
  }

  number(where: string): number {
    return Number(this.#note(where, `77${this.#digit}5${String(++this.#n).padStart(4, '0')}1`))
  }

  phone(where: string): string {
    return this.#note(where, `+49 77${this.#digit} 66${String(++this.#n).padStart(4, '0')}3`)
  }

  /** For the person who will be erased alone: what may not stand, or does not stay, of others. */
  ofErased(where: string): string {
    return this.#stays ? 'Maybe' : this.word(where)
  }

  #note(where: string, text: string): string {
    this.all.set(text, where)
    return text
  }
}

export interface Planted {
  email: string
  otherEmail: string
  linkedin: string
  home: World
  away: World
  applicationId: string
  applicantId: string
  profileId: string
  poolId: string
  messageId: string
}

/** A person in two workspaces and in the pool, with something in every field that the product has for people. */
export async function plantPerson(service: TestService, plants: Plants): Promise<Planted> {
  const { db, blobs, log } = service.services
  const home: World = { service, ...(await newTenant(service)) }
  const away: World = { service, ...(await newTenant(service)) }
  const actor = { workspace: home.workspace, originKeyId: null }
  const email = `${plants.word('e-mail address')}@acme-people.io`
  const otherEmail = `${plants.word('revealed e-mail address')}@acme-people.io`
  const slug = plants.word('LinkedIn address')
  const linkedin = `https://www.linkedin.com/in/${slug}`
  const as = (key: string) => ({ headers: { 'idempotency-key': plants.word(`Idempotency-Key of ${key}`) } })
  const ok = (response: { status: number; text: string; body: { id: string } }) => {
    assert.ok(response.status < 300, response.text)
    return response.body
  }

  // an application over HTTP, with a file, answers, notes, scorecards, a rejection and a message
  const word = (where: string) => plants.word(where)
  const tag = home.workspace.slice(-6)
  const text = [
    'Pat Plant',
    'Engineer',
    `Skills: ${word('résumé text')}`,
    `Experience at ${word('résumé employer')} since 2019`,
  ]
  const resume = FORMATS['docx']!.render({ head: text })
  const job = await newJob(service, home.workspace, {
    required: ['Go'],
    fields: [
      { id: `why_${tag}`, type: 'textarea' },
      { id: `tags_${tag}`, type: 'text' },
    ],
  })
  const application = ok(
    await service.post(
      '/applications',
      home.key,
      {
        job_id: job.id,
        candidate: {
          first_name: word('first name'),
          last_name: word('last name'),
          email,
          phone: plants.phone('phone'),
          linkedin_url: linkedin,
        },
        resume_upload_id: await upload(home, resume, FORMATS['docx']!.mime, `${word('file name of résumé')}.docx`),
        source: { system: 'acme_ats', external_id: word('external id of application') },
        answers: [
          { field_id: `why_${tag}`, value: word('answer') },
          { field_id: `tags_${tag}`, value: word('second answer') },
        ],
      },
      as('application'),
    ),
  ) as unknown as { id: string; applicant_id: string }
  const path = `/applications/${application.id}`
  while (await parseNext(db, blobs, log));
  ok(await service.post(`${path}/notes`, home.key, { body: `call ${word('note')}` }, as('note')))
  ok(
    await service.post(
      `${path}/scorecards`,
      home.key,
      {
        recommendation: 'yes',
        summary: word('scorecard summary'),
        ratings: [{ name: word('rating name'), score: 3, comment: word('rating comment') }],
        report_url: `https://reports.acme-people.io/${word('report address')}`,
      },
      as('scorecard'),
    ),
  )
  await plantOrder(home, application.id, plants)
  const message = ok(
    await service.post(
      '/messages',
      home.key,
      {
        to: { application_id: application.id },
        subject: word('subject'),
        body_text: word('message'),
        body_html: `<p>${word('message in HTML')}</p>`,
      },
      as('message'),
    ),
  )
  const on = { workspace: home.workspace, applicationId: application.id, userId: home.userId }
  await db.transaction(tx => changeTags(tx, on, { add: word('tag') }))
  await db.transaction(tx => writeNote(tx, on, { body: word('note of a member'), mentions: [home.userId] }))
  await db.transaction(tx => askForCards(tx, on, [home.userId]))
  const content = {
    recommendation: null,
    summary: word('draft of a scorecard'),
    ratings: [{ name: word('rating name in a draft'), score: null, comment: word('comment in a draft') }],
    asked: [],
  }
  await db.transaction(tx => saveCardDraft(tx, on, { content, expectedVersion: null }))
  const ownCard = await db.only(sql<{ id: string }>`select id from scorecards where application_id = ${application.id}`)
  await db.transaction(tx => addRemark(tx, on, ownCard.id, word('remark to a scorecard')))
  ok(await service.post(`${path}/reject`, home.key, { reason: word('rejection reason') }, as('rejection')))
  const at = { workspace: home.workspace, id: application.id, originKeyId: null }
  await db.transaction(tx =>
    editApplicant(
      tx,
      home.workspace,
      application.applicant_id,
      {
        location: word('location'),
        github_url: `https://github.com/${word('GitHub address')}`,
        portfolio_url: `https://${word('portfolio')}.dev`,
      },
      null,
    ),
  )
  await db.transaction(tx =>
    recordScreening(tx, at, {
      call_status: 'completed',
      completion_state: 'complete',
      duration_sec: plants.number('length of the call'),
      consent_state: 'granted',
      ambiguous_caller: false,
      started_at: null,
      ended_at: null,
    }),
  )

  // emails of the careers site: one that was sent, with a link, and one that waits
  const changeTo = `${word('new e-mail address')}@acme-people.io`
  const queued = { workspace: home.workspace, language: 'en' } as const
  await db.transaction(tx =>
    queueMail(tx, { ...queued, kind: 'email_change', address: changeTo, applicantId: application.applicant_id }),
  )
  while (await sendNextMails(service.services, candidateMails(writeCandidateMail)));
  await db.transaction(tx => queueMail(tx, { ...queued, kind: 'access', address: email }))

  // another workspace: imported from another system, then applied on the public form
  const ref = {
    system: 'greenhouse',
    type: 'candidate',
    id: word('id in another system'),
    connection_id: word('connection'),
    link_origin: 'sync',
    last_synced_at: '2026-01-01T00:00:00.000Z',
  }
  await db.transaction(tx =>
    importApplicant(tx, away.workspace, ref, {
      first_name: word('first name, imported'),
      email,
      linkedin_url: linkedin,
    }),
  )
  const form = await newJob(service, away.workspace, {
    fields: [
      { id: `eeo_${tag}`, type: 'eeo' },
      { id: `ok_${tag}`, type: 'consent' },
      { id: `file_${tag}`, type: 'file' },
    ],
  })
  const question = randomUUID()
  await db.query(sql`
    insert into prescreen_questions (workspace_id, id, job_id, kind, position, prompt, response_key, answer_type, source)
    values (${away.workspace}, ${question}::uuid, ${form.id}, 'common', 0, 'Where?', 'place', 'text', 'template')`)
  const certificate = await formUpload(away, 'answer', {
    body: Buffer.from(word('file for a question')),
    contentType: 'text/plain',
    filename: `${word('name of the file for a question')}.txt`,
  })
  const applied = await db.transaction(tx =>
    applyOnForm(tx, blobs, away.workspace, form.id, {
      candidate: { first_name: 'Pat', last_name: 'Plant', email },
      form: {
        language: word('language of a consent'),
        consents: { [`ok_${tag}`]: 1 },
        prescreen: { [question]: word('pre-screen answer') },
        files: { [`file_${tag}`]: certificate },
        equalOpportunity: { [`eeo_${tag}`]: word('equal-opportunity answer') },
        voiceScreeningOptedOut: false,
        screeningPhone: plants.phone('number for the pre-screen'),
      },
      answers: [],
    }),
  )
  assert.ok(!(applied instanceof ApiError))
  const { id: withdrawn, applicant_id: candidate } = applied.application
  await db.transaction(tx =>
    withdrawApplication(tx, away.workspace, withdrawn, { reason: word('reason for withdrawing') }),
  )
  // applied for again, under a name that waits until someone has proved the address
  const publicForm = {
    language: 'en',
    consents: { [`ok_${tag}`]: 1 },
    prescreen: {},
    files: {},
    equalOpportunity: {},
    voiceScreeningOptedOut: true,
  }
  const again = await db.transaction(tx =>
    applyOnForm(tx, blobs, away.workspace, form.id, {
      candidate: { first_name: word('first name of a form that waits'), last_name: 'Plant', email },
      form: publicForm,
      answers: [],
    }),
  )
  assert.ok(!(again instanceof ApiError) && again.isNew)
  // an interview, and an email about it to a member
  await db.query(sql`
    insert into interviews (workspace_id, id, application_id, job_id, stage_id, state, kind, time_zone, candidate_time_zone,
      organizer_id, invites_candidate, details_sealed)
    select a.workspace_id, gen_random_uuid(), a.id, a.job_id, a.stage_id, 'canceled', 'phone', 'UTC',
      ${word('time zone of the candidate')}, u.id, true, ''::bytea
    from applications a join users u on u.workspace_id = a.workspace_id
    where a.workspace_id = ${away.workspace} and a.applicant_id = ${candidate} limit 1`)
  await db.query(sql`
    insert into team_mails (workspace_id, kind, user_id, application_id, says, due_at)
    select a.workspace_id, 'interview', u.id, a.id, ${word('digest of an invitation')}, null
    from applications a join users u on u.workspace_id = a.workspace_id
    where a.workspace_id = ${away.workspace} and a.applicant_id = ${candidate} limit 1`)
  // emails of the careers site, a used link that confirmed another address, and a session
  const mail = (address: string, applicant: string | null) => sql`
    insert into candidate_mails (workspace_id, kind, address, applicant_id, language)
    values (${away.workspace}, ${applicant === null ? 'access' : 'email_change'}, ${address}, ${applicant}, 'en')`
  const newAddress = `${word('address to change to')}@acme-people.io`
  await db.query(mail(newAddress, candidate))
  await db.query(mail(email, null))
  await db.query(sql`
    insert into candidate_links (workspace_id, token_hash, applicant_id, purpose, new_address, expires_at, used_at)
    values (${away.workspace}, ${word('hash of a mailed link')}, ${candidate}, 'email_change', ${newAddress},
      app_now() + interval '1 day', app_now())`)
  await db.query(sql`
    insert into candidate_sessions (workspace_id, token_hash, applicant_id, proof, expires_at)
    values (${away.workspace}, 'hash', ${candidate}, 'access', app_now() + interval '1 day')`)

  // a sourced profile with contact details, files and a place in a list
  const fields = Object.fromEntries([
    ...PROFILE_TEXTS.map(name => [name, plants.word(`sourced ${name}`)]),
    ...PROFILE_NUMBERS.map(name => [name, plants.number(`sourced ${name}`)]),
  ])
  plants.all.delete(fields['match_tier'])
  plants.all.delete(fields['linkedin_url'])
  const asAddresses = (of: Record<string, unknown>, names: readonly string[]) =>
    Object.fromEntries(names.map(name => [name, `https://people.example/${of[name]}`]))
  const profile = readProfile(
    JSON.stringify({
      ...fields,
      ...asAddresses(fields, ['company_website', 'company_linkedin_url', 'photo_url']),
      match_tier: 'good',
      linkedin_url: linkedin,
      external_id: word('external id of profile'),
    }),
    newHandle('sourced_profile'),
  )
  await db.transaction(tx =>
    importProfiles(tx, actor, { origin: 'import', acquisition: 'file_import', provider: null }, [profile]),
  )
  const contact = (field: 'email' | 'phone', value: string) =>
    ({ field, value, kind: 'work', status: 'verified', verified_at: null }) as const
  await db.transaction(tx =>
    revealContactInfo(tx, actor, profile.id, [
      contact('email', otherEmail),
      contact('phone', plants.phone('revealed phone')),
    ]),
  )
  for (const [type, mime] of [
    ['resume', 'text/plain'],
    ['business_card', 'image/png'],
    ['profile_photo', 'image/png'],
  ] as const) {
    const content =
      type === 'resume' ? zip({ 'a.txt': Buffer.from(word(`archive in ${type}`)) }) : Buffer.from(word(type))
    await addAttachment(db, blobs, actor, profile.id, { type, filename: `${word(`name of ${type}`)}.x`, mime, content })
  }
  const list = await db.transaction(tx => createList(tx, actor, { name: 'Shortlist' }))
  const added = await db.transaction(tx => addMembers(tx, actor, list.id, [{ sourced_profile_id: profile.id }]))
  const member = added!.results[0]!.membership!.id
  await db.transaction(tx => setMemberStage(tx, actor, list.id, member, plants.ofErased('label'), { newLabels: true }))
  await db.transaction(tx =>
    setMemberStage(tx, actor, list.id, member, plants.ofErased('second label'), { newLabels: true }),
  )

  // the shared pool, searched once so that the terms are in memory too
  const poolFields = Object.fromEntries([
    ...POOL_TEXTS.map(name => [name, plants.word(`pool ${name}`)]),
    ...POOL_NUMBERS.map(name => [name, plants.number(`pool ${name}`)]),
  ])
  plants.all.delete(poolFields['linkedin_url'])
  const counts = new WordCounts()
  const earlier = { full_name: plants.ofErased('pool full_name, earlier'), linkedin_url: linkedin }
  await db.transaction(tx => importPoolBatch(db, tx, [readPoolLine(JSON.stringify(earlier))], counts))
  const line = readPoolLine(
    JSON.stringify({
      ...poolFields,
      ...asAddresses(poolFields, ['company_website', 'company_linkedin_url', 'photo_url', 'github_url']),
      linkedin_url: linkedin,
      external_id: word('external id in the pool'),
      skills: [word('pool skill')],
      languages: [word('pool language')],
    }),
  )
  await db.transaction(tx => importPoolBatch(db, tx, [line], counts))
  await counts.store(db)
  const pool = await db.one(sql<{ id: string }>`select id from pool_profiles where linkedin_key = ${line.linkedin_key}`)

  // a webhook receiver that returned what it knows about the person
  const [endpoint, delivery] = [randomUUID(), randomUUID()]
  const where = sql`${home.workspace}, ${delivery}::uuid`
  await db.query(sql`
    insert into webhook_endpoints (workspace_id, id, key_id, url, event_types)
    values (${home.workspace}, ${endpoint}::uuid, ${home.key.id}, 'https://hooks.example.com/', '{}')`)
  await db.query(sql`
    insert into webhook_deliveries (workspace_id, id, endpoint_id, key_id, event_id, event_type, status)
    values (${where}, ${endpoint}::uuid, ${home.key.id}, ${newHandle('event')}, 'application.created', 'delivered')`)
  await db.query(sql`
    insert into webhook_attempts (workspace_id, delivery_id, attempt, sent_at) values (${where}, 1, app_now())`)
  await db.query(sql`
    insert into webhook_responses (workspace_id, delivery_id, attempt, body)
    values (${where}, 1, ${`stored ${word('response of a webhook receiver')}`})`)

  // reads that leave something behind, and an entry of a person who does not want mail
  for (const query of [`email=${email}`, `linkedin_url=${encodeURIComponent(linkedin)}`])
    assert.equal((await service.get(`/people/resolve?${query}`, home.key)).status, 200)
  assert.equal((await service.get(`/applicants/${application.applicant_id}/contact-info`, home.key)).status, 200)
  await db.query(sql`
    insert into unsubscribes (workspace_id, email_key, source) values (${away.workspace}, ${otherEmail}, 'opt_out')`)
  ok(await service.post('/exports', home.key, { resources: ['applications', 'applicants', 'sourced_profiles'] }))
  assert.equal(await runNextExport(service.services), true)
  // a third workspace was asked to erase the person: one of the two that hold them has declined, the other not decided
  const asking = await newTenant(service)
  const request = { email, requestedBy: asking.userId, askedIn: asking.workspace, reach: asking.workspace }
  const erasure = await requestErasure(db, request)
  await askAllHolders(db)
  await runErasure(service.services, erasure.id)
  const open = await db.query(allRequests(true))
  const declined = open.find(r => r.workspace_id === away.workspace)!
  const note = word('note of a declined request')
  assert.ok(await declineRequest(db, { id: declined.id, decidedBy: away.userId, note }))
  // samples of the planner
  await db.query(sql`analyze`)
  return {
    email,
    otherEmail,
    linkedin,
    home,
    away,
    applicationId: application.id,
    applicantId: application.applicant_id,
    profileId: profile.id,
    poolId: pool!.id,
    messageId: message.id,
  }
}

/** A check of an application with its result, a report, and a report that was sent and belongs to no result. */
async function plantOrder(world: World, application: string, plants: Plants): Promise<void> {
  const link = `https://tests.example.com/${plants.word('link of a check')}`
  const made = await newOrder(world, { application })
  await accepted(world, made, acceptance({ candidate_url: link, external_id: plants.word('id of the vendor') }))
  const report = async (which: string) => {
    const pdf = Buffer.from(`%PDF-1.7\n% ${plants.word(`text of a ${which}`)}\n%%EOF\n`)
    const reserved = await act(world, made, 'reports', {
      filename: `${plants.word(`file name of a ${which}`)}.pdf`,
      size_bytes: pdf.length,
      content_type: 'application/pdf',
    })
    const { url, headers } = reserved.body.upload
    await fetch(url, { method: 'PUT', headers, body: pdf })
    return reserved.body.upload_id
  }
  await report('report without a result')
  const done = await act(world, made, 'complete', {
    outcome: 'recommended',
    summary: plants.word('summary of a result'),
    sections: [{ name: plants.word('section of a result'), comment: plants.word('comment of a section') }],
    external_url: `https://tests.example.com/${plants.word('page of a result')}`,
    report_upload_ids: [await report('report')],
  })
  if (done.status !== 200) throw new Error(done.text)
}
