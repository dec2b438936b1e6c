import '../css/tasks.css'
import '../css/selection-bar.css'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { OPEN_STATUSES } from '../../../src/contract/application-status.ts'
import { isManager } from '../../../src/contract/roles.ts'
import { ApiError } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { countsChanged } from '../../ui/count-badge.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty, ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { count } from '../../ui/numbers.ts'
import { PageHead } from '../../ui/page.tsx'
import { Link, useFilters } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { send, useData } from '../api.ts'
import { undoLatest } from '../candidate/undo.ts'
import { useCandidateList } from '../candidate-lists.ts'
import { BulkDialog } from '../candidates/bulk.tsx'
import { formatSoon } from '../interviews/words.ts'
import { KEYS } from '../key-table.ts'
import { useLive } from '../live.ts'
import { useSession } from '../session.ts'
import { markTasks } from '../tasks/changes.ts'
import { LaterDialog } from '../tasks/later-dialog.tsx'
import { ResponsibleDialog } from '../tasks/responsible-dialog.tsx'
import { GROUP_ROWS, GROUPS, type Group, rowsOf, type Task, type Tasks } from '../tasks/rows.ts'
import { TaskRow } from '../tasks/task-row.tsx'
import { t } from '../texts/index.ts'

/** Several changes within this time are read once: in a busy workspace there is always one. */
const CALM_MS = 3_000

type Asked = 'later' | 'responsible' | 'move' | 'reject'

const ALL_WAITING = `/candidates?${new URLSearchParams({ status: OPEN_STATUSES.join(','), sort: 'in_stage' })}`

/** What waits for the person who is signed in: an inbox that is empty when all of it is done. */
export function TasksPage() {
  const [{ snoozed }, setFilters] = useFilters(['snoozed'])
  const { data, error, reload } = useData('/tasks', snoozed ? { snoozed } : {})
  useReload(reload)
  const title = snoozed ? t.tasks.snoozedTitle : t.tasks.title
  const toggle = (now: boolean) => setFilters({ snoozed: now ? 'true' : '' })
  return (
    <div class="tasks-page">
      <PageHead
        title={title}
        {...(snoozed ? { back: { to: '/tasks', title: t.tasks.back } } : {})}
        actions={
          !snoozed &&
          data !== undefined &&
          data.snoozed > 0 && <Button onClick={() => toggle(true)}>{t.tasks.showSnoozed(data.snoozed)}</Button>
        }
      />
      {error && !data && <ErrorNote error={error} retry={reload} />}
      {!data && !error && <Skeleton />}
      {data && <Inbox key={snoozed} data={data} reload={reload} isSnoozed={snoozed !== ''} />}
    </div>
  )
}

/** Reads the tasks again when something changed. */
function useReload(reload: () => void): void {
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLive(({ type }) => {
    if (!(type.startsWith('application.') || type.startsWith('order.')) || waiting.current !== undefined) return
    waiting.current = setTimeout(() => {
      waiting.current = undefined
      reload()
    }, CALM_MS)
  }, reload)
}

interface InboxProps {
  data: Tasks
  reload: () => void
  isSnoozed: boolean
}

