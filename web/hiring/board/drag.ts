import { useEffect } from 'preact/hooks'

/** Further than a hand trembles when it clicks. */
const START_PX = 6
/** So close to the edge of the board, it scrolls. */
const EDGE_PX = 64
const SCROLL_PX = 14

interface DragHandlers {
  /** applications that are dragged with the card; none: it cannot be dragged */
  idsFor: (id: string) => readonly string[]
  onStart: () => void
  /** the stage under the pointer, or none */
  onOver: (stageId: string | undefined) => void
  onDrop: (ids: readonly string[], stageId: string) => void
  onEnd: () => void
}

/** Cards (`data-drag`) are dragged with the mouse or a pen onto columns (`data-stage`). A finger scrolls instead. */
export function useDrag(board: { current: HTMLElement | null }, handlers: { current: DragHandlers }): void {
  useEffect(() => {
    const root = board.current
    if (!root) return
    let end: (() => void) | undefined
    const begin = (event: PointerEvent) => {
      const target = event.target as Element
      if (event.button !== 0 || event.pointerType === 'touch' || target.closest('button, input')) return
      const card = target.closest<HTMLElement>('[data-drag]')
      if (!card?.dataset['drag']) return
      const ids = handlers.current.idsFor(card.dataset['drag'])
      if (ids.length > 0) end = trackDrag(root, card, ids, event, handlers)
    }
    root.addEventListener('pointerdown', begin)
    return () => {
      root.removeEventListener('pointerdown', begin)
      end?.()
    }
  }, [board, handlers])
}

/** From the press to the release; the returned function ends it without a drop. */
function trackDrag(
  root: HTMLElement,
  card: HTMLElement,
  ids: readonly string[],
  press: PointerEvent,
  handlers: { current: DragHandlers },
): () => void {
  const box = card.getBoundingClientRect()
  let ghost: HTMLElement | undefined
  let over: string | undefined
  let pointer = { x: press.clientX, y: press.clientY }
  let frame = 0

  const look = () => {
    ghost!.style.transform = `translate(${pointer.x - press.clientX}px, ${pointer.y - press.clientY}px) rotate(1.5deg)`
    const column = document.elementFromPoint(pointer.x, pointer.y)?.closest<HTMLElement>('[data-stage]')
    const stage = column?.dataset['stage']
    if (stage === over) return
    over = stage
    handlers.current.onOver(stage)
  }
  const scroll = () => {
    const { left, right } = root.getBoundingClientRect()
    const by = pointer.x < left + EDGE_PX ? -SCROLL_PX : pointer.x > right - EDGE_PX ? SCROLL_PX : 0
    if (by !== 0) {
      root.scrollLeft += by
      look()
    }
    frame = requestAnimationFrame(scroll)
  }
  const start = () => {
    ghost = card.cloneNode(true) as HTMLElement
    ghost.classList.add('board-ghost')
    ghost.inert = true
    Object.assign(ghost.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px` })
    if (ids.length > 1) ghost.dataset['count'] = String(ids.length)
    document.body.append(ghost)
    document.body.classList.add('dragging-card')
    handlers.current.onStart()
    frame = requestAnimationFrame(scroll)
  }
  const move = (event: PointerEvent) => {
    if (event.pointerId !== press.pointerId) return
    pointer = { x: event.clientX, y: event.clientY }
    if (!ghost && Math.hypot(pointer.x - press.clientX, pointer.y - press.clientY) < START_PX) return
    if (!ghost) start()
    look()
  }
  const end = () => {
    for (const [type, listener] of Object.entries(listeners)) removeEventListener(type, listener as EventListener, true)
    if (!ghost) return
    cancelAnimationFrame(frame)
    ghost.remove()
    ghost = undefined
    document.body.classList.remove('dragging-card')
    handlers.current.onEnd()
  }
  const drop = (event: PointerEvent) => {
    if (event.pointerId !== press.pointerId) return
    const target = ghost && over
    if (ghost) addEventListener('click', swallow, { capture: true, once: true })
    // a drag that ends elsewhere is followed by no click
    setTimeout(() => removeEventListener('click', swallow, true))
    end()
    if (target !== undefined) handlers.current.onDrop(ids, target)
  }
  const listeners = {
    pointermove: move,
    pointerup: drop,
    pointercancel: end,
    // only the window ends it; elements lose the focus all the time
    blur: (event: Event) => {
      if (event.target === window) end()
    },
    keydown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !ghost) return
      event.preventDefault()
      event.stopPropagation()
      end()
    },
  }
  for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener as EventListener, true)
  return end
}

const swallow = (event: Event): void => {
  event.preventDefault()
  event.stopPropagation()
}
