import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../../src/kernel/crypto/signing.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { requestErasure } from '../../src/resources/erasures/index.ts'
import { addMembers, createList } from '../../src/resources/lists/index.ts'
import type { NewAttachment } from '../../src/resources/sourced-profiles/actions.ts'
import {
  addAttachment,
  attachmentFolder,
  type ContactValue,
  deleteProfile,
  importProfiles,
  readProfile,
  revealContactInfo,
} from '../../src/resources/sourced-profiles/index.ts'
import { expireOnce } from '../../src/workers/expire-files.ts'
import { readFeed, typesOf } from '../harness/feed.ts'
import { nextInstant } from '../harness/next-instant.ts'
import { startTestService } from '../harness/service.ts'

const service = await startTestService()
const { db, blobs } = service.services

async function workspaceWithKey() {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  return { workspace, key, actor: { workspace, originKeyId: null } }
}
type At = Awaited<ReturnType<typeof workspaceWithKey>>
const home = await workspaceWithKey()
const other = await workspaceWithKey()

const XRAY = { origin: 'xray', acquisition: 'xray_search', provider: 'acme' }

async function save(at: At, fields: object, how = XRAY): Promise<string> {
  const row = readProfile(JSON.stringify(fields), newHandle('sourced_profile'))
  await nextInstant(db)
  await db.transaction(tx => importProfiles(tx, at.actor, how, [row]))
  return row.id
}
const email = (value: string, kind: ContactValue['kind'] = 'work'): ContactValue => ({
  field: 'email',
  value,
  kind,
  status: 'verified',
  verified_at: '2026-01-02T03:04:05.000Z',
})
const phone = (value: string): ContactValue => ({
  field: 'phone',
  value,
  kind: 'mobile',
  status: 'unverified',
  verified_at: null,
})
const reveal = (at: At, id: string, ...values: ContactValue[]) =>
  db.transaction(tx => revealContactInfo(tx, at.actor, id, values))
const photo = { type: 'profile_photo', filename: 'me.png', mime: 'image/png', content: Buffer.from('PNG…') } as const
const resume = { type: 'resume', filename: 'cv.pdf', mime: 'application/pdf', content: Buffer.from('%PDF') } as const
const card = { type: 'business_card', filename: 'card.jpg', mime: 'image/jpeg', content: Buffer.from('JPG') } as const
const attach = (at: At, id: string, file: NewAttachment) => addAttachment(db, blobs, at.actor, id, file)

test('sourced profiles: 200: every field, in order, with provenance and links', async () => {
  const id = await save(home, {
    full_name: 'Ada Lovelace',
    job_title: 'Analyst',
    company_name: 'Engines Ltd',
    linkedin_url: 'https://www.linkedin.com/in/ada',
    match_score: 91,
    match_tier: 'strong',
    total_experience_months: 120,
  })
  const { status, body } = await service.get(`/sourced-profiles/${id}`, home.key)
  assert.equal(status, 200)
  assert.deepEqual(
    Object.keys(body),
    `object id workspace_id full_name headline job_title company_name company_industry company_website
      company_linkedin_url department management_level location_full location_country linkedin_url photo_url summary
      total_experience_months connections_count follower_count match_score match_tier created_at updated_at
      has_contact_info has_resume has_business_card has_profile_photo has_linkedin_capture provenance links`.split(
      /\s+/,
    ),
  )
  assert.equal(body.object, 'sourced_profile')
  assert.equal(body.headline, null)
  assert.equal(body.match_score, 91)
  assert.deepEqual(body.provenance, {
    origin: 'sourced',
    acquisition: 'xray_search',
    provider: 'acme',
    owner_workspace_id: home.workspace,
    first_seen_at: body.created_at,
    last_seen_at: body.created_at,
    consent: {
      basis: 'legitimate_interest_sourcing',
      candidate_facing_notice: false,
      unsubscribed: false,
      suppressed: false,
    },
    licence: { redistributable: false, note: body.provenance.licence.note },
  })
  assert.deepEqual(Object.keys(body.links), ['self', 'contact_info', 'attachments', 'list_memberships'])
  assert.ok((await service.get(body.links.self.replace('/api/partner/v1', ''), home.key)).status === 200)
})

