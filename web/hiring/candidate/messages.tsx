import '../css/decisions.css'
import { useRef } from 'preact/hooks'
import { isManager } from '../../../src/contract/roles.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, useSubmit } from '../../ui/form.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty, ErrorNote, Notice, Skeleton } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { Link } from '../../ui/router.tsx'
import { State, type Tone } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Row, useData, usePages } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { useSession } from '../session.ts'
import { useDraft } from './drafts.ts'
import { BLOCKED, buildDraft, type MessageFacts, MessageFields, NO_TEXT, useSendMessage } from './message-form.tsx'
import type { PanelProps } from './panel-props.ts'

const STATES: Readonly<
  Record<Row<'/applications/{application}/messages'>['status'], readonly [tone: Tone, title: string]>
> = {
  scheduled: ['warn', 'Scheduled'],
  sent: ['good', 'Sent'],
  queued: ['warn', 'Result unknown'],
  failed: ['bad', 'Not sent'],
  canceled: ['plain', 'Canceled'],
  received: ['plain', 'Received'],
}

/** Below this number the panel says how many messages are left today. */
const FEW_LEFT = 20

/** Writing to a candidate, and what was sent to them. */
export function MessagesPanel({ application }: PanelProps) {
  const facts = useData('/applications/{application}/message-facts', { application: application.id })
  const sent = usePages('/applications/{application}/messages', { application: application.id })
  if (facts.error && !facts.data) return <ErrorNote error={facts.error} retry={facts.reload} />
  if (!facts.data) return <Skeleton lines={4} />
  const { blocked, remaining_today: left, limit_per_day: limit } = facts.data
  return (
    <div class="stack-panel">
      {blocked ? (
        <Notice tone="warn">{BLOCKED[blocked]}</Notice>
      ) : left === 0 ? (
        <Notice tone="warn">
          You have sent {limit} messages today, which is the limit for one person. You can send more after midnight UTC.
        </Notice>
      ) : (
        <>
          {left < FEW_LEFT && <Notice>You can send {amount(left, 'more message')} today (UTC).</Notice>}
          <MessageForm
            applicationId={application.id}
            facts={facts.data}
            onSent={() => {
              facts.reload()
              sent.reload()
            }}
          />
        </>
      )}
      <section aria-label="Sent messages">
        <h3>Sent messages</h3>
        <p class="small soft">The text of a message is not stored.</p>
        {sent.error && <ErrorNote error={sent.error} retry={sent.retry} />}
        {!sent.rows && !sent.error && <Skeleton lines={2} />}
        {sent.rows?.length === 0 && <Empty title="No messages yet" />}
        {sent.rows && sent.rows.length > 0 && (
          <ol class="entries">
            {sent.rows.map(message => (
              <li key={message.id} class="entry">
                <div class="entry-head">
                  <b>{message.template_name ?? 'Without a template'}</b>
                  <State tone={STATES[message.status][0]}>{STATES[message.status][1]}</State>
                  <span>by {message.sender ?? 'a former member or key'}</span>
                  <Time at={message.sent_at ?? message.created_at} />
                  {message.application_id !== application.id && message.job_title && (
                    <span>for {message.job_title}</span>
                  )}
                </div>
              </li>
            ))}
          </ol>
        )}
        {sent.more && (
          <p>
            <Button small busy={sent.loading} onClick={sent.loadMore}>
              Older messages
            </Button>
          </p>
        )}
      </section>
    </div>
  )
}

interface FormProps {
  applicationId: string
  facts: MessageFacts
  onSent: () => void
}

function MessageForm({ applicationId, facts, onSent }: FormProps) {
  const { user } = useSession()
  const [text, setText] = useDraft('message', applicationId, NO_TEXT)
  const { busy, error, fault, submit } = useSubmit()
  const sendMessage = useSendMessage()
  const draft = buildDraft(text, facts)
  const form = useRef<HTMLFormElement>(null)
  useShortcuts([{ keys: KEYS.create, title: 'New message', run: () => form.current?.querySelector('select')?.focus() }])
  return (
    <Form
      element={form}
      class="entry-form"
      aria-label="New message"
      onSubmit={() => {
        if (!draft) return
        submit(async () => {
          await sendMessage(applicationId, draft)
          setText(undefined)
          toast('Message sent')
          onSent()
        })
      }}
    >
      <MessageFields facts={facts} text={text} onText={setText} fault={fault} />
      <FormError error={error} />
      <div class="entry-actions">
        <Button kind="primary" type="submit" busy={busy} disabled={!draft}>
          Send message
        </Button>
        <span class="hint">
          Replies go to you. {isManager(user) && <Link to="/settings/templates">Edit templates</Link>}
        </span>
      </div>
    </Form>
  )
}
