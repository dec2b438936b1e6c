import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Application } from '../../../packages/sdk/src/generated.ts'
import type { OpenStatus } from '../../../src/contract/application-status.ts'
import { ApiError } from '../../ui/api.ts'
import { toast } from '../../ui/toast.tsx'
import { send } from '../api.ts'
import { isConflict, type Seen } from './conflict.ts'
import { type Candidate, candidateName, stageName } from './data.ts'
import { decide } from './decide.ts'
import type { MessageText } from './message-form.tsx'
import { cancelMessagesTo, leavingWords, type Queued, queueMessages } from './outgoing.ts'
import { statusBefore, toastWithUndo } from './undo.ts'
import { words } from './words.ts'

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
  /** Runs a change of what the reader saw. */
  decideSeen: <T>(change: (updatedAt: string) => Promise<T>) => Promise<T>
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
  const decideSeen: Versions['decideSeen'] = async change => {
    conflicted.current = false
    try {
      return await inTurn(() => decide(id, seen.current, change))
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
  return { latest, seen, overtaken, look, inTurn, decideSeen }
}

/** A rejection is undone together with its message; where that fails, the message is not sent, but kept. */
async function undoRejection(candidate: Candidate, rejected: Seen, to: OpenStatus, queued: Queued | undefined) {
  const { id } = candidate.application
  // first of all, so that it does not leave in the meantime
  const canceled = queued?.cancel()
  const restored = await decide(id, rejected, expected_updated_at =>
    send('/applications/{id}/status', { id }, { status: to, expected_updated_at }),
  ).catch(error => {
    queued?.keep()
    throw error
  })
  const state = `${candidateName(candidate)} is ${words(restored.status)} again`
  return canceled === undefined ? state : `${state}. The message was ${canceled ? 'not sent' : 'already on its way'}.`
}

const sendMove = (id: string, from: Seen, stage_id: string) =>
  decide(id, from, expected_updated_at =>
    send('/v1/applications/{application_handle}/move', { application_handle: id }, { stage_id, expected_updated_at }),
  )

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
  const ofApplication = { application_handle: id }
  const { latest, inTurn, decideSeen, ...versions } = useVersions(application, reload)
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
      const moved = await sendMove(id, from, stageId)
      const takeMoveBack = async () => {
        await sendMove(id, moved, from.stage_id)
        reload()
        return `${name} is back in ${stageName(candidate, from.stage_id)}`
      }
      toastWithUndo(`${name} moved to ${stageName(candidate, stageId)}`, takeMoveBack, { about: id })
    })

  const reject = async (reason: string, message: MessageText | undefined, noticeGivenOn: string | undefined) => {
    const notice = noticeGivenOn === undefined ? {} : { notice_given_on: noticeGivenOn }
    const rejected = await decideSeen(expected_updated_at =>
      send('/applications/{id}/reject', { id }, { reason, ...notice, expected_updated_at }),
    )
    closeDialog()
    onPatch({ status: 'rejected' })
    reload()
    const { status: before } = versions.seen.current
    const queued = message && queueMessages([{ applicationId: id, name, before }], message)
    const undo = async () => {
      const done = await undoRejection(candidate, rejected, statusBefore(before), queued)
      reload()
      return done
    }
    toastWithUndo(queued ? `${name} rejected. ${leavingWords(1)}` : `${name} rejected`, undo, { about: id })
  }

  const withdraw = async (reason: string) => {
    await decideSeen(expected_updated_at =>
      send('/applications/{id}/withdraw', { id }, { reason, expected_updated_at }),
    )
    closeDialog()
    toast('Application withdrawn')
    reload()
  }

  const reopen = () =>
    attempt(async from => {
      onPatch({ status: 'in_review' })
      await decide(id, from, expected_updated_at =>
        send('/v1/applications/{application_handle}/reopen', ofApplication, { expected_updated_at }),
      )
      const isCanceled = cancelMessagesTo(id)
      toast(
        isCanceled
          ? 'Application reopened. The message was not sent; its text is under Messages.'
          : 'Application reopened',
      )
    })

  const promote = (status: OpenStatus) =>
    attempt(async from => {
      onPatch({ status })
      await decide(id, from, expected_updated_at =>
        send('/applications/{id}/status', { id }, { status, expected_updated_at }),
      )
      toast(`Marked as ${words(status)}`)
    })

  const hire = async () => {
    try {
      await decideSeen(expected_updated_at =>
        send('/v1/applications/{application_handle}/hire', ofApplication, { expected_updated_at }),
      )
    } catch (error) {
      if (!(error instanceof ApiError && isConflict(error))) throw error
      closeDialog()
      return setConflict(versions.overtaken.current)
    }
    closeDialog()
    toast(`${name} hired`)
    reload()
  }

  return { ...versions, conflict, move, reject, withdraw, reopen, promote, hire }
}
