import { describedAsOneOf, withRules } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { describeInput } from '../../kernel/record/write.ts'
import { Type } from '../../kernel/schema/types.ts'

/** Characters of a message. */
export const MESSAGE_LIMITS = { subject: 200, body: 20_000, html: 50_000 } as const

/**
 * Elements of the HTML inside one another. The parser looks through all that are open at each tag, so the time for deep
 * ones grows with the square of their number. Readers take no more than some hundred either, and no writer makes so many.
 */
export const DEEPEST_HTML = 256
/** Elements and text nodes, each entity being one: a message of 50,000 characters has some thousand. */
export const MAX_HTML_PARTS = 12_000

// Whatever ends a line somewhere: in a header, on a screen, in a log.
const LINE_BREAK = /[\n\r\v\f\u0085\u2028\u2029]/

export const messageBody = withRules(
  Type.Object(
    {
      to: describedAsOneOf(
        Type.Object(
          {
            application_id: Type.Optional(Type.String({ description: 'application handle' })),
            applicant_id: Type.Optional(Type.String({ description: 'applicant handle' })),
          },
          { ...closed, description: 'exactly one of the two' },
        ),
        'message_recipient',
        { application_id: 'application_recipient', applicant_id: 'applicant_recipient' },
      ),
      subject: Type.String({
        minLength: 1,
        maxLength: MESSAGE_LIMITS.subject,
        pattern: '\\S',
        description: 'a single line',
      }),
      body_text: describeInput(
        Type.String({ minLength: 1, maxLength: MESSAGE_LIMITS.body, pattern: '\\S' }),
        'The message as plain text.',
      ),
      body_html: Type.Optional(
        Type.String({
          maxLength: MESSAGE_LIMITS.html,
          description: `sanitized; if nothing remains the text is sent alone, as it is where more than ${DEEPEST_HTML} elements are inside one another, or more than ${MAX_HTML_PARTS} elements and pieces of text in all`,
        }),
      ),
      reply_to_user: Type.Optional(
        Type.Boolean({ description: 'Ignored. Replies go to the user that the key belongs to.' }),
      ),
    },
    closed,
  ),
  body => [...recipientFaults(body), ...textFaults(body)],
)

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

function recipientFaults(body: unknown): InputFault[] {
  const to = field(body, 'to')
  if (typeof to !== 'object' || to === null) return []
  const named = ['application_id', 'applicant_id'].filter(name => Object.hasOwn(to, name))
  return named.length === 1
    ? []
    : [{ param: 'to', message: 'must have exactly one of application_id and applicant_id' }]
}

function textFaults(body: unknown): InputFault[] {
  return ['subject', 'body_text'].flatMap(param => {
    const text = field(body, param)
    if (typeof text !== 'string') return []
    if (!isSeen(text)) return [{ param, message: 'must not be blank' }]
    return param === 'subject' && LINE_BREAK.test(text) ? [{ param, message: 'must be a single line' }] : []
  })
}

/** Whether a reader would see anything of it: blanks, controls and marks without a width are nothing. */
export const isSeen = (text: string): boolean => /[^\s\p{Cc}\p{Cf}]/u.test(text)
