import { ApiError } from '../../ui/api.ts'
import { toast } from '../../ui/toast.tsx'

/** The same ten seconds as the button of the toast. */
export const UNDO_MS = 10_000

/** Takes something back, and says what is true then; undefined: that was said already. */
type Undo = () => Promise<string | undefined>

interface UndoOptions {
  /** the application, where it is one */
  about?: string | undefined
  ms?: number
}

interface Undoable {
  run: () => void
  until: number
}

/** All pages share it: what was done on a board is undone on the page of a candidate, too. The latest is the last. */
let undoable: Undoable[] = []

/** Says what was done, and takes it back for ten seconds, once: by the button, or by the key. */
export function toastWithUndo(text: string, undo: Undo, { about, ms = UNDO_MS }: UndoOptions = {}): void {
  const mine = {
    run: () => {
      // by its button or by its key, but once
      if (!undoable.includes(mine)) return
      end()
      void attempt(undo, about)
    },
    until: performance.now() + ms,
  }
  const end = () => {
    undoable = undoable.filter(one => one !== mine)
    close()
  }
  undoable.push(mine)
  const close = toast(text, 'good', { title: 'Undo', run: mine.run }, about)
  setTimeout(end, ms)
}

export function undoLatest(): void {
  const last = undoable.findLast(({ until }) => performance.now() <= until)
  if (last) last.run()
  else toast('There is nothing left to undo.', 'bad')
}

async function attempt(undo: Undo, about: string | undefined): Promise<void> {
  try {
    const done = await undo()
    if (done !== undefined) toast(done, 'good', undefined, about)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast(
      error.status === 409 ? 'Someone changed it since; it was not undone.' : error.message,
      'bad',
      undefined,
      about,
    )
  }
}
