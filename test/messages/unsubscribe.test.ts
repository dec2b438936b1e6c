import assert from 'node:assert/strict'
import { request } from 'node:http'
import { beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { Keyring } from '../../src/kernel/crypto/signing.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { readUnsubscribeToken, unsubscribeToken } from '../../src/resources/messages/unsubscribe-link.ts'
import { readEvents } from '../applications/setup.ts'
import { axe, noBrowser, visit } from '../harness/browser.ts'
import { messageTo, type Person, startMailWorld, unsubscribeUrl } from './setup.ts'

const world = await startMailWorld()
const { service, workspace, key, mails, send, person } = world
const { db, keyring } = service.services

beforeEach(() => {
  mails.arrived.length = 0
})

/** A person who was written to, and the link in what arrived. */
async function mailed(): Promise<Person & { url: string }> {
  const ada = await person()
  await send(messageTo({ applicant_id: ada.id }))
  return { ...ada, url: await unsubscribeUrl(mails.arrived.at(-1)!) }
}

const isUnsubscribed = async ({ id }: { id: string }): Promise<boolean> =>
  (await service.get(`/applicants/${id}`, key)).body.provenance.consent.unsubscribed
const emitted = async ({ id }: { id: string }): Promise<number> =>
  (await readEvents(world, workspace)).filter(
    event => event.type === 'applicant.unsubscribed' && event.data.object.id === id,
  ).length

/** As the button of the page and mail programs post: a form, no cookies, no key. */
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const post = (url: string, body = 'List-Unsubscribe=One-Click', headers: Record<string, string> = FORM) =>
  service.call('POST', url, { raw: body, headers })

test('unsubscribe: GET and HEAD never unsubscribe: they show a confirmation form', async () => {
  const ada = await mailed()
  const page = await service.call('GET', ada.url)
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type')!, /^text\/html/)
  assert.match(page.text, /<form method="post">.*<button[^>]*type="submit">Unsubscribe<\/button>/)
  assert.match(page.text, /Test workspace/)
  assert.equal(page.text.includes(ada.email), false)
  assert.equal((await service.call('HEAD', ada.url)).status, 200)
  assert.equal((await service.call('GET', `${ada.url}?confirm=unsubscribe&List-Unsubscribe=One-Click`)).status, 200)
  assert.equal(await isUnsubscribed(ada), false)
  assert.equal(page.headers.get('set-cookie'), null)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.equal(page.headers.get('x-robots-tag'), 'noindex')
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'/)
})

for (const [name, body, headers] of [
  ['one-click', 'List-Unsubscribe=One-Click', FORM],
  [
    'one-click as multipart',
    '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    { 'content-type': 'multipart/form-data; boundary=b' },
  ],
  ['the button', 'confirm=unsubscribe', FORM],
] as const) {
  test(`unsubscribe: POST without cookies unsubscribes: ${name}; twice is once, with one applicant.unsubscribed`, async () => {
    const ada = await mailed()
    for (let i = 0; i < 2; i++) {
      const response = await post(ada.url, body, headers)
      assert.equal(response.status, 200)
      assert.match(response.text, /You are unsubscribed/)
    }
    assert.equal(await isUnsubscribed(ada), true)
    assert.equal(await emitted(ada), 1)
    const noted = await db.one(sql<{ source: string }>`
      select source from unsubscribes where workspace_id = ${workspace} and email_key = ${ada.email}`)
    assert.equal(noted!.source, name === 'the button' ? 'link' : 'one_click')
    const refused = await send(messageTo({ applicant_id: ada.id }))
    assert.deepEqual([refused.status, refused.body.detail.code], [409, 'recipient_unsubscribed'])
    const page = await service.call('GET', ada.url)
    assert.match(page.text, /You are unsubscribed/)
    assert.doesNotMatch(page.text, /value="unsubscribe"/)
  })
}

test('unsubscribe: many requests at the same time emit one event', async () => {
  const ada = await mailed()
  const responses = await Promise.all(Array.from({ length: 8 }, () => post(ada.url)))
  for (const { status } of responses) assert.equal(status, 200)
  assert.equal(await emitted(ada), 1)
})

test('unsubscribe: 400: any other POST shows the form again and changes nothing', async () => {
  const ada = await mailed()
  for (const body of ['', 'x=y', 'confirm=no', '{"confirm":"unsubscribe"}', 'List-Unsubscribe=x']) {
    const response = await post(ada.url, body)
    assert.equal(response.status, 400)
    assert.match(response.text, /<form method="post">/)
  }
  assert.equal(await isUnsubscribed(ada), false)
})

test('unsubscribe: a friendly 404: a link that was truncated, changed or made up unsubscribes no one', async () => {
  const ada = await mailed()
  const eve = await person()
  const token = ada.url.split('/').at(-1)!
  const [home, , signature] = token.split('.')
  for (const wrong of [
    '',
    'x',
    token.slice(0, -1),
    `${token}A`,
    `${token}.`,
    `${home}.${eve.id}.${signature}`,
    `${newHandle('workspace')}.${ada.id}.${signature}`,
    `${home}.${ada.id}.`,
    encodeURIComponent('../../etc/passwd'),
  ]) {
    for (const method of ['GET', 'POST']) {
      const url = `${service.origin}/unsubscribe/${wrong}`
      const response = method === 'GET' ? await service.call('GET', url) : await post(url)
      assert.equal(response.status, 404, wrong)
      assert.match(response.text, /This link is not complete/)
    }
  }
  assert.equal(await isUnsubscribed(ada), false)
  assert.equal(await isUnsubscribed(eve), false)
})

test('unsubscribe: the token: says nothing of the address, and holds for exactly what was signed', () => {
  const other = new Keyring(Buffer.alloc(32, 7))
  const who = { workspace: newHandle('workspace'), applicant: newHandle('applicant') }
  const token = unsubscribeToken(keyring, who)
  assert.match(token, /^wsp_\w{20}\.apl_\w{20}\.[\w-]{43}$/)
  assert.deepEqual(readUnsubscribeToken(keyring, token), who)
  assert.equal(readUnsubscribeToken(other, token), undefined)
  fc.assert(
    fc.property(
      fc.nat(token.length - 1),
      fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }),
      (at, sign) => {
        const changed = token.slice(0, at) + sign + token.slice(at + 1)
        assert.equal(readUnsubscribeToken(keyring, changed) === undefined, changed !== token)
      },
    ),
    { numRuns: 1000 },
  )
  fc.assert(fc.property(fc.string(), text => readUnsubscribeToken(keyring, text) === undefined))
})

