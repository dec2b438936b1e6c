import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface TabsProps {
  label: string
  /** which of them is the current one: it is scrolled into sight where they are wider than the screen */
  current: string
  class?: string
  children: ComponentChildren
}

/** Links to the parts of a record, in one line. */
export function Tabs({ label, current, class: name, children }: TabsProps) {
  const nav = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const link = nav.current?.querySelector('[aria-current]')?.getBoundingClientRect()
    if (!nav.current || !link) return
    const shown = nav.current.getBoundingClientRect()
    // the page itself is not scrolled
    nav.current.scrollLeft += link.left + link.width / 2 - shown.left - shown.width / 2
  }, [current])
  return (
    <nav ref={nav} class={name ? `tabs ${name}` : 'tabs'} aria-label={label}>
      {children}
    </nav>
  )
}
