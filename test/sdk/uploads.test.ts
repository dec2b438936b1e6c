import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClientOptions, HiringClient, HiringError, isApiError } from '../../packages/sdk/src/index.ts'
import { newTenant } from '../applications/setup.ts'
import { type Fault, faultyNetwork } from '../harness/faulty-network.ts'
import { sharedTestService } from '../harness/service.ts'

const service = await sharedTestService()
const network = await faultyNetwork(service.origin)
const { key, job } = await newTenant(service)

/** Everything goes over the network, the storage too. */
const client = (options: Partial<ClientOptions> = {}) =>
  new HiringClient({
    baseUrl: network.origin,
    apiKey: key.secret,
    fetch: (input, init) => fetch(String(input).replace(service.origin, network.origin), init),
    runtime: { sleep: async () => {} },
    ...options,
  })

const FILE = new File(['%PDF-1.4 a résumé'], 'ada.pdf', { type: 'application/pdf' })
let people = 0
const apply = (upload: string) =>
  client().applications.create({
    job_id: job.id,
    candidate: { first_name: 'Ada', last_name: 'Example', email: `ada${people++}@example.org` },
    source: { system: 'acme_ats' },
    resume_upload_id: upload,
  })

test('SDK uploads: a file becomes a handle in one call; its name gives the type', async () => {
  network.plan(() => 'none')
  const text = new TextEncoder().encode('Ada Example')
  for (const [file, filename, type] of [
    [FILE, undefined, 'application/pdf'],
    [new Blob(['{\\rtf1 Ada}']), 'ada.rtf', 'application/rtf'],
    [text, 'ada.txt', 'text/plain'],
    [text.buffer, 'ADA.TXT', 'text/plain'],
    [new Blob(['Ada'], { type: 'text/plain;charset=utf-8' }), undefined, 'text/plain'],
  ] as const) {
    const upload = await client().uploads.send(file, filename === undefined ? {} : { filename })
    assert.equal(upload.content_type, type)
    assert.equal((await apply(upload.upload_id)).has_resume, true)
    const put = network.requests.find(({ method }) => method === 'PUT')!
    assert.equal(put.headers.authorization, undefined, 'the storage is not given the key')
    network.plan(() => 'none')
  }
})

test('SDK uploads: a file whose response is lost, whose connection is cut or whose storage fails arrives once', async () => {
  for (const fault of ['lose_response', 'cut_request', { status: 503 }] satisfies Fault[]) {
    let puts = 0
    network.plan(({ method }) => (method === 'PUT' && puts++ === 0 ? fault : 'none'))
    const { upload_id } = await client().uploads.send(FILE)
    assert.equal(puts, 2)
    network.plan(() => 'none')
    assert.equal((await apply(upload_id)).has_resume, true)
  }
})

test('SDK uploads: the same Idempotency-Key sends the same file again without a second slot', async () => {
  network.plan(() => 'none')
  const options = { idempotencyKey: 'resume-of-ada-1' }
  const first = await client().uploads.send(FILE, {}, options)
  const again = await client().uploads.send(FILE, {}, options)
  assert.equal(again.upload_id, first.upload_id)
  assert.equal((await apply(first.upload_id)).has_resume, true)
})

test('SDK uploads: a file of unknown type is refused before any call, one that is too large by the service', async () => {
  network.plan(() => 'none')
  await assert.rejects(client().uploads.send(new Uint8Array(3)), HiringError)
  assert.equal(network.requests.length, 0)
  const large = new Uint8Array(5_242_881)
  await assert.rejects(client().uploads.send(large, { filename: 'ada.pdf' }), error =>
    isApiError(error, 'invalid_upload'),
  )
})
