import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { BrowserStorage } from '../../ui/browser-storage.ts'
import { useSession } from '../session.ts'

/**
 * What someone has begun to write and not yet sent, in the storage of the tab: it is there again after another part of
 * the page, another candidate or a reload. It belongs to a person of a workspace, and goes with the sign-out.
 */
const drafts = new BrowserStorage<object>('sessionStorage', 'hiring-draft')

/** Each has its own text for an application. */
export type DraftKind = 'note' | 'scorecard' | 'message' | 'rejection' | 'withdrawal' | 'interview'

const keyOf = (holder: string, kind: DraftKind, applicationId: string) => `${holder} ${kind} ${applicationId}`

/** After the sign-out nothing is written any more, whatever is typed into a page that is still open. */
let isOver = false

const listeners = new Set<(key: string) => void>()

function store(key: string, value: object | undefined): void {
  if (value === undefined) drafts.remove(key)
  else if (!isOver) drafts.write(key, value)
}

/** Those of one workspace and person: `wsp_… usr_…`. */
export const holderOf = ({ workspace, user }: { workspace: { id: string }; user: { id: string } }): string =>
  `${workspace.id} ${user.id}`

export function readDraft<T extends object>(holder: string, kind: DraftKind, applicationId: string, empty: T): T {
  return { ...empty, ...drafts.read(keyOf(holder, kind, applicationId)) }
}

/** `undefined` forgets it. */
export function writeDraft(holder: string, kind: DraftKind, applicationId: string, value: object | undefined): void {
  const key = keyOf(holder, kind, applicationId)
  store(key, value)
  for (const listener of listeners) listener(key)
}

/** Changes from what it is now, so that two in one event add up; `undefined` when it was sent. */
export type SetDraft<T> = (change: Partial<T> | undefined) => void

/** The draft of one form. */
export function useDraft<T extends object>(
  kind: DraftKind,
  applicationId: string,
  empty: T,
): [value: T, set: SetDraft<T>] {
  const holder = holderOf(useSession())
  const key = keyOf(holder, kind, applicationId)
  const [value, setValue] = useState(() => readDraft(holder, kind, applicationId, empty))
  const latest = useRef(value)
  useEffect(() => {
    const listener = (changed: string) => {
      if (changed !== key) return
      latest.current = readDraft(holder, kind, applicationId, empty)
      setValue(latest.current)
    }
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [key])
  const set = useCallback(
    (change: Partial<T> | undefined) => {
      latest.current = change === undefined ? empty : { ...latest.current, ...change }
      setValue(latest.current)
      store(key, change && latest.current)
    },
    [key],
  )
  return [value, set]
}

/** Forgets all drafts of this tab but those of `holder`; without one, every draft, and those to come. */
export function forgetDrafts(holder?: string): void {
  isOver = holder === undefined
  drafts.forget(holder)
}