test('sourced profiles: 200: filters by origin, contact info, q and time, alone and together; most recently updated first', async () => {
  const at = await workspaceWithKey()
  const ada = await save(at, { full_name: 'Ada 100%', job_title: 'Data_Analyst' })
  const bob = await save(at, { full_name: 'Bob', company_name: 'ÉCLAIR Corp' }, { ...XRAY, origin: 'github' })
  const cy = await save(at, { full_name: 'Cy', job_title: 'analyst' })
  await reveal(at, ada, email('ada@example.org'))
  const ids = async (query: string) => {
    const response = await service.get(`/sourced-profiles?${query}`, at.key)
    assert.equal(response.status, 200, response.text)
    return response.body.data.map((p: { id: string }) => p.id)
  }
  assert.deepEqual(await ids(''), [ada, cy, bob])
  assert.deepEqual(await ids('origin=github'), [bob])
  assert.deepEqual(await ids('origin=xray'), [ada, cy])
  assert.deepEqual(await ids('has_contact_info=true'), [ada])
  assert.deepEqual(await ids('has_contact_info=false'), [cy, bob])
  assert.deepEqual(await ids('q=ANALYST'), [ada, cy])
  assert.deepEqual(await ids('q=%C3%A9clair'), [bob])
  assert.deepEqual(await ids('q=0%25'), [ada])
  assert.deepEqual(await ids('q=a_a'), [ada])
  assert.deepEqual(await ids('q=b%25b'), [])
  assert.deepEqual(await ids('q=analyst&has_contact_info=false'), [cy])
  const { updated_at } = (await service.get(`/sourced-profiles/${cy}`, at.key)).body
  assert.deepEqual(await ids(`updated_after=${updated_at}`), [ada])
  assert.equal(
    (await service.get('/sourced-profiles?updated_after=yesterday', at.key)).body.detail.code,
    'invalid_timestamp',
  )
  const first = await service.get('/sourced-profiles?limit=2', at.key)
  const second = await service.get(`/sourced-profiles?limit=2&cursor=${first.body.next_cursor}`, at.key)
  assert.deepEqual(
    [...first.body.data, ...second.body.data].map((p: { id: string }) => p.id),
    [ada, cy, bob],
  )
})

test('sourced profiles: 200 contact info: only what was revealed; field_states; each value costs a unit and is audited', async () => {
  const id = await save(home, { full_name: 'Cleo' })
  const before = await service.get(`/sourced-profiles/${id}/contact-info`, home.key)
  assert.deepEqual(before.body, {
    object: 'contact_info',
    subject: { object: 'sourced_profile', id },
    emails: [],
    phones: [],
    unsubscribed: false,
    field_states: { work_email: 'not_found', personal_email: 'not_found', phone: 'not_found' },
  })
  assert.equal(before.headers.get('service-personal-data-cost'), null)
  await reveal(home, id, email('Cleo@Work.example'), phone('+49 30 1234567'))
  const { body, headers } = await service.get(`/sourced-profiles/${id}/contact-info`, home.key)
  assert.deepEqual(body.emails, [
    {
      value: 'Cleo@Work.example',
      kind: 'work',
      status: 'verified',
      verified_at: '2026-01-02T03:04:05.000Z',
      source: { object: 'sourced_profile', id, workspace_id: home.workspace },
      licence: { redistributable: false },
    },
  ])
  assert.equal(body.phones[0].value, '+49 30 1234567')
  assert.deepEqual(body.field_states, { work_email: 'found', personal_email: 'not_found', phone: 'found' })
  assert.equal(headers.get('service-personal-data-cost'), '2')
  const audit = await db.query(
    sql<{ field: string }>`select field from personal_data_reads where subject_id = ${id} order by field`,
  )
  assert.deepEqual(
    audit.map(r => r.field),
    ['email', 'phone'],
  )
  const noPhone = await service.key({ workspace: home.workspace, scopes: ['contact:read'] })
  const partly = await service.get(`/sourced-profiles/${id}/contact-info`, noPhone)
  assert.equal('phones' in partly.body, false)
  assert.deepEqual(partly.body.restricted, ['phones'])
  assert.deepEqual(partly.body.restricted_reason, { phones: 'scope_required:contact:phone:read' })
  assert.equal(partly.headers.get('service-personal-data-cost'), '1')
  assert.doesNotMatch(partly.text, /1234567/)
})

