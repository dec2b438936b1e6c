import '../css/interviews.css'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { Form, Segments, useSubmit } from '../../ui/form.tsx'
import { Notice, Skeleton } from '../../ui/notice.tsx'
import { useData } from '../api.ts'
import { type Candidate, candidateName } from '../candidate/data.ts'
import { type SetDraft, useDraft } from '../candidate/drafts.ts'
import { isFinal } from '../outcome.ts'
import { t } from '../texts/index.ts'
import { Clashes, OfferedTimes, useColleagues } from './clashes.tsx'
import { DayGrid } from './day-grid.tsx'
import { PeopleField } from './people-field.tsx'
import {
  emptyPlan,
  enteredMoment,
  type Interview,
  isAhead,
  MAX_OFFERED_TIMES,
  type PlanDraft,
  planFrom,
  plannedTimes,
} from './plan.ts'
import { PlaceFields, TimeFields } from './plan-fields.tsx'
import { sendChange, sendPlan } from './send-plan.ts'
import { clockText, wallAt } from './zoned-time.ts'

interface PlanDialogProps {
  candidate: Candidate
  /** one that is moved; undefined: another one is planned */
  interview?: Interview
  reload: () => void
  onClose: () => void
}

/** The stage for interviews after the one of the candidate, into which they are moved with the plan. */
function laterInterviewStage({ application, job }: Candidate) {
  const stages = job?.stages.filter(stage => !isFinal(stage)) ?? []
  const at = stages.findIndex(({ id }) => id === application.stage_id)
  if (at === -1 || stages[at]?.type === 'interview') return undefined
  return stages.slice(at + 1).find(({ type }) => type === 'interview')
}

/** A fixed time or times to choose from, with whom and where. Ctrl+Enter sends it. */
export function PlanDialog(props: PlanDialogProps) {
  const { candidate, interview, reload, onClose } = props
  const { id: applicationId } = candidate.application
  const name = candidateName(candidate)
  const initial = useRef<PlanDraft>(undefined)
  initial.current ??= interview ? planFrom(interview) : emptyPlan()
  // closed by Escape, it is there again when it is opened for the same interview
  const [draft, setDraft] = useDraft('interview', `${applicationId} ${interview?.id ?? ''}`.trim(), initial.current)
  const { data: panel } = useData('/applications/{application}/interviews', { application: applicationId })
  const colleagues = useColleagues(applicationId, draft.day)
  const { busy, error, fault, submit } = useSubmit()
  const stage = interview ? undefined : laterInterviewStage(candidate)
  useStageDefaults(candidate, { stageId: stage?.id, isNew: interview === undefined, draft, setDraft })
  const offers = draft.mode === 'offer'
  const cannotOffer = offers && panel?.has_site === false
  const times = plannedTimes(draft)
  const ready =
    times.length > 0 && times.length <= MAX_OFFERED_TIMES && times.every(at => isAhead(at, draft.mode)) && !cannotOffer
  const send = () => {
    if (!ready || busy) return
    const sending = { applicationId, draft, reload }
    submit(async () => {
      if (interview) await sendChange(sending, interview)
      else await sendPlan(sending, stage?.id, () => setDraft({ ...draft, id: emptyPlan().id }))
      onClose()
      setDraft(undefined)
    })
  }
  const people = colleagues?.filter(({ id }) => draft.people.includes(id)) ?? []
  const typed = enteredMoment(draft)
  const pick = (at: number) => {
    if (!offers) setDraft(fieldsAt(at, draft.zone))
    else if (at === typed) setDraft({ time: '', offered: draft.offered.filter(one => one !== at) })
    else setDraft({ offered: toggled(draft.offered, at) })
  }
  return (
    <Dialog title={interview ? t.interviews.moveOne(name) : t.interviews.planOne(name)} onClose={onClose} middle>
      <Form
        class="plan-form"
        onSubmit={send}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          if (event.ctrlKey || event.metaKey) {
            event.preventDefault()
            return send()
          }
          // a single Enter invites no one
          if ((event.target as Element).matches('input:not([type=checkbox])')) event.preventDefault()
          else return
          if (offers && typed !== undefined && isAhead(typed, 'offer'))
            setDraft({ offered: [...new Set([...draft.offered, typed])], time: '' })
        }}
      >
        {interview?.status !== 'scheduled' && (
          <Segments
            label={t.interviews.when}
            value={draft.mode}
            options={[
              ['fixed', t.interviews.fixed],
              ['offer', t.interviews.offer],
            ]}
            onInput={mode => setDraft({ mode: mode === 'offer' ? 'offer' : 'fixed' })}
          />
        )}
        {cannotOffer && <Notice tone="warn">{t.interviews.noSite}</Notice>}
        <TimeFields draft={draft} setDraft={setDraft} fault={fault} />
        {offers && <OfferedTimes draft={draft} setDraft={setDraft} fault={fault('slots')} />}
        <PeopleField
          people={colleagues ?? interview?.people ?? []}
          chosen={draft.people}
          onInput={ids => setDraft({ people: ids })}
          fault={fault('interviewer_user_ids')}
        />
        {colleagues && draft.day !== '' ? (
          <DayGrid
            day={draft.day}
            zone={draft.zone}
            minutes={draft.minutes}
            people={people}
            leftOut={interview?.id}
            chosen={times}
            many={offers}
            isAllowed={at => isAhead(at, draft.mode)}
            onPick={pick}
            onDay={day => setDraft({ day })}
          />
        ) : (
          draft.day !== '' && <Skeleton lines={3} />
        )}
        <Clashes people={people} draft={draft} leftOut={interview?.id} />
        <PlaceFields
          draft={draft}
          setDraft={setDraft}
          fault={fault}
          blocked={panel?.blocked ?? null}
          moveTo={stage?.name}
          isNew={interview === undefined}
        />
        <FormError error={error} marked />
        <DialogActions>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" kind="primary" busy={busy} disabled={!ready} title="Ctrl Enter">
            {offers ? t.interviews.offer : t.interviews.send}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

interface DefaultsOf {
  /** into which the candidate is moved with the plan */
  stageId: string | undefined
  isNew: boolean
  draft: PlanDraft
  setDraft: SetDraft<PlanDraft>
}

/** Length and people of the stage, where the reader has chosen neither before they are read. */
function useStageDefaults({ application }: Candidate, { stageId, isNew, draft, setDraft }: DefaultsOf) {
  const { data } = useData('/applications/{application}/interview-defaults', { application: application.id })
  useEffect(() => {
    const kit = data?.stages.find(({ stage_id }) => stage_id === (stageId ?? application.stage_id))
    const untouched = emptyPlan()
    if (!kit || !isNew || draft.people.length > 0 || draft.minutes !== untouched.minutes) return
    setDraft({ minutes: kit.minutes ?? untouched.minutes, people: kit.people.map(({ id }) => id) })
  }, [data !== undefined])
}

const toggled = (all: readonly number[], at: number): number[] =>
  all.includes(at) ? all.filter(one => one !== at) : [...all, at].toSorted((a, b) => a - b)

function fieldsAt(at: number, zone: string): Pick<PlanDraft, 'day' | 'time'> {
  const { day, minutes } = wallAt(at, zone)
  return { day, time: clockText(minutes) }
}
