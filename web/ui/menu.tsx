import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Popover, stop } from './popover.tsx'
import { Link } from './router.tsx'

export interface MenuItem {
  label: string
  onSelect?: () => void
  /** a page that it leads to */
  to?: string
  isDanger?: boolean
  isDisabled?: boolean
  /** its key, drawn at the right */
  hint?: string
  /** a line above it */
  isAfterLine?: boolean
}

interface MenuProps {
  /** what the button shows */
  children: ComponentChildren
  /** what it is called where it shows no text */
  label?: string
  items: readonly MenuItem[]
  /** the classes of its button; default: a small one */
  class?: string
  alignEnd?: boolean
}

/** A button with a list of what can be done. */
export function Menu({ children, label, items, class: name = 'button secondary small', alignEnd }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const close = (refocus: boolean) => {
    setOpen(false)
    if (refocus) button.current?.focus({ preventScroll: true })
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class={name}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!open)}
        onKeyDown={event => {
          if (open || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
          stop(event)
          setOpen(true)
        }}
      >
        {children}
      </button>
      {open && button.current && (
        <Popover anchor={button.current} alignEnd={alignEnd ?? false} class="menu" onClose={close}>
          <MenuItems items={items} label={label} onDone={close} />
        </Popover>
      )}
    </>
  )
}

interface MenuItemsProps {
  items: readonly MenuItem[]
  label: string | undefined
  onDone: (refocus: boolean) => void
}

/** The focus is on one item; arrows and first letters lead to the others. */
function MenuItems({ items, label, onDone }: MenuItemsProps) {
  const list = useRef<HTMLDivElement>(null)
  const entries = () => [...(list.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
  useLayoutEffect(() => entries()[0]?.focus({ preventScroll: true }), [])
  const onKeyDown = (event: KeyboardEvent) => {
    const all = entries()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const key = event.key.toLowerCase()
    const to = { arrowdown: at + 1, arrowup: at - 1, home: 0, end: all.length - 1 }[key]
    if (to !== undefined) all[(to + all.length) % all.length]?.focus()
    else if (event.key === 'Tab') return onDone(false)
    else if (event.key === 'Enter' || event.key === ' ' || event.key === 'Escape') {
      // keys of the page do not act; the item is pressed by the browser
      if (event.key !== 'Escape') event.stopPropagation()
      return
    } else if (key.length === 1 && !event.ctrlKey && !event.metaKey) {
      const after = [...all.slice(at + 1), ...all.slice(0, at + 1)]
      after.find(item => item.textContent?.toLowerCase().startsWith(key))?.focus()
    } else return
    stop(event)
  }
  return (
    <div ref={list} role="menu" aria-label={label} onKeyDown={onKeyDown}>
      {items.map(item => (
        <Item key={item.label} item={item} onDone={onDone} />
      ))}
    </div>
  )
}

function Item({ item, onDone }: { item: MenuItem; onDone: (refocus: boolean) => void }) {
  const classes = [item.isDanger ? 'danger' : '', item.isAfterLine ? 'after-line' : ''].filter(Boolean).join(' ')
  const content = (
    <>
      <span>{item.label}</span>
      {item.hint && <kbd>{item.hint}</kbd>}
    </>
  )
  if (item.to !== undefined) {
    return (
      <Link to={item.to} class={classes} role="menuitem" onClick={() => onDone(false)}>
        {content}
      </Link>
    )
  }
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      class={classes}
      aria-disabled={item.isDisabled || undefined}
      onClick={() => {
        if (item.isDisabled) return
        onDone(true)
        item.onSelect?.()
      }}
    >
      {content}
    </button>
  )
}
