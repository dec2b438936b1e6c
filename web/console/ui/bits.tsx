import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiError } from '../api.ts'
import { useLeaveGuard } from '../router.tsx'
import { Icon } from './icons.tsx'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'accent' | 'plain'

export const Tag = ({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={tone === 'plain' ? 'tag' : `tag ${tone}`}>{children}</span>
)

/** A state, with a dot so that it is found while scrolling; the word says it. */
export const State = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`state ${tone}`}>{children}</span>
)

interface ButtonProps {
  children: ComponentChildren
  kind?: 'primary' | 'secondary' | 'danger'
  small?: boolean
  type?: 'button' | 'submit'
  disabled?: boolean
  busy?: boolean
  title?: string | undefined
  onClick?: () => void
}

export const Button = (props: ButtonProps) => {
  const { children, kind = 'secondary', small, type = 'button', disabled, busy, title, onClick } = props
  const classes = ['button', kind === 'primary' ? '' : kind, small ? 'small' : '', busy ? 'busy' : '']
  return (
    <button
      type={type}
      class={classes.filter(Boolean).join(' ')}
      disabled={disabled}
      // not `disabled`, which would take the focus from whoever pressed it
      aria-disabled={busy || undefined}
      aria-busy={busy}
      title={title}
      onClick={event => {
        if (busy) event.preventDefault()
        else onClick?.()
      }}
    >
      {children}
    </button>
  )
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const exact = new Intl.DateTimeFormat('en', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
})
const dayOnly = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
export const count = new Intl.NumberFormat('en')

/** `1 delivery`, `2,000 deliveries` */
export const amount = (n: number, one: string, many = `${one}s`): string => `${count.format(n)} ${n === 1 ? one : many}`

export function ago(iso: string, now = Date.now()): string {
  const ms = Date.parse(iso) - now
  const size = Math.abs(ms)
  // without the points of abbreviations, which would end a sentence
  const words = (step: number, unit: 'minute' | 'hour' | 'day') =>
    relative.format(Math.round(ms / step), unit).replace('.', '')
  if (size < MINUTE) return ms <= 0 ? 'just now' : 'in a moment'
  if (size < HOUR) return words(MINUTE, 'minute')
  if (size < DAY) return words(HOUR, 'hour')
  if (size < 30 * DAY) return words(DAY, 'day')
  return dayOnly.format(new Date(iso))
}

const TICK_MS = 20_000
const ticking = new Set<() => void>()
setInterval(() => {
  for (const tick of ticking) tick()
}, TICK_MS)

/** Draws again from time to time, so that "just now" does not stay on a page that is left open. */
function useTick(): void {
  const [, draw] = useState(0)
  useEffect(() => {
    const tick = () => draw(n => n + 1)
    ticking.add(tick)
    return () => void ticking.delete(tick)
  }, [])
}

/** A time as people say it; the exact one on hover and for the record. */
export function Time({ at, never = '–' }: { at: string | null; never?: string }) {
  useTick()
  if (at === null) return <span class="faint">{never}</span>
  return (
    <time dateTime={at} title={`${exact.format(new Date(at))} (${at})`}>
      {ago(at)}
    </time>
  )
}

export const ExactTime = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {exact.format(new Date(at))}
  </time>
)

/** An identifier that one click copies. */
export const Id = ({ value }: { value: string }) => (
  <span class="id">
    <code>{value}</code>
    <CopyButton value={value} label={`Copy ${value}`} />
  </span>
)

/** Where the page may not write to the clipboard, as over plain http from another machine, the older way is tried. */
async function toClipboard(text: string, near: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.setAttribute('aria-hidden', 'true')
    area.className = 'visually-hidden'
    near.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}

const COPIED_MS = 2_000

