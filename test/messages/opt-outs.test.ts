import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { optOutVerbs } from '../../src/cli/opt-outs.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { unsubscribeApplicant } from '../../src/resources/applicants/index.ts'
import { requestErasure } from '../../src/resources/erasures/index.ts'
import { readAddresses } from '../../src/resources/opt-outs/index.ts'
import { readEvents } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'
import { runVerb } from '../harness/verb.ts'
import { messageTo, startMailWorld, unsubscribeUrl } from './setup.ts'

const world = await startMailWorld()
const { service, workspace, key, mails, send, person } = world
const { db } = service.services
const admin = await signedIn(service, workspace, { role: 'admin' })

const codeOf = async (id: string) => (await send(messageTo({ applicant_id: id }))).body.detail?.code ?? 'sent'
const isUnsubscribed = async (id: string) =>
  (await service.get(`/applicants/${id}`, key)).body.provenance.consent.unsubscribed
const typesOf = async (id: string) =>
  (await readEvents(world, workspace)).filter(event => event.data.object.id === id).map(event => event.type)
const find = async (email: string) => (await admin.get(`/opt-outs?email=${encodeURIComponent(email)}`)).body.data

test('opt-out list: an address added in the console is shown and not mailed; removed, it is mailed again', async () => {
  const ada = await person()
  const added = await admin.post('/opt-outs', { addresses: `Email\n  ${ada.email.toUpperCase()} \n\n${ada.email}` })
  assert.deepEqual(added.body, { added: 1, already_listed: 0, invalid_lines: [], invalid_count: 0 })
  const [row] = await find(ada.email)
  assert.deepEqual([row.email, row.source], [ada.email, 'opt_out'])
  assert.equal((await admin.get('/opt-outs')).body.data[0].email, ada.email)
  mails.arrived.length = 0
  assert.deepEqual([await codeOf(ada.id), await isUnsubscribed(ada.id)], ['recipient_unsubscribed', true])
  assert.equal(mails.arrived.length, 0)
  assert.equal((await typesOf(ada.id)).at(-1), 'applicant.unsubscribed')

  const again = await admin.post('/opt-outs', { addresses: ada.email })
  assert.deepEqual([again.body.added, again.body.already_listed], [0, 1])
  assert.equal((await typesOf(ada.id)).filter(type => type === 'applicant.unsubscribed').length, 1)

  assert.deepEqual((await admin.post('/opt-outs/remove', { email: ada.email })).body, { email: ada.email })
  assert.deepEqual(await find(ada.email), [])
  assert.deepEqual([await codeOf(ada.id), await isUnsubscribed(ada.id)], ['sent', false])
  assert.equal((await typesOf(ada.id)).at(-1), 'applicant.updated')
  assert.equal((await admin.post('/opt-outs/remove', { email: ada.email })).status, 404)
})

test('opt-out list: it shows people who unsubscribed; the workspace cannot remove them', async () => {
  const ada = await person()
  await db.transaction(tx => unsubscribeApplicant(tx, workspace, ada.id, 'one_click'))
  const [row] = await find(ada.email)
  assert.deepEqual([row.email, row.source], [ada.email, 'one_click'])
  assert.equal((await admin.post('/opt-outs', { addresses: ada.email })).body.already_listed, 1)
  assert.equal((await admin.post('/opt-outs/remove', { email: ada.email })).status, 404)
  assert.equal(await codeOf(ada.id), 'recipient_unsubscribed')
})

