import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queryable } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { emailKey, linkedinKey } from '../../src/kernel/text/person-keys.ts'
import { recordLink, resolveAll } from '../../src/resources/people/index.ts'
import { readFeed, typesOf } from '../harness/feed.ts'
import { sharedTestService } from '../harness/service.ts'

const service = await sharedTestService()
const { db } = service.services

async function workspaceWithKey() {
  const { id: workspace } = await service.workspace('enterprise')
  return { workspace, key: await service.key({ workspace }) }
}
type At = Awaited<ReturnType<typeof workspaceWithKey>>
const home = await workspaceWithKey()
const other = await workspaceWithKey()

async function applicant(
  at: At,
  email: string | null,
  linkedin: string | null = null,
  name = 'Applied',
): Promise<string> {
  const id = newHandle('applicant')
  await db.query(sql`
    insert into applicants (workspace_id, id, full_name, email, email_key, phone, linkedin_url, linkedin_key, location)
    values (${at.workspace}, ${id}, ${name}, ${email}, ${email && emailKey(email)}, '+49 30 5550001', ${linkedin},
      ${linkedin && linkedinKey(linkedin)}, 'Berlin')`)
  if (email) await contact(at, 'applicant', id, 'email', email, 'submitted')
  await contact(at, 'applicant', id, 'phone', '+49 30 5550001', 'submitted')
  return id
}
async function sourced(at: At, linkedin: string): Promise<string> {
  const id = newHandle('sourced_profile')
  await db.query(sql`
    insert into sourced_profiles (workspace_id, id, full_name, headline, linkedin_url, linkedin_key, origin, acquisition)
    values (${at.workspace}, ${id}, 'Sourced', 'Engineer', ${linkedin}, ${linkedinKey(linkedin)!}, 'xray', 'xray_search')`)
  return id
}
async function pooled(linkedin: string): Promise<string> {
  const id = newHandle('pool_profile')
  await db.query(sql`
    insert into pool_profiles (id, full_name, headline, linkedin_url, linkedin_key, provider)
    values (${id}, 'Pooled', 'Engineer', ${linkedin}, ${linkedinKey(linkedin)!}, 'acme')`)
  return id
}
const contact = (at: At, object: string, id: string, field: string, value: string, kind = 'work') =>
  db.query(sql`
    insert into contact_values (workspace_id, subject_object, subject_id, field, value, kind)
    values (${at.workspace}, ${object}, ${id}, ${field}, ${value}, ${kind})`)

const url = (name: string) => `https://www.linkedin.com/in/${name}`
const resolve = (at: At, query: string, key = at.key) => service.get(`/people/resolve?${query}`, key)

test('people: 200 resolve by LinkedIn URL: exact across the kinds, with the specified fields', async () => {
  const [a, s, p] = [
    await applicant(home, 'x1@example.org', url('x1')),
    await sourced(home, url('x1')),
    await pooled(url('x1')),
  ]
  const { status, body } = await resolve(
    home,
    `linkedin_url=${encodeURIComponent('http://de.linkedin.com/in/X1/?trk=1')}`,
  )
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), [
    'object',
    'id',
    'canonical_id',
    'aliases',
    'identity',
    'authoritative',
    'display',
    'display_source',
    'profiles',
    'counts',
    'links',
  ])
  assert.equal(body.object, 'person')
  assert.match(body.id, /^per_/)
  assert.equal(body.canonical_id, body.id)
  assert.deepEqual(body.identity, { kind: 'linkedin_url', value: 'linkedin.com/in/x1' })
  assert.equal(body.authoritative, false)
  assert.deepEqual(body.display, { full_name: 'Applied', headline: null, location: 'Berlin', photo_url: null })
  assert.deepEqual(body.display_source, { object: 'applicant', id: a, workspace_id: home.workspace })
  const match = { on: 'linkedin_url', confidence: 'exact', strength: 'strong' }
  assert.deepEqual(body.profiles, [
    {
      object: 'applicant',
      id: a,
      workspace_id: home.workspace,
      match,
      provenance: { origin: 'applicant', provider: null },
    },
    {
      object: 'sourced_profile',
      id: s,
      workspace_id: home.workspace,
      match,
      provenance: { origin: 'sourced', provider: null },
    },
    {
      object: 'pool_profile',
      id: p,
      workspace_id: null,
      match,
      provenance: { origin: 'shared_pool', provider: 'acme' },
    },
  ])
  assert.deepEqual(body.counts, { profiles: 3, sourced_profiles: 1, applicants: 1, pool_profiles: 1, exact_matches: 3 })
  assert.deepEqual(Object.keys(body.links), ['self', 'profiles', 'contact_info', 'resumes', 'applications'])
  assert.equal(body.aliases.length, 1)
  const listed = await service.get(`/people/${body.id}/profiles`, home.key)
  assert.deepEqual(listed.body.data, body.profiles)
  assert.deepEqual((await service.get(`/people/${body.id}`, home.key)).body, body)
})