export function CopyButton({ value, label, text }: { value: string; label: string; text?: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    const done = await toClipboard(value, button.current!.parentElement!)
    button.current?.focus()
    setCopied(done)
    if (!done) toast('The browser does not let the page copy. Select the text and copy it by hand.', 'bad')
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class={text ? 'button secondary small' : 'copy'}
        onClick={copy}
        aria-label={label}
        title={text ? undefined : 'Copy'}
      >
        <Icon name={copied ? 'check' : 'copy'} size={text ? 15 : 14} />
        {text && (copied ? 'Copied' : text)}
      </button>
      {/* said here and not in the corner of the page, which is out of reach while a dialog is open */}
      <span class="visually-hidden" role="status">
        {copied && 'Copied'}
      </span>
    </>
  )
}

/** Text to be copied whole, such as a command. `name` says what it is. */
export const CodeLine = ({ value, name }: { value: string; name: string }) => (
  <div class="code-line">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
    <section class="code-frame" tabIndex={0} aria-label={name}>
      <pre>
        <code>{value}</code>
      </pre>
    </section>
    <CopyButton value={value} label={`Copy ${name}`} text="Copy" />
  </div>
)

/** A secret that is shown once, with what to do with it. */
export function Secret({ value, name, children }: { value: string; name: string; children?: ComponentChildren }) {
  useLeaveGuard(`The ${name} is shown only here. Leave without having stored it?`)
  return (
    <div class="secret">
      <p>
        <b>Copy it now: it is not shown again.</b>
      </p>
      <CodeLine value={value} name={name} />
      {children}
    </div>
  )
}

/** Text of the catalogues, with `code` in backticks. */
export const Prose = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
)

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children && <div class="soft">{children}</div>}
  </div>
)

export function ErrorNote({ error, retry }: { error: ApiError; retry?: () => void }) {
  return (
    <div class="notice bad" role="alert">
      <p>
        {error.message}{' '}
        {error.status === 401 && (
          <a href="/sign-in" target="_blank" rel="noreferrer">
            Sign in
          </a>
        )}
      </p>
      {error.requestId && error.status >= 500 && (
        <p class="small">
          Request <code>{error.requestId}</code>, which finds it in the log.
        </p>
      )}
      {retry && (
        <p>
          <Button small onClick={retry}>
            Try again
          </Button>
        </p>
      )}
    </div>
  )
}

export const Notice = ({
  tone = 'info',
  children,
}: {
  tone?: 'info' | 'good' | 'warn' | 'bad'
  children: ComponentChildren
}) => <div class={`notice ${tone}`}>{children}</div>

/** Grey lines where something will be. */
export const Skeleton = ({ lines = 6 }: { lines?: number }) => (
  <div class="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, i) => (
      <span key={i} />
    ))}
  </div>
)

let showToast: (text: string, tone: 'good' | 'bad') => void = () => {}

/** A short word on what was just done; also read out. */
export const toast = (text: string, tone: 'good' | 'bad' = 'good'): void => showToast(text, tone)

const TOAST_MS = 5_000

export function Toasts() {
  const [shown, setShown] = useState<{ id: number; text: string; tone: string }[]>([])
  useEffect(() => {
    let id = 0
    showToast = (text, tone) => {
      const entry = { id: ++id, text, tone }
      setShown(before => [...before.slice(-2), entry])
      setTimeout(() => setShown(before => before.filter(t => t !== entry)), TOAST_MS)
    }
  }, [])
  return (
    <div class="toasts" aria-live="polite">
      {shown.map(({ id, text, tone }) => (
        <div key={id} class={`toast ${tone}`}>
          {text}
        </div>
      ))}
    </div>
  )
}

/** The choice is kept where the other pages of the service look for it (theme.js). */
export function ThemeButton() {
  const toggle = () => {
    const root = document.documentElement
    const dark = root.dataset['theme']
      ? root.dataset['theme'] === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset['theme'] = dark ? 'light' : 'dark'
    try {
      localStorage.setItem('theme', root.dataset['theme'])
    } catch {
      // storage switched off: the choice lasts as long as the page
    }
  }
  return (
    <button type="button" class="icon-button" aria-label="Switch between light and dark" onClick={toggle}>
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <path d="M10 3a7 7 0 1 0 0 14z" fill="currentColor" />
        <circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="1.6" />
      </svg>
    </button>
  )
}