const link = (url: string, confirm: 'unsubscribe' | 'subscribe') =>
  service.call('POST', url, {
    raw: `confirm=${confirm}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

for (const first of ['workspace', 'person'] as const) {
  test(`opt-out list: the entry of the workspace survives a person who unsubscribes and subscribes again (${first} first)`, async () => {
    const ada = await person()
    mails.arrived.length = 0
    await send(messageTo({ applicant_id: ada.id }))
    const url = await unsubscribeUrl(mails.arrived.at(-1)!)
    const optOut = () => admin.post('/opt-outs', { addresses: ada.email })
    if (first === 'workspace') await optOut()
    assert.equal((await link(url, 'unsubscribe')).status, 200)
    assert.equal((await find(ada.email))[0].source, 'link')
    if (first === 'person') assert.equal((await optOut()).body.already_listed, 1)
    assert.equal((await admin.post('/opt-outs/remove', { email: ada.email })).status, 404, 'what the person said stays')

    assert.equal((await link(url, 'subscribe')).status, 200)
    assert.deepEqual([await codeOf(ada.id), await isUnsubscribed(ada.id)], ['recipient_unsubscribed', true])
    const [row] = await find(ada.email)
    assert.deepEqual([row.email, row.source], [ada.email, 'opt_out'])
    assert.equal((await admin.post('/opt-outs/remove', { email: ada.email })).status, 200)
    assert.equal(await codeOf(ada.id), 'sent')
  })
}

test('opt-out list: every row once, page by page, newest first', async () => {
  const { id } = await service.workspace()
  const owner = await signedIn(service, id)
  const addresses = Array.from({ length: 25 }, (_, i) => `p${i}@example.org`)
  await owner.post('/opt-outs', { addresses: addresses.join('\n') })
  await owner.post('/opt-outs', { addresses: 'last@example.org' })
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof owner.get>> = await owner.get(
      `/opt-outs?limit=10${cursor && `&cursor=${cursor}`}`,
    )
    seen.push(...page.body.data.map((row: { email: string }) => row.email))
    cursor = page.body.next_cursor
  }
  assert.equal(seen[0], 'last@example.org')
  assert.deepEqual(seen.toSorted(), [...addresses, 'last@example.org'].toSorted())
  assert.deepEqual(await find('last@example.org'), [], 'the list of another workspace')
})

test('opt-out list: 403 for members; 400 names the field; unreadable lines are counted', async () => {
  const member = await signedIn(service, workspace, { role: 'member' })
  assert.equal((await member.get('/opt-outs')).status, 403)
  assert.equal((await member.post('/opt-outs', { addresses: 'x@example.org' })).status, 403)
  for (const addresses of ['', 'x\n'.repeat(5_002), 'a@example.org,'.repeat(14_500)]) {
    const { status, body } = await admin.post('/opt-outs', { addresses })
    assert.deepEqual([status, body.detail.param], [400, 'addresses'])
  }
  const mixed = await admin.post('/opt-outs', {
    addresses: 'Name;Email\nZoe;zoe@example.org\nYan;yan@\n"Max";"max@example.org"',
  })
  assert.deepEqual(mixed.body, { added: 2, already_listed: 0, invalid_lines: [3], invalid_count: 1 })
  const none = await admin.post('/opt-outs', { addresses: 'no address\nneither here' })
  assert.deepEqual(none.body, { added: 0, already_listed: 0, invalid_lines: [2], invalid_count: 1 })
  const wrong = await admin.post('/opt-outs/remove', { email: 'nonsense' })
  assert.deepEqual([wrong.status, wrong.body.detail.param], [400, 'email'])
})

test('opt-out list: a person who was erased or asked that processing stop is neither stored nor shown', async () => {
  const ada = await person()
  await admin.post('/opt-outs', { addresses: ada.email })
  await requestErasure(db, { email: ada.email, reason: 'stop_processing', requestedBy: 'command_line' })
  assert.deepEqual(await find(ada.email), [])
  const listed = await admin.get('/opt-outs')
  assert.ok(!listed.text.includes(ada.email))
  assert.ok(!listed.text.includes(hash('sha256', ada.email)), 'no one can try addresses against what is shown')
  assert.equal(listed.body.data.filter((row: { email: string | null }) => row.email === null).length, 1)
  const eve = await person()
  await requestErasure(db, { email: eve.email, reason: 'stop_processing', requestedBy: 'command_line' })
  assert.deepEqual((await admin.post('/opt-outs', { addresses: eve.email })).body.added, 0)
  assert.deepEqual(await db.query(sql`select 1 from unsubscribes where email_key = ${eve.email}`), [])
})

test('hiring opt-outs: add, list, import and remove do as the console does', async () => {
  const { id } = await service.workspace()
  const run = (verb: string, ...args: string[]) => runVerb(service, optOutVerbs, `opt-outs ${verb}`, [id, ...args], {})
  assert.match((await run('add', 'One@Example.org', 'two@example.org')).text, /^2 added, 0 were on the list$/)
  await assert.rejects(run('add', 'three@example.org', 'nonsense'), /that is not an email address: nonsense/)
  const folder = mkdtempSync(join(tmpdir(), 'hiring-opt-outs-'))
  const file = join(folder, 'list.csv')
  const many = Array.from({ length: 5_002 }, (_, i) => `Person ${i},p${i}@example.org`)
  writeFileSync(file, `\ufeffName,Email\r\n${many.join('\r\n')}\r\nno address\r\nTwo,two@example.org\r\n`)
  const imported = await run('import', file)
  assert.deepEqual(imported.json, { workspace_id: id, added: 5_002, already_listed: 1, invalid_lines: [5_004] })
  assert.equal(imported.exitCode, 1)
  await assert.rejects(run('import', join(folder, 'missing.csv')), /there is no file/)
  rmSync(folder, { recursive: true })
  const { opt_outs: rows } = (await run('list')).json as { opt_outs: { email: string; source: string }[] }
  assert.equal(rows.length, 5_004)
  assert.equal(new Set(rows.map(row => row.email)).size, 5_004)
  assert.match((await run('remove', 'ONE@example.org')).text, /removed/)
  await assert.rejects(run('remove', 'one@example.org'), /did not put this address/)
  await assert.rejects(runVerb(service, optOutVerbs, 'opt-outs list', ['wsp_x'], {}), /there is no workspace/)
})

test('opt-out list: addresses are read from plain lists and from tables', () => {
  const read = (text: string) => readAddresses(text)
  assert.deepEqual(read('b@example.org\ra@example.org'), { keys: ['a@example.org', 'b@example.org'], invalid: [] })
  assert.deepEqual(read('"Ada, L.",x,ada@EXAMPLE.org'), { keys: ['ada@example.org'], invalid: [] })
  assert.deepEqual(read('broken@\n\nB\tb@example.org'), { keys: ['b@example.org'], invalid: [1] })
})
