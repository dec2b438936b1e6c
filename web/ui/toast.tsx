import { useEffect, useState } from 'preact/hooks'

interface ToastAction {
  /** `Undo` */
  title: string
  run: () => void
}

interface Toast {
  id: number
  text: string
  tone: 'good' | 'bad'
  action: ToastAction | undefined
  /** the record it is about: a later one about the same takes its place */
  about: string | undefined
}

const TOAST_MS = 5_000
/** A mistake is noticed only after a moment. */
const WITH_ACTION_MS = 10_000

/** Names in a sentence must not change the reading direction of the rest of it. */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g

let showToast: (toast: Omit<Toast, 'id'>) => () => void = () => () => {}

/** A short message about what was just done, and how to take it back; also read by screen readers. Returns what closes it. */
export const toast = (text: string, tone: Toast['tone'] = 'good', action?: ToastAction, about?: string): (() => void) =>
  showToast({ text: text.replace(OVERRIDES, ''), tone, action, about })

export function Toasts() {
  const [shown, setShown] = useState<Toast[]>([])
  const remove = (id: number) => setShown(before => before.filter(t => t.id !== id))
  useEffect(() => {
    let last = 0
    showToast = toast => {
      const id = ++last
      setShown(before => {
        const others = before.filter(({ about }) => about === undefined || about !== toast.about)
        return [...others.slice(-2), { ...toast, id }]
      })
      setTimeout(() => remove(id), toast.action ? WITH_ACTION_MS : TOAST_MS)
      return () => remove(id)
    }
  }, [])
  return (
    <div class="toasts" aria-live="polite">
      {shown.map(({ id, text, tone, action }) => (
        <div key={id} class={`toast ${tone}`}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              onClick={() => {
                remove(id)
                action.run()
              }}
            >
              {action.title}
            </button>
          )}
        </div>
      ))}
    </div>
  )
}
