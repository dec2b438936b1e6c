import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icons.tsx'

interface SortableProps<T extends { key: string }> {
  /** Names the whole list for screen readers. */
  label: string
  items: readonly T[]
  nameOf: (item: T, index: number) => string
  onSort: (items: T[]) => void
  /** draws an item; the handle is the button that moves it */
  children: (item: T, index: number, handle: ComponentChildren) => ComponentChildren
}

const moved = <T,>(items: readonly T[], from: number, to: number): T[] =>
  items.toSpliced(from, 1).toSpliced(to, 0, ...items.slice(from, from + 1))

/** So near to the edge of the window, dragging scrolls. */
const EDGE = 60

/** A list that is ordered by dragging with mouse or finger, or with the arrow keys on the handle of an item. */
export function Sortable<T extends { key: string }>({ label, items, nameOf, onSort, children }: SortableProps<T>) {
  const list = useRef<HTMLUListElement>(null)
  const [drag, setDrag] = useState<{ from: number; to: number }>()
  const [said, setSaid] = useState('')
  const focus = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    // moving an element in the document takes the focus from it
    if (focus.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-handle="${focus.current}"]`)?.focus()
    focus.current = undefined
  })

  const move = (from: number, to: number) => {
    const item = items[from]
    if (!item || to < 0 || to >= items.length || to === from) return
    focus.current = item.key
    setSaid(`${nameOf(item, from)} is now at position ${to + 1} of ${items.length}.`)
    onSort(moved(items, from, to))
  }

  const onKey = (event: KeyboardEvent, index: number) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: items.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    move(index, to)
  }

  const onPointer = (down: PointerEvent, from: number) => {
    if (down.button !== 0) return
    let to = from
    const place = (y: number) => {
      // the item whose middle the pointer has passed
      const rows = [...(list.current?.children ?? [])].map(row => row.getBoundingClientRect())
      const before = rows.filter((row, i) => i !== from && row.top + row.height / 2 < y).length
      to = before
      setDrag({ from, to })
    }
    const onMove = (event: PointerEvent) => {
      if (event.clientY < EDGE) scrollBy(0, -EDGE / 4)
      if (event.clientY > innerHeight - EDGE) scrollBy(0, EDGE / 4)
      place(event.clientY)
    }
    const end = (event: Event) => {
      removeEventListener('pointermove', onMove)
      removeEventListener('pointerup', end)
      removeEventListener('pointercancel', end)
      removeEventListener('keydown', onEscape, true)
      setDrag(undefined)
      if (event.type === 'pointerup') move(from, to)
    }
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') end(event)
    }
    addEventListener('pointermove', onMove)
    addEventListener('pointerup', end)
    addEventListener('pointercancel', end)
    addEventListener('keydown', onEscape, true)
  }

  /** Where the dragged item would be dropped, as a line above or below another. */
  const markOf = (index: number): string => {
    if (!drag) return ''
    if (index === drag.from) return ' dragged'
    if (drag.to === drag.from) return ''
    return index === drag.to ? (drag.to < drag.from ? ' drop-above' : ' drop-below') : ''
  }

  return (
    <>
      <ul class={drag ? 'sortable dragging' : 'sortable'} aria-label={label} ref={list}>
        {items.map((item, index) => (
          <li key={item.key} class={`sortable-item${markOf(index)}`}>
            {children(
              item,
              index,
              <button
                type="button"
                class="icon-button sortable-handle"
                data-handle={item.key}
                aria-label={`Move ${nameOf(item, index)}, position ${index + 1} of ${items.length}`}
                title="Drag, or press the arrow keys"
                onKeyDown={event => onKey(event, index)}
                onPointerDown={event => onPointer(event, index)}
              >
                <Icon name="grip" />
              </button>,
            )}
          </li>
        ))}
      </ul>
      <div class="visually-hidden" aria-live="polite">
        {said}
      </div>
    </>
  )
}
