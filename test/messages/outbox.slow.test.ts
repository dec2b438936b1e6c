import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startWorld } from '../applications/setup.ts'
import { temporaryFolder } from '../harness/process.ts'
import { messageTo, newPerson, parse } from './setup.ts'

const keyFile = join(temporaryFolder(), 'dkim.pem')
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))

const world = await startWorld({ DKIM_DOMAIN: 'firm.dev', DKIM_SELECTOR: 'one', DKIM_PRIVATE_KEY: keyFile })
const { service, workspace, key } = world
const { outbox, config } = service.services

test('POST /messages: without a mail server: 200 sent, one .eml in the outbox and nothing on the wire; repeats add none', async () => {
  const ada = await newPerson(world, workspace)
  const send = () =>
    service.post('/messages', key, messageTo({ applicant_id: ada.id }, { body_html: '<p>Hi</p>' }), {
      headers: { 'idempotency-key': 'to-the-outbox' },
    })
  const response = await send()
  assert.deepEqual([response.status, response.body.status], [200, 'sent'])
  assert.equal((await send()).text, response.text)

  const folder = join(config.DATA_DIR, 'outbox')
  assert.deepEqual(readdirSync(folder), [`${response.body.id}.eml`])
  const mail = await parse({ raw: readFileSync(join(folder, `${response.body.id}.eml`)) })
  assert.deepEqual(mail.to, [{ name: 'Ada Lovelace', address: ada.email }])
  const signature = mail.headers.find(header => header.key === 'dkim-signature')?.value ?? ''
  assert.match(signature, /d=firm\.dev; .*s=one/)

  const [shown] = await outbox.list()
  assert.deepEqual([shown!.id, shown!.subject], [response.body.id, 'Your application'])
  assert.match(shown!.text, /^Dear Ada,\nwe liked/)
  await outbox.remove(response.body.id)
  assert.deepEqual(readdirSync(folder), [])
  assert.equal((await send()).text, response.text)
  assert.deepEqual(readdirSync(folder), [], 'removed is not sent again')
})
