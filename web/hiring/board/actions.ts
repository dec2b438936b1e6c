import { useRef, useState } from 'preact/hooks'
import { amount } from '../../ui/numbers.ts'
import { onlyOf } from '../../ui/only-of.ts'
import { toast } from '../../ui/toast.tsx'
import { authorOfStep, overtakenWords } from '../candidate/conflict.ts'
import type { MessageText } from '../candidate/message-form.tsx'
import { leavingWords, type Queued, queueMessages } from '../candidate/outgoing.ts'
import { toastWithUndo, undoLatest } from '../candidate/undo.ts'
import type { ChangeOutcome, DoneChange, RefusedChange, Target, WantedChange } from './changes.ts'
import type { BoardStore } from './store.ts'
import { cardName } from './words.ts'

export interface BoardActions {
  move: (targets: readonly Target[], stageId: string) => void
  /** What became of it; where only one was to be rejected and was not, the caller says why. */
  reject: (
    targets: readonly Target[],
    reason: string,
    message?: MessageText,
    noticeGivenOn?: string,
  ) => Promise<ChangeOutcome | undefined>
  /** takes the last move or rejection back, within ten seconds */
  undo: () => void
  /** What the last change of many did not do, and why. */
  refused: readonly RefusedChange[]
  closeRefused: () => void
}

/** Changes of the reader, said in toasts: what was done, how to take it back, and what was refused. */
export function useBoardActions(shown: BoardStore): BoardActions {
  // a change may be undone when other filters are set
  const current = useRef(shown)
  current.current = shown
  const [refused, setRefused] = useState<readonly RefusedChange[]>([])

  const run = async (
    wanted: readonly WantedChange[],
    words: (who: string) => string,
    opts: RunOptions = {},
  ): Promise<ChangeOutcome | undefined> => {
    if (wanted.length === 0) return undefined
    const store = current.current
    store.clearSelection()
    const isKnown = wanted.every(({ card }) => store.cards.has(card.id))
    const outcome = await store.change(wanted)
    opts.onDone?.(outcome.done)
    report(store, outcome, words, { ...opts, showRefused: () => setRefused(outcome.refused) })
    if (outcome.error && !(opts.isSaid && outcome.done.length === 0)) {
      const isNone = outcome.done.length + outcome.refused.length === 0
      toast(`${isNone ? 'Nothing' : 'Not everything'} was changed. ${outcome.error.message}`, 'bad')
    }
    // whether the filters leave it out is decided by the service
    if (!isKnown) void store.reload()
    return outcome
  }

  return {
    move: (targets, stageId) => {
      const wanted = targets
        .filter(card => card.stage_id !== stageId)
        .map(card => ({ card, change: { action: 'move', stage_id: stageId } as const }))
      if (wanted.length === 0) return
      const moved = wanted.map(({ card }) => card.id)
      const next = shown.neighborOf(moved)
      void run(wanted, who => `${who} moved to ${shown.stageName(stageId)}.${stillOpen(shown, stageId)}`, {
        undo: done => {
          const back = done.map(({ before, after }) => ({
            // what someone else has changed since stays
            card: after,
            change: { action: 'undo' } as const,
            restored: before,
          }))
          return run(back, who => `${who} moved back.`)
        },
      })
      // The keyboard goes on with the next card of the column; rows of the table stay where they are. The last one of a
      // column takes the focus with it.
      const { focused } = shown
      if (focused !== undefined && moved.includes(focused)) shown.focus(shown.isTable ? focused : (next ?? focused))
    },
    reject: (targets, reason, message, noticeGivenOn) => {
      const notice = noticeGivenOn === undefined ? {} : { notice_given_on: noticeGivenOn }
      const wanted = targets.map(card => ({ card, change: { action: 'reject', reason, ...notice } as const }))
      let queued: Queued | undefined
      return run(wanted, who => (queued ? `${who} rejected. ${leavingWords(targets.length)}` : `${who} rejected.`), {
        isSaid: targets.length === 1,
        onDone: done => {
          const people = done.map(({ before, after }) => ({
            applicationId: after.id,
            name: cardName(after),
            before: before.status,
          }))
          if (message && people.length > 0) queued = queueMessages(people, message)
        },
        undo: done => {
          // first of all, so that no message leaves in the meantime
          const isCanceled = queued?.cancel()
          const back = done.map(({ before, after }) => ({
            // what someone else has changed since stays
            card: after,
            change: { action: 'undo' } as const,
            restored: before,
          }))
          const words = (who: string) =>
            `${who} reopened.${isCanceled === undefined ? '' : isCanceled ? ' The message was not sent.' : ' The message was already sent.'}`
          return run(back, words).then(outcome => {
            // rejected still, and without its message: the text is kept
            if (outcome && (outcome.error || outcome.refused.length > 0)) queued?.keep()
          })
        },
      })
    },
    undo: undoLatest,
    refused,
    closeRefused: () => setRefused([]),
  }
}

/** Says what was done and what was refused. */
function report(
  store: BoardStore,
  outcome: ChangeOutcome,
  words: (who: string) => string,
  { undo, isSaid, showRefused }: RunOptions & { showRefused: () => void },
): void {
  const { done } = outcome
  if (done.length > 0) {
    const only = onlyOf(done)?.after
    const who = only ? cardName(only) : amount(done.length, 'candidate')
    if (undo) toastWithUndo(words(who), () => undo(done).then(() => undefined), { about: only?.id })
    else toast(words(who), 'good', undefined, only?.id)
  }
  if (isSaid && done.length === 0) return
  const refusal = onlyOf(outcome.refused)
  if (refusal) toast(refusalWords(store, refusal), 'bad', undefined, refusal.before.id)
  else if (outcome.refused.length > 1) {
    const total = outcome.refused.length + done.length
    toast(`${outcome.refused.length} of ${amount(total, 'candidate')} were not changed.`, 'bad', {
      title: 'Show why',
      run: showRefused,
    })
  }
}

interface RunOptions {
  undo?: (done: DoneChange[]) => Promise<unknown>
  /** before it is said what was done */
  onDone?: (done: DoneChange[]) => void
  /** a change of one that was not made is said elsewhere */
  isSaid?: boolean
}

/** A move does not change the status, which a stage with such a name may suggest. */
function stillOpen(store: BoardStore, stageId: string): string {
  const type = store.stages.find(stage => stage.id === stageId)?.type
  return type === 'rejected' || type === 'hired' ? ' The status did not change.' : ''
}

/** Why a change was reverted, and where the candidate is now. */
export function refusalWords(store: BoardStore, { before, code, message, now, latest }: RefusedChange): string {
  const name = cardName({ ...before, ...now })
  if (code === 'not_found') return `${name} is no longer here: the application was deleted.`
  if (code === 'applicant_suppressed') return `${name} was not changed: the person asked for processing to stop.`
  if (code !== 'stale_resource') return `${name} was not changed. ${message}`
  if (!now) {
    const who = (latest && authorOfStep(latest)) ?? 'Someone else'
    return `${who} changed ${name}, who is no longer in this list. Your change was not made.`
  }
  const what = overtakenWords(name, before, now, latest, id => store.stageName(id))
  return `${what} Your change was not made.`
}