test('sourced profiles: contact info without contact:phone:read: the response is the same whether or not a phone number was revealed', async () => {
  const noPhone = await service.key({ workspace: home.workspace, scopes: ['contact:read'] })
  const [id, other] = [await save(home, { full_name: 'Cora' }), await save(home, { full_name: 'Cora' })]
  await reveal(home, id, email('cora@work.example'), phone('+49 30 7654321'))
  await reveal(home, other, email('cora@work.example'))
  const read = async (profile: string) => {
    const { text } = await service.get(`/sourced-profiles/${profile}/contact-info`, noPhone)
    return JSON.parse(text.replaceAll(profile, 'cnd_…'))
  }
  const shown = await read(id)
  assert.deepEqual(shown.field_states, { work_email: 'found', personal_email: 'not_found' })
  assert.deepEqual(shown.restricted, ['phones'])
  assert.deepEqual(shown, await read(other))
})

test('sourced profiles: contact info says unsubscribed when the profile or one of its addresses is; a suppressed profile shows none', async () => {
  const id = await save(home, { full_name: 'Dee' })
  await reveal(home, id, email('dee@example.org'))
  await db.query(sql`
    insert into unsubscribes (workspace_id, email_key, source) values (${home.workspace}, 'dee@example.org', 'opt_out')`)
  assert.equal((await service.get(`/sourced-profiles/${id}/contact-info`, home.key)).body.unsubscribed, true)
  // a key must honor it whatever its scopes are, even if it may not read addresses
  const blind = await service.key({ workspace: home.workspace, scopes: ['sourced_profiles:read'] })
  for (const path of [`/sourced-profiles/${id}`, '/sourced-profiles?q=dee']) {
    const { body } = await service.get(path, blind)
    assert.equal((body.data?.[0] ?? body).provenance.consent.unsubscribed, true, path)
  }
  await db.query(sql`update sourced_profiles set suppressed_at = app_now() where id = ${id}`)
  const { body } = await service.get(`/sourced-profiles/${id}/contact-info`, home.key)
  assert.deepEqual(body.emails, [])
  assert.equal((await service.get(`/sourced-profiles/${id}`, home.key)).body.provenance.consent.suppressed, true)
})

test('sourced profiles: reveal: contact_info_revealed names the fields, never the values; known values say nothing', async () => {
  const at = await workspaceWithKey()
  const id = await save(at, { full_name: 'Eve' })
  await reveal(
    at,
    id,
    email('eve@example.org'),
    email('eve@home.example', 'personal'),
    phone('+49 170 1'.padEnd(14, '5')),
  )
  await reveal(at, id, email('eve@example.org'))
  const events = (await readFeed(service, at.workspace)).slice(1)
  assert.deepEqual(typesOf(events), ['sourced_profile.updated', 'sourced_profile.contact_info_revealed'])
  assert.deepEqual(events[1].data.object.changed, ['personal_email', 'phone', 'work_email'])
  assert.doesNotMatch(JSON.stringify(events), /eve@|170/)
  assert.equal((await service.get(`/sourced-profiles/${id}`, at.key)).body.has_contact_info, true)
  await assert.rejects(reveal(at, id, email('not an address')), /not an email address/)
})

test('sourced profiles: 200 attachments: readable and links.content by scope; uploaded_at without a zone', async () => {
  const id = await save(home, { full_name: 'Fay' })
  for (const file of [photo, resume, card]) await attach(home, id, file)
  const { body } = await service.get(`/sourced-profiles/${id}/attachments`, home.key)
  assert.equal(body.next_cursor, null)
  const [first] = body.data
  assert.deepEqual(Object.keys(first), [
    'object',
    'type',
    'filename',
    'mime',
    'bytes',
    'uploaded_at',
    'required_scope',
    'readable',
    'links',
  ])
  assert.match(first.uploaded_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)
  type Shown = { type: string; required_scope: string; readable: boolean; links: { content?: string } }
  const show = (rows: Shown[]) => rows.map(a => [a.type, a.required_scope, a.readable, a.links.content !== undefined])
  assert.deepEqual(show(body.data), [
    ['business_card', 'contact:read', true, true],
    ['profile_photo', 'attachments:read', true, true],
    ['resume', 'resume:download', true, true],
  ])
  const photosOnly = await service.key({ workspace: home.workspace, scopes: ['attachments:read'] })
  assert.deepEqual(show((await service.get(`/sourced-profiles/${id}/attachments`, photosOnly)).body.data), [
    ['business_card', 'contact:read', false, false],
    ['profile_photo', 'attachments:read', true, true],
    ['resume', 'resume:download', false, false],
  ])
  const profile = (await service.get(`/sourced-profiles/${id}`, home.key)).body
  assert.deepEqual([profile.has_resume, profile.has_business_card, profile.has_profile_photo], [true, true, true])
})

