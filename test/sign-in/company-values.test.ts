import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { readCompanyLog } from '../../src/resources/company-sign-in/index.ts'
import type { TestService } from '../harness/service.ts'
import { CLIENT, type FakeProvider, startCompanyService, throughProvider, useProvider } from './company-setup.ts'
import { Visitor } from './visitor.ts'

/** Claims of a correctly signed token whose values cannot be stored, or are longer than any that is meant. */

let service: TestService
let workspace: string
let fake: FakeProvider
let people = 0

before(async () => {
  ;({ service, workspace, fake } = await startCompanyService())
  const settings = { issuer: fake.issuer, ...CLIENT, domains: ['acme.example'], enabled: true }
  await useProvider(service, workspace, { ...settings, creates_members: true, default_role: 'member' })
})

after(() => fake.stop())

/** A person whom the workspace does not know yet, with these claims; returns what the sign-in ended with. */
async function enter(claims: Record<string, unknown>): Promise<string> {
  const name = `person${++people}`
  fake.reset({ sub: name, email: `${name}@acme.example`, email_verified: true, given_name: 'Ada', ...claims })
  const browser = new Visitor(service.origin)
  const { status } = await throughProvider(browser, fake, workspace)
  if (status === 303) {
    assert.equal((await browser.get('/account')).status, 200)
    return 'signed in'
  }
  const [row] = await readCompanyLog(service.services.db, workspace)
  return `${status} ${row!.detail['code']}`
}

const LONG = 'x'.repeat(100_000)
const IN_TOKEN: readonly (readonly [what: string, claims: Record<string, unknown>, outcome: string])[] = [
  ['a NUL in sid', { sid: 'a\0b' }, 'signed in'],
  ['a sid of 100,000 characters', { sid: LONG }, 'signed in'],
  ['a NUL in email', { email: 'a\0b@acme.example' }, '403 email_missing'],
  ['an email of 100,000 characters', { email: `${LONG}@acme.example` }, '403 email_missing'],
  ['a NUL in given_name', { given_name: 'A\0da' }, 'signed in'],
  ['a given_name of 100,000 characters', { given_name: LONG }, 'signed in'],
  ['a NUL in family_name', { family_name: 'Love\0lace' }, 'signed in'],
  ['a family_name of 100,000 characters', { family_name: LONG }, 'signed in'],
  ['a half of a surrogate pair in the names', { given_name: 'A\ud83d', family_name: '\ude00' }, 'signed in'],
  ['a NUL in a claim that nothing reads', { department: 'a\0b' }, 'signed in'],
]

for (const [what, claims, outcome] of IN_TOKEN)
  test(`company sign-in: not a 500: ${what}: ${outcome}`, async () => {
    assert.equal(await enter(claims), outcome)
  })

test('company sign-in: a name that the provider sends too long or with control characters is stored short and without them', async () => {
  for (const [given, family] of [
    [LONG, LONG],
    ['A\0da', 'Love\u0007lace'],
  ] as const) {
    assert.equal(await enter({ given_name: given, family_name: family }), 'signed in')
    const user = await service.services.db.one(sql<{ first_name: string | null; last_name: string | null }>`
      select first_name, last_name from users where workspace_id = ${workspace} and email = ${`person${people}@acme.example`}`)
    for (const name of [user!.first_name ?? '', user!.last_name ?? '']) {
      assert.ok(name.length <= 200, `${name.length}`)
      assert.doesNotMatch(name, /\p{Cc}/u)
    }
  }
})

const logOut = async (claims: Record<string, unknown>): Promise<number> => {
  const body = new URLSearchParams({ logout_token: fake.logoutToken(claims) })
  const response = await fetch(`${service.origin}/sign-in/company/${workspace}/logout`, { method: 'POST', body })
  await response.text()
  return response.status
}

for (const name of ['jti', 'sub', 'sid'] as const)
  for (const [what, value] of [
    ['a NUL', 'a\0b'],
    ['1,001 characters', 'x'.repeat(1_001)],
  ] as const)
    test(`back-channel logout: 400, not 500: ${what} in ${name}, which ends no session`, async () => {
      fake.reset({ sub: 'kept', email: 'kept@acme.example', email_verified: true, sid: 'kept' })
      const browser = new Visitor(service.origin)
      assert.equal((await throughProvider(browser, fake, workspace)).status, 303)
      assert.equal(await logOut({ sub: 'kept', sid: 'kept', [name]: value }), 400)
      assert.equal((await browser.get('/account')).status, 200)
    })
