import { type ApplicationStatus, isOpen } from '../../src/contract/application-status.ts'
import { t } from './texts/index.ts'

/** Stages in which an application ends: people land there when they are hired or rejected. */
export const isFinal = ({ type }: { type: string }): boolean => type === 'hired' || type === 'rejected'

interface KnownStage {
  id: string
  name: string
  type: string
}

/** The open stage after this one; undefined: it is the last, and the next step is to hire. */
export function nextStage<S extends KnownStage>(stages: readonly S[], id: string | null): S | undefined {
  const open = stages.filter(stage => !isFinal(stage))
  const at = open.findIndex(stage => stage.id === id)
  return at === -1 ? undefined : open[at + 1]
}

/** The one word that says where a candidate is: the stage, or how it ended and after which stage. */
export function stateWord(status: ApplicationStatus, stage: KnownStage | undefined): string {
  if (isOpen(status)) return stage?.name ?? t.common.open
  const last = stage && !isFinal(stage) ? stage.name : undefined
  if (status === 'hired') return last === undefined ? t.decisions.hired : t.decisions.hiredAfter(last)
  if (status === 'rejected') return last === undefined ? t.decisions.rejected : t.decisions.rejectedAfter(last)
  return last === undefined ? t.decisions.withdrawn : t.decisions.withdrawnAfter(last)
}

export const OUTCOME_WORDS = (): Readonly<Record<'hired' | 'rejected' | 'withdrawn', string>> => ({
  hired: t.decisions.hired,
  rejected: t.decisions.rejected,
  withdrawn: t.decisions.withdrawn,
})
