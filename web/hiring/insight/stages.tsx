import { useEffect, useRef } from 'preact/hooks'
import type { FunnelStage } from '../../../packages/sdk/src/generated.ts'
import { Behind, duration, type Part, share } from './behind.tsx'
import { STAGE_NAMES } from './names.ts'

/**
 * The stages of the funnel. Who reached a stage is there now, was rejected or withdrew there, or passed it: moved on or
 * was hired. So each line adds up.
 */
export function Stages({ stages, window }: { stages: readonly FunnelStage[]; window: Part }) {
  const most = Math.max(...stages.map(stage => stage.reached), 1)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="table-frame funnel-frame" aria-label="Stages" tabIndex={0}>
      <table class="rows funnel" aria-label="Stages of the funnel">
        <thead>
          <tr>
            <th scope="col">Stage</th>
            <th scope="col" class="grow">
              Reached
            </th>
            <th scope="col" class="end">
              Now there
            </th>
            <th scope="col" class="end">
              Rejected
            </th>
            <th scope="col" class="end">
              Withdrawn
            </th>
            <th scope="col" class="end" title="Moved to a later stage, or hired">
              Progressed
            </th>
            <th scope="col" class="end">
              Median time
            </th>
          </tr>
        </thead>
        <tbody>
          {stages.map(stage => {
            const part: Part = stage.stage_id ? { stage_id: stage.stage_id } : { stage_type: stage.stage_type }
            const passed = stage.advanced + stage.hired
            return (
              <tr key={stage.stage_id ?? stage.stage_type}>
                <th scope="row">{stage.name ?? STAGE_NAMES[stage.stage_type] ?? stage.stage_type}</th>
                <td class="grow">
                  <Bar part={stage.reached / most} />
                  <Behind n={stage.reached} window={window} part={part} />
                </td>
                {(['current', 'rejected', 'withdrawn'] as const).map(outcome => (
                  <td key={outcome} class="end">
                    <Behind n={stage[outcome]} window={window} part={{ ...part, outcome }} />
                  </td>
                ))}
                <td class="end">
                  <Behind n={passed} window={window} part={{ ...part, outcome: 'passed' }} />{' '}
                  {/* there is no stage to move on to */}
                  {stage.stage_type !== 'hired' && <span class="faint">{share(passed, stage.reached)}</span>}
                </td>
                <td class="end">
                  {stage.median_hours_in_stage === null ? (
                    '–'
                  ) : (
                    <Behind n={stage.advanced} window={window} part={{ ...part, outcome: 'advanced' }}>
                      {duration(stage.median_hours_in_stage)}
                    </Behind>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** A bar as long as its share. Its width is set from here: the page has no inline styles. */
function Bar({ part }: { part: number }) {
  const bar = useRef<HTMLSpanElement>(null)
  useEffect(
    () => bar.current?.style.setProperty('inline-size', part === 0 ? '0' : `${Math.max(part * 100, 0.5)}%`),
    [part],
  )
  return (
    <span class="funnel-track" aria-hidden="true">
      <span ref={bar} />
    </span>
  )
}