test('people: 200 resolve by email: applicants only, probable; the canonical handle is the LinkedIn one', async () => {
  const a = await applicant(home, 'X2@Example.org', url('x2'))
  await sourced(home, url('x2'))
  const { body } = await resolve(home, 'email=x2%40EXAMPLE.org')
  assert.deepEqual(body.identity, { kind: 'email', value: 'x2@example.org' })
  assert.deepEqual(
    body.profiles.map((p: { id: string; match: object }) => [p.id, p.match]),
    [[a, { on: 'email', confidence: 'probable', strength: 'moderate' }]],
  )
  assert.deepEqual(body.counts, { profiles: 1, sourced_profiles: 0, applicants: 1, pool_profiles: 0, exact_matches: 0 })
  const byUrl = (await resolve(home, `linkedin_url=${url('x2')}`)).body
  assert.notEqual(body.id, byUrl.id)
  assert.equal(body.canonical_id, byUrl.id)
  assert.deepEqual(body.aliases, [byUrl.id])
  assert.deepEqual(byUrl.aliases, [body.id])
  const alone = await applicant(home, 'x2b@example.org')
  const unlinked = (await resolve(home, 'email=x2b@example.org')).body
  assert.equal(unlinked.profiles[0].id, alone)
  assert.equal(unlinked.canonical_id, unlinked.id)
  assert.deepEqual(unlinked.aliases, [])
})

test('people: handles are stable, say nothing of the identifier, and differ between workspaces', async () => {
  await pooled(url('x3'))
  const responses = await Promise.all(Array.from({ length: 12 }, () => resolve(home, `linkedin_url=${url('x3')}`)))
  const ids = new Set(responses.map(a => a.body.id))
  assert.equal(ids.size, 1)
  const elsewhere = await resolve(other, `linkedin_url=${url('x3')}`)
  assert.ok(!ids.has(elsewhere.body.id))
  assert.equal((await service.get(`/people/${elsewhere.body.id}`, home.key)).status, 404)
})

test('people: kinds that the key cannot read are left out and not counted', async () => {
  await applicant(home, 'x4@example.org', url('x4'))
  await sourced(home, url('x4'))
  await pooled(url('x4'))
  const withScopes = async (...scopes: string[]) =>
    resolve(
      home,
      `linkedin_url=${url('x4')}`,
      await service.key({ workspace: home.workspace, scopes: ['people:resolve', ...scopes] }),
    )
  const pool = (await withScopes('pool:read')).body
  assert.deepEqual(pool.counts, { profiles: 1, sourced_profiles: 0, applicants: 0, pool_profiles: 1, exact_matches: 1 })
  assert.equal(pool.display.full_name, 'Pooled')
  assert.deepEqual(pool.aliases, [])
  assert.equal((await withScopes('sourced_profiles:read')).body.counts.sourced_profiles, 1)
  assert.equal((await withScopes()).status, 404)
  const noApplicants = await service.key({ workspace: home.workspace, scopes: ['people:resolve', 'pool:read'] })
  assert.equal((await resolve(home, 'email=x4@example.org', noApplicants)).status, 404)
})

