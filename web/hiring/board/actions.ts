import { useRef, useState } from 'preact/hooks'
import { amount } from '../../ui/numbers.ts'
import { onlyOf } from '../../ui/only-of.ts'
import { toast } from '../../ui/toast.tsx'
import { authorOfStep, overtakenWords } from '../candidate/conflict.ts'
import { undoneWords } from '../candidate/decisions.ts'
import { toastWithUndo, undoLatest } from '../candidate/undo.ts'
import type { Hire } from '../decisions/hire-dialog.tsx'
import type { Rejection } from '../decisions/reject-dialog.tsx'
import type { Withdrawal } from '../decisions/withdraw-dialog.tsx'
import { t } from '../texts/index.ts'
import type { ChangeOutcome, DoneChange, RefusedChange, Target, WantedChange } from './changes.ts'
import type { BoardStore } from './store.ts'
import { cardName } from './words.ts'

export interface BoardActions {
  move: (targets: readonly Target[], stageId: string) => void
  /** What became of it; where only one was to be rejected and was not, the caller says why. */
  reject: (targets: readonly Target[], rejection: Rejection) => Promise<ChangeOutcome | undefined>
  hire: (target: Target, hire: Hire) => Promise<ChangeOutcome | undefined>
  withdraw: (target: Target, withdrawal: Withdrawal) => Promise<ChangeOutcome | undefined>
  /** takes the last move or rejection back, within ten seconds */
  undo: () => void
  /** What the last change of many did not do, and why. */
  refused: readonly RefusedChange[]
  closeRefused: () => void
}

/** Says what was done with one candidate, or with so many. */
type Words = (who: string, count: number, done: readonly DoneChange[]) => string

/** Changes of the reader, said in toasts: what was done, how to take it back, and what was refused. */
export function useBoardActions(shown: BoardStore): BoardActions {
  // a change may be undone when other filters are set
  const current = useRef(shown)
  current.current = shown
  const [refused, setRefused] = useState<readonly RefusedChange[]>([])

  const run = async (
    wanted: readonly WantedChange[],
    words: Words,
    opts: RunOptions = {},
  ): Promise<ChangeOutcome | undefined> => {
    if (wanted.length === 0) return undefined
    const store = current.current
    store.clearSelection()
    const isKnown = wanted.every(({ card }) => store.cards.has(card.id))
    const outcome = await store.change(wanted)
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
      void run(wanted, who => t.decisions.movedTo(who, shown.stageName(stageId)), {
        undo: done => run(undoing(done), t.decisions.undone),
      })
      // The keyboard goes on with the next card of the column; rows of the table stay where they are. The last one of a
      // column takes the focus with it.
      const { focused } = shown
      if (focused !== undefined && moved.includes(focused)) shown.focus(shown.isTable ? focused : (next ?? focused))
    },
    reject: (targets, rejection) => {
      const { message } = rejection
      const wanted = targets.map(card => ({ card, change: { action: 'reject', ...rejection } as const }))
      const mail = message
        ? targets.length === 1
          ? ` ${t.decisions.messageLeaves}`
          : ` ${t.decisions.messagesLeave}`
        : ''
      return run(wanted, who => `${t.decisions.wasRejected(who)}${mail}`, {
        isSaid: targets.length === 1,
        undo: rejected => run(undoing(rejected), (who, _, undone) => undoneWords(who, pairMails(rejected, undone))),
      })
    },
    hire: (card, { start_date }) => {
      const date = start_date === undefined ? {} : { start_date }
      return run([{ card, change: { action: 'hire', ...date } }], t.decisions.wasHired, {
        isSaid: true,
        undo: done => run(undoing(done), t.decisions.undone),
      })
    },
    withdraw: (card, withdrawal) =>
      run([{ card, change: { action: 'withdraw', ...withdrawal } }], t.decisions.wasWithdrawn, {
        isSaid: true,
        undo: done => run(undoing(done), t.decisions.undone),
      }),
    undo: undoLatest,
    refused,
    closeRefused: () => setRefused([]),
  }
}

/** Says what was done and what was refused. */
function report(
  store: BoardStore,
  outcome: ChangeOutcome,
  words: Words,
  { undo, isSaid, showRefused }: RunOptions & { showRefused: () => void },
): void {
  const { done } = outcome
  if (done.length > 0) {
    const only = onlyOf(done)?.after
    const who = only ? cardName(only) : amount(done.length, 'candidate')
    if (undo) toastWithUndo(words(who, done.length, done), () => undo(done).then(() => undefined), { about: only?.id })
    else toast(words(who, done.length, done), 'good', undefined, only?.id)
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
  /** a change of one that was not made is said elsewhere */
  isSaid?: boolean
}

/** What became of the message of each rejection that was taken back, before and now. */
const pairMails = (rejected: readonly DoneChange[], undone: readonly DoneChange[]) =>
  undone.map(({ after, mail }) => [rejected.find(one => one.after.id === after.id)?.mail, mail] as const)

/** What someone else has changed since stays. */
const undoing = (done: readonly DoneChange[]): WantedChange[] =>
  done.map(({ before, after }) => ({ card: after, change: { action: 'undo' }, restored: before }))

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