function Inbox({ data, reload, isSnoozed }: InboxProps) {
  const { user } = useSession()
  /** those that were marked a moment ago, until the tasks are read again */
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const tasks = rowsOf(data).filter(task => !gone.has(task.key))
  const list = useRef<HTMLDivElement>(null)
  const focus = useFocusNext(list, tasks)
  const selection = useSelection(tasks)
  const [asked, setAsked] = useState<{ what: Asked; tasks: readonly Task[] }>()

  /** The selection, else the task that has the focus. */
  const current = (): readonly Task[] => {
    if (selection.tasks.length > 0) return selection.tasks
    const key = document.activeElement?.closest<HTMLElement>('[data-task]')?.dataset['task']
    return tasks.filter(task => task.key === key)
  }
  const withTasks = (run: (of: readonly Task[]) => void) => {
    const of = current()
    if (of.length === 0) toast(t.tasks.pointFirst)
    else run(of)
  }
  const read = () => {
    countsChanged()
    reload()
  }
  const mark = async (of: readonly Task[], marks: Parameters<typeof markTasks>[1]) => {
    focus.keep()
    selection.clear()
    setGone(new Set([...gone, ...of.map(task => task.key)]))
    try {
      await markTasks(of, marks, () => {
        setGone(new Set())
        read()
      })
      reload()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setGone(new Set())
      toast(error.message, 'bad')
    }
  }
  const finish = (of: readonly Task[]) => {
    const finite = of.filter(task => task.canBeDone)
    if (finite.length < of.length) toast(t.tasks.notDone, 'bad')
    if (finite.length > 0) void mark(finite, { done: true })
  }
  const ask = (what: Asked) =>
    withTasks(of => {
      const able = what === 'move' || what === 'reject' ? of.filter(task => task.place !== null) : of
      if (able.length > 0) setAsked({ what, tasks: able })
    })
  useShortcuts([
    { keys: KEYS.done, title: t.tasks.done, run: () => withTasks(finish) },
    { keys: KEYS.later, title: t.tasks.later, run: () => ask('later') },
    { keys: KEYS.responsible, title: t.tasks.responsible, run: () => ask('responsible') },
    { keys: KEYS.move, title: t.candidates.move, run: () => ask('move') },
    { keys: KEYS.reject, title: t.candidates.reject, run: () => ask('reject') },
    {
      keys: KEYS.select,
      title: t.tasks.select('…'),
      run: () => {
        const key = document.activeElement?.closest<HTMLElement>('[data-task]')?.dataset['task']
        if (key !== undefined) selection.toggle(key)
      },
    },
    { keys: KEYS.undo, title: t.common.undo, run: undoLatest },
    { keys: KEYS.clear, title: t.tasks.clear, run: selection.clear, when: () => selection.tasks.length > 0 },
  ])

  const invite = async ({ application_id: application, subject: order }: Task) => {
    try {
      await send('/applications/{application}/orders/{order}/invite', { application, order })
      toast(t.tasks.checks.invited)
      read()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast(error.message, 'bad')
    }
  }
  const row = (task: Task, to: string) => (
    <TaskRow
      key={task.key}
      task={task}
      to={to}
      isSelected={selection.has(task.key)}
      onSelect={() => selection.toggle(task.key)}
      onDone={() => finish([task])}
      onLater={() => setAsked({ what: 'later', tasks: [task] })}
      onInvite={() => void invite(task)}
    />
  )
  const close = () => setAsked(undefined)
  const changed = () => {
    selection.clear()
    read()
  }
  return (
    <div ref={list}>
      {tasks.length === 0 && <Nothing data={data} isSnoozed={isSnoozed} />}
      {GROUPS.map(group => (
        <GroupList
          key={group}
          group={group}
          tasks={tasks.filter(task => task.group === group)}
          row={row}
          hint={group === 'waiting' && !isSnoozed && <WaitingHint data={data} manages={isManager(user)} />}
        />
      ))}
      {!data.on_team && !isSnoozed && (
        <p class="all-waiting">
          <Link to={ALL_WAITING}>{t.tasks.allWaiting} ›</Link>
        </p>
      )}
      {selection.tasks.length > 0 && (
        <SelectionBar selection={selection} ask={ask} onDone={() => finish(selection.tasks)} />
      )}
      {asked?.what === 'later' && (
        <LaterDialog
          count={asked.tasks.length}
          onClose={close}
          onLater={snoozed_until => {
            close()
            void mark(asked.tasks, { snoozed_until })
          }}
        />
      )}
      {asked?.what === 'responsible' && <ResponsibleDialog tasks={asked.tasks} onClose={close} onChanged={changed} />}
      {(asked?.what === 'move' || asked?.what === 'reject') && (
        <BulkDialog asked={asked.what} people={asked.tasks.flatMap(personOf)} onClose={close} onChanged={changed} />
      )}
    </div>
  )
}

/** A task about a candidate whose place is known, as what many are changed by. */
const personOf = ({ application_id, job_id, job_title, name, place }: Task) =>
  place === null ? [] : [{ application_id, job_id, job_title, name, ...place }]

const WaitingHint = ({ data, manages }: { data: Tasks; manages: boolean }) => (
  <>
    {t.tasks.waitingHint(data.waiting_days)} {manages && <Link to="/settings/tasks">{t.tasks.changeLimit}</Link>}
  </>
)

