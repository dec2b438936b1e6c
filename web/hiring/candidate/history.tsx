import type { ComponentChildren } from 'preact'
import { isOpen } from '../../../src/contract/application-status.ts'
import { ageIn } from '../../ui/age.ts'
import { amount } from '../../ui/numbers.ts'
import { Time } from '../../ui/time.tsx'
import { sourceName } from '../source-names.ts'
import { authorOfStep } from './conflict.ts'
import { type Candidate, candidateName, type DataOf, stageName } from './data.ts'
import type { PanelProps } from './panel-props.ts'
import { RefusedPart } from './withheld.tsx'
import { capitalize, words } from './words.ts'

type Step = DataOf<Candidate['history']>[number]

/** What happened to the application and who did it, the latest first. */
export function HistoryPanel({ candidate }: PanelProps) {
  const { history, application } = candidate
  if ('refused' in history) {
    return (
      <>
        <p>
          In <b>{stageName(candidate, application.stage_id)}</b>. Applied <Time at={application.applied_at} /> through{' '}
          {sourceName(application.source)}.
        </p>
        <RefusedPart refused={history.refused} what="the history of stages" />
      </>
    )
  }
  const steps = history.data
  return (
    <ol class="history">
      {steps.map((step, i) => (
        <li key={step.at}>
          <span>{toSentence(candidate, step)}</span>
          <span class="soft">
            <Time at={step.at} />
          </span>
          <span class="faint">{stay(candidate, step, steps.slice(0, i))}</span>
        </li>
      ))}
    </ol>
  )
}

/** "Devika Menondas moved to Interview from Screen"; of a step whose author is not known, "Moved to …". */
function toSentence(candidate: Candidate, step: Step): ComponentChildren {
  const { from_stage_id, to_stage_id, to_status } = step
  if (to_stage_id !== null && from_stage_id === null) {
    return (
      <>
        <b>{candidateName(candidate)}</b> applied through {sourceName(candidate.application.source)}
      </>
    )
  }
  const author =
    authorOfStep(step) ??
    (to_status === 'withdrawn' && step.by.kind === 'service' ? candidateName(candidate) : undefined)
  const decision = decisionWords(step)
  const move = to_stage_id !== null && (
    <>
      moved to <b>{stageName(candidate, to_stage_id)}</b> from {stageName(candidate, from_stage_id)}
    </>
  )
  if (author === undefined) {
    return decision === undefined ? (
      <>
        Moved to <b>{stageName(candidate, to_stage_id)}</b> from {stageName(candidate, from_stage_id)}
      </>
    ) : (
      capitalize(decision)
    )
  }
  return (
    <>
      <b>{author}</b> {decision}
      {decision !== undefined && move && ' and '}
      {move}
    </>
  )
}

const DECISIONS: Readonly<Record<string, string>> = {
  hired: 'hired',
  rejected: 'rejected',
  withdrawn: 'withdrew the application',
}

function decisionWords({ from_status, to_status }: Step): string | undefined {
  if (to_status === null) return undefined
  const decision = DECISIONS[to_status]
  if (decision !== undefined) return decision
  return from_status !== null && !isOpen(from_status) ? 'reopened the application' : `marked as ${words(to_status)}`
}

/** How long it was in the stage that the step moved it to, or has been there. */
function stay({ application }: Candidate, { at, to_stage_id }: Step, later: readonly Step[]): string {
  if (to_stage_id === null) return ''
  const left = later.findLast(step => step.to_stage_id !== null)
  if (!left && !isOpen(application.status)) return ''
  const { count, unit } = ageIn((left ? Date.parse(left.at) : Date.now()) - Date.parse(at))
  const time = unit === 'minute' ? 'less than an hour' : amount(count, unit)
  return left ? `stayed ${time}` : `here for ${time}`
}
