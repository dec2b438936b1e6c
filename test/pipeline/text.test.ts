import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { apply, body, startWorld } from '../applications/setup.ts'

/** Limits of text: counted in characters (code points). Blank text counts as missing, NUL is refused everywhere. */
const world = await startWorld({ WEBHOOK_ALLOW_HOSTS: 'hooks.example.org' })
const { service, key, job } = world
const application = await apply(world)
const list = (await service.post('/lists', key, { name: 'A list' })).body
let count = 0

interface Place {
  path: string
  /** a body with this text in one place */
  send: (text: string) => Record<string, unknown>
  param: string
  limit: number
  /** the code of a text over the limit, where it is not invalid_request */
  required: boolean
}

const push = (more: object) => ({
  source: { system: 'acme_ats', external_id: `text-${++count}` },
  title: 'Engineer',
  ...more,
})
const scorecard = (more: object) => ({ recommendation: 'yes', ...more })
const at = `/applications/${application.id}`
const required = true
const PLACES: readonly Place[] = [
  { path: '/jobs', send: title => push({ title }), param: 'title', limit: 300, required },
  { path: '/jobs', send: department => push({ department }), param: 'department', limit: 200, required: false },
  { path: '/jobs', send: team => push({ team }), param: 'team', limit: 200, required: false },
  {
    path: '/jobs',
    send: summary => push({ content: { summary } }),
    param: 'content.summary',
    limit: 2_000,
    required: false,
  },
  {
    path: '/jobs',
    send: description_md => push({ content: { description_md } }),
    param: 'content.description_md',
    limit: 30_000,
    required: false,
  },
  {
    path: '/jobs',
    send: equity => push({ compensation: { equity } }),
    param: 'compensation.equity',
    limit: 200,
    required: false,
  },
  {
    path: '/jobs',
    send: external_id => push({ source: { system: 'acme_ats', external_id } }),
    param: 'source.external_id',
    limit: 200,
    required,
  },
  {
    path: '/jobs',
    send: company_name => push({ source: { system: 'acme_ats', external_id: `c-${++count}`, company_name } }),
    param: 'source.company_name',
    limit: 200,
    required: false,
  },
  {
    path: '/applications',
    send: first_name => body(job, {}, { first_name }),
    param: 'candidate.first_name',
    limit: 100,
    required,
  },
  {
    path: '/applications',
    send: last_name => body(job, {}, { last_name }),
    param: 'candidate.last_name',
    limit: 100,
    required,
  },
  {
    path: '/applications',
    send: external_id => body(job, { source: { system: 'acme_ats', external_id } }),
    param: 'source.external_id',
    limit: 200,
    required,
  },
  { path: `${at}/notes`, send: text => ({ body: text }), param: 'body', limit: 10_000, required },
  {
    path: `${at}/scorecards`,
    send: summary => scorecard({ summary }),
    param: 'summary',
    limit: 10_000,
    required: false,
  },
  {
    path: `${at}/scorecards`,
    send: name => scorecard({ ratings: [{ name, score: 1 }] }),
    param: 'ratings[0].name',
    limit: 120,
    required,
  },
  {
    path: `${at}/scorecards`,
    send: comment => scorecard({ ratings: [{ name: 'SQL', score: 1, comment }] }),
    param: 'ratings[0].comment',
    limit: 2_000,
    required: false,
  },
  { path: `${at}/reject`, send: reason => ({ reason }), param: 'reason', limit: 2_000, required },
  { path: '/lists', send: name => ({ name }), param: 'name', limit: 120, required },
  {
    path: '/lists',
    send: description => ({ name: 'x', description }),
    param: 'description',
    limit: 500,
    required: false,
  },
  {
    path: '/pool/search',
    send: query => ({ query, terms: { skills: ['Go'] } }),
    param: 'query',
    limit: 500,
    required: false,
  },
  {
    path: '/pool/search',
    send: skill => ({ terms: { skills: [skill] } }),
    param: 'terms.skills[0]',
    limit: 200,
    required,
  },
]

