import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { Form, SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { onlyOf } from '../../ui/only-of.ts'
import { type Sent, useQuery } from '../api.ts'
import { isConflict } from '../candidate/conflict.ts'
import { type SetDraft, useDraft } from '../candidate/drafts.ts'
import { MailPreview, NO_TEXT } from '../candidate/message-form.tsx'
import { t } from '../texts/index.ts'
import { CancelAhead } from './cancel-ahead.tsx'
import { laterTimes, type When } from './later.ts'
import { type Addressee, ReasonList, type ReasonOption, usePressedDigit, useReasons } from './reasons.tsx'
import { ThenNext } from './then-next.tsx'

/** What the person has decided; `message` leaves when Undo is over, or at its time. */
export interface Rejection {
  reason_id: string
  reason?: string
  notice_given_on?: string
  /** interviews that are ahead are canceled with it */
  cancel_interviews?: boolean
  message?: { subject: string; body: string; template_id: string | null; send_at: string | null; later_at: string }
}

interface RejectDialogProps {
  jobId: string
  /** one or many; at least one */
  people: readonly (Addressee & { source?: string | undefined })[]
  /** who is left out, if anyone is */
  note?: string | undefined
  /** chosen when it opens, such as the reason for all others after a hire */
  reasonId?: string
  /** the switch is shown where there is a next candidate to go to */
  hasNext?: boolean
  onClose: () => void
  /** Rejects them and closes the dialog; what it throws is said here, and nothing that was entered is lost. */
  onReject: (rejection: Rejection) => Promise<void>
  /** said where someone changed the candidate in the meantime: what it is now */
  conflict?: ComponentChildren
}

/** What is chosen and typed and not yet sent. */
interface RejectionDraft {
  reasonId: string | undefined
  note: string
  /** a day, or nothing */
  notice: string
  cancelsInterviews: boolean
  /** undefined: as the last time in this job */
  wantsMessage: boolean | undefined
  /** undefined: that of the reason */
  template: string | undefined
  /** undefined: as the template is */
  text: { subject: string; body: string } | undefined
}

const NO_REJECTION: RejectionDraft = {
  reasonId: undefined,
  note: '',
  notice: '',
  cancelsInterviews: true,
  wantsMessage: undefined,
  template: undefined,
  text: undefined,
}

const NOTE_LENGTH = 1_800
/** As many as one question to the service is about. */
const MAX_ASKED = 1_000

/** Rejects one candidate or many: a digit chooses the reason and rejects, with the message that belongs to it. */
export function RejectDialog(props: RejectDialogProps) {
  const { jobId, people, note, hasNext, onClose, onReject, conflict } = props
  const reasons = useReasons('reject')
  const application_ids = people.slice(0, MAX_ASKED).map(({ applicationId }) => applicationId)
  const { data: facts } = useQuery('/applications/rejection-facts', { job_id: jobId, application_ids })
  // closed by Escape, it is there again when it is opened for the same candidates
  const [draft, setDraft] = useDraft('rejection', people.map(one => one.applicationId).join(' '), NO_REJECTION)
  const chosen = draft.reasonId ?? props.reasonId
  const words = draft.note
  const ofChosen = reasons?.find(({ id }) => id === chosen)?.templateId ?? null
  const mail = useRejectionMail(people, facts, { ofChosen, draft, setDraft })
  const { busy, error, fault, submit } = useSubmit()
  const noteField = useRef<HTMLDivElement>(null)
  const planned = facts?.with_interviews.length ?? 0
  const ready = reasons !== undefined && facts !== undefined
  const reject = (id: string | undefined) => {
    const reason = reasons?.find(one => one.id === id)
    if (!reason || busy) return
    if (reason.needsText && words.trim() === '') return noteField.current?.querySelector('input')?.focus()
    const message = mail.messageFor(reason)
    submit(async () => {
      await onReject({
        reason_id: reason.id,
        ...(words.trim() === '' ? {} : { reason: words.trim() }),
        ...(draft.notice === '' ? {} : { notice_given_on: draft.notice }),
        ...(planned > 0 && draft.cancelsInterviews ? { cancel_interviews: true } : {}),
        ...(message ? { message } : {}),
      })
      setDraft(undefined)
    })
  }
  // the first time in a job nothing is sent by surprise: the digit chooses, and Enter rejects
  const isFirst = facts?.with_message === null
  const press = (reason: ReasonOption) => {
    setDraft({ reasonId: reason.id })
    if (reason.needsText) noteField.current?.querySelector('input')?.focus()
    else if (!isFirst) reject(reason.id)
  }
  const pressed = usePressedDigit(ready, reasons, press)
  const only = onlyOf(people)
  return (
    <Dialog title={only ? t.decisions.rejectOne(only.name) : t.decisions.rejectMany(people.length)} onClose={onClose}>
      <Form
        onSubmit={() => reject(chosen)}
        onKeyDown={event => {
          // lists and calendars take letters and digits, too
          const isText = (event.target as Element).matches(
            'input:not([type=radio], [type=checkbox]), textarea, .entry-form *',
          )
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return reject(chosen)
          if (isText || event.ctrlKey || event.metaKey || event.altKey) return
          const opensText = event.key === 'e'
          if (opensText && mail.open()) return event.preventDefault()
          if (/^[1-9]$/.test(event.key)) {
            event.preventDefault()
            pressed(Number(event.key))
          }
        }}
      >
        {note && <p class="soft">{note}</p>}
        {isConflict(error) && conflict ? conflict : <FormError error={error} marked />}
        <ReasonList
          reasons={reasons}
          chosen={chosen}
          onChoose={reasonId => setDraft({ reasonId })}
          label={t.decisions.reason}
        />
        <div ref={noteField}>
          <TextField
            label={t.decisions.note}
            value={words}
            onInput={text => setDraft({ note: text })}
            hint={t.decisions.noteHint}
            fault={fault('reason')}
            maxLength={NOTE_LENGTH}
          />
        </div>
        <AdverseResults
          people={people}
          adverse={facts?.adverse ?? []}
          notice={draft.notice}
          onNotice={notice => setDraft({ notice })}
          fault={fault('notice_given_on')}
        />
        <CancelAhead
          count={planned}
          checked={draft.cancelsInterviews}
          onChange={cancelsInterviews => setDraft({ cancelsInterviews })}
        />
        {mail.line}
        {hasNext && <ThenNext />}
        {isFirst && chosen !== undefined && <p class="small soft">{t.decisions.firstTime}</p>}
        <DialogActions>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" kind="danger" busy={busy} disabled={chosen === undefined || !ready}>
            {only ? t.decisions.reject : t.decisions.rejectCount(people.length)}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

type Facts = Sent<'/applications/rejection-facts'>

interface MailDraft {
  /** the template of the chosen reason */
  ofChosen: string | null
  draft: RejectionDraft
  setDraft: SetDraft<RejectionDraft>
}

/** The message of a rejection: whether there is one, from which template, and when it leaves. */
function useRejectionMail(
  people: RejectDialogProps['people'],
  facts: Facts | undefined,
  { ofChosen, draft, setDraft }: MailDraft,
) {
  const id = useId()
  const mail = facts?.mail ?? undefined
  const { wantsMessage: wanted, template, text: edited } = draft
  const [isOpen, setOpen] = useState(edited !== undefined)
  const [when, setWhen] = useState<When>('soon')
  const templates = mail?.templates ?? []
  const templateFor = (ofReason: string | null) =>
    templates.find(one => one.id === (template ?? ofReason)) ?? templates[0]
  const textFor = (ofReason: string | null) => edited ?? templateFor(ofReason) ?? { ...NO_TEXT }
  const shown = textFor(ofChosen)
  const hasText = shown.subject.trim() !== '' && shown.body.trim() !== ''
  const isSourced = people.every(({ source }) => source === 'team:sourced')
  const isBlocked = mail === undefined || mail.counts.sends === 0 || (people.length === 1 && mail.blocked !== null)
  const byDefault = facts?.with_message ?? templates.length > 0
  const isOn = !isBlocked && hasText && (wanted ?? (byDefault && !isSourced))
  const messageFor = (reason: ReasonOption) => {
    const { subject, body } = textFor(reason.templateId)
    if (!isOn || subject.trim() === '' || body.trim() === '') return undefined
    const times = laterTimes()
    const template_id = edited ? null : (templateFor(reason.templateId)?.id ?? null)
    return { subject, body, template_id, send_at: when === 'soon' ? null : times[when], later_at: times.tomorrow }
  }
  const open = () => {
    if (isBlocked) return false
    setOpen(true)
    return true
  }
  const left = mail ? mail.counts.sends - mail.remaining_today : 0
  const line = mail && (
    <div class="reject-message">
      {people.length > 1 && <p class="small">{t.decisions.counts(mail.counts)}</p>}
      {people.length === 1 && mail.blocked ? (
        <p class="small soft">{t.decisions.blocked[mail.blocked]}</p>
      ) : (
        <p class="reject-line">
          <label class="check" for={id}>
            <input
              id={id}
              type="checkbox"
              checked={isOn}
              disabled={!hasText || isBlocked}
              onChange={event => setDraft({ wantsMessage: event.currentTarget.checked })}
            />
            {isOn
              ? t.decisions.messageLine(templateFor(ofChosen)?.name ?? t.decisions.ownText, t.decisions.when[when])
              : t.decisions.withoutMessage}
          </label>
          {!isBlocked && (
            <button
              type="button"
              class="button secondary small"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {hasText ? t.decisions.showText : t.decisions.writeText}
            </button>
          )}
        </p>
      )}
      {isOn && left > 0 && <p class="small soft">{t.decisions.restTomorrow(left)}</p>}
      {isOpen && (
        <div class="entry-form">
          {templates.length > 0 && (
            <SelectField
              label={t.decisions.template}
              value={templateFor(ofChosen)?.id ?? ''}
              options={templates.map(({ id: one, name }) => [one, name] as const)}
              onInput={one => setDraft({ template: one, text: undefined })}
            />
          )}
          <SelectField
            label={t.decisions.sends}
            value={when}
            options={(['soon', 'tomorrow', 'three_days'] as const).map(one => [one, t.decisions.when[one]] as const)}
            onInput={setWhen}
          />
          <TextField
            label={t.decisions.subject}
            value={shown.subject}
            onInput={subject => setDraft({ text: { subject, body: shown.body } })}
            maxLength={150}
            autofocus
          />
          <TextField
            label={t.decisions.message}
            value={shown.body}
            onInput={body => setDraft({ text: { subject: shown.subject, body } })}
            rows={6}
            maxLength={10_000}
          />
          {hasText && <MailPreview text={shown} values={mail.values} />}
        </div>
      )}
    </div>
  )
  return { line, messageFor, open }
}

interface AdverseProps {
  people: readonly Addressee[]
  adverse: readonly string[]
  notice: string
  onNotice: (day: string) => void
  fault: string | undefined
}

/** After an adverse result of a check: that a person decides, and when the candidate was notified. */
function AdverseResults({ people, adverse, notice, onNotice, fault }: AdverseProps) {
  const found = people.filter(({ applicationId }) => adverse.includes(applicationId))
  if (found.length === 0) return null
  const only = onlyOf(found)
  return (
    <div class="entry-form">
      <Notice tone="warn">
        <p>{only ? t.decisions.adverseOne(only.name) : t.decisions.adverseMany(found.length)}</p>
      </Notice>
      <DateField
        label={t.decisions.noticeGiven}
        isPast
        value={notice}
        onInput={onNotice}
        fault={fault}
        hint={t.decisions.noticeHint}
      />
    </div>
  )
}
