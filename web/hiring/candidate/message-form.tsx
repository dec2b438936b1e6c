import { useState } from 'preact/hooks'
import { fillTemplate, MESSAGE_VARIABLES, variablesIn, writeBackLine } from '../../../src/contract/mail-template.ts'
import { templatesFor } from '../../../src/contract/message-purposes.ts'
import { ApiError } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/form.tsx'
import { Variables } from '../../ui/notice.tsx'
import { type Read, send, useData } from '../api.ts'
import { useRepeatKey } from '../repeat-key.ts'
import { t } from '../texts/index.ts'

export type MessageFacts = Read<'/applications/{application}/message-facts'>
type Template = Read<'/message-templates'>['templates'][number]

/** A message as it will be sent, with the values in it. */
export interface MessageDraft {
  subject: string
  text: string
  /** the template that it was written from */
  templateId: string | null
}

/** Why nothing can be sent to a candidate. */
export const BLOCKED: Readonly<Record<NonNullable<MessageFacts['blocked']>, string>> = {
  unsubscribed: 'This candidate unsubscribed from email of your company. No message can be sent.',
  stopped: 'The processing of this person’s data was stopped. No message can be sent.',
  no_address: 'No email address of this candidate is known.',
  no_mailbox: 'The email address of this candidate cannot get email: it is incomplete, or reserved for tests.',
}

/** Errors of the API in the words of these pages; keys and partners have no meaning here. */
const EXPLAINED: Readonly<Record<string, string>> = {
  recipient_unsubscribed:
    'This person must not be emailed: they unsubscribed, are on the opt-out list, asked to be erased, or have no usable address. Nothing was sent.',
  message_quota_exceeded: 'You have sent as many messages as one person may send in a day (UTC). Nothing was sent.',
  sender_email_missing: 'Your account has no valid email address, and replies would go there. Nothing was sent.',
  delivery_failed: 'The mail provider did not accept the message. Nothing was sent; try again in a minute.',
  suppression_check_unavailable:
    'It could not be checked whether this person may be emailed. Nothing was sent; try again in a minute.',
}

/** Sends a draft, once for a press that is repeated after a lost response. */
export function useSendMessage() {
  const once = useRepeatKey()
  return (applicationId: string, { subject, text: body, templateId }: MessageDraft, at: string | null) => {
    const message = { subject, body, template_id: templateId, send_at: at }
    return once([applicationId, message], idempotencyKey =>
      send('/applications/{application}/messages', { application: applicationId }, message, { idempotencyKey }).catch(
        explain,
      ),
    )
  }
}

function explain(error: unknown): never {
  const explained = error instanceof ApiError ? EXPLAINED[error.code] : undefined
  if (!(error instanceof ApiError) || !explained) throw error
  throw new ApiError(error.status, { code: error.code, message: explained })
}

export interface MessageText {
  template: string
  subject: string
  body: string
}

export const NO_TEXT: MessageText = { template: '', subject: '', body: '' }

/** A variable that has no value for this message. */
const unknownIn = (text: string, values: MessageFacts['values']): string | undefined =>
  variablesIn(text).find(name => !MESSAGE_VARIABLES.some(known => known === name && known in values))

/** The message of what was typed; undefined while it cannot be sent. */
export function buildDraft(text: MessageText, { values }: MessageFacts): MessageDraft | undefined {
  const { template, subject, body } = text
  if (subject.trim() === '' || body.trim() === '' || unknownIn(subject + body, values) !== undefined) return undefined
  const filled = { subject: fillTemplate(subject, values).trim(), text: fillTemplate(body, values) }
  return { ...filled, templateId: template || null }
}

interface FieldsProps {
  facts: MessageFacts
  text: MessageText
  onText: (text: MessageText) => void
  fault?: (param: string) => string | undefined
}

/** Template, subject and text, and how the candidate will read them. */
export function MessageFields({ facts, text, onText, fault }: FieldsProps) {
  const { data } = useData('/message-templates')
  const [wanted, setWanted] = useState<Template>()
  const templates = data?.templates ?? []
  const { own, other } = templatesFor(templates, 'general')
  const current = templates.find(({ id }) => id === text.template)
  const edited = current
    ? text.subject !== current.subject || text.body !== current.body
    : text.subject !== '' || text.body !== ''
  const use = ({ id, subject, body }: Template) => {
    setWanted(undefined)
    onText({ template: id, subject, body })
  }
  const choose = (id: string) => {
    const template = templates.find(one => one.id === id)
    if (!template) onText({ ...text, template: '' })
    else if (edited) setWanted(template)
    else use(template)
  }
  const wrong = (part: string) => {
    const name = unknownIn(part, facts.values)
    return name === undefined ? undefined : `There is no variable {{${name}}}.`
  }
  return (
    <>
      <SelectField
        label={t.messages.template}
        value={text.template}
        options={[
          ['', t.messages.noTemplate],
          ...own.map(({ id, name }) => [id, name] as const),
          ...other.map(({ id, name }) => [id, t.messages.otherTemplate(name)] as const),
        ]}
        onInput={choose}
      />
      {wanted && (
        <div class="notice warn" role="alert">
          <p>“{wanted.name}” replaces what you have written.</p>
          <p class="entry-actions">
            <Button small onClick={() => use(wanted)}>
              Replace
            </Button>
            <Button small onClick={() => setWanted(undefined)}>
              Keep my text
            </Button>
          </p>
        </div>
      )}
      <TextField
        label="Subject"
        value={text.subject}
        onInput={subject => onText({ ...text, subject })}
        maxLength={200}
        fault={wrong(text.subject) ?? fault?.('subject')}
      />
      <TextField
        label="Message"
        value={text.body}
        onInput={body => onText({ ...text, body })}
        rows={8}
        maxLength={20_000}
        hint={
          <>
            Plain text. <Variables />
          </>
        }
        fault={wrong(text.body) ?? fault?.('body')}
      />
      {(text.subject !== '' || text.body !== '') && <MailPreview text={text} values={facts.values} />}
    </>
  )
}

interface PreviewProps {
  text: Pick<MessageText, 'subject' | 'body'>
  values: MessageFacts['values']
}

export const MailPreview = ({ text: { subject, body }, values }: PreviewProps) => (
  <section class="mail-preview panel" aria-label="Preview">
    <p class="preview-title">Preview</p>
    <p class="mail-subject">{fillTemplate(subject, values)}</p>
    <p class="as-written">{fillTemplate(body, values)}</p>
    {values.link && <p class="mail-foot">{writeBackLine(values.link)}</p>}
    <p class="mail-foot">
      You receive this email because you applied to {values.company}. <u>Unsubscribe</u>
    </p>
  </section>
)