for (const { path, send, param, limit, required: needed } of PLACES) {
  const name = `POST ${path.replace(application.id, '{h}')} ${param}`

  test(`text input: ${name}: ${limit} characters fit, whatever their UTF-16 length; one more is 400`, async () => {
    const over = await service.post(path, key, send('😀'.repeat(limit + 1)))
    assert.deepEqual([over.status, over.body.detail?.code, over.body.detail?.param], [400, 'invalid_request', param])
    // letters with a mark of their own count as the two characters that they are
    const marked = await service.post(path, key, send('e\u0301'.repeat(limit / 2 + 1)))
    assert.deepEqual([marked.status, marked.body.detail?.param], [400, param])
    const fits = await service.post(path, key, send('😀'.repeat(limit)))
    assert.ok(fits.status < 300, fits.text)
    if (param === 'reason') await service.post(`${at}/reopen`, key)
  })

  test(`text input: ${name}: ${needed ? '400 when blank' : 'blank counts as not given'}; 400 with a NUL`, async () => {
    for (const blank of [' ', '\t\n', '\u00a0\u2003']) {
      const response = await service.post(path, key, send(blank))
      if (needed) assert.deepEqual([response.status, response.body.detail?.param], [400, param], response.text)
      else assert.ok(response.status < 300, response.text)
    }
    const nul = await service.post(path, key, send('a\0b'))
    assert.deepEqual([nul.status, nul.body.detail?.code, nul.body.detail?.param], [400, 'invalid_request', param])
  })
}

test('text input: blank optional texts are stored as none, and blank items of lists are dropped', async () => {
  const made = await service.post('/lists', key, { name: ' x ', description: ' \n' })
  assert.deepEqual([made.body.name, made.body.description], ['x', null])
  const card = await service.post(`${at}/scorecards`, key, {
    recommendation: 'yes',
    summary: '  ',
    ratings: [{ name: 'SQL', score: 1, comment: ' ' }],
  })
  assert.deepEqual([card.body.summary, card.body.ratings[0].comment], [null, null])
  const pushed = await service.post('/jobs', key, {
    ...push({ department: ' ', team: '', locations: ['Lisbon', ' '], compensation: { equity: ' ' } }),
    content: { summary: ' ', skills_required: ['', 'Go'], benefits: [] },
  })
  const { department, team, locations, content, compensation } = pushed.body
  assert.deepEqual([department, team, locations, compensation.equity], [null, null, ['Lisbon'], null])
  assert.deepEqual([content.summary, content.skills_required, content.benefits], [null, ['Go'], []])
})

test('text input: text parameters of the query count characters, are not blank and hold no NUL', async () => {
  for (const path of ['/jobs?department=', '/jobs?q=', '/sourced-profiles?q=', '/jobs?external_id=']) {
    const get = (text: string) => service.get(path + encodeURIComponent(text), key)
    assert.equal((await get('😀'.repeat(200))).status, 200, path)
    for (const bad of ['😀'.repeat(201), '', '  ', 'a\0b']) {
      const response = await get(bad)
      assert.deepEqual([response.status, response.body.detail.code], [400, 'invalid_request'], `${path} ${bad.length}`)
    }
  }
})

test('text input: 400 invalid_request: a NUL in the path, whether in a slug, a handle, a UUID or a word', async () => {
  const paths = {
    slug: '/jobs/by-slug/a%00b',
    application_handle: `/applications/${application.id}%00`,
    list_handle: `/lists/%00${list.id}/members`,
    export_id: `/exports/${randomUUID()}%00`,
    kind: '/sourced-profiles/cnd_1kt8tyw6hxyrftyve9j4/attachments/resume%00/content',
  }
  for (const [param, path] of Object.entries(paths)) {
    const { status, body } = await service.get(path, key)
    const { code, errors } = body.detail
    assert.deepEqual([status, code, body.detail.param], [400, 'invalid_request', param])
    assert.deepEqual(errors, [{ param, message: 'must not contain a NUL character' }])
  }
  assert.equal((await service.get(`/jobs/by-slug/${encodeURIComponent('😀'.repeat(150))}`, key)).status, 404)
})

test('text input: the message of a fault says what is wrong: no digit in a phone number, no item in a list', async () => {
  const messageOf = async (path: string, sent: unknown) =>
    (await service.post(path, key, sent)).body.detail.errors.map((row: { message: string }) => row.message)
  const phone = await messageOf('/applications', body(job, {}, { phone: '+()' }))
  assert.deepEqual(phone, ['must have at least one digit, and otherwise only digits, spaces and + ( ) . -'])
  assert.deepEqual(await messageOf(`/lists/${list.id}/members`, { members: [] }), ['must not be empty'])
})