test('sourced profiles: 200 content: the file itself, one unit, download tier; 403 insufficient_scope names the file’s own scope', async () => {
  const id = await save(home, { full_name: 'Gil' })
  for (const file of [photo, resume, card]) await attach(home, id, file)
  const content = (kind: string, key = home.key) =>
    service.get(`/sourced-profiles/${id}/attachments/${kind}/content`, key)
  const sent = await content('resume')
  assert.equal(sent.status, 200)
  assert.equal(sent.text, '%PDF')
  assert.equal(sent.headers.get('content-type'), 'application/pdf')
  assert.match(sent.headers.get('content-disposition')!, /cv\.pdf/)
  assert.equal(sent.headers.get('service-personal-data-cost'), '1')
  assert.match(sent.headers.get('ratelimit-limit')!, /^300$/)
  assert.equal((await content('profile_photo')).headers.get('service-personal-data-cost'), '1')
  assert.equal((await content('business_card')).headers.get('content-type'), 'image/jpeg')
  const photosOnly = await service.key({ workspace: home.workspace, scopes: ['attachments:read'] })
  assert.equal((await content('profile_photo', photosOnly)).status, 200)
  for (const [kind, scope] of [
    ['resume', 'resume:download'],
    ['business_card', 'contact:read'],
  ]) {
    const refused = await content(kind!, photosOnly)
    assert.equal(refused.status, 403)
    assert.equal(refused.body.detail.code, 'insufficient_scope')
    assert.equal(refused.body.detail.required_scope, scope)
  }
  const noList = await service.key({ workspace: home.workspace, scopes: ['resume:download'] })
  assert.equal((await content('resume', noList)).body.detail.required_scope, 'attachments:read')
  assert.equal((await content('cover_letter')).status, 404)
  const bare = await save(home, { full_name: 'Hal' })
  assert.equal((await service.get(`/sourced-profiles/${bare}/attachments/resume/content`, home.key)).status, 404)
})

test('sourced profiles: the description names the kinds of file', async () => {
  const { paths, components } = (await service.get('/openapi.json')).body
  const { parameters } = paths['/sourced-profiles/{profile_handle}/attachments/{kind}/content'].get
  const kind = parameters.find((p: { name: string }) => p.name === 'kind')
  assert.deepEqual(kind.schema, { $ref: '#/components/schemas/known_attachment_type' })
  assert.deepEqual(components.schemas.known_attachment_type.enum, ['profile_photo', 'resume', 'business_card'])
})

test('sourced profiles: 429 personal_data_quota_exceeded: an exhausted budget sends no file', async () => {
  const id = await save(home, { full_name: 'Ida' })
  await attach(home, id, photo)
  const key = await service.key({ workspace: home.workspace })
  await db.query(sql`
    insert into personal_data_usage (workspace_id, key_id, day, used)
    values (${home.workspace}, ${key.id}, app_now()::date, 100000)`)
  const refused = await service.get(`/sourced-profiles/${id}/attachments/profile_photo/content`, key)
  assert.equal(refused.body.detail.code, 'personal_data_quota_exceeded')
})

