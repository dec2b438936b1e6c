import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { companySignInVerbs } from '../../src/cli/company-sign-in.ts'
import { freePort } from '../harness/free-port.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'
import { CLIENT, FakeProvider, throughProvider, useProvider } from '../sign-in/company-setup.ts'
import { Visitor } from '../sign-in/visitor.ts'
import { type Person, signedIn } from './setup.ts'

let service: TestService
let fake: FakeProvider
let workspace: string
let owner: Person
const DOMAIN = 'acme.example'

before(async () => {
  fake = await FakeProvider.start()
  service = await startTestService({ ROLES: 'api', COMPANY_SIGN_IN_ALLOW_HOSTS: fake.host })
  workspace = (await service.workspace('enterprise', 'Acme')).id
  owner = await signedIn(service, workspace, { email: `owner@${DOMAIN}` })
  const record = (await owner.get(PATH)).body.domain_record
  service.services.resolveTxt = async domain => records[domain] ?? (domain === DOMAIN ? ['v=spf1 -all', record] : [])
})

/** the TXT records of other domains */
const records: Record<string, string[]> = {}

after(() => fake.stop())
beforeEach(() => fake.reset())

const PATH = '/company-sign-in'
const settings = () => ({ issuer: fake.issuer, ...CLIENT, domains: [DOMAIN] })

test('console company sign-in: 403 role_required for admins, for every endpoint', async () => {
  const admin = await signedIn(service, workspace, { role: 'admin' })
  const responses = [
    await admin.get(PATH),
    await admin.post(PATH, settings()),
    await admin.post(`${PATH}/remove`),
    await admin.post(`${PATH}/members/${owner.userId}/disconnect`),
  ]
  for (const { status, body } of responses) assert.deepEqual([status, body.detail.code], [403, 'role_required'])
})

test('console company sign-in: 400 for each wrong setting, with its name; nothing is stored', async () => {
  assert.equal((await owner.get(PATH)).body.settings, null)
  const wrong = async (input: Record<string, unknown>, param: string, message: RegExp) => {
    const { status, body } = await owner.post(PATH, { ...settings(), ...input })
    assert.deepEqual([status, body.detail.param], [400, param], JSON.stringify(body))
    assert.match(body.detail.message, message)
  }
  await wrong({ issuer: 'login.acme.example' }, 'issuer', /must be a URL/)
  await wrong({ issuer: 'https://login.microsoftonline.com/common/v2.0' }, 'issuer', /of your own tenant/)
  await wrong({ issuer: 'https://127.0.0.1/' }, 'issuer', /address_blocked.*COMPANY_SIGN_IN_ALLOW_HOSTS/)
  await wrong({ issuer: `${fake.issuer}/other` }, 'issuer', /provider_unavailable/)
  fake.hostility = { metadata: { issuer: 'https://login.other.example' } }
  await wrong({}, 'issuer', /metadata_invalid: issuer.*letter by letter/)
  fake.reset()
  await wrong({ client_id: '' }, 'client_id', /1 to 200/)
  await wrong({ client_secret: ' ' }, 'client_secret', /1 to 2000/)
  await wrong({ domains: ['not a domain'] }, 'domains', /not a valid domain/)
  await wrong(
    { domains: ['gmail.com'] },
    'domains',
    /TXT "hiring-verification=[\w-]{24}" at gmail\.com .* or ask the operator/,
  )
  await wrong({ domains: [], enabled: true }, 'domains', /at least one/)
  await wrong({ enforced: true }, 'enforced', /turn company sign-in on first/)
  await wrong({ role_rules: [{ value: 'x', role: 'member' }] }, 'role_claim', /name the claim/)
  const rules = { role_claim: 'groups', role_rules: [{ value: 'x', role: 'owner' }] }
  const { status, body } = await owner.post(PATH, { ...settings(), ...rules })
  assert.equal(status, 400, 'a claim never makes an owner')
  assert.match(JSON.stringify(body), /role_rules/)
  assert.equal((await owner.get(PATH)).body.settings, null)
})

