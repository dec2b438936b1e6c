/**
 * Errors of the API are written for people who program. What the pages show of them is a sentence for the reader: without
 * names of fields, keys and scopes. A message that has none of these is shown as it is.
 */
const OF_THE_API = /_|[a-z]\.[a-z]|\b(?:key|keys|scope|parameter|body field|object|expected)\b/

const SENTENCES: Readonly<Record<string, string>> = {
  stale_resource: 'Someone changed it in the meantime. Nothing of yours was saved.',
  invalid_application_state: 'Someone changed the application in the meantime, and this is no longer possible.',
  invalid_stage: 'This stage cannot be used any more. Reload the page to see the stages as they are.',
  insufficient_scope: 'Your role does not include this.',
  not_found: 'It is no longer here.',
  rate_limit_exceeded: 'That was too much in a short time. Try again in a minute.',
  idempotency_key_reused: 'This was sent before with another text. Reload the page and try again.',
  idempotency_in_flight: 'This is being saved. Wait a moment.',
}

const UNKNOWN = 'This is not possible. Reload the page and try again.'

interface Detail {
  code?: string
  message?: string
  errors?: readonly { param: string; message: string }[]
}

export function toSentence({ code, message, errors }: Detail): string | undefined {
  if (message === undefined || !OF_THE_API.test(message)) return message
  if (code !== undefined && SENTENCES[code]) return SENTENCES[code]
  const faults = (errors ?? []).map(fault => fault.message).filter(text => !OF_THE_API.test(text))
  return faults.length > 0 ? `What was entered ${faults.join(', and ')}.` : UNKNOWN
}
