import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readSite } from '../../src/resources/careers/index.ts'
import { createJob, moveJob } from '../../src/resources/jobs/index.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { sharedTestService, type TestResponse, type TestService } from '../harness/service.ts'

let service: TestService
let workspace: string
let owner: Person

before(async () => {
  service = await sharedTestService()
  workspace = (await service.workspace('starter', 'Settled Robotics')).id
  owner = await signedIn(service, workspace)
})

const change = (changes: object) => owner.post('/careers-site', changes)
const faults = ({ status, body }: TestResponse): [number, Record<string, string>] => [
  status,
  Object.fromEntries(body.detail.errors.map((e: { param: string; message: string }) => [e.param, e.message])),
]

test('careers site: a new workspace has one under the slug of its name, switched on', async () => {
  const { status, body } = await owner.get('/careers-site')
  assert.equal(status, 200)
  assert.equal(body.slug, 'settled-robotics')
  assert.equal(body.url, `${service.origin}/careers/settled-robotics`)
  assert.deepEqual(
    [body.enabled, body.display_name, body.workspace_name, body.earlier_slugs, body.logo_version, body.confirmations],
    [true, null, 'Settled Robotics', [], null, {}],
  )
  assert.deepEqual(
    body.languages.map((language: { code: string }) => language.code),
    ['en', 'de'],
  )
})

test('careers site: the text of the service in each language is a template that can be saved', async () => {
  for (const { code, standard } of (await owner.get('/careers-site')).body.languages) {
    assert.match(standard.subject + standard.body, /\{\{first_name\}\}/)
    const saved = await change({ confirmations: { [code]: standard } })
    assert.deepEqual([saved.status, saved.body.confirmations[code]], [200, standard])
  }
  await change({ confirmations: { en: null, de: null } })
})

test('careers site: 200 changes what is given, clears what is null or blank, and leaves the rest', async () => {
  const all = {
    enabled: false,
    display_name: '  Acme  ',
    headline: 'Robots that help',
    introduction_md: '# Hello\n\nWe build robots.',
    accent_color: '#0A7F5C',
    website_url: 'https://acme.example/',
    privacy_url: 'https://acme.example/privacy',
    imprint_url: 'https://acme.example/imprint',
    listed: true,
    contact_email: 'jobs@acme.example',
    country: 'de',
    confirmations: {
      de: { subject: 'Danke, {{first_name}}', body: 'Hallo {{ first_name }}, zu {{job_title}}: {{company}}' },
    },
  }
  const { status, body, text } = await change(all)
  assert.equal(status, 200, text)
  for (const [name, value] of Object.entries({ ...all, display_name: 'Acme', accent_color: '#0a7f5c', country: 'DE' }))
    assert.deepEqual(body[name], value, name)
  const next = await change({ enabled: true, headline: null, display_name: ' ', confirmations: { en: null } })
  assert.deepEqual(
    [next.body.enabled, next.body.headline, next.body.display_name, next.body.accent_color, next.body.website_url],
    [true, null, null, '#0a7f5c', 'https://acme.example/'],
  )
  assert.deepEqual(Object.keys(next.body.confirmations), ['de'])
  assert.deepEqual((await change({ confirmations: { de: null } })).body.confirmations, {})
})