test('console company sign-in: 200: stored, shown without the secret, changed in parts, logged with who did it', async () => {
  const { status, body } = await owner.post(PATH, { ...settings(), enabled: true })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.redirect_uri, `${service.origin}/sign-in/company/${workspace}/callback`)
  assert.equal(body.own_domain, DOMAIN)
  assert.equal(JSON.stringify(body).includes(CLIENT.client_secret), false)
  const changed = (
    await owner.post(PATH, {
      role_claim: 'groups',
      role_rules: [{ value: 'leads', role: 'admin' }],
      default_role: 'viewer',
    })
  ).body
  assert.deepEqual(changed.settings, {
    issuer: fake.issuer,
    client_id: CLIENT.client_id,
    domains: [DOMAIN],
    enabled: true,
    enforced: false,
    creates_members: false,
    trusts_email: false,
    role_claim: 'groups',
    role_rules: [{ value: 'leads', role: 'admin' }],
    default_role: 'viewer',
    ends_provider_session: false,
  })
  const [last, first] = changed.log
  assert.deepEqual([last.actor.id, last.event], [owner.userId, 'changed'])
  assert.match(last.text, /role_claim: groups; role_rules: leads is admin; default_role: viewer/)
  assert.match(first.text, /client_secret: replaced/)
})

test('console company sign-in: 400: a new issuer needs its own secret; a domain of another workspace is refused', async () => {
  const other = await FakeProvider.start()
  try {
    service.services.config.COMPANY_SIGN_IN_ALLOW_HOSTS = [fake.host, other.host]
    const refused = await owner.post(PATH, { issuer: other.issuer })
    assert.deepEqual([refused.status, refused.body.detail.param], [400, 'client_secret'])
  } finally {
    other.stop()
  }
  const elsewhere = (await service.workspace('enterprise', 'Elsewhere')).id
  const rival = await signedIn(service, elsewhere, { email: `rival@${DOMAIN}` })
  records[DOMAIN] = [(await rival.get(PATH)).body.domain_record]
  const { status, body } = await rival.post(PATH, settings())
  assert.deepEqual([status, body.detail.param], [400, 'domains'])
  assert.match(body.detail.message, /another workspace of this installation uses acme\.example/)
  assert.equal((await rival.get(PATH)).body.settings, null)
})

test('console company sign-in: 400 for a domain without the DNS record of this workspace, also that of the own address', async () => {
  const { id } = await service.workspace('enterprise', 'Unproved')
  const person = await signedIn(service, id, { email: 'someone@mail.unproved.example' })
  const { own_domain, domain_record } = (await person.get(PATH)).body
  assert.equal(own_domain, 'mail.unproved.example')
  const add = async (...domains: string[]) => person.post(PATH, { ...settings(), domains })
  const foreign = (await owner.get(PATH)).body.domain_record
  for (const found of [[], [foreign], ['hiring-verification='], [`${domain_record}x`], [`x${domain_record}`]]) {
    records[own_domain] = found
    const { status, body } = await add(own_domain)
    assert.deepEqual([status, body.detail.param], [400, 'domains'], found.join())
    assert.ok(body.detail.message.includes(`"${domain_record}" at ${own_domain}`), body.detail.message)
  }
  records[own_domain] = ['other', domain_record]
  assert.equal((await add(own_domain, 'unproved.example')).status, 400, 'a record proves its own domain only')
  assert.deepEqual((await add(own_domain)).body.settings?.domains, [own_domain])
  records[own_domain] = []
  assert.equal((await person.post(PATH, { domains: [own_domain] })).status, 200, 'asked for once')
})

test('console company sign-in: the test shows every claim to the owner, changes nothing, signs no one in', async () => {
  const browser = new Visitor(service.origin)
  const [name, value] = owner.cookie.split('=') as [string, string]
  browser.cookies.push({ name, value, path: '/', attributes: '' })
  const test = async (person: Record<string, unknown>) => {
    fake.person = person
    const left = await browser.get(`/sign-in/company/${workspace}/test`)
    const back = new URL(fake.authorize(new URL(left.location!)))
    return browser.get(back.pathname + back.search)
  }
  const count = async () => (await owner.get('/people')).body.data.length
  const before = [await count(), (await owner.get(PATH)).body.log.length]
  const seen = await test({ sub: 'zoe', email: `zoe@${DOMAIN}`, email_verified: true, groups: ['leads', '<b>'] })
  assert.equal(seen.status, 200)
  assert.match(seen.html, /would not be signed in \(no_account\)/)
  assert.match(seen.html, /<code>groups<\/code>[\s\S]*\[&quot;leads&quot;,&quot;&lt;b&gt;&quot;\]/)
  assert.match((await test({ sub: 'o', email: owner.email, email_verified: true })).html, /would be signed in/)
  fake.hostility = { claims: { aud: 'other' } }
  assert.match((await test({ sub: 'o', email: owner.email })).html, /token_invalid: aud/)
  assert.deepEqual([await count(), (await owner.get(PATH)).body.log.length], before)
  assert.deepEqual((await owner.get(PATH)).body.connected, [])
  assert.equal((await new Visitor(service.origin).get(`/sign-in/company/${workspace}/test`)).status, 404)
})

