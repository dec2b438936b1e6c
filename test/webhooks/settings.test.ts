import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../../src/kernel/config.ts'
import { CA_FILE } from '../harness/receiver.ts'

const faults = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.faults
  }
}

test('settings: no private host and no authority of one’s own by default', () => {
  const config = readConfig({})
  assert.deepEqual(config.WEBHOOK_ALLOW_HOSTS, [])
  assert.equal(config.WEBHOOK_CA, undefined)
})

test('settings: hosts with or without a port, in one spelling; an authority in PEM', () => {
  const config = readConfig({ WEBHOOK_ALLOW_HOSTS: 'Localhost:9000, receiver,[::1]:8443', WEBHOOK_CA: CA_FILE })
  assert.deepEqual(config.WEBHOOK_ALLOW_HOSTS, ['localhost:9000', 'receiver', '[::1]:8443'])
  assert.match(config.WEBHOOK_CA!.toString(), /BEGIN CERTIFICATE/)
})

test('settings: what is neither is named at start', () => {
  assert.match(faults({ WEBHOOK_ALLOW_HOSTS: 'https://localhost' })[0]!, /^WEBHOOK_ALLOW_HOSTS .*https:\/\/localhost/)
  assert.match(faults({ WEBHOOK_ALLOW_HOSTS: '*.example.com' })[0]!, /^WEBHOOK_ALLOW_HOSTS/)
  assert.match(faults({ WEBHOOK_CA: '/nowhere.pem' })[0]!, /^WEBHOOK_CA .*cannot be read/)
  assert.match(faults({ WEBHOOK_CA: import.meta.filename })[0]!, /^WEBHOOK_CA .*not a certificate/)
})
