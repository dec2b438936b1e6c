import { shortAge } from '../../ui/age.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/router.tsx'
import { exactTime, useTick } from '../../ui/time.tsx'
import { candidateName } from '../candidates/words.ts'
import { t } from '../texts/index.ts'
import type { Task } from './rows.ts'

interface RowProps {
  task: Task
  to: string
  isSelected: boolean
  onSelect: () => void
  onDone: () => void
  onLater: () => void
  /** sends the invitation that the check waits for */
  onInvite: () => void
}

export const taskName = ({ name, application_id }: Task): string => candidateName({ name, application_id })

export function TaskRow({ task, to, isSelected, onSelect, onDone, onLater, onInvite }: RowProps) {
  useTick()
  const name = taskName(task)
  const what = task.check ? `${task.check.package_name}, ${name}` : name
  const age = shortAge(Date.now() - Date.parse(task.at))
  return (
    <li data-task={task.key} class={isSelected ? 'selected' : undefined}>
      <input type="checkbox" aria-label={t.tasks.select(name)} checked={isSelected} onChange={onSelect} />
      <Avatar id={task.application_id} name={task.name} isNamed />
      <div class="task-text">
        <Link to={to}>{name}</Link> <span class="soft">{task.facts.join(' · ')}</span>
        {task.text !== null && <p class="task-quote">{task.text}</p>}
      </div>
      <span class="task-actions">
        {task.check?.reason === 'not_invited' && (
          <Button small label={`${t.tasks.checks.invite}: ${what}`} onClick={onInvite}>
            {t.tasks.checks.invite}
          </Button>
        )}
        {task.canBeDone && (
          <Button small label={t.tasks.doneOf(what)} onClick={onDone}>
            {t.tasks.done}
          </Button>
        )}
        <Button small label={t.tasks.laterOf(what)} onClick={onLater}>
          {t.tasks.later}
        </Button>
      </span>
      <time class="task-age" dateTime={task.at} title={exactTime(task.at)}>
        {task.kind === 'interview' ? '' : age}
      </time>
    </li>
  )
}