test('people: 400 invalid_request: neither or both parameters, or what is no identifier', async () => {
  for (const query of [
    '',
    'email=a@example.org&linkedin_url=linkedin.com/in/a',
    'email=nonsense',
    'email=a+b@example.org',
    'linkedin_url=https://example.org/in/a',
    'linkedin_url=https://www.linkedin.com/company/a',
  ]) {
    const response = await resolve(home, query)
    assert.equal(response.status, 400, query)
    assert.equal(response.body.detail.code, 'invalid_request')
  }
  for (const query of ['', 'email=a@example.org&linkedin_url=linkedin.com/in/a'])
    assert.match((await resolve(home, query)).body.detail.message, /exactly one of email and linkedin_url/)
})

test('people: 400 not_an_identity: a shared role address, also one that an applicant used', async () => {
  await applicant(home, 'jobs@example.org')
  const response = await resolve(home, 'email=Jobs@example.org')
  assert.equal(response.status, 400)
  assert.equal(response.body.detail.code, 'not_an_identity')
})

test('people: 404: an address that no readable record has; it is not stored', async () => {
  assert.equal((await resolve(home, 'email=unknown@example.org')).status, 404)
  const stored = sql`
    select 1 from identities where workspace_id = ${home.workspace} and value = 'unknown@example.org'`
  assert.equal((await db.query(stored)).length, 0)
})

test('people: 404: a record of another workspace, or one whose processing was stopped, is no match', async () => {
  await applicant(other, 'x5@example.org', url('x5'))
  assert.equal((await resolve(home, 'email=x5@example.org')).status, 404)
  const id = await applicant(home, 'x5@example.org', url('x5'))
  const { body } = await resolve(home, 'email=x5@example.org')
  await db.query(sql`update applicants set suppressed_at = app_now() where id = ${id}`)
  assert.equal((await resolve(home, 'email=x5@example.org')).status, 404)
  for (const tail of ['', '/profiles', '/contact-info']) {
    const responses = []
    for (const handle of [body.id, newHandle('person'), 'nonsense'])
      responses.push(await service.get(`/people/${handle}${tail}`, home.key))
    for (const response of responses) {
      assert.equal(response.status, 404)
      assert.deepEqual({ ...response.body.detail, request_id: '' }, { ...responses[0]!.body.detail, request_id: '' })
    }
  }
})

test('people: an email identity by handle: its value needs contact:read and costs a unit; a LinkedIn address is free', async () => {
  const a = await applicant(home, 'x6@example.org', url('x6'))
  const byUrl = (await resolve(home, `linkedin_url=${url('x6')}`)).body
  const [alias] = byUrl.aliases
  const full = await service.get(`/people/${alias}`, home.key)
  assert.equal(full.body.identity.value, 'x6@example.org')
  assert.equal(full.headers.get('service-personal-data-cost'), '1')
  const audit = await db.query(
    sql<{ field: string; subject_object: string }>`
      select field, subject_object from personal_data_reads where subject_id = ${a}`,
  )
  assert.deepEqual(audit, [{ field: 'email', subject_object: 'applicant' }])
  const blind = await service.key({ workspace: home.workspace, scopes: ['people:resolve', 'applicants:read'] })
  const hidden = await service.get(`/people/${alias}`, blind)
  assert.deepEqual(hidden.body.identity, { kind: 'email' })
  assert.deepEqual(hidden.body.restricted, ['identity.value'])
  assert.deepEqual(hidden.body.restricted_reason, { 'identity.value': 'scope_required:contact:read' })
  assert.equal(hidden.headers.get('service-personal-data-cost'), null)
  const access = (await service.get('/me/access?limit=100', blind)).body.data
  const { fields } = access.find((row: { resource: string }) => row.resource === 'people')
  assert.deepEqual(
    fields.find((field: { name: string }) => field.name === 'identity.value'),
    { name: 'identity.value', state: 'restricted', reason: 'scope_required:contact:read' },
  )
  const linkedin = await service.get(`/people/${byUrl.id}`, blind)
  assert.equal(linkedin.body.identity.value, 'linkedin.com/in/x6')
  assert.equal('restricted' in linkedin.body, false)
  const echoed = await resolve(home, 'email=x6@example.org', blind)
  assert.equal(echoed.body.identity.value, 'x6@example.org')
  assert.equal(echoed.headers.get('service-personal-data-cost'), null)
})

