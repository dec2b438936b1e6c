import '../css/decisions.css'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { Form, TextField, useSubmit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { onlyOf } from '../../ui/only-of.ts'
import { useData, useQuery } from '../api.ts'
import { useMay } from '../session.ts'
import { isConflict } from './conflict.ts'
import { type SetDraft, useDraft } from './drafts.ts'
import { BLOCKED, buildDraft, type MessageFacts, MessageFields, type MessageText, NO_TEXT } from './message-form.tsx'
import type { Addressee } from './outgoing.ts'

const REASON_LENGTH = 2_000
/** Candidates who can be written to with one rejection; each message is sent and counted alone. */
const MAX_WRITTEN_TO = 50

interface Rejection {
  reason: string
  /** whether a message goes with it */
  wanted: boolean
  text: MessageText
  /** a day, or nothing */
  notice: string
}

const NO_REJECTION: Rejection = { reason: '', wanted: false, text: NO_TEXT, notice: '' }

interface RejectDialogProps {
  /** one or many; at least one */
  people: readonly Addressee[]
  /** who is left out, if anyone is */
  note?: string | undefined
  onClose: () => void
  /**
   * Rejects them and closes the dialog; what it throws is said here, and nothing that was entered is lost. A message is
   * given to `queueMessages` of `outgoing.ts`, so that it leaves only when the rejection can no longer be undone.
   */
  onReject: (reason: string, message: MessageText | undefined, noticeGivenOn: string | undefined) => Promise<void>
  /** said where someone changed the candidate in the meantime: what it is now */
  conflict?: ComponentChildren
}

/** Rejects one candidate or many: a reason for the team and, if chosen, a message from a template. */
export function RejectDialog({ people, note, onClose, onReject, conflict }: RejectDialogProps) {
  const may = useMay()
  const [first] = people
  // closed by Escape, it is there again when it is opened for the same candidates
  const of = people.map(({ applicationId }) => applicationId).join(' ')
  const [draft, setDraft] = useDraft('rejection', of, NO_REJECTION)
  const { reason } = draft
  const [message, setMessage] = useState<MessageText | 'incomplete'>()
  const { busy, error, fault, submit } = useSubmit()
  const ready = reason.trim() !== '' && message !== 'incomplete'
  const reject = () => {
    if (!ready) return
    void submit(async () => {
      await onReject(reason.trim(), message, draft.notice || undefined)
      setDraft(undefined)
    })
  }
  return (
    <Dialog title={`Reject ${onlyOf(people)?.name ?? amount(people.length, 'candidate')}`} onClose={onClose}>
      <Form
        onSubmit={reject}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) reject()
        }}
      >
        {note && <p class="soft">{note}</p>}
        {isConflict(error) && conflict ? conflict : <FormError error={error} marked />}
        <TextField
          label="Reason"
          value={reason}
          onInput={text => setDraft({ reason: text })}
          hint="For your team: owners and admins see it, the candidate does not."
          fault={fault('reason')}
          rows={4}
          required
          maxLength={REASON_LENGTH}
        />
        {may('orders:results:read') && (
          <AdverseResults
            people={people}
            notice={draft.notice}
            onNotice={notice => setDraft({ notice })}
            fault={fault('notice_given_on')}
          />
        )}
        {first && may('messages:send') && (
          <RejectMessage first={first} count={people.length} draft={draft} onDraft={setDraft} onMessage={setMessage} />
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="danger" busy={busy} disabled={!ready}>
            Reject
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** As many as one question to the service is about. */
const MAX_ASKED = 1_000

interface AdverseProps {
  people: readonly Addressee[]
  notice: string
  onNotice: (day: string) => void
  fault: string | undefined
}

/** After an adverse result of a check: that a person decides, and when the candidate was notified. */
function AdverseResults({ people, notice, onNotice, fault }: AdverseProps) {
  const application_ids = people.slice(0, MAX_ASKED).map(({ applicationId }) => applicationId)
  const { data } = useQuery('/applications/adverse-results', { application_ids })
  const found = people.filter(({ applicationId }) => data?.adverse.includes(applicationId))
  if (found.length === 0) return null
  const only = onlyOf(found)
  return (
    <div class="entry-form">
      <Notice tone="warn">
        <p>
          {only ? `A check of ${only.name}` : `Checks of ${amount(found.length, 'candidate')}`} ended with “to consider”
          or “not recommended”. You decide, not the result. In many places the law asks you to tell the candidate first
          and to give them time to answer.
        </p>
      </Notice>
      <TextField
        label="Notice given on (optional)"
        type="date"
        value={notice}
        onInput={onNotice}
        fault={fault}
        hint="When you wrote to the candidate about the result. For your team, with the reason."
      />
    </div>
  )
}

interface MessageProps {
  /** whose name the preview has */
  first: Addressee
  /** how many get the message */
  count: number
  draft: Rejection
  onDraft: SetDraft<Rejection>
  /** `undefined`: no message; `incomplete`: one is wanted and cannot be sent as it is */
  onMessage: (message: MessageText | 'incomplete' | undefined) => void
}

function whyNot({ blocked, remaining_today: left, limit_per_day: limit }: MessageFacts, people: number) {
  // a rejection of many names those who cannot be written to, after the others were written to
  if (people === 1 && blocked) return BLOCKED[blocked]
  if (people > MAX_WRITTEN_TO) return `A message can go to at most ${MAX_WRITTEN_TO} candidates together.`
  if (left >= people) return undefined
  return left === 0
    ? `You have sent ${limit} messages today, which is the limit for one person.`
    : `You can send ${amount(left, 'more message')} today, and ${people} are rejected.`
}

function RejectMessage({ first, count, draft, onDraft, onMessage }: MessageProps) {
  const { data: facts, error } = useData('/applications/{application}/message-facts', {
    application: first.applicationId,
  })
  const { text } = draft
  const id = useId()
  const blocked = facts && whyNot(facts, count)
  const wanted = draft.wanted && !blocked && !error
  const isComplete = facts !== undefined && buildDraft(text, facts) !== undefined
  useLayoutEffect(() => onMessage(wanted ? (isComplete ? text : 'incomplete') : undefined), [wanted, isComplete, text])
  if (!facts) return error ? <p class="small soft">No message can be sent now. {error.message}</p> : null
  return (
    <div class="entry-form">
      <label class="check" for={id}>
        <input
          id={id}
          type="checkbox"
          checked={wanted}
          disabled={blocked !== undefined}
          aria-describedby={blocked ? `${id}-why` : undefined}
          onChange={event => onDraft({ wanted: event.currentTarget.checked })}
        />
        {count === 1 ? 'Send the candidate a message' : 'Send each of them a message'}
      </label>
      {blocked && (
        <p class="small soft" id={`${id}-why`}>
          {blocked}
        </p>
      )}
      {wanted && (
        <>
          <p class="small soft">
            Sends in 10 seconds, if a hiring page is still open. Until then, Undo takes back both.
          </p>
          <MessageFields facts={facts} text={text} onText={next => onDraft({ text: next })} />
          {count > 1 && <p class="small soft">The preview is for {first.name}; each one gets their own name.</p>}
        </>
      )}
    </div>
  )
}
