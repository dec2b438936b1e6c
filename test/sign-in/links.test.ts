import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import type { Mail } from '../../src/kernel/mail/mail.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { createUser } from '../../src/resources/users/index.ts'
import { listSessions } from '../../src/sign-in/sessions.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { Visitor } from './visitor.ts'

let service: TestService
let workspace: string
let ada: { id: string }
const EMAIL = 'ada@acme.example'

before(async () => {
  service = await startTestService()
  workspace = (await service.workspace('starter', 'Acme')).id
  ada = await createUser(service.services.db, { workspace, email: EMAIL, role: 'member' })
})

beforeEach(async () => {
  clock.reset()
  await service.services.db.query(sql`delete from sign_in_attempts`)
})

const visitor = () => new Visitor(service.origin)

/** Resolves with the next mail once it is in the outbox. */
const nextMail = (): Promise<Mail> => {
  const { services } = service
  const { mailer } = services
  return new Promise((resolve, reject) => {
    services.mailer = {
      check: () => mailer.check(),
      send: mail => mailer.send(mail).then(() => resolve(mail), reject),
    }
  }).finally(() => {
    services.mailer = mailer
  }) as Promise<Mail>
}

async function mailedLink(email = EMAIL, returnTo?: string): Promise<string> {
  const mail = nextMail()
  const response = await visitor().post('/sign-in/link', { email, ...(returnTo ? { return_to: returnTo } : {}) })
  assert.equal(response.status, 200)
  const link = new URL(/http\S+/.exec((await mail).text)![0])
  return link.pathname + link.search
}

test('sign-in links: the link: to the stored address, signs in by a button, once, and proves the address', async () => {
  const mail = nextMail()
  await visitor().post('/sign-in/link', { email: ' ADA@acme.example', return_to: '/account?x=1' })
  const { to, text } = await mail
  assert.equal(to.address, EMAIL)
  const link = new URL(/http\S+/.exec(text)![0])
  assert.equal(link.origin, service.origin)
  const path = link.pathname + link.search

  const browser = visitor()
  const page = await browser.get(path)
  assert.equal(page.status, 200)
  assert.match(page.html, /ada@acme\.example/)
  assert.deepEqual(page.headers.getSetCookie(), [], 'opening it signs no one in')
  assert.equal((await browser.get(path)).status, 200, 'nor spends it')
  const done = await browser.submit(page)
  assert.equal(done.status, 303)
  assert.equal(done.location, '/account?x=1')
  assert.equal((await browser.get('/account')).status, 200)
  assert.equal((await browser.submit(page)).status, 410)
  assert.equal((await visitor().get(path)).status, 410)

  const [row] = await service.services.db.query(sql<{ is_verified: boolean }>`
    select is_verified from users where id = ${ada.id}`)
  assert.equal(row!.is_verified, true)
  const [session] = await listSessions(service.services.db, { workspaceId: workspace, userId: ada.id })
  assert.equal(session!.method, 'link')
})

test('sign-in links: of two that press the button at the same moment one is signed in', async () => {
  const path = await mailedLink()
  const [one, two] = [visitor(), visitor()]
  const pages = [await one.get(path), await two.get(path)]
  const responses = await Promise.all([one.submit(pages[0]!), two.submit(pages[1]!)])
  assert.deepEqual(responses.map(response => response.status).sort(), [303, 410])
})

test('sign-in links: 15 minutes, by the database clock', async () => {
  const path = await mailedLink()
  clock.advance(870_000)
  const browser = visitor()
  const page = await browser.get(path)
  assert.equal(page.status, 200)
  clock.advance(30_000)
  assert.equal((await browser.submit(page)).status, 410)
})

test('sign-in links: an unknown address gets the same response and no email', async () => {
  let mails = 0
  const { services } = service
  const { mailer } = services
  services.mailer = { check: () => mailer.check(), send: async () => void mails++ }
  try {
    const known = await visitor().post('/sign-in/link', { email: EMAIL })
    const unknown = await visitor().post('/sign-in/link', { email: 'unknown@acme.example' })
    assert.equal(unknown.status, known.status)
    assert.equal(unknown.html.replaceAll('unknown@', 'ada@'), known.html)
    while (mails === 0) await new Promise(setImmediate)
    assert.equal(mails, 1)
  } finally {
    services.mailer = mailer
  }
})

test('sign-in links: a link cannot be guessed, and the token is stored nowhere', async () => {
  const path = await mailedLink()
  const token = new URLSearchParams(path.split('?')[1]).get('token')!
  assert.equal(token.length, 43)
  const rows = await service.services.db.query(sql`select to_jsonb(t)::text as row from sign_in_tickets t`)
  assert.ok(rows.length > 0)
  assert.ok(!JSON.stringify(rows).includes(token))
  assert.equal((await visitor().get('/sign-in/link?token=')).status, 410)
  assert.equal((await visitor().get(`/sign-in/link?token=${'x'.repeat(43)}`)).status, 410)
})

test('sign-in links: return_to in a link is a path of this service', async () => {
  const path = await mailedLink(EMAIL, '//evil.example')
  assert.ok(!path.includes('evil'))
  const browser = visitor()
  const page = await browser.get(`${path}&return_to=${encodeURIComponent('https://evil.example')}`)
  assert.equal((await browser.submit(page)).location, '/hiring')
})
