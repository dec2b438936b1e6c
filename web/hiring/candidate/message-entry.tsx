import { useState } from 'preact/hooks'
import { ApiError } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { State, type Tone } from '../../ui/tag.tsx'
import { dateFormat } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Row, send } from '../api.ts'
import { t } from '../texts/index.ts'

type Stored = Row<'/applications/{application}/messages'>

/** What the lists of messages and the stream have in common. */
export interface ShownMessage extends Pick<Stored, 'id'> {
  direction?: Stored['direction']
  status?: string
  failure?: string | null
  scheduled_for?: string | null
  subject?: string | null
  body?: string | null
}

const TONES: Readonly<Record<Stored['status'], Tone>> = {
  scheduled: 'warn',
  sent: 'good',
  queued: 'warn',
  failed: 'bad',
  canceled: 'plain',
  received: 'plain',
}

const isStatus = (status: string | undefined): status is Stored['status'] =>
  status !== undefined && Object.hasOwn(TONES, status)

/** Longer texts are folded. */
const FOLDED_LENGTH = 400

interface EntryProps {
  line: ShownMessage
  applicationId: string
  onChange: () => void
}

/** State and text of a message; one that waits can be canceled. */
export function MessageEntry({ line, applicationId, onChange }: EntryProps) {
  const { id, direction, status, failure, scheduled_for: due, subject, body } = line
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const isLong = (body?.length ?? 0) > FOLDED_LENGTH
  const cancel = async () => {
    setBusy(true)
    try {
      await send('/applications/{application}/messages/{message}/cancel', { application: applicationId, message: id })
      toast(t.messages.canceled)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast(error.message, 'bad')
    }
    setBusy(false)
    onChange()
  }
  return (
    <div class="message-text">
      {direction !== 'in' && isStatus(status) && (
        <p class="entry-head">
          {subject && <b>{subject}</b>}
          <State tone={TONES[status]}>{t.messages.states[status]}</State>
          {status === 'scheduled' && due && <span>{dateFormat('time').format(new Date(due))}</span>}
          {failure && <span class="warn-text">{t.messages.failures[failure as keyof typeof t.messages.failures]}</span>}
          {status === 'scheduled' && (
            <Button small busy={busy} onClick={() => void cancel()}>
              {t.messages.cancel}
            </Button>
          )}
        </p>
      )}
      {body === null || body === undefined ? (
        <p class="small faint">{t.messages.notStored}</p>
      ) : (
        <p class="as-written line-text">
          {isLong && !open ? `${body.slice(0, FOLDED_LENGTH)}…` : body}{' '}
          {isLong && (
            <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? t.messages.less : t.messages.more}
            </button>
          )}
        </p>
      )}
    </div>
  )
}
