import { useEffect, useState } from 'preact/hooks'

let showToast: (text: string, tone: 'good' | 'bad') => void = () => {}

/** A short message about what was just done; also read by screen readers. */
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