test('people: 200 batch: one row a key, in order; no_match and not_an_identity; changes nothing', async () => {
  const at = await workspaceWithKey()
  await applicant(at, 'x7@example.org', url('x7'))
  const keys = [
    { kind: 'email', value: 'X7@example.org' },
    { kind: 'linkedin_url', value: url('x7') },
    { kind: 'email', value: 'unknown@example.org' },
    { kind: 'email', value: 'info@example.org' },
    { kind: 'linkedin_url', value: 'nonsense' },
    { kind: 'email', value: 'x7@example.org' },
  ]
  const response = await service.post('/people/resolve:batch', at.key, { keys })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('ratelimit-limit'), '600')
  const { data, next_cursor } = response.body
  assert.equal(next_cursor, null)
  const person = (await resolve(at, 'email=x7@example.org')).body
  assert.deepEqual(data[0], {
    object: 'resolution',
    input: keys[0],
    matched: true,
    person: {
      object: 'person',
      id: person.id,
      canonical_id: person.canonical_id,
      counts: { profiles: 1, exact_matches: 0 },
    },
  })
  assert.deepEqual(data[2], { object: 'resolution', input: keys[2], matched: false, reason: 'no_match' })
  assert.deepEqual(
    data.map((r: { matched: boolean; reason?: string }) => r.reason ?? r.matched),
    [true, true, 'no_match', 'not_an_identity', 'not_an_identity', true],
  )
  assert.equal(data[1].person.id, person.canonical_id)
  assert.deepEqual(data[5].person, data[0].person)
  assert.deepEqual(await readFeed(service, at.workspace), [])
  assert.equal((await service.get(`/people/${data[0].person.id}`, at.key)).status, 200)
})

test('people: 400 batch: 1 to 100 keys of a known kind', async () => {
  const key = { kind: 'email', value: 'a@example.org' }
  for (const keys of [[], Array(101).fill(key), [{ kind: 'phone', value: '1' }], [{ kind: 'email' }]])
    assert.equal((await service.post('/people/resolve:batch', home.key, { keys })).body.detail.code, 'invalid_request')
  assert.equal((await service.post('/people/resolve:batch', home.key, { keys: Array(100).fill(key) })).status, 200)
})

test('people: 405 method_not_allowed: a batch accepts POST only; its path is no handle', async () => {
  const response = await service.get('/people/resolve:batch', home.key)
  assert.equal(response.status, 405)
  assert.equal(response.body.detail.code, 'method_not_allowed')
  assert.equal(response.headers.get('allow'), 'POST')
  const posted = await service.post('/people/resolve', home.key, {})
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
})