test('sourced profiles: attachments: a new file replaces the old one, which goes; attachment_added; other types are refused', async () => {
  const at = await workspaceWithKey()
  const id = await save(at, { full_name: 'Jo' })
  const first = await attach(at, id, photo)
  const second = await attach(at, id, { ...photo, content: Buffer.from('another') })
  const { text } = await service.get(`/sourced-profiles/${id}/attachments/profile_photo/content`, at.key)
  assert.equal(text, 'another')
  while (await blobs.stat(first.blob_key)) await new Promise(setImmediate)
  assert.ok(await blobs.stat(second.blob_key))
  const events = (await readFeed(service, at.workspace)).slice(1)
  assert.deepEqual(typesOf(events), [
    'sourced_profile.updated',
    'sourced_profile.attachment_added',
    'sourced_profile.attachment_added',
  ])
  assert.deepEqual(events[0].data.object.changed, ['has_profile_photo'])
  assert.equal(events[1].data.object.attachment_type, 'profile_photo')
  await assert.rejects(attach(at, id, { ...photo, mime: 'text/html' }), /must be one of/)
  await assert.rejects(attach(at, id, { ...photo, content: Buffer.alloc(0) }), /1 to 5242880 bytes/)
  await assert.rejects(attach(at, newHandle('sourced_profile'), photo), /there is no profile/)
})

test('sourced profiles: delete: leaves its lists, takes contact details and files along; sourced_profile.deleted with the reason', async () => {
  const at = await workspaceWithKey()
  const id = await save(at, { full_name: 'Kim' })
  await reveal(at, id, email('kim@example.org'))
  const file = await attach(at, id, resume)
  const list = await db.transaction(tx => createList(tx, at.actor, { name: 'x' }))
  await db.transaction(tx => addMembers(tx, at.actor, list.id, [{ sourced_profile_id: id }]))
  const before = (await readFeed(service, at.workspace)).length
  await db.transaction(tx => deleteProfile(tx, blobs, at.actor, id, 'duplicate'))
  const events = (await readFeed(service, at.workspace)).slice(before)
  assert.deepEqual(typesOf(events), ['list_membership.removed', 'list.updated', 'sourced_profile.deleted'])
  assert.equal(events[2].data.object.reason, 'duplicate')
  assert.equal((await service.get(`/lists/${list.id}`, at.key)).body.candidate_count, 0)
  assert.equal((await service.get(`/sourced-profiles/${id}`, at.key)).status, 404)
  assert.equal((await db.query(sql`select 1 from contact_values where subject_id = ${id}`)).length, 0)
  while (await blobs.stat(file.blob_key)) await new Promise(setImmediate)
})

test('sourced profiles: files of a replaced attachment and of a deleted profile go, even if the file store is unavailable then', async () => {
  const at = await workspaceWithKey()
  const id = await save(at, { full_name: 'Kit' })
  const away: typeof blobs = Object.assign(Object.create(blobs), {
    put: (...given: Parameters<typeof blobs.put>) => blobs.put(...given),
    remove: () => Promise.reject(new Error('away')),
    removeAll: () => Promise.reject(new Error('away')),
  })
  const first = await addAttachment(db, away, at.actor, id, resume)
  const second = await addAttachment(db, away, at.actor, id, resume)
  await expireOnce(db, blobs)
  assert.equal(await blobs.stat(first.blob_key), null)
  assert.ok(await blobs.stat(second.blob_key))
  // one that was put and whose record was never written: the process died in between
  const lost = `${attachmentFolder(at.workspace, id)}lost`
  await blobs.put(lost, Buffer.from('x'), { contentType: 'text/plain', bytes: 1 })
  await db.transaction(tx => deleteProfile(tx, away, at.actor, id, 'duplicate'))
  await expireOnce(db, blobs)
  for (const key of [second.blob_key, lost]) assert.equal(await blobs.stat(key), null)
})

test('sourced profiles: content: a file replaced or deleted after its record was read is the new one, or 404', async () => {
  const at = await workspaceWithKey()
  const id = await save(at, { full_name: 'Lou' })
  await attach(at, id, resume)
  const { get } = blobs
  const reading = async (duringRead: () => Promise<unknown>) => {
    blobs.get = async key => {
      blobs.get = get
      await duringRead()
      return blobs.get(key)
    }
    return service.get(`/sourced-profiles/${id}/attachments/resume/content`, at.key)
  }
  const replaced = await reading(async () => {
    await addAttachment(db, blobs, at.actor, id, { ...resume, content: Buffer.from('new') })
    await expireOnce(db, blobs)
  })
  assert.deepEqual([replaced.status, replaced.text], [200, 'new'])
  assert.equal(replaced.headers.get('service-personal-data-cost'), '1')
  const deleted = await reading(async () => {
    await db.transaction(tx => deleteProfile(tx, blobs, at.actor, id, 'duplicate'))
    await expireOnce(db, blobs)
  })
  assert.equal(deleted.body.detail.code, 'not_found')
  assert.equal(deleted.headers.get('service-personal-data-cost'), null)
})

