import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Where the program is served: `/console` or `/hiring`. */
export const BASE = `/${location.pathname.split('/')[1]}`

const listeners = new Set<() => void>()
const changed = () => {
  for (const listener of listeners) listener()
}

/** What would be lost by leaving the page, as the questions that are asked then. */
const unsavedPrompts = new Set<string>()

/** A way out of the page that waits for a response to its question. */
export interface Leaving {
  question: string
  leave: () => void
}

let leaving: Leaving | undefined

/** Does it now, or after the reader agreed to lose what was entered. */
function leaveBy(leave: () => void): void {
  const question = [...unsavedPrompts].at(-1)
  if (question === undefined) {
    leave()
    return
  }
  leaving = {
    question,
    leave: () => {
      unsavedPrompts.clear()
      leave()
    },
  }
  changed()
}

/** What waits for a response, and what ends the waiting. The frame of the program asks in a dialog. */
export function useLeaving(): [Leaving | undefined, stay: () => void] {
  useAddress()
  const stay = () => {
    leaving = undefined
    changed()
  }
  return [leaving, stay]
}

/** What is asked about where a form is half filled in. */
export const ENTERED = 'Your changes will be lost.'

/** While `question` is set, leaving the page asks for confirmation. */
export function useLeaveGuard(question: string | false): void {
  useEffect(() => {
    if (!question) return
    unsavedPrompts.add(question)
    return () => void unsavedPrompts.delete(question)
  }, [question])
}

let shown = location.href
let back = false

/** Whether the page was reached with the browser's back or forward button. */
export const isBackNavigation = (): boolean => back

addEventListener('beforeunload', event => {
  if (unsavedPrompts.size > 0) event.preventDefault()
})
// pages are drawn later than the browser would scroll
history.scrollRestoration = 'manual'
addEventListener('popstate', () => {
  if (location.pathname !== new URL(shown).pathname && unsavedPrompts.size > 0) {
    history.pushState(null, '', shown)
    leaveBy(() => history.back())
    return
  }
  back = true
  shown = location.href
  changed()
})

/** Where the page was scrolled to when it was left. */
export const savedScroll = (): number => (back ? (history.state?.y ?? 0) : 0)

/** Paths in the program are those below its base. */
export const pathNow = (): string => location.pathname.slice(BASE.length).replace(/\/$/, '') || '/'

/** Goes to another page; with `replace` without a question and without a step of its own to go back to. */
export function navigate(path: string, opts: { replace?: true } = {}): void {
  const address = BASE + (path === '/' ? '' : path)
  const go = () => {
    if (opts.replace) history.replaceState(null, '', address)
    else {
      const before = location.pathname
      history.replaceState({ y: scrollY }, '')
      history.pushState(null, '', address)
      // another part of the same page stays where it is
      if (location.pathname !== before) scrollTo(0, 0)
      back = false
    }
    shown = location.href
    changed()
  }
  if (opts.replace) go()
  else leaveBy(go)
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

export const buildHref = (path: string): string => BASE + (path === '/' ? '' : path)

interface LinkProps {
  /** in a menu: its item */
  role?: 'menuitem'
  to: string
  class?: string | undefined
  current?: boolean
  /** what it is called where it shows no text */
  label?: string
  children: ComponentChildren
  onClick?: () => void
}

/** A link within the program: a real one, so that it opens in a new tab as any other. */
export function Link({ to, class: name, current, role, label, children, onClick }: LinkProps) {
  return (
    <a
      role={role}
      href={buildHref(to)}
      class={name}
      aria-current={current ? 'page' : undefined}
      aria-label={label}
      title={label}
      onClick={event => {
        if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        navigate(to)
        onClick?.()
      }}
    >
      {children}
    </a>
  )
}

/** `/keys/:id`: id */
export type ParamName<P extends string> = P extends `${infer A}/${infer B}`
  ? ParamName<A> | ParamName<B>
  : P extends `:${infer Name}`
    ? Name
    : never

/** `/keys/:id` against `/keys/pk_1`: the parts with names, or undefined. */
export function match<P extends string>(pattern: P, path: string): Record<ParamName<P>, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, part] of given.entries()) {
    const name = wanted[i]
    // as written in the URL: identifiers need no escapes, so anything escaped is not an identifier
    if (name?.startsWith(':')) params[name.slice(1)] = part
    else if (part !== name) return undefined
  }
  return params as Record<ParamName<P>, string>
}
