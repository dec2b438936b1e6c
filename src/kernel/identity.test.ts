import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { emailKey, isRoleAddress, linkedinKey } from './identity.ts'

const slug = fc.stringMatching(/^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/)
const mixCase = (text: string, flips: boolean[]) =>
  [...text].map((c, i) => (flips[i % flips.length] ? c.toUpperCase() : c)).join('')
const flips = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 })

test('linkedinKey: one profile has one key, whatever the host, case, query, slash or encoding', () => {
  fc.assert(
    fc.property(
      slug,
      fc.constantFrom('www.', '', 'de.', 'uk.', 'm.'),
      fc.constantFrom('', '/', '/?trk=x', '?locale=en_US', '#about', '/details/experience/', '//'),
      fc.constantFrom('https://', 'http://', '', 'HTTPS://'),
      fc.boolean(),
      flips,
      (name, host, tail, scheme, encoded, f) => {
        const spelt = mixCase(name, f)
        const sent = encoded ? [...spelt].map(c => `%${c.charCodeAt(0).toString(16)}`).join('') : spelt
        assert.equal(linkedinKey(`${scheme}${host}LinkedIn.com/in/${sent}${tail}`), `in/${name}`)
      },
    ),
  )
})

test('linkedinKey: names outside ASCII have one key, encoded or not', () => {
  assert.equal(linkedinKey('https://linkedin.com/in/J%C3%BCrgen'), 'in/jürgen')
  assert.equal(linkedinKey('https://linkedin.com/in/Ju\u0308rgen'), 'in/jürgen')
})

test('linkedinKey: what is no profile has none', () => {
  for (const text of [
    '',
    'nonsense',
    'https://linkedin.com/company/acme',
    'https://linkedin.com/in/',
    'https://linkedin.com.evil.example/in/x',
    'https://evil.example/in/x',
    'https://linkedin.com@evil.example/in/x',
    'https://linkedin.com/in/%2F',
    'https://linkedin.com/in/%zz',
    'ftp://linkedin.com/in/x',
  ])
    assert.equal(linkedinKey(text), undefined, text)
})

test('linkedinKey and emailKey never throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      linkedinKey(text)
      linkedinKey(`https://linkedin.com/in/${text}`)
      emailKey(text)
    }),
  )
})

test('emailKey: case and surrounding space do not matter, and a key is its own key', () => {
  fc.assert(
    fc.property(fc.emailAddress(), flips, (address, f) => {
      const key = emailKey(address)
      if (key === undefined) return
      assert.equal(emailKey(` ${mixCase(address, f)}\n`), key)
      assert.equal(emailKey(key), key)
      assert.equal(key, key.toLowerCase())
    }),
  )
  assert.equal(emailKey('Ada.Byron+jobs@Example.co.uk'), 'ada.byron+jobs@example.co.uk')
})

test('emailKey: what is no address has none', () => {
  for (const text of [
    '',
    'ada',
    'ada@',
    '@example.org',
    'a b@example.org',
    'ada@example',
    'a@b@c.org',
    'ada@.org',
    'a..b@c.org',
  ])
    assert.equal(emailKey(text), undefined, text)
})

test('isRoleAddress: shared mailboxes, also with a tag or punctuation; not people', () => {
  for (const name of ['info', 'jobs', 'noreply', 'no-reply', 'hr', 'careers', 'info+x', 'do.not.reply'])
    assert.equal(isRoleAddress(`${name}@example.org`), true, name)
  for (const name of ['ada', 'ada.byron', 'infoada', 'jobst'])
    assert.equal(isRoleAddress(`${name}@example.org`), false, name)
})
