import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { HiringClient, SignatureError, signWebhook, verifyWebhook } from '../../packages/sdk/src/index.ts'
import { CA_FILE, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const NOW = Date.parse('2026-11-01T12:00:00Z')
const body = JSON.stringify({ object: 'event', id: 'evt_1', type: 'list.created', name: 'Größe “漢字”' })
const SECRET = 'whsec_one'
const sign = (text: string, secret = SECRET, seconds = NOW / 1000) =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')}`
const verify = (signature: string | string[] | undefined | null, secrets: string | string[] = SECRET, text = body) =>
  verifyWebhook({ body: text, signature }, secrets, { now: NOW })
const reason = (expected: SignatureError['reason']) => (error: SignatureError) => {
  assert.ok(error instanceof SignatureError)
  assert.equal(error.reason, expected)
  return true
}

test('SDK signatures: real deliveries verify with the new and with the old secret while a rotation lasts', async () => {
  const receiver = await startReceiver()
  const service = await startTestService(
    { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE },
    { resolveName: testNames() },
  )
  const { id: workspace, userEmail } = await service.workspace()
  const { secret: apiKey } = await service.key({ workspace, userEmail })
  const client = new HiringClient({ baseUrl: service.origin, apiKey })
  const endpoint = await client.webhookEndpoints.create({ url: receiver.url, event_types: ['list.created'] })
  const first = endpoint.signing_secret!
  const list = await client.lists.create({ name: 'Größe & “quotes” 漢字' })
  await until('a delivery', () => receiver.received.length === 1)
  const delivery = () => {
    const { body, headers } = receiver.received.at(-1)!
    return { body, signature: headers['service-signature'] }
  }
  const event = await verifyWebhook(delivery(), first)
  assert.deepEqual([event.type, event.data.object.id], ['list.created', list.id])

  const second = (await client.webhookEndpoints.rotateSecret(endpoint.id, { overlap_seconds: 3600 })).signing_secret!
  await client.lists.create({ name: 'Second' })
  await until('a second delivery', () => receiver.received.length === 2)
  for (const secrets of [first, second, [second, first], ['whsec_unrelated', first]]) {
    assert.equal((await verifyWebhook(delivery(), secrets)).type, 'list.created')
  }
  await assert.rejects(verifyWebhook(delivery(), 'whsec_unrelated'), reason('no_match'))
})

test('SDK signatures: accept bytes, text and requests, one of several secrets, one of several signatures', async () => {
  const header = sign(body)
  assert.equal((await verify(header)).id, 'evt_1')
  assert.equal((await verify([header])).id, 'evt_1', 'as Node gives repeated headers')
  const bytes = new TextEncoder().encode(body)
  for (const raw of [bytes, bytes.buffer, Buffer.from(body)]) {
    assert.equal((await verifyWebhook({ body: raw, signature: header }, SECRET, { now: NOW })).id, 'evt_1')
  }
  const request = new Request('https://partner.example', {
    method: 'POST',
    body,
    headers: { 'service-signature': header },
  })
  assert.equal((await verifyWebhook(request, ['whsec_two', SECRET], { now: NOW })).id, 'evt_1')
  const other = sign(body, 'whsec_two').split(',')[1]
  assert.equal((await verify(`${header.split(',')[0]},${other},${header.split(',')[1]}`)).id, 'evt_1')
  assert.equal(await signWebhook(body, SECRET, NOW), header)
  assert.equal(await signWebhook(body, [SECRET, 'whsec_two'], NOW), `${header},${other}`)
})

test('SDK signatures: refuse forged, altered, old, early and malformed ones, each with its reason', async () => {
  const seconds = NOW / 1000
  await assert.rejects(verify(sign(body, 'whsec_two')), reason('no_match'))
  await assert.rejects(verify(sign(body), SECRET, `${body} `), reason('no_match'))
  await assert.rejects(verify(sign(body).replace(/^t=\d+/, `t=${seconds + 1}`)), reason('no_match'))
  await assert.rejects(verify(sign(body, SECRET, seconds - 301)), reason('expired'))
  await assert.rejects(verify(sign(body, SECRET, seconds + 301)), reason('expired'))
  assert.equal((await verify(sign(body, SECRET, seconds - 300))).id, 'evt_1')
  const options = { now: NOW, toleranceSeconds: 10 }
  await assert.rejects(
    verifyWebhook({ body, signature: sign(body, SECRET, seconds - 11) }, SECRET, options),
    reason('expired'),
  )
  for (const missing of [undefined, null, '']) await assert.rejects(verify(missing), reason('missing'))
  const v1 = sign(body).split(',')[1]!
  for (const header of [
    v1,
    `t=${seconds}`,
    `t=,${v1}`,
    `t=1e9,${v1}`,
    `t=${seconds},v1=00`,
    `t=${seconds},v1=${'ü'.repeat(64)}`,
    `t=${seconds},v0=${v1.slice(3)}`,
    'x',
  ]) {
    await assert.rejects(verify(header), reason('malformed'), header)
  }
  await assert.rejects(verify(sign(body), ''), /empty/)
  await assert.rejects(verify(sign(body), []), reason('no_match'))
})
