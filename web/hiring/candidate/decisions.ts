import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Application } from '../../../packages/sdk/src/generated.ts'
import { ApiError } from '../../ui/api.ts'
import { toast } from '../../ui/toast.tsx'
import { send } from '../api.ts'
import type { Hire } from '../decisions/hire-dialog.tsx'
import type { Rejection } from '../decisions/reject-dialog.tsx'
import type { Withdrawal } from '../decisions/withdraw-dialog.tsx'
import { t } from '../texts/index.ts'
import { type ApplicationChange, type Changed, changeOne } from './change.ts'
import { isConflict, type Seen } from './conflict.ts'
import { type Candidate, candidateName, stageName } from './data.ts'
import { toastWithUndo } from './undo.ts'

type Change = Omit<ApplicationChange, 'id' | 'expected'>

interface Versions {
  /** as it is drawn now */
  latest: { current: Seen }
  /** A dialog decides about what its reader saw when it opened, also when live changes draw the page again below it. */
  seen: { current: Seen }
  /** what the reader had decided about when someone else was faster */
  overtaken: { current: Seen }
  /** what is shown now is what the next decision is about */
  look: () => void
  /** One after the other: a change is about what the one before it made of the application. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
  /** Makes a change of what the reader saw. */
  changeSeen: (change: Change) => Promise<Changed>
}

/** Which state of an application its reader decides about. */
function useVersions({ id, stage_id, status }: Application, reload: () => void): Versions {
  const now: Seen = { stage_id, status }
  const latest = useRef(now)
  latest.current = now
  const seen = useRef(now)
  const overtaken = useRef(now)
  // after a conflict the dialog says what it is now, as often as that changes: the next attempt is about that
  const conflicted = useRef(false)
  useLayoutEffect(() => {
    if (conflicted.current) seen.current = latest.current
  }, [stage_id, status])
  const before = useRef<Promise<unknown>>(Promise.resolve())
  const inTurn: Versions['inTurn'] = work => {
    const turn = before.current.then(work)
    before.current = turn.catch(() => undefined)
    return turn
  }
  const changeSeen: Versions['changeSeen'] = async change => {
    conflicted.current = false
    try {
      return await inTurn(() => changeOne(id, seen.current, change))
    } catch (failure) {
      if (failure instanceof ApiError && isConflict(failure)) {
        // the live change may be here already, or comes with the next read
        conflicted.current = true
        overtaken.current = seen.current
        seen.current = latest.current
        reload()
      }
      throw failure
    }
  }
  const look = () => {
    conflicted.current = false
    seen.current = now
  }
  return { latest, seen, overtaken, look, inTurn, changeSeen }
}

interface Page {
  candidate: Candidate
  /** reads the candidate again */
  reload: () => void
  /** a change that is shown before the service has confirmed it; undefined takes it back */
  onPatch: (patch: Partial<Application> | undefined) => void
  closeDialog: () => void
  /** the next candidate of the list, where the reader goes on after a decision */
  onDecided: () => void
}

/** What its reader decides about an application. What someone else changed first is explained, and nothing is overwritten. */
export function useDecisions({ candidate, reload, onPatch, closeDialog, onDecided }: Page) {
  const { application } = candidate
  const { id } = application
  const name = candidateName(candidate)
  const { latest, inTurn, changeSeen, ...versions } = useVersions(application, reload)
  /** what a change without a dialog was about, which was refused */
  const [conflict, setConflict] = useState<Seen>()

  const attempt = async (change: (from: Seen) => Promise<void>) => {
    const from = latest.current
    setConflict(undefined)
    try {
      await inTurn(() => change(from))
    } catch (error) {
      onPatch(undefined)
      if (!(error instanceof ApiError)) throw error
      if (isConflict(error)) setConflict(from)
      else toast(error.message, 'bad')
    }
    reload()
  }

  /** For ten seconds; the state before is known to the service. */
  const offerUndo = (text: string, after: Changed) => {
    const undo = async () => {
      const undone = await changeOne(id, after, { action: 'undo' })
      reload()
      return undoneWords(name, [[after.mail, undone.mail]])
    }
    toastWithUndo(text, undo, { about: id })
  }

  const move = (stageId: string) =>
    attempt(async from => {
      onPatch({ stage_id: stageId })
      const moved = await changeOne(id, from, { action: 'move', stage_id: stageId })
      offerUndo(t.decisions.movedTo(name, stageName(candidate, stageId)), moved)
      onDecided()
    })

  /** A decision of a dialog, which closes when it is made. */
  const decide = async (change: Change, words: (made: Changed) => string) => {
    const made = await changeSeen(change)
    closeDialog()
    // with its stage: the next decision is about both
    onPatch({ stage_id: made.stage_id, status: made.status })
    reload()
    offerUndo(words(made), made)
    return made
  }

  const reject = async (rejection: Rejection) => {
    await decide({ action: 'reject', ...rejection }, made => withMail(t.decisions.wasRejected(name), made))
    onDecided()
  }

  const withdraw = async (withdrawal: Withdrawal) => {
    await decide({ action: 'withdraw', ...withdrawal }, () => t.decisions.wasWithdrawn(name))
    onDecided()
  }

  const hire = async ({ start_date, closesJob }: Hire) => {
    const date = start_date === undefined ? {} : { start_date }
    await decide({ action: 'hire', ...date }, () => t.decisions.wasHired(name))
    if (closesJob)
      await send('/v1/jobs/{job_handle}/close', { job_handle: application.job_id }, {}).catch(error => {
        if (error instanceof ApiError) toast(error.message, 'bad')
      })
  }

  const reopen = () =>
    attempt(async from => {
      onPatch({ status: 'in_review' })
      await changeOne(id, from, { action: 'reopen' })
      toast(t.decisions.wasReopened(name), 'good', undefined, id)
    })

  const unhire = () =>
    attempt(async from => {
      await changeOne(id, from, { action: 'unhire' })
      toast(t.decisions.hireTakenBack(name), 'good', undefined, id)
    })

  return { ...versions, conflict, move, reject, withdraw, reopen, hire, unhire }
}

/** What is true after rejections were taken back. Each has two outcomes of its message: of the rejection, and of Undo. */
export function undoneWords(who: string, mails: readonly (readonly [Changed['mail'], Changed['mail']])[]): string {
  const waiting = mails.filter(([before]) => before && 'scheduled_for' in before)
  if (waiting.length === 0) return t.decisions.undone(who, mails.length)
  const isKept = waiting.every(([, now]) => now && 'canceled' in now && now.canceled > 0)
  return (isKept ? t.decisions.undoneAndCanceled : t.decisions.undoneTooLate)(who, mails.length)
}

/** What was decided, and when its message leaves or why there is none. */
export function withMail(text: string, { mail, updated_at }: Pick<Changed, 'mail' | 'updated_at'>): string {
  if (!mail || 'canceled' in mail) return text
  if ('blocked' in mail) return `${text} ${t.decisions.withoutMessage}.`
  // both times are the service's: the clock of this computer may be wrong
  const soon = mail.scheduled_for === null || Date.parse(mail.scheduled_for) - Date.parse(updated_at) < 60_000
  return `${text} ${soon ? t.decisions.messageLeaves : t.decisions.messageLater}`
}
