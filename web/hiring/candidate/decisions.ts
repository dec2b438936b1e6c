import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Application } from '../../../packages/sdk/src/generated.ts'
import { ApiError } from '../../ui/api.ts'
import { toast } from '../../ui/toast.tsx'
import { type ApplicationChange, type Changed, changeOne } from './change.ts'
import { isConflict, type Seen } from './conflict.ts'
import { type Candidate, candidateName, stageName } from './data.ts'
import type { MessageText } from './message-form.tsx'
import { cancelMessagesTo, leavingWords, type Queued, queueMessages } from './outgoing.ts'
import { statusBefore, toastWithUndo } from './undo.ts'
import { words } from './words.ts'

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

/** A rejection is undone together with its message; where that fails, the message is not sent, but kept. */
async function undoRejection(candidate: Candidate, rejected: Seen, queued: Queued | undefined) {
  // first of all, so that it does not leave in the meantime
  const canceled = queued?.cancel()
  const restored = await changeOne(candidate.application.id, rejected, { action: 'undo' }).catch(error => {
    queued?.keep()
    throw error
  })
  const state = `${candidateName(candidate)} is ${words(restored.status)} again`
  return canceled === undefined ? state : `${state}. The message was ${canceled ? 'not sent' : 'already on its way'}.`
}

interface Page {
  candidate: Candidate
  /** reads the candidate again */
  reload: () => void
  /** a change that is shown before the service has confirmed it; undefined takes it back */
  onPatch: (patch: Partial<Application> | undefined) => void
  closeDialog: () => void
}

/** What its reader decides about an application. What someone else changed first is explained, and nothing is overwritten. */
export function useDecisions({ candidate, reload, onPatch, closeDialog }: Page) {
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

  const move = (stageId: string) =>
    attempt(async from => {
      onPatch({ stage_id: stageId })
      const moved = await changeOne(id, from, { action: 'move', stage_id: stageId })
      const takeMoveBack = async () => {
        await changeOne(id, moved, { action: 'undo' })
        reload()
        return `${name} is back in ${stageName(candidate, from.stage_id)}`
      }
      toastWithUndo(`${name} moved to ${stageName(candidate, stageId)}`, takeMoveBack, { about: id })
    })

  const reject = async (reason: string, message: MessageText | undefined, noticeGivenOn: string | undefined) => {
    const notice = noticeGivenOn === undefined ? {} : { notice_given_on: noticeGivenOn }
    const rejected = await changeSeen({ action: 'reject', reason, ...notice })
    closeDialog()
    onPatch({ status: 'rejected' })
    reload()
    const { status: before } = versions.seen.current
    const queued = message && queueMessages([{ applicationId: id, name, before: statusBefore(before) }], message)
    const undo = async () => {
      const done = await undoRejection(candidate, rejected, queued)
      reload()
      return done
    }
    toastWithUndo(queued ? `${name} rejected. ${leavingWords(1)}` : `${name} rejected`, undo, { about: id })
  }

  const withdraw = async (reason: string) => {
    await changeSeen({ action: 'withdraw', reason })
    closeDialog()
    toast('Application withdrawn')
    reload()
  }

  const reopen = () =>
    attempt(async from => {
      onPatch({ status: 'in_review' })
      await changeOne(id, from, { action: 'reopen' })
      const isCanceled = cancelMessagesTo(id)
      toast(
        isCanceled
          ? 'Application reopened. The message was not sent; its text is under Messages.'
          : 'Application reopened',
      )
    })

  const hire = async () => {
    try {
      await changeSeen({ action: 'hire' })
    } catch (error) {
      if (!(error instanceof ApiError && isConflict(error))) throw error
      closeDialog()
      return setConflict(versions.overtaken.current)
    }
    closeDialog()
    toast(`${name} hired`)
    reload()
  }

  return { ...versions, conflict, move, reject, withdraw, reopen, hire }
}
