import { ApiError } from '../../ui/api.ts'
import { toast } from '../../ui/toast.tsx'

/** The same ten seconds as the button of the toast. */
export const UNDO_MS = 10_000

/** Takes something back, and says what is true then. */
type Undo = () => Promise<string>

let latest: { run: () => void; until: number } | undefined

/** Says what was done, and takes it back for ten seconds, once: by the button, or by the key. */
export function toastWithUndo(text: string, undo: Undo): void {
  const mine = {
    run: () => {
      if (latest === mine) latest = undefined
      close()
      void attempt(undo)
    },
    until: performance.now() + UNDO_MS,
  }
  latest = mine
  const close = toast(text, 'good', { title: 'Undo', run: mine.run })
}

export function undoLatest(): void {
  const last = latest
  latest = undefined
  if (!last || performance.now() > last.until) toast('There is nothing left to undo.', 'bad')
  else last.run()
}

async function attempt(undo: Undo): Promise<void> {
  try {
    toast(await undo())
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast(error.status === 409 ? 'Someone changed it since; it was not undone.' : error.message, 'bad')
  }
}
