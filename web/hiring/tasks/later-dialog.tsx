import { useState } from 'preact/hooks'
import { DateField, TimeField } from '../../ui/date-field.tsx'
import { Dialog, FormDialog } from '../../ui/dialog.tsx'
import { addDays } from '../../ui/parse-date.ts'
import { todayOfReader } from '../../ui/time.tsx'
import { formatSoon } from '../interviews/words.ts'
import { minutesOf } from '../interviews/zoned-time.ts'
import { t } from '../texts/index.ts'
import { LATER_TIMES, laterAt, laterTime } from './later-times.ts'
import '../css/stage-choice.css'

interface LaterProps {
  count: number
  onClose: () => void
  onLater: (until: string) => void
}

/** Until when tasks are snoozed: a digit chooses. */
export function LaterDialog({ count, onClose, onLater }: LaterProps) {
  const [isPicking, setPicking] = useState(false)
  if (isPicking) return <PickDialog count={count} onClose={onClose} onLater={onLater} />
  const choices = [
    ...LATER_TIMES.flatMap(time => {
      const until = laterTime(time)
      return until === undefined
        ? []
        : [{ title: t.tasks.times[time], note: formatSoon(until), run: () => onLater(until) }]
    }),
    { title: t.tasks.times.pick, note: '', run: () => setPicking(true) },
  ]
  return (
    <Dialog title={t.tasks.laterTitle(count)} onClose={onClose}>
      <Choices choices={choices} />
    </Dialog>
  )
}

/** When the list is drawn again, the focus stays where it is. */
const focusOnce = (button: HTMLButtonElement | null) => {
  if (button && !button.parentElement?.contains(document.activeElement)) button.focus()
}

interface Choice {
  title: string
  note: string
  run: () => void
}

/** Buttons that digits press, and arrows go through. */
export const Choices = ({ choices }: { choices: readonly Choice[] }) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: digits press the buttons inside
  <div
    class="stage-choice dialog-actions"
    onKeyDown={event => {
      const choice = choices[Number(event.key) - 1]
      if (choice) {
        event.preventDefault()
        return choice.run()
      }
      const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (by === 0) return
      event.preventDefault()
      const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
      buttons[buttons.indexOf(document.activeElement as HTMLElement) + by]?.focus()
    }}
  >
    {choices.map(({ title, note, run }, i) => (
      // also where the choices come after the dialog
      <button key={title} type="button" ref={i === 0 ? focusOnce : null} onClick={run}>
        <kbd>{i < 9 ? i + 1 : ''}</kbd>
        <span>{title}</span>
        <span class="faint">{note}</span>
      </button>
    ))}
  </div>
)

function PickDialog({ count, onClose, onLater }: LaterProps) {
  const today = todayOfReader()
  const [day, setDay] = useState(addDays(today, 1))
  const [time, setTime] = useState('09:00')
  return (
    <FormDialog
      title={t.tasks.laterTitle(count)}
      action={t.tasks.later}
      disabled={day === '' || time === ''}
      onClose={onClose}
      onSubmit={() => onLater(laterAt(day, minutesOf(time)))}
    >
      <DateField label={t.tasks.day} value={day} min={today} onInput={setDay} required autofocus />
      <TimeField label={t.tasks.time} value={time} onInput={setTime} required />
    </FormDialog>
  )
}
