import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { newFormJob, newSite } from '../careers/application-form.ts'
import { startTestService } from '../harness/service.ts'

test('slow clients: an application form of which no byte comes any more gets a 408 long before the time of an upload is over', {
  timeout: 120_000,
}, async () => {
  const service = await startTestService({
    ROLES: 'api',
    REQUEST_TIMEOUT_SECONDS: '2',
    UPLOAD_TIMEOUT_SECONDS: '600',
    RESPONSE_IDLE_SECONDS: '1',
  })
  const job = await newFormJob(await newSite(service))
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
  const head = [
    `POST ${job.path} HTTP/1.1`,
    'Host: x',
    `Origin: ${service.origin}`,
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Length: 100000',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n--b\r\nC`)
  assert.match(await text(socket), /^HTTP\/1\.1 408 /)
})