test('careers site: 400 names every field that is wrong, and changes nothing', async () => {
  const before = (await owner.get('/careers-site')).body
  const template = { subject: 'Thanks\r\nBcc: a@b.example', body: 'Your salary is {{salary}}.' }
  const [status, found] = faults(
    await change({
      slug: 'Settled Robotics',
      display_name: 'Acme www.evil.example',
      headline: 'one\ntwo',
      accent_color: 'red;background:url(//evil.example)',
      website_url: 'http://acme.example',
      privacy_url: 'javascript:alert(1)',
      contact_email: 'jobs@acme.example, b@evil.example',
      country: 'UK',
      confirmations: { en: template, de: { subject: '', body: 'Hallo {{first_name' } },
    }),
  )
  assert.equal(status, 400)
  assert.match(found['slug']!, /letters a to z, digits and single hyphens/)
  assert.match(found['display_name']!, /must not contain a link/)
  assert.match(found['headline']!, /one line/)
  assert.match(found['accent_color']!, /in the form #1a2b3c/)
  assert.match(found['website_url']!, /^must be a full URL that begins with https:\/\/, such as https:\/\/example\.com/)
  assert.match(found['privacy_url']!, /https/)
  assert.match(found['contact_email']!, /an email address/)
  assert.match(found['country']!, /ISO 3166/)
  assert.match(found['confirmations.en.subject']!, /one line/)
  assert.match(
    found['confirmations.en.body']!,
    /unknown variable \{\{salary\}\}; .*\{\{first_name\}\}, \{\{job_title\}\} and/,
  )
  assert.ok('confirmations.de.subject' in found)
  assert.match(found['confirmations.de.body']!, /\{\{ without \}\}/)
  assert.deepEqual((await owner.get('/careers-site')).body, before)
})

for (const color of ['red', '#fff', '#12345g', '#1234567', 'rgb(1,2,3)', '#123456;}', ' #123456', 'var(--x)', ''])
  test(`careers site: 400 for the accent color ${JSON.stringify(color)}`, async () => {
    assert.deepEqual(Object.keys(faults(await change({ accent_color: color }))[1]), ['accent_color'])
  })

test('careers site: limits of text count code points; NUL and half characters are refused', async () => {
  const limits: [string, (text: string) => object, number][] = [
    ['headline', text => ({ headline: text }), 200],
    ['introduction_md', text => ({ introduction_md: text }), 20_000],
    ['display_name', text => ({ display_name: text }), 200],
    ['confirmations.en.subject', text => ({ confirmations: { en: { subject: text, body: 'x' } } }), 200],
    ['confirmations.en.body', text => ({ confirmations: { en: { subject: 'x', body: text } } }), 10_000],
  ]
  for (const [param, make, length] of limits) {
    assert.equal((await change(make('😀'.repeat(length)))).status, 200, param)
    const [status, found] = faults(await change(make('😀'.repeat(length + 1))))
    assert.deepEqual([status, found[param]], [400, `must be at most ${length} characters`])
    for (const wrong of ['a\0b', '\ud800']) assert.ok(param in faults(await change(make(wrong)))[1], param)
  }
  assert.equal((await change({ website_url: `https://a.example/${'a'.repeat(2030)}` })).status, 200)
  assert.deepEqual(Object.keys(faults(await change({ website_url: `https://a.example/${'a'.repeat(2031)}` }))[1]), [
    'website_url',
  ])
})

test('careers site: 400 for a language that the site does not have, and for fields of the row', async () => {
  const [, found] = faults(await change({ confirmations: { fr: { subject: 'x', body: 'x' } } }))
  assert.deepEqual(Object.keys(found), ['confirmations.fr'])
  for (const name of ['logo_blob_key', 'logo_mime', 'workspace_id'])
    assert.equal((await change({ [name]: 'x' })).status, 400)
  assert.equal((await change({})).status, 400)
})

for (const slug of ['', '-', 'a-', '-a', 'a--b', 'Ä', 'a b', 'a/b', '..', 'a'.repeat(61), 'a\n'])
  test(`careers site: 400 for the slug ${JSON.stringify(slug)}`, async () => {
    assert.deepEqual(Object.keys(faults(await change({ slug }))[1]), ['slug'])
  })

test('careers site: a slug that another workspace has or had is refused without saying whose it is', async () => {
  const other = await service.workspace('starter', 'Secret Rival Ltd')
  const rival = await signedIn(service, other.id)
  assert.equal((await rival.post('/careers-site', { slug: 'rival' })).status, 200)
  for (const slug of ['rival', 'secret-rival-ltd']) {
    const response = await change({ slug })
    assert.deepEqual(faults(response), [400, { slug: 'is taken; choose another' }])
    assert.ok(!response.text.includes('Secret') && !response.text.includes(other.id))
  }
})

test('careers site: an earlier slug leads to the current one, and can be taken back', async () => {
  const open = (path: string) => fetch(service.origin + path, { redirect: 'manual' })
  await setTestLogo()
  const changed = await change({ slug: 'settled-jobs' })
  assert.deepEqual([changed.body.slug, changed.body.earlier_slugs], ['settled-jobs', ['settled-robotics']])
  const old = await open('/careers/settled-robotics/logo?v=1')
  assert.ok([301, 302, 303, 307, 308].includes(old.status), String(old.status))
  assert.equal(old.headers.get('location'), '/careers/settled-jobs/logo?v=1')
  assert.equal((await open('/careers/settled-jobs/logo')).status, 200)
  const back = await change({ slug: 'settled-robotics' })
  assert.deepEqual([back.body.slug, back.body.earlier_slugs], ['settled-robotics', ['settled-jobs']])
  assert.equal((await open('/careers/settled-robotics/logo')).status, 200)
})

test('careers site: a workspace can have had 20 slugs and not one more', async () => {
  const { id } = await service.workspace('starter', 'Many')
  const person = await signedIn(service, id)
  for (let n = 2; n <= 20; n++)
    assert.equal((await person.post('/careers-site', { slug: `many-slugs-${n}` })).status, 200)
  const [status, found] = faults(await person.post('/careers-site', { slug: 'many-slugs-21' }))
  assert.deepEqual([status, Object.keys(found)], [400, ['slug']])
  assert.equal((await person.post('/careers-site', { slug: 'many' })).status, 200)
})

test('careers site: of two workspaces that want a slug at the same time, one gets it', async () => {
  const rival = await signedIn(service, (await service.workspace('starter', 'Other')).id)
  const both = await Promise.all([change({ slug: 'wanted' }), rival.post('/careers-site', { slug: 'wanted' })])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400])
  await change({ slug: 'settled-robotics' })
})

