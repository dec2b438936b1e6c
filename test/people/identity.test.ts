import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { emailKey, isRoleAddress, linkedinKey } from '../../src/kernel/text/person-keys.ts'

test('identity keys: email: case and blanks around do not matter; tags and dots do', () => {
  assert.equal(emailKey('  Ada.Lovelace+x@Example.ORG '), 'ada.lovelace+x@example.org')
  assert.equal(emailKey('jos\u0065\u0301@example.org'), 'jos\u00e9@example.org')
  assert.equal(emailKey('ada@bücher.example'), 'ada@xn--bcher-kva.example')
  assert.equal(emailKey('ada@BÜCHER.example'), 'ada@xn--bcher-kva.example')
})

test('identity keys: email: what is no address has no key', () => {
  for (const text of [
    '',
    'ada',
    'ada@',
    '@example.org',
    'ada@localhost',
    'a b@example.org',
    'ada@exa mple.org',
    'ada@example.org, bob@example.org',
    '<ada@example.org>',
    'ada@192.0.2.1',
    'ada@-x.org',
    'ada@x..org',
    '.ada@example.org',
    'ada..b@example.org',
    `${'x'.repeat(65)}@example.org`,
    `ada@${'x.'.repeat(130)}org`,
    'ada@example.org\u0000',
    'a\u200bda@example.org',
    'ada@ex%61mple.org',
  ])
    assert.equal(emailKey(text), undefined, text)
})

const local = fc.stringMatching(/^[a-zA-Z0-9_%'-]{1,20}(\.[a-zA-Z0-9+_-]{1,20})?$/)
const domain = fc.stringMatching(/^([a-zA-Z0-9]{1,12}\.){1,3}[a-zA-Z]{2,6}$/)

test('identity keys: email: a key is its own key, and any spelling of it has the same', () => {
  fc.assert(
    fc.property(local, domain, fc.constantFrom('', ' ', '\t', '\n '), (l, d, blank) => {
      const key = emailKey(`${l}@${d}`)
      assert.equal(key, `${l}@${d}`.toLowerCase())
      assert.equal(emailKey(key!), key)
      assert.equal(emailKey(`${blank}${l.toUpperCase()}@${d.toUpperCase()}${blank}`), key)
    }),
  )
})

test('identity keys: any text: a key or nothing, never an exception; keys are stable', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.emailAddress(), fc.webUrl()), text => {
      for (const keyOf of [emailKey, linkedinKey]) {
        const key = keyOf(text)
        if (key !== undefined) assert.equal(keyOf(key), key)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('identity keys: role addresses, also with separators and tags; people’s own are not', () => {
  for (const key of [
    'info@x.org',
    'hr@x.org',
    'no-reply@x.org',
    'do_not_reply@x.org',
    'jobs+berlin@x.org',
    'human.resources@x.org',
  ])
    assert.ok(isRoleAddress(key), key)
  for (const key of ['ada@x.org', 'infos.bob@x.org', 'harry@x.org', 'jobst@x.org', 'ada.info@x.org'])
    assert.ok(!isRoleAddress(key), key)
})

const KEY = 'linkedin.com/in/ada-lovelace'

test('identity keys: LinkedIn: the many addresses of one profile', () => {
  for (const url of [
    'https://www.linkedin.com/in/ada-lovelace',
    'http://linkedin.com/in/ada-lovelace/',
    'HTTPS://WWW.LinkedIn.com/in/Ada-Lovelace//',
    'https://de.linkedin.com/in/ada-lovelace?trk=public&x=/in/other',
    'https://m.linkedin.com/in/ada-lovelace#about',
    'https://www.linkedin.com/in/ada%2Dlovelace/',
    'https://www.linkedin.com/in/ada-lovelace/en',
    'https://www.linkedin.com/in/ada-lovelace/details/experience/',
    'https://www.linkedin.com:443/in/ada-lovelace',
    '//www.linkedin.com/in/ada-lovelace',
    'linkedin.com/in/ada-lovelace',
    '  www.linkedin.com/IN/ADA-LOVELACE  ',
  ])
    assert.equal(linkedinKey(url), KEY, url)
  const accented = linkedinKey('https://www.linkedin.com/in/jos%C3%A9')
  assert.equal(accented, 'linkedin.com/in/josé')
  assert.equal(linkedinKey('https://www.linkedin.com/in/jose%CC%81'), accented)
  assert.equal(linkedinKey('https://fr.linkedin.com/in/JOSÉ'), accented)
})

test('identity keys: LinkedIn: what is no profile has no key', () => {
  for (const url of [
    '',
    'linkedin.com',
    'https://www.linkedin.com/',
    'https://www.linkedin.com/in/',
    'https://www.linkedin.com/company/acme',
    'https://www.linkedin.com/pub/ada/1/2/3',
    'https://linkedin.com.evil.example/in/ada',
    'https://evil-linkedin.com/in/ada',
    'https://evil.example/linkedin.com/in/ada',
    'https://user@linkedin.com/in/ada',
    'https://evil.example?x=linkedin.com/in/ada',
    'https://www.linkedin.com/in/%E0%A4%A',
    'https://www.linkedin.com/in/a%2Fb',
    'https://www.linkedin.com/in/a%00b',
    'ftp://www.linkedin.com/in/ada',
    `https://www.linkedin.com/in/${'x'.repeat(201)}`,
  ])
    assert.equal(linkedinKey(url), undefined, url)
})

test('identity keys: LinkedIn: scheme, host, case, encoding, query and tail do not change the key', () => {
  const slug = fc.stringMatching(/^[a-z0-9-]{1,40}$/)
  const encode = (text: string, mask: readonly boolean[]) =>
    [...text].map((c, i) => (mask[i] ? `%${c.charCodeAt(0).toString(16).padStart(2, '0')}` : c)).join('')
  fc.assert(
    fc.property(
      slug,
      fc.constantFrom('https://', 'http://', '//', '', 'HTTPS://'),
      fc.constantFrom('', 'www.', 'uk.', 'm.', 'CN.'),
      fc.array(fc.boolean(), { maxLength: 40 }),
      fc.constantFrom('', '/', '//', '/en', '?x=1', '/?utm=a#b', '#top'),
      fc.boolean(),
      (name, scheme, host, mask, tail, upper) => {
        const shown = encode(upper ? name.toUpperCase() : name, mask)
        assert.equal(linkedinKey(`${scheme}${host}linkedin.com/in/${shown}${tail}`), `linkedin.com/in/${name}`)
      },
    ),
  )
})