test('people: a batch of 100 runs as many statements as a batch of one', async () => {
  const at = await workspaceWithKey()
  for (let i = 0; i <= 100; i++) await applicant(at, `b${i}@example.org`, url(`b${i}`))
  const count = async (size: number, from: number) => {
    let statements = 0
    const counted: Queryable = {
      query: statement => {
        statements++
        return db.query(statement)
      },
      one: statement => {
        statements++
        return db.one(statement)
      },
      only: statement => {
        statements++
        return db.only(statement)
      },
    }
    const identifiers = Array.from(
      { length: size },
      (_, i) => ({ kind: 'email', value: `b${from + i}@example.org` }) as const,
    )
    const found = await resolveAll(
      {
        db: counted,
        inTransaction: work =>
          db.transaction(tx =>
            work({
              ...counted,
              defer: statement => {
                statements++
                tx.defer(statement)
              },
              afterCommit: run => tx.afterCommit(run),
              attempt: part => tx.attempt(part),
            }),
          ),
        workspace: at.workspace,
        scopes: new Set(['applicants:read'] as const),
      },
      identifiers,
    )
    assert.equal(found.size, size)
    return statements
  }
  await count(1, 100) // the kind of the workspace is read once
  assert.equal(await count(99, 1), await count(1, 0))
  assert.equal(await count(100, 0), await count(1, 0))
  // links that were learned without being emitted are emitted now, all of them in as many statements as one
  const relink = (from: number) =>
    db.query(sql`
      update applicants set linkedin_key = linkedin_key || '-new'
      where workspace_id = ${at.workspace} and substring(email_key from 'b([0-9]+)@')::int >= ${from}`)
  await relink(99)
  const one = await count(1, 99)
  await relink(0)
  assert.equal(await count(100, 0), one)
  const emitted = typesOf(await readFeed(service, at.workspace))
  assert.equal(emitted.filter(type => type === 'person.canonical_id_changed').length, 101)
})

test('people: 200 contact info: exact matches only, each value once, labeled with its record; phones need their scope', async () => {
  const at = await workspaceWithKey()
  const a = await applicant(at, 'x8@example.org', url('x8'))
  const s = await sourced(at, url('x8'))
  await contact(at, 'sourced_profile', s, 'email', 'X8@example.org')
  await contact(at, 'sourced_profile', s, 'email', 'x8@work.example')
  await contact(at, 'sourced_profile', s, 'phone', '+49305550001')
  const byUrl = (await resolve(at, `linkedin_url=${url('x8')}`)).body
  const { body, headers } = await service.get(`/people/${byUrl.id}/contact-info`, at.key)
  assert.deepEqual(body.subject, { object: 'person', id: byUrl.id })
  assert.deepEqual(
    body.emails.map((e: { value: string; kind: string; source: object }) => [e.value, e.kind, e.source]),
    [
      ['x8@example.org', 'submitted', { object: 'applicant', id: a, workspace_id: at.workspace }],
      ['x8@work.example', 'work', { object: 'sourced_profile', id: s, workspace_id: at.workspace }],
    ],
  )
  assert.equal(body.phones.length, 1)
  assert.equal(body.excluded_probable_matches, 0)
  assert.equal(body.excluded_reason, 'No probable matches were excluded.')
  assert.equal('field_states' in body, false)
  assert.equal(headers.get('service-personal-data-cost'), '3')
  // a person is no record: the audit names those that the values came from
  const audit = await service.get('/audit/personal-data-reads', at.key)
  assert.deepEqual(
    audit.body.data.map((r: { subject: object; field: string }) => ({ ...r.subject, field: r.field })).reverse(),
    [
      { object: 'applicant', id: a, field: 'email' },
      { object: 'sourced_profile', id: s, field: 'email' },
      { object: 'applicant', id: a, field: 'phone' },
    ],
  )

  const byEmail = (await resolve(at, 'email=x8@example.org')).body
  const probable = await service.get(`/people/${byEmail.id}/contact-info`, at.key)
  assert.deepEqual([probable.body.emails, probable.body.phones], [[], []])
  assert.equal(probable.body.excluded_probable_matches, 1)
  assert.match(probable.body.excluded_reason, /probable/)
  assert.equal(probable.headers.get('service-personal-data-cost'), null)

  const sourcedOnly = await service.key({ workspace: at.workspace, scopes: ['contact:read', 'sourced_profiles:read'] })
  const partly = await service.get(`/people/${byUrl.id}/contact-info`, sourcedOnly)
  assert.deepEqual(
    partly.body.emails.map((e: { value: string }) => e.value),
    ['X8@example.org', 'x8@work.example'],
  )
  assert.deepEqual(partly.body.restricted, ['phones'])
  await db.query(
    sql`insert into unsubscribes (workspace_id, email_key, source) values (${at.workspace}, 'x8@work.example', 'link')`,
  )
  assert.equal((await service.get(`/people/${byUrl.id}/contact-info`, at.key)).body.unsubscribed, true)
})

