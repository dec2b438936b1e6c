import { useLayoutEffect, useRef } from 'preact/hooks'

/** What a key does on the page that is shown. */
export interface Shortcut {
  /** `j`, `Shift+J`, `Escape`; a sequence of two is written `g j` */
  keys: string
  /** what it does, in the words of the button that does the same */
  title: string
  run: () => void
  /** works on every page; those of a page are listed before them */
  isEverywhere?: boolean
  /** leads to a page that the command bar offers anyway */
  isPage?: boolean
  /** whether there is something to act on now */
  when?: () => boolean
}

/** Those of the components that are drawn now, the latest last. */
const active = new Set<{ current: readonly Shortcut[] }>()

/** Every key that does something now; of two for the same key the page's own, or the one drawn last. */
export function activeShortcuts(): Shortcut[] {
  const all = [...active].flatMap(({ current }) => current).filter(({ when }) => when?.() ?? true)
  const ordered = [...all.filter(({ isEverywhere }) => isEverywhere), ...all.filter(one => !one.isEverywhere)]
  const byKey = new Map(ordered.map(shortcut => [shortcut.keys, shortcut]))
  return [...byKey.values()].sort((a, b) => Number(a.isEverywhere ?? false) - Number(b.isEverywhere ?? false))
}

/** Keys of a component, while it is drawn. They do nothing while a text is typed or a dialog is open. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  // together with the button that does the same: a key works as soon as that is seen
  useLayoutEffect(() => {
    active.add(latest)
    return () => void active.delete(latest)
  }, [])
}

/** The first key of a sequence waits this long for the second. */
const SEQUENCE_MS = 1_000
let first: { key: string; at: number } | undefined

const nameOf = ({ key, shiftKey }: KeyboardEvent): string => (shiftKey && /^[A-Z]$/.test(key) ? `Shift+${key}` : key)

/** A box that was just clicked has the focus, and takes no letters. */
const TYPED = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog[open]'

const isTyping = (target: EventTarget | null): boolean => target instanceof Element && target.closest(TYPED) !== null

addEventListener('keydown', event => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  const name = nameOf(event)
  // pressed on the way to the second key
  if (name === 'Shift') return
  const shortcuts = activeShortcuts()
  const begun = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ` : undefined
  const isSequence = begun !== undefined && shortcuts.some(({ keys }) => keys.startsWith(begun))
  const wanted = isSequence ? begun + name : name
  first = isSequence ? undefined : { key: name, at: event.timeStamp }
  // a letter after the first key of a sequence is its second, and does nothing of its own; Escape and arrows do
  const found =
    shortcuts.find(({ keys }) => keys === wanted) ??
    (isSequence && name.length > 1 && !name.startsWith('Shift+')
      ? shortcuts.find(({ keys }) => keys === name)
      : undefined)
  if (!found) return
  first = undefined
  event.preventDefault()
  found.run()
})
