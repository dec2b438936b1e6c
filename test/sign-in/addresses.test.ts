import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import type { Mail } from '../../src/kernel/mail/mail.ts'
import { createUser, setPassword } from '../../src/resources/users/index.ts'
import { signedIn } from '../console/setup.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { Visitor } from './visitor.ts'

let service: TestService
let acme: string
let globex: string
const PASSWORD = 'correct horse battery'
/** İ is not i: PostgreSQL's `lower()` folds the one to the other, JavaScript keeps a combining dot. */
const DOTTED = '\u0130'

before(async () => {
  service = await startTestService({ ROLES: 'api' })
  acme = (await service.workspace('starter', 'Acme')).id
  globex = (await service.workspace('starter', 'Globex')).id
})

beforeEach(() => service.services.db.query(sql`delete from sign_in_attempts`))

const member = (workspace: string, email: string, role = 'viewer') =>
  createUser(service.services.db, { workspace, email, role, firstName: 'Victor' })

const visitor = () => new Visitor(service.origin)

/** Asks for a link and returns the emails it caused; the response is sent before them. */
async function linksFor(email: string, expected: number): Promise<Mail[]> {
  const { services } = service
  const { mailer } = services
  const sent: Mail[] = []
  const all = Promise.withResolvers<void>()
  services.mailer = {
    check: () => mailer.check(),
    send: async mail => {
      await mailer.send(mail)
      if (sent.push(mail) === expected) all.resolve()
    },
  }
  try {
    assert.equal((await visitor().post('/sign-in/link', { email })).status, 200)
    await all.promise
  } finally {
    services.mailer = mailer
  }
  return sent
}

async function use(mail: Mail) {
  const token = new URL(/http\S+/.exec(mail.text)![0]).searchParams.get('token')!
  const browser = visitor()
  const done = await browser.post('/sign-in/link/use', { token })
  return { done, browser }
}

test('sign-in link: a look-alike address planted in another workspace gets no link for this member', async () => {
  await member(globex, `victor@in${DOTTED}tech-corp.example`)
  const victim = await member(acme, 'victor@initech-corp.example', 'owner')
  const [mail] = await linksFor('victor@initech-corp.example', 1)
  assert.equal(mail!.to.address, 'victor@initech-corp.example')
  const { done, browser } = await use(mail!)
  assert.equal(done.location, '/console', 'one membership: no choice of workspaces')
  const [session] = await service.services.db.query(sql<{ user_id: string }>`select user_id from sessions`)
  assert.equal(session!.user_id, victim.id)
  assert.match((await browser.get('/account')).html, /Acme/)

  const [planted] = await linksFor(`victor@in${DOTTED}tech-corp.example`, 1)
  assert.equal(planted!.to.address, `victor@in${DOTTED}tech-corp.example`)
  const other = await use(planted!)
  assert.match((await other.browser.get('/account')).html, /Globex/)
})

test('sign-in link: each exact address gets a link of its own for its own memberships', async () => {
  await member(acme, 'bob@b\u00fccher.example')
  await member(globex, 'Bob@xn--bcher-kva.example')
  const mails = await linksFor('bob@BU\u0308CHER.example', 2)
  const reached = await Promise.all(
    mails.map(async mail => {
      const { done, browser } = await use(mail)
      assert.equal(done.location, '/hiring', 'no choice of workspaces')
      const { html } = await browser.get('/account')
      return [mail.to.address, /Acme|Globex/.exec(html)![0]]
    }),
  )
  assert.deepEqual(reached.sort(), [
    ['Bob@xn--bcher-kva.example', 'Globex'],
    ['bob@b\u00fccher.example', 'Acme'],
  ])
})

test('sign-in link: one link for the memberships of one exact address in several workspaces', async () => {
  await member(acme, 'both@acme.example')
  await member(globex, 'both@acme.example')
  const [mail] = await linksFor('BOTH@acme.example', 1)
  assert.equal((await use(mail!)).done.location, '/sign-in/workspace')
})

test('sign-in: attempts count under the key of the address, in every spelling of it', async () => {
  const spellings = [
    'eva@m\u00fcller.example',
    'EVA@xn--mller-kva.example',
    'eva@mu\u0308ller.example',
    ' Eva@M\u00dcLLER.example',
  ]
  const statuses: number[] = []
  for (let i = 0; i < 11; i++) {
    const email = spellings[i % spellings.length]!
    statuses.push((await visitor().post('/sign-in', { email, password: 'a wrong password' })).status)
  }
  assert.deepEqual(statuses, [...Array(10).fill(401), 429])
})

test('sign-in: a password works with every spelling of the address', async () => {
  const { db, passwords } = service.services
  const user = await member(acme, 'Eva@m\u00fcller.example')
  await setPassword(db, passwords, { workspace: acme, user: 'eva@xn--mller-kva.example' }, PASSWORD)
  for (const email of ['eva@m\u00fcller.example', 'eva@xn--mller-kva.example', 'EVA@MU\u0308LLER.example']) {
    const browser = visitor()
    assert.equal((await browser.post('/sign-in', { email, password: PASSWORD })).status, 303, email)
    assert.match((await browser.get('/account')).html, /Acme/)
  }
  assert.equal(user.email, 'Eva@m\u00fcller.example', 'the address is shown as it was given')
})

test('POST /people: 400 for every spelling of an address that a member of the workspace has', async () => {
  const owner = await signedIn(service, acme)
  const invited = (email: string) =>
    owner.post('/people', { email, role: 'viewer', first_name: 'Zo\u00eb', last_name: '' })
  assert.equal((await invited('zoe@caf\u00e9.example')).status, 200)
  for (const email of ['ZOE@cafe\u0301.example', 'zoe@xn--caf-dma.example', ' zoe@CAF\u00c9.example ']) {
    const refused = await invited(email)
    assert.equal(refused.status, 400, email)
    assert.equal(refused.body.detail.param, 'email')
  }
})
