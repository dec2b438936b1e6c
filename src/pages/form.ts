import type { IncomingMessage } from 'node:http'
import { fail, invalid } from '../kernel/errors/api-error.ts'
import { readBody } from '../kernel/http/body.ts'

/** A form is a few fields that a person typed. */
const FORM_BYTES = 32_768

/** The fields of a posted form. What is not a form, or too large for one, is refused. */
export async function readForm(request: IncomingMessage, most = FORM_BYTES): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    invalid('Content-Type', 'must be application/x-www-form-urlencoded')
  }
  const bytes = await readBody(request)
  if (bytes.length > most) fail('payload_too_large')
  const fields = new URLSearchParams(bytes.toString('utf8'))
  for (const [name, text] of fields) {
    // the store's text cannot hold it
    if (text.includes('\0')) invalid(name, 'must not contain a NUL character')
  }
  return fields
}