test('sourced profiles: import: one that is known is updated, by external_id or LinkedIn address; what the file leaves out stays', async () => {
  const at = await workspaceWithKey()
  const id = await save(at, { external_id: 'x-1', full_name: 'Lea', headline: 'Old' })
  await save(at, { external_id: 'x-1', headline: 'New', linkedin_url: 'https://de.linkedin.com/in/lea?x=1' })
  clock.advance(60_000)
  await save(at, { linkedin_url: 'https://de.linkedin.com/in/lea?x=1', headline: 'New' })
  clock.reset()
  const { data } = (await service.get('/sourced-profiles', at.key)).body
  assert.equal(data.length, 1)
  assert.equal(data[0].id, id)
  assert.equal(data[0].full_name, 'Lea')
  assert.equal(data[0].headline, 'New')
  assert.ok(data[0].provenance.last_seen_at > data[0].updated_at)
  const events = await readFeed(service, at.workspace)
  assert.deepEqual(typesOf(events), ['sourced_profile.created', 'sourced_profile.updated'])
  assert.deepEqual(events[1].data.object.changed.toSorted(), ['headline', 'linkedin_url'])
})

test('sourced profiles: import: has_linkedin_capture is false whatever a file says', async () => {
  const at = await workspaceWithKey()
  const profile = { external_id: 'x-1', full_name: 'Lea', linkedin_url: 'https://www.linkedin.com/in/lea' }
  const claims = { has_linkedin_capture: true, acquisition: 'linkedin_capture' }
  await save(at, { ...profile, ...claims })
  await save(at, { ...profile, ...claims, headline: 'Updated' })
  const [{ headline, has_linkedin_capture, provenance }] = (await service.get('/sourced-profiles', at.key)).body.data
  assert.deepEqual([headline, has_linkedin_capture, provenance.acquisition], ['Updated', false, 'xray_search'])
})

test('sourced profiles: import: people whose processing was stopped do not come back', async () => {
  const at = await workspaceWithKey()
  await db.query(sql`
    with s as (
      insert into suppressions (id, status, reason, delete_by)
      values (gen_random_uuid(), 'erased', 'erasure_request', app_now()) returning id
    )
    insert into suppressed_identifiers (kind, sha256, suppression_id)
    select 'linkedin_url', ${sha256('linkedin.com/in/erased')}, id from s`)
  await save(at, { full_name: 'Erased', linkedin_url: 'https://www.linkedin.com/in/Erased' })
  assert.deepEqual((await service.get('/sourced-profiles', at.key)).body.data, [])
  assert.deepEqual(await readFeed(service, at.workspace), [])
})

test('sourced profiles: import: a name that a file adds is known the next time, also where nothing else changed', async () => {
  const at = await workspaceWithKey()
  const linkedin_url = 'https://www.linkedin.com/in/named-later'
  const id = await save(at, { full_name: 'Ida', linkedin_url })
  await save(at, { full_name: 'Ida', linkedin_url, external_id: 'i-1' })
  await save(at, { full_name: 'Ida', external_id: 'i-1', linkedin_url: 'https://www.linkedin.com/in/ida' })
  const { data } = (await service.get('/sourced-profiles', at.key)).body
  assert.deepEqual(
    data.map((p: { id: string; linkedin_url: string }) => [p.id, p.linkedin_url]),
    [[id, 'https://www.linkedin.com/in/ida']],
  )
  assert.deepEqual(typesOf(await readFeed(service, at.workspace)), [
    'sourced_profile.created',
    'sourced_profile.updated',
  ])
})

