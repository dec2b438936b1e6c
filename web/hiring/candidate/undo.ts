import { ApiError } from '../../ui/api.ts'
import { toast } from '../../ui/toast.tsx'

/** The same ten seconds as the button of the toast. */
const UNDO_MS = 10_000

let latest: { run: () => Promise<void>; until: number } | undefined

/** Says what was done, and takes it back for ten seconds: by the button, or by the key. */
export function toastWithUndo(text: string, undo: () => Promise<void>): void {
  const mine = { run: undo, until: performance.now() + UNDO_MS }
  latest = mine
  toast(text, 'good', {
    title: 'Undo',
    run: () => {
      if (latest === mine) undoLatest()
      else void attempt(undo)
    },
  })
}

export function undoLatest(): void {
  const last = latest
  latest = undefined
  if (!last || performance.now() > last.until) toast('There is nothing to take back any more.', 'bad')
  else void attempt(last.run)
}

async function attempt(undo: () => Promise<void>): Promise<void> {
  try {
    await undo()
    toast('Taken back')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const stale = error.status === 409
    toast(stale ? 'Someone changed it since; it was not taken back.' : error.message, 'bad')
  }
}
