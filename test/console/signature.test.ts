import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkSignature, eventIdOf, readHeader, type SignatureInput } from '../../src/pages/assets/check-signature.js'
import { newSigningSecret } from '../../src/resources/webhooks/index.ts'
import { signatureHeader } from '../../src/resources/webhooks/rules.ts'

const NOW = 1_763_190_000
const BODY =
  '{"object":"event","id":"evt_1","type":"job.updated","api_version":"2026-11-01","sequence":7,"data":{"object":{"object":"job","id":"job_1","title":"Größe 😀"}},"links":{}}'
const SECRET = newSigningSecret()

const check = async (change: Partial<SignatureInput> = {}) => {
  const given = {
    header: signatureHeader(NOW, BODY, [SECRET]),
    body: BODY,
    secret: SECRET,
    nowSeconds: NOW + 5,
    ...change,
  }
  const { accepted, findings } = await checkSignature(given)
  return { accepted, text: findings.map(f => f.text).join(' ') }
}

test('signature check: what the service signs is accepted, whatever the body and the secret', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 300 }), async (body, age) => {
      const header = signatureHeader(NOW, body, [SECRET])
      return (await check({ header, body, nowSeconds: NOW + age })).accepted
    }),
    { numRuns: 40 },
  )
})

test('signature check: either of two signatures is enough during a rotation, and it says which; a third secret is refused after both', async () => {
  const newer = newSigningSecret()
  const header = signatureHeader(NOW, BODY, [newer, SECRET])
  assert.match((await check({ header })).text, /v1 number 2 of 2/)
  assert.match((await check({ header, secret: newer })).text, /v1 number 1 of 2/)
  const wrong = await check({ header, secret: newSigningSecret(), original: BODY })
  assert.equal(wrong.accepted, false)
  assert.match(wrong.text, /All 2 v1 values were tried/)
})

test('signature check: names what is wrong with a header: absent, no t, two, milliseconds, no v1, truncated, not hexadecimal', () => {
  const v1 = `v1=${'a'.repeat(64)}`
  const fault = (text: string) => {
    const read = readHeader(text)
    return 'fault' in read ? read.fault : 'none'
  }
  assert.match(fault(''), /header is missing/)
  assert.match(fault('hello'), /should look like/)
  assert.match(fault(v1), /no t=/)
  assert.match(fault(`t=1,t=2,${v1}`), /more than one t=/)
  assert.match(fault(`t=soon,${v1}`), /whole number/)
  assert.match(fault(`t=1763190000000,${v1}`), /milliseconds/)
  assert.match(fault('t=1763190000'), /no v1=/)
  assert.match(fault(`t=1763190000,${v1.slice(0, -4)}`), /60 hexadecimal digits/)
  assert.match(fault(`t=1763190000,v1=${'z'.repeat(64)}`), /not hexadecimal/)
  assert.equal(fault(`Service-Signature: t=1763190000, ${v1}, v2=later`), 'none')
  fc.assert(fc.property(fc.string(), text => typeof readHeader(text) === 'object'))
})

test('signature check: says by how much a time is outside the tolerance, on both sides; the edge is inside', async () => {
  assert.equal((await check({ nowSeconds: NOW + 300 })).accepted, true)
  assert.equal((await check({ nowSeconds: NOW - 300 })).accepted, true)
  const late = await check({ nowSeconds: NOW + 420 })
  assert.equal(late.accepted, false)
  assert.match(late.text, /signature matches.*420 seconds \(7 minutes\) old.*by 120 seconds/)
  assert.match((await check({ nowSeconds: NOW - 301 })).text, /in the future.*by 1 second\..*clock/)
  assert.match((await check({ nowSeconds: NOW + 1 })).text, /is 1 second old/)
})

test('signature check: a body that was re-serialized, reordered or got a line end is recognized', async () => {
  const parsed = JSON.parse(BODY)
  const escaped = BODY.replace(/[\u0080-\uffff]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const sorted = JSON.stringify({ ...Object.fromEntries(Object.entries(parsed).sort()) })
  const altered: [string, RegExp][] = [
    [JSON.stringify(parsed, null, 2), /different spacing or escapes/],
    [escaped, /different spacing or escapes/],
    [sorted, /keys in a different order/],
    [`${BODY}\n`, /line break was added/],
    [`${BODY}\r\n`, /line break was added/],
    [`\uFEFF${BODY}`, /byte order mark/],
  ]
  for (const [body, how] of altered) {
    const { accepted, text } = await check({ body })
    assert.equal(accepted, false)
    assert.match(text, how)
  }
})

test('signature check: distinguishes a wrong secret from a changed body where the sent body is known', async () => {
  const body = BODY.replace('"sequence":7', '"sequence":8')
  assert.match((await check({ body, original: BODY })).text, /altered: it differs.*at character \d+/)
  assert.match((await check({ secret: newSigningSecret(), original: BODY })).text, /the secret is wrong/)
  assert.match((await check({ secret: newSigningSecret() })).text, /Either the secret .* or the body/)
})

test('signature check: a secret without its beginning, not whole, or with leading or trailing spaces is recognized', async () => {
  assert.match((await check({ secret: SECRET.slice(6) })).text, /whsec_ is part of the key/)
  assert.match((await check({ secret: SECRET.slice(0, 30) })).text, /30 characters instead of 50/)
  assert.match((await check({ secret: 'svc_live_x' })).text, /not a signing secret/)
  const blanks = await check({ secret: ` ${SECRET}\n` })
  assert.equal(blanks.accepted, true)
  assert.match(blanks.text, /leading or trailing spaces/)
})

test('signature check: the event of a body is found by its id, and by nothing else', () => {
  assert.equal(eventIdOf(BODY), 'evt_1')
  for (const text of ['', 'null', '[]', '{"id":7}', '{"id":"evt_1 or"}', '{"id":"job_1"}']) {
    assert.equal(eventIdOf(text), undefined)
  }
})
