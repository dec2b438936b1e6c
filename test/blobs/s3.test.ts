// S3_SERVER is the program of a Versity S3 Gateway, which is started. Another store needs a bucket of its own, emptied below a prefix that no other run uses:
//   S3_TEST_ENDPOINT, S3_TEST_BUCKET, S3_TEST_ACCESS_KEY_ID, S3_TEST_SECRET_ACCESS_KEY, and if need be
//   S3_TEST_REGION (us-east-1), S3_TEST_VIRTUAL_HOST=1 (instead of path style),
//   S3_TEST_LENIENT=1 (a stand-in server that does not check signatures, expiry or conditions).

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openS3Blobs } from '../../src/kernel/blobs/s3.ts'
import { presign } from '../../src/kernel/blobs/signed-url.ts'
import { readConfig } from '../../src/kernel/config/config.ts'
import { Keyring } from '../../src/kernel/crypto/signing.ts'
import { openBlobs } from '../../src/kernel/services/open-services.ts'
import { startS3 } from '../harness/s3.ts'
import { startS3Server } from '../harness/s3-server.ts'
import { blobsConformance, send } from './conformance.ts'

const program = process.env['S3_SERVER']
const started: Record<string, string> = program ? (await startS3Server(program)).settings : {}

const {
  S3_TEST_ENDPOINT: endpoint = started['S3_ENDPOINT'],
  S3_TEST_BUCKET: bucket = started['S3_BUCKET'] ?? '',
  S3_TEST_ACCESS_KEY_ID: accessKeyId = started['S3_ACCESS_KEY_ID'] ?? '',
  S3_TEST_SECRET_ACCESS_KEY: secretAccessKey = started['S3_SECRET_ACCESS_KEY'] ?? '',
  S3_TEST_REGION: region = 'us-east-1',
  S3_TEST_VIRTUAL_HOST: virtualHost,
  S3_TEST_LENIENT: lenient,
} = process.env

// The example of the Amazon S3 documentation, "Authenticating Requests: Using Query Parameters".
test('presign: gives the signature of the documented example', () => {
  const url = presign({
    method: 'GET',
    url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
    headers: {},
    query: {},
    region: 'us-east-1',
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    signedAt: Date.UTC(2013, 4, 24),
    expiresInSeconds: 86_400,
  })
  assert.equal(
    url,
    'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
      '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z' +
      '&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
})

test('S3_PUBLIC_ENDPOINT: addresses of files begin with it and are signed for its host; the service uses S3_ENDPOINT', async () => {
  const store = await startS3()
  const signedAt = Date.UTC(2026, 0, 2)
  const open = (settings: Record<string, string>) => {
    const services = { keyring: new Keyring(randomBytes(32)), publicUrl: '', db: { now: async () => signedAt } }
    return openBlobs(readConfig({ ...store.settings, ...settings }), services)
  }
  const [inside, outside] = [await open({}), await open({ S3_PUBLIC_ENDPOINT: 'https://files.example.com:8443' })]
  const file = { contentType: 'text/plain' }
  try {
    await outside.put('a/b.txt', Buffer.from('text'), file)
    assert.deepEqual((await outside.stat('a/b.txt'))?.bytes, 4)
    const get = { ...file, expiresInSeconds: 300, filename: 'b.txt' }
    const put = { ...file, expiresAt: signedAt + 300_000, bytes: 4 }
    const addresses = async (blobs: typeof inside) =>
      [await blobs.signedGet('a/b.txt', get), (await blobs.signedPut('a/c.txt', put)).url].map(text => new URL(text))
    const [own, public_] = [await addresses(inside), await addresses(outside)]
    for (const [i, url] of public_.entries()) {
      assert.equal(url.origin, 'https://files.example.com:8443')
      assert.equal(url.pathname, own[i]!.pathname)
      assert.equal(own[i]!.origin, store.settings['S3_ENDPOINT'])
      assert.notEqual(url.searchParams.get('X-Amz-Signature'), own[i]!.searchParams.get('X-Amz-Signature'))
    }
    assert.equal(outside.addressOrigin(), 'https://files.example.com:8443')
  } finally {
    await inside.close()
    await outside.close()
  }
})

if (endpoint === undefined) {
  test('S3: blob store', t => t.skip('neither S3_SERVER nor S3_TEST_ENDPOINT is set'))
} else {
  blobsConformance('S3', async () => {
    // The server's clock decides and cannot be moved; only the one that addresses are made with can.
    const { date } = (await send('GET', endpoint)).headers
    const begun = Date.parse(date ?? '') - performance.now()
    let offset = 0
    const now = () => begun + performance.now() + offset
    const prefix = `conformance/${randomUUID()}/`
    const forcePathStyle = virtualHost === undefined
    const place = { endpoint, region, bucket, prefix, forcePathStyle }
    const blobs = await openS3Blobs({ ...place, accessKeyId, secretAccessKey, now })
    return {
      blobs,
      now,
      setNow: ms => {
        offset += ms - now()
      },
      serverEnforces: lenient === undefined,
      close: async () => {
        for await (const key of blobs.list('')) await blobs.remove(key)
        await blobs.close()
      },
    }
  })
}
