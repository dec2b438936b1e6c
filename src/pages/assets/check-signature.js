/**
 * Checks the signature of a webhook and says what is wrong with it. Runs where it is called, which is the browser: the
 * secret goes nowhere. Plain JavaScript, since the documentation serves this very file; the console bundles it.
 */
export const TOLERANCE_SECONDS = 300

export async function checkSignature(input) {
  const header = readHeader(input.header)
  if ('fault' in header) return { accepted: false, findings: [bad(header.fault)] }
  const findings = []
  const secret = input.secret.trim()
  if (secret === '') return { accepted: false, findings: [bad('The secret is missing.')] }
  if (secret !== input.secret) findings.push(warn('The secret has leading or trailing spaces. They were ignored.'))

  const matched = await matching(header, secret, input.body)
  const authentic = matched !== undefined
  if (authentic) {
    const which = header.signatures.length > 1 ? ` (v1 number ${matched + 1} of ${header.signatures.length})` : ''
    findings.push(good(`The signature matches${which}.`))
  } else {
    findings.push(bad(await diagnose(header, secret, input)))
    if (header.signatures.length > 1) findings.push(warn(`All ${header.signatures.length} v1 values were tried.`))
  }
  const age = input.nowSeconds - Number(header.t)
  const outside = Math.abs(age) - TOLERANCE_SECONDS
  if (outside > 0) {
    const side = age > 0 ? 'old' : 'in the future'
    findings.push(
      bad(
        `The timestamp is ${seconds(Math.abs(age))}${inWords(Math.abs(age))} ${side}: outside the tolerance of ${TOLERANCE_SECONDS} by ${seconds(outside)}. ${
          age > 0
            ? 'A receiver must reject it now; it may have been valid when it arrived.'
            : "Check the receiver's clock."
        }`,
      ),
    )
  } else {
    findings.push(
      good(`The timestamp is ${seconds(Math.abs(age))} ${age < 0 ? 'ahead' : 'old'}, within the tolerance.`),
    )
  }
  return { accepted: authentic && outside <= 0, findings }
}

const seconds = count => (count === 1 ? '1 second' : `${count} seconds`)

/** Long times are hard to read in seconds. */
function inWords(count) {
  const [size, unit] = count < 7_200 ? [60, 'minutes'] : count < 172_800 ? [3_600, 'hours'] : [86_400, 'days']
  return count < 120 ? '' : ` (${Math.round(count / size)} ${unit})`
}

/** `t=1731650000,v1=<64 hex>[,v1=<64 hex>]`, with or without the header's name before it. */
export function readHeader(text) {
  const value = text.trim().replace(/^service-signature\s*:\s*/i, '')
  if (value === '') return { fault: 'The header is missing.' }
  const parts = value.split(',').map(part => part.trim())
  const named = name => parts.filter(part => part.startsWith(`${name}=`)).map(part => part.slice(name.length + 1))
  const times = named('t')
  const signatures = named('v1')
  if (times.length === 0 && signatures.length === 0) {
    return { fault: 'The header is malformed: it should look like t=<unix seconds>,v1=<hex>.' }
  }
  if (times.length !== 1) {
    return { fault: `The header is malformed: it has ${times.length === 0 ? 'no' : 'more than one'} t= part.` }
  }
  const t = times[0]
  if (!/^\d+$/.test(t)) return { fault: 'The header is malformed: t is not a whole number of seconds.' }
  if (t.length >= 13) return { fault: 'The header is malformed: t is in milliseconds; it should be in seconds.' }
  if (signatures.length === 0) return { fault: 'The header is malformed: it has no v1= part.' }
  const wrong = signatures.find(signature => !/^[0-9a-f]{64}$/i.test(signature))
  if (wrong !== undefined) {
    const why = /^[0-9a-f]*$/i.test(wrong)
      ? `has ${wrong.length} hexadecimal digits instead of 64; was it cut off?`
      : 'is not hexadecimal'
    return { fault: `The header is malformed: a v1 value ${why}` }
  }
  return { t, signatures }
}

async function diagnose(header, secret, input) {
  const { body, original } = input
  for (const [altered, how] of restored(body)) {
    if ((await matching(header, secret, altered)) !== undefined) {
      return `The body was altered on the way to the check: ${how} Verify the raw bytes as they arrived, before any parsing.`
    }
  }
  if (!secret.startsWith('whsec_')) {
    return (await matching(header, `whsec_${secret}`, body)) !== undefined
      ? 'The secret lacks its prefix: whsec_ is part of the key.'
      : 'The secret does not start with whsec_, so it is not a signing secret of a webhook endpoint.'
  }
  if (secret.length !== SECRET_LENGTH) {
    return `The secret has ${secret.length} characters instead of ${SECRET_LENGTH}: it was not copied whole.`
  }
  if (original !== undefined && original !== body) return `The body was altered: ${difference(original, body)}`
  if (original !== undefined) {
    return 'The body is correct, so the secret is wrong. It may belong to another endpoint, or be the secret before a rotation.'
  }
  return 'No v1 value matches. Either the secret belongs to another endpoint or is the one before a rotation, or the body is not byte for byte what was sent.'
}

/** whsec_ and 32 bytes in base64 */
const SECRET_LENGTH = 50

/** What the body may have been before something usual happened to it. */
function restored(body) {
  const tries = [
    [body.replace(/^\uFEFF/, ''), 'a byte order mark was added at the start.'],
    [body.replace(/\r?\n$/, ''), 'a line break was added at the end.'],
    [body.trim(), 'spaces were added around it.'],
    [body.replaceAll('\r\n', '\n'), 'its line breaks were changed.'],
  ]
  const parsed = parse(body)
  if (parsed !== undefined) {
    tries.push([
      JSON.stringify(parsed),
      'it was parsed and serialized again as JSON with different spacing or escapes.',
    ])
    tries.push([
      JSON.stringify(inEventOrder(parsed)),
      'it was parsed and serialized again with its keys in a different order.',
    ])
  }
  return tries.filter(([text]) => text !== body)
}

const ORDER = [
  'object',
  'id',
  'type',
  'api_version',
  'created_at',
  'sequence',
  'workspace_id',
  'updated_at',
  'data',
  'links',
]

/** Keys as an event has them; those that come after in the order they have. */
function inEventOrder(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const rank = key => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length)
  const entries = Object.entries(value).map(([key, inner]) => [key, inEventOrder(inner)])
  return Object.fromEntries(entries.sort(([a], [b]) => rank(a) - rank(b)))
}

function parse(body) {
  try {
    return JSON.parse(body.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** The id of the event in a body, by which what was sent can be looked up. */
export function eventIdOf(body) {
  const id = parse(body)?.id
  return typeof id === 'string' && /^evt_\w+$/.test(id) ? id : undefined
}

function difference(sent, got) {
  let at = 0
  while (at < sent.length && sent[at] === got[at]) at++
  const fragment = text => JSON.stringify(text.slice(Math.max(0, at - 12), at + 12))
  return `it differs from what was sent at character ${at + 1}: sent ${fragment(sent)}, pasted ${fragment(got)}.`
}

async function matching(header, secret, body) {
  const expected = await sign(secret, `${header.t}.${body}`)
  const found = header.signatures.findIndex(signature => signature.toLowerCase() === expected)
  return found < 0 ? undefined : found
}

async function sign(secret, text) {
  const bytes = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['sign'])
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(text)))
  return [...signature].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

const good = text => ({ tone: 'good', text })
const warn = text => ({ tone: 'warn', text })
const bad = text => ({ tone: 'bad', text })
