import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface PopoverProps {
  /** what it belongs to, and is drawn below or above */
  anchor: HTMLElement
  /** `refocus`: the focus goes back to the anchor */
  onClose: (refocus: boolean) => void
  /** at the right edge of the anchor instead of the left one */
  alignEnd?: boolean
  /** at least as wide as the anchor */
  isAsWide?: boolean
  class?: string
  children: ComponentChildren
}

const GAP_PX = 4
const EDGE_PX = 8

/**
 * Floats above everything, dialogs too, until Escape, a press elsewhere or the focus elsewhere closes it. Escape closes
 * this layer alone.
 */
export function Popover({ anchor, onClose, alignEnd, isAsWide, class: name, children }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  /** what is inside can have the focus */
  const [isShown, setShown] = useState(false)
  close.current = onClose

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    element.showPopover()
    setShown(true)
    const place = () => {
      const from = anchor.getBoundingClientRect()
      const below = innerHeight - from.bottom - GAP_PX - EDGE_PX
      const above = from.top - GAP_PX - EDGE_PX
      element.style.minWidth = isAsWide ? `${from.width}px` : ''
      element.style.maxHeight = ''
      const { width, height } = element.getBoundingClientRect()
      const isBelow = height <= below || below >= above
      element.style.maxHeight = `${Math.max(120, isBelow ? below : above)}px`
      element.style.top = isBelow ? `${from.bottom + GAP_PX}px` : ''
      element.style.bottom = isBelow ? '' : `${innerHeight - from.top + GAP_PX}px`
      const left = alignEnd ? from.right - width : from.left
      element.style.left = `${Math.max(EDGE_PX, Math.min(left, innerWidth - width - EDGE_PX))}px`
    }
    place()
    const isInside = (target: EventTarget | null) =>
      target instanceof Node && (element.contains(target) || anchor.contains(target))
    const closeFor = ({ target }: Event) => {
      if (!isInside(target)) close.current(false)
    }
    const observer = new ResizeObserver(place)
    observer.observe(element)
    document.addEventListener('pointerdown', closeFor, true)
    document.addEventListener('focusin', closeFor)
    document.addEventListener('scroll', place, true)
    addEventListener('resize', place)
    return () => {
      observer.disconnect()
      document.removeEventListener('pointerdown', closeFor, true)
      document.removeEventListener('focusin', closeFor)
      document.removeEventListener('scroll', place, true)
      removeEventListener('resize', place)
    }
  }, [anchor])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only Escape is handled here, which belongs to what is inside
    <div
      ref={box}
      class={name ? `popover ${name}` : 'popover'}
      popover="manual"
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        stop(event)
        onClose(true)
      }}
    >
      {isShown && children}
    </div>
  )
}

/** The event is handled: neither the browser nor a layer below does anything with it. */
export function stop(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
