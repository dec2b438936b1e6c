import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const BASE = '/console'

const listeners = new Set<() => void>()
const changed = () => {
  for (const listener of listeners) listener()
}
addEventListener('popstate', changed)

/** Paths in the program are those below /console. */
export const pathNow = (): string => location.pathname.slice(BASE.length).replace(/\/$/, '') || '/'

export function navigate(path: string, opts: { replace?: true } = {}): void {
  const address = BASE + (path === '/' ? '' : path)
  if (opts.replace) history.replaceState(null, '', address)
  else {
    history.pushState(null, '', address)
    scrollTo(0, 0)
  }
  changed()
}

/** The address now; draws again when it changes. */
export function useAddress(): { path: string; search: string } {
  const [, draw] = useState(0)
  useEffect(() => {
    const listener = () => draw(n => n + 1)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [])
  return { path: pathNow(), search: location.search }
}

/** Filters in the address: one that is empty is left out. */
export function useFilters<const N extends string>(
  names: readonly N[],
): [Record<N, string>, (changes: Partial<Record<N, string>>) => void] {
  const { search } = useAddress()
  const given = new URLSearchParams(search)
  const values = Object.fromEntries(names.map(name => [name, given.get(name) ?? ''])) as Record<N, string>
  const set = (changes: Partial<Record<N, string>>) => {
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(changes) as [string, string][]) {
      if (value === '') next.delete(name)
      else next.set(name, value)
    }
    const text = next.toString()
    navigate(pathNow() + (text ? `?${text}` : ''), { replace: true })
  }
  return [values, set]
}

export const hrefOf = (path: string): string => BASE + (path === '/' ? '' : path)

interface LinkProps {
  to: string
  class?: string | undefined
  current?: boolean
  children: ComponentChildren
  onClick?: () => void
}

/** A link within the console: a real one, so that it opens in a new tab as any other. */
export function Link({ to, class: name, current, children, onClick }: LinkProps) {
  return (
    <a
      href={hrefOf(to)}
      class={name}
      aria-current={current ? 'page' : undefined}
      onClick={event => {
        if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onClick?.()
        navigate(to)
      }}
    >
      {children}
    </a>
  )
}

/** `/keys/:id` against `/keys/pk_1`: the parts with names, or undefined. */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, part] of wanted.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(given[i]!)
    else if (part !== given[i]) return undefined
  }
  return params
}
