import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'
import { useLeaveGuard } from './router.tsx'
import { toast } from './toast.tsx'

/** An identifier that one click copies. */
export const Id = ({ value }: { value: string }) => (
  <span class="id">
    <code>{value}</code>
    <CopyButton value={value} label={`Copy ${value}`} />
  </span>
)

/** Falls back to the older API where the page may not write to the clipboard, as over plain http from another machine. */
async function toClipboard(text: string, near: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.setAttribute('aria-hidden', 'true')
    area.className = 'visually-hidden'
    near.after(area)
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
  const copy = async (pressed: Element) => {
    const done = await toClipboard(value, pressed)
    button.current?.focus()
    setCopied(done)
    if (!done) toast('Your browser does not allow copying. Select the text and copy it manually.', 'bad')
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class={text ? 'button secondary small' : 'copy'}
        onClick={event => copy(event.currentTarget)}
        aria-label={label}
        title={text ? undefined : 'Copy'}
      >
        <Icon name={copied ? 'check' : 'copy'} size={text ? 15 : 14} />
        {text && (copied ? 'Copied' : text)}
      </button>
      {/* announced here and not by a toast, which is inert while a dialog is open */}
      <span class="visually-hidden" role="status">
        {copied && 'Copied'}
      </span>
    </>
  )
}

/** Text to copy as a whole, such as a command. `name` describes it. */
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

interface IssuedProps {
  value: string
  name: string
  onDone: () => void
  /** shown below the secret */
  note?: ComponentChildren
  /** what to do with the secret */
  children?: ComponentChildren
}

/** A secret that is shown once, until the reader says that it is stored. */
export function IssuedSecret({ value, name, onDone, note, children }: IssuedProps) {
  useLeaveGuard(`The ${name} is shown only here. Leave without having stored it?`)
  return (
    <>
      <div class="secret">
        <p>
          <b>Copy it now. It will not be shown again.</b>
        </p>
        <CodeLine value={value} name={name} />
        {children}
      </div>
      {note}
      <div class="actions">
        <Button kind="primary" onClick={onDone}>
          I have stored the secret
        </Button>
      </div>
    </>
  )
}