test('sourced profiles: a profile whose processing was stopped: no file is listed or sent, and no import fills it again', async () => {
  const at = await workspaceWithKey()
  const id = await save(at, { full_name: 'Una', external_id: 'u-1' })
  await attach(at, id, resume)
  await db.query(sql`update sourced_profiles set suppressed_at = app_now() where id = ${id}`)
  assert.deepEqual((await service.get(`/sourced-profiles/${id}/attachments`, at.key)).body.data, [])
  assert.equal((await service.get(`/sourced-profiles/${id}/attachments/resume/content`, at.key)).status, 404)
  await save(at, { full_name: 'Una Again', external_id: 'u-1' })
  assert.equal((await service.get(`/sourced-profiles/${id}`, at.key)).body.full_name, 'Una')
})

test('sourced profiles: a profile whose processing was stopped: no file is added to it, none stays in the store, no event is emitted', async () => {
  const at = await workspaceWithKey()
  const id = await save(at, { full_name: 'Una', linkedin_url: 'https://www.linkedin.com/in/una-stopped' })
  const stop = () =>
    requestErasure(db, {
      linkedinUrl: 'https://www.linkedin.com/in/una-stopped',
      reason: 'stop_processing',
      requestedBy: 'command_line',
    })
  const kept: string[] = []
  const watched: typeof blobs = Object.assign(Object.create(blobs), {
    // stopped while the file is on its way
    put: async (...given: Parameters<typeof blobs.put>) => {
      kept.push(given[0])
      const stat = await blobs.put(...given)
      await stop()
      return stat
    },
    remove: (key: string) => blobs.remove(key),
  })
  const add = () => addAttachment(db, watched, at.actor, id, resume)
  await assert.rejects(add, { code: 'applicant_suppressed' })
  const before = (await readFeed(service, at.workspace)).length
  await assert.rejects(add, { code: 'applicant_suppressed' })
  assert.equal(kept.length, 1)
  assert.equal(await blobs.stat(kept[0]!), null)
  assert.equal((await readFeed(service, at.workspace)).length, before)
  assert.equal((await service.get(`/sourced-profiles/${id}`, at.key)).body.has_resume, false)
})

test('sourced profiles: reveal and attachments: what no partner could use is refused before anything is stored', async () => {
  const at = await workspaceWithKey()
  const id = await save(at, { full_name: 'Vic' })
  for (const value of ['555', `+49 ${'1234567890 '.repeat(500)}`, '+49 30\u0000 5550001'])
    await assert.rejects(reveal(at, id, phone(value)), /not a phone number/)
  for (const filename of ['', '   ', 'a/', 'x'.repeat(256), 'cv\u0000.pdf', 'cv\r\n.pdf', 'cv\ud800.pdf'])
    await assert.rejects(attach(at, id, { ...resume, filename }), /the file needs a name/, filename)
  await attach(at, id, { ...resume, filename: 'C:\\Users\\vic\\Lebenslauf „Größe“ 😀.pdf' })
  const sent = await service.get(`/sourced-profiles/${id}/attachments/resume/content`, at.key)
  const name = sent.headers.get('content-disposition')!.replace(/^attachment; filename\*=UTF-8''/, '')
  assert.equal(decodeURIComponent(name), 'Lebenslauf „Größe“ 😀.pdf')
})

test('sourced profiles: reveal: a value given twice is one', async () => {
  const at = await workspaceWithKey()
  const id = await save(at, { full_name: 'Two' })
  await reveal(at, id, email('two@example.org', 'personal'), email('two@example.org'))
  const { emails } = (await service.get(`/sourced-profiles/${id}/contact-info`, at.key)).body
  assert.deepEqual(
    emails.map((e: { value: string; kind: string }) => [e.value, e.kind]),
    [['two@example.org', 'work']],
  )
})

test('sourced profiles: reveal: another spelling of a known value changes nothing; a new status is stored', async () => {
  const at = await workspaceWithKey()
  const id = await save(at, { full_name: 'Spelt' })
  await reveal(at, id, email('spelt@example.org'), phone('+49 30 5550001'))
  const before = (await readFeed(service, at.workspace)).length
  await reveal(at, id, email('Spelt@Example.org'), phone('+49 (30) 555-0001'))
  assert.equal((await readFeed(service, at.workspace)).length, before)
  await reveal(at, id, { ...phone('+49305550001'), status: 'invalid' })
  const events = (await readFeed(service, at.workspace)).slice(before)
  assert.deepEqual(
    events.map(event => [event.type, event.data.object.changed]),
    [['sourced_profile.contact_info_revealed', ['phone']]],
  )
  const { body } = await service.get(`/sourced-profiles/${id}/contact-info`, at.key)
  type Shown = { value: string; status: string }
  assert.deepEqual(
    [...body.emails, ...body.phones].map(({ value, status }: Shown) => [value, status]),
    [
      ['spelt@example.org', 'verified'],
      ['+49 30 5550001', 'invalid'],
    ],
  )
})