test('unsubscribe: a person who was erased, or whose workspace is gone, gets the same friendly response', async () => {
  const ada = await mailed()
  await db.query(sql`
    update applications set applicant_id = null where workspace_id = ${workspace} and applicant_id = ${ada.id}`)
  await db.query(sql`delete from applicants where workspace_id = ${workspace} and id = ${ada.id}`)
  for (const response of [await service.call('GET', ada.url), await post(ada.url), await post(ada.url)]) {
    assert.equal(response.status, 200)
    assert.match(response.text, /You are unsubscribed/)
    assert.match(response.text, /Test workspace/)
  }
  const token = unsubscribeToken(keyring, { workspace: newHandle('workspace'), applicant: newHandle('applicant') })
  const gone = await post(`${service.origin}/unsubscribe/${token}`)
  assert.deepEqual([gone.status, /not get any more email from this company/.test(gone.text)], [200, true])
})

test('unsubscribe: applies to one workspace only', async () => {
  const other = await service.workspace('starter')
  const ada = await mailed()
  await post(ada.url)
  const rows = await db.query(sql<{ workspace_id: string }>`
    select workspace_id from unsubscribes where email_key = ${ada.email}`)
  assert.deepEqual(
    rows.map(row => row.workspace_id),
    [workspace],
  )
  assert.notEqual(other.id, workspace)
})

test('unsubscribe: 405 for other methods; a body that never ends or is too large is not taken', async () => {
  const ada = await mailed()
  assert.equal((await service.call('PUT', ada.url, { raw: 'x' })).status, 405)
  const large = await post(ada.url, `List-Unsubscribe=One-Click&x=${'x'.repeat(300_000)}`)
  assert.equal(large.status, 413)
  const left = request(ada.url, { method: 'POST', headers: { ...FORM, 'content-length': 100 } })
  left.on('error', () => {})
  await new Promise<void>(resolve => left.write('List-Unsubscribe=One-Click', () => resolve()))
  left.destroy()
  assert.equal(await isUnsubscribed(ada), false)
})

for (const javaScript of [true, false]) {
  test(`unsubscribe: in a browser, ${javaScript ? 'with' : 'without'} scripts: one press, no problem`, {
    skip: noBrowser,
  }, async () => {
    const ada = await mailed()
    const { page, problems, close } = await visit(service.origin, { javaScript })
    await page.goto(ada.url)
    const accessible = async () => javaScript && assert.deepEqual(await axe(page), [])
    await accessible()
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
    await accessible()
    assert.equal(await isUnsubscribed(ada), true)
    assert.deepEqual(problems, [])
    await close()
  })
}

test('unsubscribe: the page has the frame of the company and the language of the email, and can be undone', async () => {
  const ada = await mailed()
  await db.query(sql`
    update career_sites set accent_color = '#0a7f5c', display_name = 'Ada Works' where workspace_id = ${workspace}`)
  const german = `${ada.url}?lang=de`
  const { text } = await service.call('GET', german)
  assert.match(text, /<html lang="de">/)
  assert.match(text, /<h1>[^<]*abbestellen\?<\/h1>.*von Ada Works/s)
  assert.match(text, /<link rel="stylesheet" href="[^"]*0a7f5c[^"]*"/)
  assert.match(text, /href="\/careers\/[^"]+\/applications\?lang=de"/)
  assert.doesNotMatch(text, /Hiring Partner/)
  assert.match((await post(german, 'confirm=unsubscribe')).text, /value="subscribe"/)
  assert.equal(await isUnsubscribed(ada), true)
  assert.match((await post(german, 'confirm=subscribe')).text, /Sie erhalten wieder/)
  assert.equal(await isUnsubscribed(ada), false)
  const browser = await service.call('GET', ada.url, { headers: { 'accept-language': 'de' } })
  assert.match(browser.text, /<html lang="de">/)
  await db.query(sql`update career_sites set enabled = false where workspace_id = ${workspace}`)
  const off = await service.call('GET', german)
  assert.deepEqual([off.status, /href="\/careers\//.test(off.text)], [200, false])
  await db.query(sql`
    update career_sites set enabled = true, accent_color = null, display_name = null where workspace_id = ${workspace}`)
})