test('people: 200 contact info of an email identity: says unsubscribed where that very address is, though it shows no value', async () => {
  const at = await workspaceWithKey()
  await applicant(at, 'off@example.org')
  const { id } = (await resolve(at, 'email=off@example.org')).body
  const unsubscribed = async () => {
    const { body, headers } = await service.get(`/people/${id}/contact-info`, at.key)
    assert.deepEqual([body.emails, body.excluded_probable_matches], [[], 1])
    assert.equal(headers.get('service-personal-data-cost'), null)
    return body.unsubscribed
  }
  assert.equal(await unsubscribed(), false)
  await db.query(
    sql`insert into unsubscribes (workspace_id, email_key, source) values (${at.workspace}, 'off@example.org', 'link')`,
  )
  assert.equal(await unsubscribed(), true)
})

test('events: a link that the product finds has one event, with the handle to remap', async () => {
  const at = await workspaceWithKey()
  const a = await applicant(at, 'x9@example.org')
  const before = (await resolve(at, 'email=x9@example.org')).body
  assert.equal(before.canonical_id, before.id)
  await db.query(sql`update applicants set linkedin_key = ${linkedinKey(url('x9'))!} where id = ${a}`)
  const learn = () =>
    db.transaction(tx => recordLink(tx, at.workspace, 'x9@example.org', linkedinKey(url('x9'))!, null))
  await Promise.all([learn(), learn(), learn()])
  const after = (await resolve(at, 'email=x9@example.org')).body
  const linkedin = (await resolve(at, `linkedin_url=${url('x9')}`)).body
  assert.equal(after.id, before.id)
  assert.equal(after.canonical_id, linkedin.id)
  const events = await readFeed(service, at.workspace)
  assert.deepEqual(typesOf(events), ['person.identity_linked', 'person.canonical_id_changed'])
  const { updated_at: _, ...linked } = events[0].data.object
  assert.deepEqual(linked, {
    object: 'person',
    id: linkedin.id,
    workspace_id: at.workspace,
    canonical_id: linkedin.id,
    linked_id: before.id,
  })
  assert.equal(events[1].data.object.id, before.id)
  assert.equal(events[1].data.object.canonical_id, linkedin.id)
  assert.equal(events[1].data.object.previous_canonical_id, before.id)
  assert.doesNotMatch(JSON.stringify(events), /x9@|in\/x9/)

  await db.query(sql`update applicants set linkedin_key = null where id = ${a}`)
  await db.transaction(tx => recordLink(tx, at.workspace, 'x9@example.org', null, null))
  assert.equal((await resolve(at, 'email=x9@example.org')).body.canonical_id, before.id)
  assert.equal((await readFeed(service, at.workspace)).at(-1).data.object.canonical_id, before.id)
})

test('events: a link found while resolving has an event too, if another handle was shown before', async () => {
  const at = await workspaceWithKey()
  const a = await applicant(at, 'y1@example.org')
  const before = (await resolve(at, 'email=y1@example.org')).body
  await db.query(sql`update applicants set linkedin_key = ${linkedinKey(url('y1'))!} where id = ${a}`)
  const after = (await resolve(at, 'email=y1@example.org')).body
  assert.notEqual(after.canonical_id, before.canonical_id)
  assert.deepEqual(typesOf(await readFeed(service, at.workspace)), [
    'person.identity_linked',
    'person.canonical_id_changed',
  ])
  await resolve(at, 'email=y1@example.org')
  assert.equal((await readFeed(service, at.workspace)).length, 2)
})

test('people: 403 insufficient_scope: resolve needs people:resolve, contact info contact:read', async () => {
  const key = await service.key({ workspace: home.workspace, scopes: ['pool:read'] })
  assert.equal((await resolve(home, 'email=a@example.org', key)).body.detail.required_scope, 'people:resolve')
  const contactInfo = await service.get(`/people/${newHandle('person')}/contact-info`, key)
  assert.equal(contactInfo.body.detail.required_scope, 'contact:read')
})
