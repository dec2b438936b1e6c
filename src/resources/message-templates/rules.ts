import { MESSAGE_VARIABLES } from '../../contract/mail-template.ts'
import { MESSAGE_PURPOSES } from '../../contract/message-purposes.ts'
import { withRules } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { type Static, Type } from '../../kernel/schema/types.ts'
import { nameFault } from '../../kernel/text/names.ts'
import { templateFault } from '../../kernel/text/template-fault.ts'

/** A list that a person chooses from. */
export const MAX_TEMPLATES = 100

/** A message has 20,000 characters at most; what the variables stand for needs some of them. */
const LIMIT = { subject: 150, body: 10_000 } as const

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

export const templateBody = withRules(
  Type.Object(
    {
      name: text(200),
      subject: text(LIMIT.subject),
      body: text(LIMIT.body),
      /** by default `general`; an edit without it keeps what the template has */
      purpose: Type.Optional(Type.Union(MESSAGE_PURPOSES.map(purpose => Type.Literal(purpose)))),
      expected_updated_at: Type.Optional(Type.String({ maxLength: 40 })),
    },
    closed,
  ),
  value => [...templateFaults(value as Readonly<Record<string, unknown>>)],
)

export type TemplateFields = Static<typeof templateBody>

function* templateFaults({ name, subject, body }: Readonly<Record<string, unknown>>): Generator<InputFault> {
  const faults = {
    name: typeof name === 'string' ? nameFault(name, 'template') : undefined,
    subject:
      typeof subject === 'string' ? templateFault(subject, { variables: MESSAGE_VARIABLES, oneLine: true }) : undefined,
    body: typeof body === 'string' ? templateFault(body, { variables: MESSAGE_VARIABLES, oneLine: false }) : undefined,
  }
  for (const [param, message] of Object.entries(faults)) if (message !== undefined) yield { param, message }
}

/** Spellings of a name that count as the same. */
export const templateNameKey = (name: string): string =>
  name.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