function Nothing({ data: { next_interview: next }, isSnoozed }: { data: Tasks; isSnoozed: boolean }) {
  if (isSnoozed) return <Empty title={t.tasks.noneSnoozed} />
  return (
    <Empty title={t.tasks.empty}>
      {next && (
        <Link to={`/applications/${next.application_id}`}>
          {t.tasks.nextInterview(next.applicant_name ?? next.job_title, formatSoon(next.starts_at))}
        </Link>
      )}
    </Empty>
  )
}

interface GroupProps {
  group: Group
  tasks: readonly Task[]
  row: (task: Task, to: string) => preact.JSX.Element
  hint: preact.ComponentChildren
}

/** The tasks of a group, which is also the list that the page of a candidate goes on with. */
function GroupList({ group, tasks, row, hint }: GroupProps) {
  const ids = tasks.map(task => task.application_id)
  const addressOf = useCandidateList('tasks', { group }, ids)
  if (tasks.length === 0) return null
  const title = t.tasks.groups[group]
  const rows = (of: readonly Task[]) => (
    <ul class="task-list">{of.map(task => row(task, addressOf(task.application_id, task.panel)))}</ul>
  )
  const isByJob = group === 'waiting'
  return (
    <section class="task-group" aria-label={title}>
      <h2>
        {title} <span class="faint">{count.format(tasks.length)}</span>
      </h2>
      {hint && <p class="soft">{hint}</p>}
      {isByJob
        ? [...Map.groupBy(tasks, task => task.job_id).values()].map(of => (
            <section key={of[0]?.job_id} aria-label={of[0]?.job_title}>
              <h3>
                {of[0]?.job_title} <span class="faint">{count.format(of.length)}</span>
              </h3>
              {rows(of)}
            </section>
          ))
        : rows(tasks)}
      {tasks.length >= GROUP_ROWS && <p class="soft">{t.tasks.more}</p>}
    </section>
  )
}

interface BarProps {
  selection: ReturnType<typeof useSelection>
  ask: (what: Asked) => void
  onDone: () => void
}

const SelectionBar = ({ selection, ask, onDone }: BarProps) => (
  <section class="selection-bar" aria-label={t.tasks.selected(selection.tasks.length)}>
    <b>{t.tasks.selected(selection.tasks.length)}</b>
    {selection.tasks.some(task => task.canBeDone) && (
      <Button small onClick={onDone}>
        {t.tasks.done}
      </Button>
    )}
    <Button small onClick={() => ask('later')}>
      {t.tasks.later}
    </Button>
    <Button small onClick={() => ask('responsible')}>
      {t.tasks.responsible}
    </Button>
    <Button small onClick={() => ask('move')}>
      {t.candidates.move}
    </Button>
    <Button small kind="danger" onClick={() => ask('reject')}>
      {t.candidates.reject}
    </Button>
    <Button small onClick={selection.clear}>
      {t.tasks.clear}
    </Button>
  </section>
)

/** Selected tasks; of those that are gone nothing is selected. */
function useSelection(shown: readonly Task[]) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  return {
    tasks: shown.filter(task => keys.has(task.key)),
    has: (key: string) => keys.has(key),
    toggle: (key: string) =>
      setKeys(now => {
        const after = new Set(now)
        if (!after.delete(key)) after.add(key)
        return after
      }),
    clear: () => setKeys(new Set()),
  }
}

/** When rows leave with the focus, the row that takes their place has it. */
function useFocusNext(list: { current: HTMLDivElement | null }, tasks: readonly Task[]) {
  const at = useRef<number>(undefined)
  const links = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-task] a') ?? [])]
  useLayoutEffect(() => {
    if (at.current === undefined) return
    const all = links()
    all[Math.min(at.current, all.length - 1)]?.focus()
    at.current = undefined
  }, [tasks.length])
  return {
    keep: () => {
      const rows = [...(list.current?.querySelectorAll('[data-task]') ?? [])]
      const focused = document.activeElement?.closest('[data-task]')
      at.current = Math.max(0, focused ? rows.indexOf(focused) : 0)
    },
  }
}