test('console company sign-in: connected members, failures with what to do, disconnect, remove', async () => {
  const deputy = await signedIn(service, workspace, { email: `deputy@${DOMAIN}` })
  const browser = new Visitor(service.origin)
  const [name, value] = deputy.cookie.split('=') as [string, string]
  browser.cookies.push({ name, value, path: '/', attributes: '' })
  fake.person = { sub: 'd', email: deputy.email, email_verified: true }
  assert.equal((await throughProvider(browser, fake, workspace)).status, 303)
  fake.person = { sub: 'p', email: `pat@${DOMAIN}`, email_verified: true }
  assert.equal((await throughProvider(new Visitor(service.origin), fake, workspace)).status, 403)
  const { body } = await owner.get(PATH)
  assert.deepEqual([body.connected.length, body.connected[0].id], [1, deputy.userId])
  assert.match(body.log[0].text, /Add them in People, or turn creation on\. \(no_account\)/)
  const stranger = await signedIn(service, (await service.workspace('enterprise', 'Stranger')).id)
  assert.equal((await stranger.post(`${PATH}/members/${deputy.userId}/disconnect`)).status, 404)
  assert.equal((await stranger.post(`${PATH}/remove`)).status, 404)
  const disconnected = await owner.post(`${PATH}/members/${deputy.userId}/disconnect`)
  assert.equal(disconnected.status, 200)
  assert.equal((await browser.get('/account')).status, 303, 'also the sessions of the member are over')
  const removed = await owner.post(`${PATH}/remove`)
  assert.equal(removed.body.settings, null)
  assert.equal(removed.body.log[0].event, 'removed')
})

test('hiring company-sign-in: the operator sets any domain, shows settings and log, removes; errors say what is missing', async () => {
  const { id } = await service.workspace('enterprise', 'Operated')
  const run = (name: string, args: string[], options: Record<string, string> = {}) =>
    runVerb(service, companySignInVerbs, `company-sign-in ${name}`, args, options)
  assert.match((await run('set', [id])).text, /does not use the sign-in of a company/)
  await assert.rejects(run('set', [id], { issuer: 'https://login.example' }), /--client-id: the client ID is required/)
  await assert.rejects(run('set', ['wsp_none']), /there is no workspace wsp_none/)
  await assert.rejects(run('remove', [id]), /does not use the sign-in of a company/)
  await assert.rejects(run('disconnect', [id, 'usr_x']), /is not connected/)
  await useProvider(service, id, { ...settings(), domains: ['operated.example'] })
  const options = { domains: 'gmail.com', enabled: 'on', enforced: 'on', 'role-claim': 'groups', role: 'a=b=viewer' }
  const { json, text } = await run('set', [id], options)
  assert.match(text, /domains +gmail\.com\n[\s\S]*enforced +on\n[\s\S]*role +a=b=viewer/)
  assert.equal(JSON.stringify(json).includes('client_secret'), false)
  // a provider that cannot be used is stored, but not in silence: the command has no allowed hosts
  assert.match(text, /\nwarning: the settings are stored, but the issuer cannot be used \(address_blocked: .*\)\. \S/)
  assert.match(JSON.stringify(json), /"warnings":\["warning: /)
  assert.doesNotMatch((await run('set', [id], { domains: 'gmail.com' })).text, /warning/)
  await assert.rejects(run('set', [id], { role: 'a=owner' }), /--role: .*a claim never makes an owner/)
  assert.match((await run('log', [id])).text, /changed +- +operator +\{"by":"operator"/)
  assert.match((await run('remove', [id])).text, /removed the company sign-in/)
})

test('hiring company-sign-in set: an issuer at which nothing listens is stored with a warning that says so', async () => {
  const { id } = await service.workspace('enterprise', 'Unreached')
  const host = `127.0.0.1:${await freePort()}`
  const set = (options: Record<string, string>) =>
    runVerb(service, companySignInVerbs, 'company-sign-in set', [id], options, {
      COMPANY_SIGN_IN_ALLOW_HOSTS: `${host},${fake.host}`,
    })
  await useProvider(service, id, { ...settings(), issuer: `https://${host}`, domains: ['unreached.example'] })
  const { json, text } = await set({ enabled: 'on' })
  const expected =
    /^warning: the settings are stored, but the issuer cannot be used \(provider_unavailable: connection_failed .*\)\. \S/m
  assert.match(text, expected)
  assert.match((json as { warnings: string[] }).warnings.join('\n'), expected)
  assert.match(text, new RegExp(`^issuer +https://${host}$`, 'm'))
  assert.match(text, /^enabled +on$/m)
  await useProvider(service, id, settings())
  assert.doesNotMatch((await set({ enabled: 'on' })).text, /warning/)
})
