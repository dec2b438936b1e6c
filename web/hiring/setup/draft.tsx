import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiError, Data } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { useLive } from '../live.ts'
import { useSaveKey } from '../save-key.ts'
import { differences, type Item, mergeLists, same } from './merge.ts'

/** A change of the template or of a stage has an event for each job or application: the list is read after the last. */
const SETTLED_MS = 300

interface DraftOptions<R, T> {
  read: Data<R>
  itemsOf: (response: R) => T[]
  /** makes the change of `stored`, whose version it names */
  store: (items: readonly T[], stored: R) => Promise<R>
  nameOf: (item: T) => string
  /** what the message after saving says */
  saved: string
  /** the job whose changes concern this page; without one, those of any job */
  jobId?: string | undefined
}

export interface Draft<R, T extends Item> {
  /** as it was read last; undefined: not there yet */
  stored: R | undefined
  items: T[]
  setItems: (change: (before: T[]) => T[]) => void
  dirty: boolean
  /** why it could not be read */
  error: ApiError | undefined
  reload: () => void
  busy: boolean
  /** why it could not be saved */
  refused: ApiError | undefined
  save: () => void
  discard: () => void
  /** makes another change of the same part, and throws where it is refused; its response is what is stored then */
  run: (change: (stored: R) => Promise<R>, done: string) => Promise<void>
  conflict: Conflict | undefined
}

interface Conflict {
  changes: string[]
  keepMine: () => void
  takeTheirs: () => void
}

/**
 * A list that is edited and saved as a whole. What others save is taken over while nothing was changed here. After that,
 * both versions are put together, and nothing that was typed is lost.
 */
export function useDraft<R extends { version: string }, T extends Item>(options: DraftOptions<R, T>): Draft<R, T> {
  const { itemsOf, store, nameOf, saved, jobId } = options
  const { data, error, reload } = options.read
  const [stored, setStored] = useState<R>()
  const [items, setItems] = useState<T[]>([])
  const [theirs, setTheirs] = useState<R>()
  const { busy, error: refused, submit } = useSubmit()
  const base = stored ? itemsOf(stored) : []
  const dirty = stored !== undefined && !same(base, items)
  useLeaveGuard(dirty && ENTERED)

  const take = (response: R) => {
    setStored(response)
    setItems(itemsOf(response))
    setTheirs(undefined)
  }
  const shownJob = useRef(jobId)
  useEffect(() => {
    if (!data) return
    if (!stored || !dirty || shownJob.current !== jobId) take(data)
    // only what is shown next to the list has changed
    else if (data.version === stored.version) setStored(data)
    else setTheirs(data)
    shownJob.current = jobId
  }, [data])
  const later = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(later.current), [])
  useLive(({ type, data: { object } }) => {
    const concerns =
      (type === 'job.sections_updated' && (jobId === undefined || object.id === jobId)) ||
      (type === 'application.stage_changed' && object.job_id === jobId)
    if (!concerns) return
    clearTimeout(later.current)
    later.current = setTimeout(reload, SETTLED_MS)
  })

  const run: Draft<R, T>['run'] = async (change, done) => {
    try {
      take(await change(stored!))
      toast(done)
    } catch (failure) {
      // what was saved in between is needed to say what changed; so is a number that was out of date
      reload()
      throw failure
    }
  }
  const save = () => submit(() => run(now => store(items, now), saved))
  useSaveKey(() => {
    if (dirty) void save()
  })

  const conflict = theirs && {
    changes: differences(base, itemsOf(theirs), nameOf),
    keepMine: () => {
      setItems(mergeLists(base, items, itemsOf(theirs)))
      setStored(theirs)
      setTheirs(undefined)
    },
    takeTheirs: () => take(theirs),
  }
  return {
    stored,
    items,
    setItems,
    dirty,
    error,
    reload,
    busy,
    refused: refused?.code === 'stale_resource' && (theirs || !dirty) ? undefined : refused,
    save,
    discard: () => stored && take(stored),
    run,
    conflict,
  }
}

/** The values of a list of faults, by the key of the entry: `fields[3].label` is `label` of the fourth. */
export function collectFaults<T extends Item>(error: ApiError | undefined, list: string, items: readonly T[]) {
  const found = new Map<string, string>()
  for (const [param, message] of error?.fields ?? []) {
    const [, name, index, value] = /^(\w+)\[(\d+)\]\.(\w+)/.exec(param) ?? []
    const item = name === list ? items[Number(index)] : undefined
    if (item) found.set(`${item.key} ${value}`, message)
  }
  return found
}

const CONFLICT = 'conflict'

/** Someone saved something else in between. */
export function ConflictNotice({ conflict }: { conflict: Conflict | undefined }) {
  return (
    <div role="status" id={CONFLICT} tabIndex={-1}>
      {conflict && (
        <Notice tone="warn">
          <p>
            <strong>Someone changed this while you were editing.</strong> They {inWords(conflict.changes)}. Nothing that
            you entered is lost.
          </p>
          <p class="page-actions">
            <Button kind="primary" small onClick={conflict.keepMine}>
              Put my changes on top of theirs
            </Button>
            <Button small onClick={conflict.takeTheirs}>
              Discard mine and show theirs
            </Button>
          </p>
        </Notice>
      )}
    </div>
  )
}

const MAX_NAMED = 5
function inWords(changes: readonly string[]): string {
  if (changes.length === 0) return 'saved other settings'
  const named = changes.slice(0, MAX_NAMED)
  const rest = changes.length - named.length
  if (rest > 0) named.push(`made ${rest} more ${rest === 1 ? 'change' : 'changes'}`)
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(named)
}

interface SaveBarProps {
  // biome-ignore lint/suspicious/noExplicitAny: of any list
  draft: Draft<any, any>
  /** what must be fixed before it can be saved */
  problem?: ComponentChildren
  action?: string
  /** also where no entry was changed */
  changed?: boolean
  onDiscard?: () => void
  /** instead of saving right away */
  onSave?: () => void
}

/** Why it was not saved: faults of entries are shown at them, others here. */
function Refused({ error }: { error: ApiError | undefined }) {
  const general = [...(error?.fields ?? [])].filter(([param]) => !param.includes('['))
  if (general.length === 0) return <FormError error={error} marked />
  return (
    <div class="fault" role="alert">
      {general.map(([param, message]) => (
        <p key={param}>{`${message.charAt(0).toUpperCase()}${message.slice(1)}.`}</p>
      ))}
    </div>
  )
}

/** At the end of the window while there is something to save. */
export function SaveBar({ draft, problem, action = 'Save', changed = false, onDiscard, onSave }: SaveBarProps) {
  const { dirty, busy, refused, conflict } = draft
  if (!dirty && !changed) return null
  return (
    <section class="save-bar" aria-label="Unsaved changes">
      <Refused error={refused} />
      <div class="save-bar-line">
        <span class="save-bar-text">
          {problem ?? (conflict ? 'Choose first what happens to the changes of others.' : 'You have unsaved changes.')}
        </span>
        <Button
          onClick={() => {
            draft.discard()
            onDiscard?.()
          }}
        >
          Discard
        </Button>
        <Button
          kind="primary"
          busy={busy}
          disabled={problem !== undefined}
          onClick={conflict ? () => document.getElementById(CONFLICT)?.focus() : (onSave ?? draft.save)}
        >
          {action}
        </Button>
      </div>
    </section>
  )
}
