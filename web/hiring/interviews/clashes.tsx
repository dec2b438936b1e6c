import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { addDays, type Day } from '../../ui/parse-date.ts'
import { dayOfReader } from '../../ui/time.tsx'
import { useData } from '../api.ts'
import type { SetDraft } from '../candidate/drafts.ts'
import { t } from '../texts/index.ts'
import { type Colleague, clashesAt } from './availability.ts'
import { enteredMoment, isAhead, MAX_OFFERED_TIMES, offeredTimes, type PlanDraft, plannedTimes } from './plan.ts'
import { formatClock, formatMoment } from './words.ts'

const DAY_MS = 86_400_000
/** Days of which the interviews of colleagues are read together. */
const WINDOW_DAYS = 30

/** Who can interview, with what else they have in the month around a day; undefined until it is read. */
export function useColleagues(application: string, day: Day): readonly Colleague[] | undefined {
  const today = dayOfReader(new Date())
  const ahead = day === '' ? 0 : Math.round((Date.parse(day) - Date.parse(today)) / DAY_MS)
  const window = Math.floor(ahead / WINDOW_DAYS)
  // a day more on both sides: the zone of the interview may be another one
  const from = addDays(today, window * WINDOW_DAYS - 1)
  const to = addDays(from, WINDOW_DAYS + 3)
  const { data } = useData('/applications/{application}/availability', {
    application,
    from: `${from}T00:00:00Z`,
    to: `${to}T00:00:00Z`,
  })
  return data?.people
}

interface ClashesProps {
  people: readonly Colleague[]
  draft: PlanDraft
  leftOut: string | undefined
}

const MINUTE_MS = 60_000
const MAX_SAID = 5

/** What speaks against the times. Nothing of it forbids them. */
export function Clashes({ people, draft, leftOut }: ClashesProps) {
  const { minutes, zone } = draft
  const found = plannedTimes(draft).flatMap(from =>
    clashesAt(people, { from, to: from + minutes * MINUTE_MS }, { zone, leftOut }),
  )
  return (
    <div role="status">
      {found.length > 0 && (
        <ul class="plan-clashes">
          {found.slice(0, MAX_SAID).map(({ name, kind, at }) => (
            <li key={`${name} ${at}`} class="warn-text">
              {t.interviews[kind](name, draft.mode === 'offer' ? formatMoment(at, zone) : formatClock(at, zone))}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface OfferedProps {
  draft: PlanDraft
  setDraft: SetDraft<PlanDraft>
  fault: string | undefined
}

/** The times that the candidate will choose from. */
export function OfferedTimes({ draft, setDraft, fault }: OfferedProps) {
  const { offered, zone } = draft
  const typed = enteredMoment(draft)
  const canAdd = typed !== undefined && isAhead(typed, 'offer') && !offered.includes(typed)
  const remove = (at: number) =>
    setDraft({ offered: offered.filter(one => one !== at), ...(at === typed ? { time: '' } : {}) })
  return (
    <div class="plan-offered">
      <ul aria-label={t.interviews.offered}>
        {offeredTimes(draft).map(at => (
          <li key={at} class="chip">
            <span>{formatMoment(at, zone)}</span>
            <button
              type="button"
              aria-label={t.interviews.removeTime(formatMoment(at, zone))}
              title={t.interviews.removeTime(formatMoment(at, zone))}
              onClick={() => remove(at)}
            >
              <Icon name="close" size={12} />
            </button>
          </li>
        ))}
      </ul>
      <Button
        small
        disabled={!canAdd || offered.length >= MAX_OFFERED_TIMES}
        onClick={() => setDraft({ offered: offeredTimes(draft), time: '' })}
      >
        {t.interviews.addTime}
      </Button>
      <p class="hint">{t.interviews.offerHint(MAX_OFFERED_TIMES)}</p>
      {fault && <p class="fault">{fault}</p>}
    </div>
  )
}
