import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildSealMark, deriveKeyId, Keyring, SEAL_MARK_BYTES, UnknownKeyError } from './signing.ts'

const keyring = new Keyring(Buffer.alloc(32, 7))

test('signing: sign is HMAC-SHA256 with the key of the purpose (property)', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
      const expected = createHmac('sha256', keyring.keysFor('cursor')[0]!).update(bytes).digest()
      assert.deepEqual(keyring.sign('cursor', Buffer.from(bytes)), expected)
    }),
  )
})

test('signing: each purpose has a key of its own, and another secret has others', () => {
  const other = new Keyring(Buffer.alloc(32, 8))
  const keys = [
    keyring.keysFor('cursor'),
    keyring.keysFor('storage'),
    keyring.keysFor('seal'),
    other.keysFor('cursor'),
  ].map(found => found[0]!)
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

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const idOf = { first: deriveKeyId(first), second: deriveKeyId(second) }
const both = { secrets: [first, second], first: idOf.first, kept: new Map() }

test('keyring: the key in use signs and seals, every known one verifies and unseals', () => {
  const old = new Keyring(first)
  const ring = new Keyring(first)
  ring.use({ ...both, used: idOf.second })
  assert.deepEqual([ring.used, ring.known.toSorted()], [idOf.second, Object.values(idOf).toSorted()])
  assert.ok(ring.verify('cursor', 'text', old.sign('cursor', 'text')))
  assert.ok(ring.verifyText('session', 'text', old.signText('session', 'text', 16), 16))
  assert.ok(!ring.verifyText('session', 'text', old.signText('session', 'text'), 16))
  assert.deepEqual(ring.sign('cursor', 'text'), new Keyring(second).sign('cursor', 'text'))
  assert.deepEqual(ring.unseal(old.seal(Buffer.from('a'), 'c'), 'c'), Buffer.from('a'))
  const sealed = ring.seal(Buffer.from('b'), 'c')
  assert.deepEqual(sealed.subarray(0, SEAL_MARK_BYTES), buildSealMark(idOf.second))
  assert.throws(() => old.unseal(sealed, 'c'), UnknownKeyError)
  old.use({ ...both, used: idOf.first })
  assert.deepEqual(old.unseal(sealed, 'c'), Buffer.from('b'), 'also before it uses the second key itself')
})

test('keyring: values of the first key have no mark, so that a version without marks opens them', () => {
  const ring = new Keyring(first)
  ring.use({ ...both, used: idOf.first })
  const sealed = ring.seal(Buffer.from('plain'), 'c')
  assert.equal(sealed.length, 12 + 16 + 5)
  assert.deepEqual(new Keyring(first).unseal(sealed, 'c'), Buffer.from('plain'))
})

test('keyring: salts of passwords stay those of the first key, and unsubscribe links are valid after it is retired', () => {
  const old = new Keyring(first)
  const link = old.sign('unsubscribe', 'link')
  const ring = new Keyring(first)
  ring.use({ ...both, used: idOf.second })
  assert.deepEqual(ring.sign('password', 'ada'), old.sign('password', 'ada'))
  const kept = ring.keptOf(idOf.first)
  assert.deepEqual(Object.keys(kept).toSorted(), ['check', 'order check', 'password', 'unsubscribe'])
  assert.deepEqual(Object.keys(ring.keptOf(idOf.second)), ['unsubscribe', 'order check'])

  ring.use({ secrets: [second], used: idOf.second, first: idOf.first, kept: new Map([[idOf.first, kept]]) })
  assert.deepEqual(ring.sign('password', 'ada'), old.sign('password', 'ada'))
  assert.ok(ring.verify('unsubscribe', 'link', link))
  assert.ok(ring.verify('unsubscribe', 'link', ring.sign('unsubscribe', 'link')))
  assert.ok(!ring.verify('cursor', 'text', old.sign('cursor', 'text')))
  assert.deepEqual(ring.known, [idOf.second])
  assert.throws(() => ring.unseal(old.seal(Buffer.from('a'), 'c'), 'c'), UnknownKeyError)
})

test('keyring: a key that is missing for a value is looked for again', () => {
  const ring = new Keyring(first)
  const other = new Keyring(first)
  other.use({ ...both, used: idOf.second })
  ring.onMissing(() => ring.use({ ...both, used: idOf.first }))
  assert.deepEqual(ring.unseal(other.seal(Buffer.from('a'), 'c'), 'c'), Buffer.from('a'))
})