test('careers site: members and viewers can neither read nor change the settings; no one can without a CSRF token', async () => {
  for (const role of ['member', 'viewer'] as const) {
    const person = await signedIn(service, workspace, { role })
    assert.equal((await person.get('/careers-site')).status, 403)
    assert.equal((await person.post('/careers-site', { headline: 'x' })).status, 403)
    assert.equal((await person.post('/careers-site/logo/remove')).status, 403)
  }
  const admin = await signedIn(service, workspace, { role: 'admin' })
  assert.equal((await admin.post('/careers-site', { headline: 'By an admin' })).status, 200)
  assert.equal((await owner.post('/careers-site', { headline: 'x' }, { 'x-csrf-token': 'wrong' })).status, 403)
  assert.equal((await readSite(service.services.db, workspace)).headline, 'By an admin')
})

test('careers site: 404 while it is switched off, as for an unknown slug', async () => {
  await setTestLogo()
  await change({ enabled: false })
  const off = await fetch(`${service.origin}/careers/settled-robotics/logo`)
  const unknown = await fetch(`${service.origin}/careers/no-such-company/logo`)
  assert.deepEqual([off.status, unknown.status], [404, 404])
  await change({ enabled: true })
  assert.equal((await fetch(`${service.origin}/careers/settled-robotics/logo`)).status, 200)
})

async function setTestLogo(): Promise<void> {
  const { onePixel } = await import('./pictures.ts')
  const sent = await owner.postFile('/careers-site/logo', onePixel)
  assert.equal(sent.status, 200, sent.text)
}

test('careers site: 200 lists locations of open jobs whose country is not certain', async () => {
  const { id } = await service.workspace('starter', 'Unclear Places')
  const person = await signedIn(service, id)
  const { db } = service.services
  for (const [title, locations] of [
    ['Open', ['Hückeswagen', 'Köln', 'Remote - EU', 'Springfield, IL, USA']],
    ['Draft', ['Nowhere']],
  ] as const)
    await db.transaction(async tx => {
      const job = await createJob(tx, id, { title, locations: [...locations], content: { summary: 'A job.' } })
      if (title === 'Open') await moveJob(tx, id, job, 'publish')
    })
  assert.deepEqual((await person.get('/careers-site')).body.unclear_places, ['Hückeswagen'])
})
