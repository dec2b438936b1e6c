import { ageIn } from '../../ui/age.ts'
import { amount } from '../../ui/numbers.ts'
import { Time } from '../../ui/time.tsx'
import { sourceName } from '../source-names.ts'
import { type Candidate, stageName } from './data.ts'
import type { PanelProps } from './panel-props.ts'
import { Refused } from './withheld.tsx'

/** Where the application was, the latest first. */
export function HistoryPanel({ candidate }: PanelProps) {
  const { transitions, application } = candidate
  if ('refused' in transitions) {
    return (
      <>
        <p>
          In <b>{stageName(candidate, application.stage_id)}</b>. Applied <Time at={application.applied_at} /> through{' '}
          {sourceName(application.source)}.
        </p>
        <Refused refused={transitions.refused} what="the history of stages" />
      </>
    )
  }
  const steps = transitions.data.toReversed()
  return (
    <ol class="history">
      {steps.map((step, i) => (
        <li key={step.at}>
          <b>{stageName(candidate, step.to_stage_id)}</b>
          <span class="soft">
            {step.from_stage_id === null ? 'Applied' : `from ${stageName(candidate, step.from_stage_id)}`}{' '}
            <Time at={step.at} />
          </span>
          <span class="faint">{stay(candidate, step.at, steps[i - 1]?.at)}</span>
        </li>
      ))}
    </ol>
  )
}

/** How long it was in the stage that began at `from`. */
function stay({ application }: Candidate, from: string, until: string | undefined): string {
  if (until === undefined)
    return application.status === 'hired' || application.status === 'rejected' ? '' : 'since then'
  const { count, unit } = ageIn(Date.parse(until) - Date.parse(from))
  return unit === 'minute' ? 'less than an hour' : amount(count, unit)
}
