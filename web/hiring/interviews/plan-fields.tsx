import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { DateField, TimeField, ZoneField } from '../../ui/date-field.tsx'
import { SelectField, TextField } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { dayOfReader } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import type { SetDraft } from '../candidate/drafts.ts'
import { t } from '../texts/index.ts'
import { enteredMoment, type InterviewPanel, isAhead, KINDS, LENGTHS, type PlanDraft } from './plan.ts'
import { formatMoment } from './words.ts'

interface FieldsProps {
  draft: PlanDraft
  setDraft: SetDraft<PlanDraft>
  fault: (param: string) => string | undefined
}

/** Day, Time, Length, Kind. A time in the past is refused before it is sent. */
export function TimeFields({ draft, setDraft, fault }: FieldsProps) {
  const { mode, kind, day, time, minutes } = draft
  const typed = enteredMoment(draft)
  const isLate = typed !== undefined && !isAhead(typed, mode)
  const late = mode === 'offer' ? t.interviews.tooSoon : t.interviews.inPast
  const lengths = LENGTHS.some(length => length === minutes) ? LENGTHS : [minutes, ...LENGTHS]
  return (
    <div class="plan-times">
      <DateField
        label={t.interviews.day}
        value={day}
        onInput={value => setDraft({ day: value })}
        min={dayOfReader(new Date(Date.now() - 86_400_000))}
        autofocus
      />
      <TimeField
        label={t.interviews.time}
        value={time}
        onInput={value => setDraft({ time: value })}
        fault={fault('starts_at') ?? (isLate ? late : undefined)}
      />
      <SelectField
        label={t.interviews.length}
        value={String(minutes)}
        options={lengths.map(length => [String(length), t.interviews.minutes(length)] as const)}
        onInput={value => setDraft({ minutes: Number(value) })}
        fault={fault('ends_at')}
      />
      <SelectField
        label={t.interviews.kind}
        value={kind}
        options={KINDS.map(one => [one, t.interviews.kinds[one]] as const)}
        onInput={value => setDraft({ kind: value })}
      />
    </div>
  )
}

interface PlaceProps extends FieldsProps {
  blocked: InterviewPanel['blocked']
  /** the stage into which the candidate can be moved with the plan */
  moveTo: string | undefined
  isNew: boolean
}

/** Where it is, what everyone reads about it, and what else happens. */
export function PlaceFields({ draft, setDraft, fault, blocked, moveTo, isNew }: PlaceProps) {
  const { kind, mode, title, place, link, zone, forCandidate, forTeam, invites, moves } = draft
  const [more, setMore] = useState(title !== '' || forCandidate !== '' || forTeam !== '')
  const asksToInvite = isNew && mode === 'fixed'
  return (
    <>
      <div class="field-row">
        <TextField
          label={kind === 'phone' ? t.interviews.number : t.interviews.place}
          value={place}
          onInput={value => setDraft({ place: value })}
          maxLength={300}
          fault={fault('place')}
        />
        <TextField
          label={t.interviews.link}
          value={link}
          onInput={value => setDraft({ link: value })}
          maxLength={2000}
          fault={fault('meeting_url')}
        />
      </div>
      {moveTo !== undefined && (
        <Box label={t.interviews.moves(moveTo)} value={moves} onChange={value => setDraft({ moves: value })} />
      )}
      {blocked === null ? (
        asksToInvite && (
          <Box label={t.interviews.invites} value={invites} onChange={value => setDraft({ invites: value })} />
        )
      ) : (
        <Notice tone="warn">
          {t.interviews.blocked[blocked]} {mode === 'fixed' && <CopyDetails draft={draft} />}
        </Notice>
      )}
      <details
        class="plan-more"
        open={more}
        onToggle={event => {
          setMore(event.currentTarget.open)
        }}
      >
        <summary>{t.interviews.more}</summary>
        <TextField
          label={t.interviews.title}
          value={title}
          onInput={value => setDraft({ title: value })}
          maxLength={120}
          hint={t.interviews.titleHint}
          fault={fault('title')}
        />
        <TextField
          label={t.interviews.forCandidate}
          value={forCandidate}
          onInput={value => setDraft({ forCandidate: value })}
          rows={3}
          maxLength={5000}
        />
        <TextField
          label={t.interviews.forTeam}
          value={forTeam}
          onInput={value => setDraft({ forTeam: value })}
          rows={3}
          maxLength={5000}
        />
        <ZoneField
          label={t.interviews.zone}
          value={zone}
          onInput={value => setDraft({ zone: value })}
          hint={t.interviews.answersHint}
          fault={fault('time_zone')}
        />
      </details>
    </>
  )
}

interface BoxProps {
  label: string
  value: boolean
  onChange: (value: boolean) => void
}

const Box = ({ label, value, onChange }: BoxProps) => (
  <label class="check">
    <input type="checkbox" checked={value} onChange={event => onChange(event.currentTarget.checked)} />
    <span>{label}</span>
  </label>
)

/** For people whom no email reaches. */
function CopyDetails({ draft }: { draft: PlanDraft }) {
  const at = enteredMoment(draft)
  if (at === undefined) return null
  const when = `${formatMoment(at, draft.zone)} (${draft.zone.replaceAll('_', ' ')})`
  const text = [t.interviews.kinds[draft.kind], when, draft.place, draft.link, draft.forCandidate]
  const copy = async () => {
    await navigator.clipboard.writeText(text.filter(Boolean).join('\n'))
    toast(t.interviews.copied)
  }
  return (
    <Button small onClick={() => void copy()}>
      {t.interviews.copy}
    </Button>
  )
}