test('sourced profiles: 404: another workspace’s profile is as one that does not exist, for every endpoint', async () => {
  const id = await save(other, { full_name: 'Max' })
  await attach(other, id, photo)
  for (const tail of ['', '/contact-info', '/attachments', '/attachments/profile_photo/content', '/list-memberships']) {
    const responses = []
    for (const handle of [id, newHandle('sourced_profile'), 'nonsense', 'cnd_1'])
      responses.push(await service.get(`/sourced-profiles/${handle}${tail}`, home.key))
    for (const response of responses) {
      assert.equal(response.status, 404, tail)
      assert.deepEqual({ ...response.body.detail, request_id: '' }, { ...responses[0]!.body.detail, request_id: '' })
    }
    assert.equal((await service.get(`/sourced-profiles/${id}${tail}`, other.key)).status, 200)
  }
})

test('sourced profiles: 403 insufficient_scope: each endpoint names its scope', async () => {
  const key = await service.key({ workspace: home.workspace, scopes: ['jobs:read'] })
  const id = newHandle('sourced_profile')
  for (const [path, scope] of [
    ['/sourced-profiles', 'sourced_profiles:read'],
    [`/sourced-profiles/${id}`, 'sourced_profiles:read'],
    [`/sourced-profiles/${id}/contact-info`, 'contact:read'],
    [`/sourced-profiles/${id}/attachments`, 'attachments:read'],
    [`/sourced-profiles/${id}/list-memberships`, 'lists:read'],
  ])
    assert.equal((await service.get(path!, key)).body.detail.required_scope, scope)
})

test('sourced profiles: import: in one batch, an address that a profile gave up is no longer its name, and nothing that was read is lost', async () => {
  const at = await workspaceWithKey()
  const url = (name: string) => `https://www.linkedin.com/in/${name}`
  const old = await save(at, { external_id: 'm-1', full_name: 'Mia', linkedin_url: url('mia-old') })
  const lines = [
    { external_id: 'm-1', headline: 'Engineer', linkedin_url: url('mia-new') },
    { full_name: 'Another Mia', linkedin_url: url('mia-old') },
    { linkedin_url: url('mia-new'), department: 'R&D' },
  ]
  const rows = lines.map(line => readProfile(JSON.stringify(line), newHandle('sourced_profile')))
  const { fates, ...done } = await db.transaction(tx => importProfiles(tx, at.actor, XRAY, rows))
  assert.deepEqual(done, { created: 1, updated: 1, unchanged: 0, suppressed: 0 })
  assert.deepEqual(
    fates.map(({ fate, same_as }) => [fate, same_as]),
    [
      ['updated', null],
      ['created', null],
      ['updated', 0],
    ],
  )
  const { body } = await service.get(`/sourced-profiles/${old}`, at.key)
  assert.deepEqual(
    [body.full_name, body.headline, body.department, body.linkedin_url],
    ['Mia', 'Engineer', 'R&D', url('mia-new')],
  )
  const { data } = (await service.get('/sourced-profiles?q=another', at.key)).body
  assert.equal(data[0].linkedin_url, url('mia-old'))
})

test('sourced profiles: 200 q: any case of any script finds what it names, also letters whose small form is more than one', async () => {
  const at = await workspaceWithKey()
  const names = ['İpek Şahin', 'ΝΙΚΟΣ ΠΑΠΑΔΟΠΟΥΛΟΣ', 'Ærøskøbing', 'Größe', '李小龍', 'ẞtraße']
  for (const full_name of names) {
    const id = await save(at, { full_name })
    const { data } = (await service.get(`/sourced-profiles?q=${encodeURIComponent(full_name)}`, at.key)).body
    assert.deepEqual(
      data.map((p: { id: string }) => p.id),
      [id],
      full_name,
    )
  }
})
