import '../css/decisions.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { isManager } from '../../../src/contract/roles.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty, ErrorNote, Notice, Skeleton } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { Link } from '../../ui/router.tsx'
import { dateFormat, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { send, useData, usePages } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { useSession } from '../session.ts'
import { t } from '../texts/index.ts'
import { useDraft } from './drafts.ts'
import { MessageEntry } from './message-entry.tsx'
import { BLOCKED, buildDraft, type MessageFacts, MessageFields, NO_TEXT, useSendMessage } from './message-form.tsx'
import type { PanelProps } from './panel-props.ts'
import { SEND_TIMES, type SendTime, sendAt } from './send-times.ts'
import { toastWithUndo } from './undo.ts'

/** Below this number the panel says how many messages are left today. */
const FEW_LEFT = 20

/** After this time the state of a message that has just left is read again. */
const SETTLED_MS = 2_500

/** Writing to a candidate, and what was sent to them and came back. */
export function MessagesPanel({ application }: PanelProps) {
  const facts = useData('/applications/{application}/message-facts', { application: application.id })
  const sent = usePages('/applications/{application}/messages', { application: application.id })
  const reload = () => {
    facts.reload()
    sent.reload()
  }
  // what leaves while the page is open is shown as sent
  const due = sent.rows?.flatMap(row => (row.status === 'scheduled' ? (row.scheduled_for ?? []) : [])).toSorted()[0]
  useEffect(() => {
    if (due === undefined) return
    const wait = Math.max(Date.parse(due) - Date.now(), 0) + SETTLED_MS
    if (wait > 86_400_000) return
    const timer = setTimeout(reload, wait)
    return () => clearTimeout(timer)
  }, [due])
  if (facts.error && !facts.data) return <ErrorNote error={facts.error} retry={facts.reload} />
  if (!facts.data) return <Skeleton lines={4} />
  const { blocked, remaining_today: left, limit_per_day: limit } = facts.data
  return (
    <div class="stack-panel">
      {blocked ? (
        <Notice tone="warn">{BLOCKED[blocked]}</Notice>
      ) : (
        <>
          {left === 0 && (
            <Notice tone="warn">
              You have sent {limit} messages today, which is the limit for one person. A message of today can leave
              after midnight UTC.
            </Notice>
          )}
          {left > 0 && left < FEW_LEFT && <Notice>You can send {amount(left, 'more message')} today (UTC).</Notice>}
          <MessageForm applicationId={application.id} facts={facts.data} onSent={reload} />
        </>
      )}
      {blocked !== 'stopped' && <ReplyForm applicationId={application.id} onLogged={sent.reload} />}
      <section aria-label={t.messages.title}>
        <h3>{t.messages.title}</h3>
        {sent.error && <ErrorNote error={sent.error} retry={sent.retry} />}
        {!sent.rows && !sent.error && <Skeleton lines={2} />}
        {sent.rows?.length === 0 && <Empty title={t.messages.none} />}
        {sent.rows && sent.rows.length > 0 && (
          <ol class="entries">
            {sent.rows.map(message => (
              <li key={message.id} class="entry">
                <div class="entry-head">
                  <b>{message.template_name ?? (message.direction === 'in' ? t.activity.reply : t.activity.email)}</b>
                  <span>by {message.sender ?? 'a former member or key'}</span>
                  <Time at={message.sent_at ?? message.created_at} />
                  {message.application_id !== application.id && message.job_title && (
                    <span>for {message.job_title}</span>
                  )}
                </div>
                <MessageEntry line={message} applicationId={application.id} onChange={reload} />
              </li>
            ))}
          </ol>
        )}
        {sent.more && (
          <p>
            <Button small busy={sent.loading} onClick={sent.loadMore}>
              {t.messages.older}
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
  const [when, setWhen] = useState<SendTime>('now')
  const { busy, error, fault, submit } = useSubmit()
  const sendMessage = useSendMessage()
  const draft = buildDraft(text, facts)
  const form = useRef<HTMLFormElement>(null)
  useShortcuts([
    {
      keys: KEYS.create,
      title: 'New message',
      run: () => form.current?.querySelector<HTMLElement>('.select')?.focus(),
    },
  ])
  const submitMessage = () => {
    if (!draft) return
    submit(async () => {
      const at = sendAt(when)
      const { id } = await sendMessage(applicationId, draft, at)
      setText(undefined)
      setWhen('now')
      const words = at === null ? t.messages.leaves : t.messages.scheduled(dateFormat('axisTime').format(new Date(at)))
      toastWithUndo(words, async () => {
        await send('/applications/{application}/messages/{message}/cancel', { application: applicationId, message: id })
        setText(text)
        onSent()
        return t.messages.notSent
      })
      onSent()
    })
  }
  return (
    <Form element={form} class="entry-form" aria-label="New message" onSubmit={submitMessage}>
      <MessageFields facts={facts} text={text} onText={setText} fault={fault} />
      <SelectField
        label={t.messages.when}
        value={when}
        options={SEND_TIMES.map(time => [time, t.messages.times[time]] as const)}
        onInput={setWhen}
      />
      <FormError error={error} />
      <div class="entry-actions">
        <Button kind="primary" type="submit" busy={busy} disabled={!draft}>
          {t.messages.send}
        </Button>
        <span class="hint">
          Replies go to you. {isManager(user) && <Link to="/settings/templates">Edit templates</Link>}
        </span>
      </div>
    </Form>
  )
}

/** What the candidate answered in the member's own mailbox. */
function ReplyForm({ applicationId, onLogged }: { applicationId: string; onLogged: () => void }) {
  const [open, setOpen] = useState(false)
  const [body, setBody] = useState('')
  const { busy, error, fault, submit } = useSubmit()
  if (!open) {
    return (
      <p>
        <Button small onClick={() => setOpen(true)}>
          {t.messages.logReply}
        </Button>
      </p>
    )
  }
  const log = () =>
    submit(async () => {
      await send('/applications/{application}/replies', { application: applicationId }, { body })
      setBody('')
      setOpen(false)
      toast(t.messages.replyLogged)
      onLogged()
    })
  return (
    <Form class="entry-form" aria-label={t.messages.logReply} onSubmit={log}>
      <TextField
        label={t.messages.reply}
        value={body}
        onInput={setBody}
        rows={5}
        maxLength={20_000}
        fault={fault('body')}
      />
      <FormError error={error} marked />
      <div class="entry-actions">
        <Button kind="primary" type="submit" busy={busy} disabled={body.trim() === ''}>
          {t.messages.logReply}
        </Button>
        <Button onClick={() => setOpen(false)}>{t.common.cancel}</Button>
      </div>
    </Form>
  )
}
