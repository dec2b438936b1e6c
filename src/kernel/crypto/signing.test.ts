import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { Keyring } from './signing.ts'

const keyring = new Keyring(Buffer.alloc(32, 7))

test('signing: sign is HMAC-SHA256 with the key of the purpose (property)', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
      const expected = createHmac('sha256', keyring.keyFor('cursor')).update(bytes).digest()
      assert.deepEqual(keyring.sign('cursor', Buffer.from(bytes)), expected)
    }),
  )
})

test('signing: each purpose has a key of its own, and another secret has others', () => {
  const other = new Keyring(Buffer.alloc(32, 8))
  const keys = [keyring.keyFor('cursor'), keyring.keyFor('storage'), keyring.keyFor('seal'), other.keyFor('cursor')]
  assert.equal(new Set(keys.map(key => key.toString('hex'))).size, 4)
})

test('signing: verify refuses any other text, purpose or signature (property)', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(31), (text, place) => {
      const signature = keyring.sign('storage', text)
      assert.ok(keyring.verify('storage', text, signature))
      assert.ok(!keyring.verify('cursor', text, signature))
      assert.ok(!keyring.verify('storage', `${text}.`, signature))
      assert.ok(!keyring.verify('storage', text, signature.subarray(0, 16)))
      signature[place]! ^= 1
      assert.ok(!keyring.verify('storage', text, signature))
    }),
  )
})

test('seal: opens in its own context only, and never twice the same', () => {
  const secret = Buffer.from('whsec_of_a_receiver')
  const sealed = keyring.seal(secret, 'endpoint 1')
  assert.deepEqual(keyring.unseal(sealed, 'endpoint 1'), secret)
  assert.ok(!sealed.includes(secret))
  assert.notDeepEqual(keyring.seal(secret, 'endpoint 1'), sealed)
  assert.throws(() => keyring.unseal(sealed, 'endpoint 2'))
  sealed[sealed.length - 1]! ^= 1
  assert.throws(() => keyring.unseal(sealed, 'endpoint 1'))
})
