import type { ComponentChildren } from 'preact'
import { Icon } from '../../ui/icons.tsx'
import { Link } from '../../ui/router.tsx'
import type { Read } from '../api.ts'
import { StageOrders } from './stage-orders.tsx'

export type Stages = Read<'/jobs/{job_id}/stages'>
export type StageSetup = Stages['stages'][number]
type StageTypeName = StageSetup['type']

const TYPES: readonly (readonly [StageTypeName, string])[] = [
  ['applied', 'Applied'],
  ['screen', 'Screen'],
  ['assessment', 'Assessment'],
  ['interview', 'Interview'],
  ['offer', 'Offer'],
  ['hired', 'Hired'],
  ['rejected', 'Rejected'],
  ['custom', 'Custom'],
]
/** What people do in a stage of this kind. */
const KIND_HINTS: Readonly<Record<StageTypeName, string>> = {
  applied: 'New applications wait here.',
  screen: 'A first look at the application.',
  assessment: 'A test or a task.',
  interview: 'Talks with the team.',
  offer: 'An offer is being made.',
  hired: 'People land here when you hire them.',
  rejected: 'For people you turned down. Rejecting alone moves no one here.',
  custom: 'Any other step.',
}
const ENDS: readonly StageTypeName[] = ['hired', 'rejected']

export interface Stage {
  key: string
  name: string
  type: StageTypeName
  is_terminal: boolean
  /** what is ordered when a candidate enters */
  order_package_ids: readonly string[]
}

export const toStage = ({ id, ...stage }: StageSetup): Stage => ({
  key: id,
  name: stage.name,
  type: stage.type,
  is_terminal: stage.is_terminal,
  order_package_ids: stage.order_package_ids,
})
export const stageName = ({ name }: Stage): string => name.trim() || 'New stage'
export const counted = (n: number) => (n === 1 ? '1 application' : `${n.toLocaleString('en')} applications`)

export const StageHeads = () => (
  <div class="stage-heads" aria-hidden="true">
    <span>Name</span>
    <span>Kind</span>
    <span>Final</span>
    <span class="stage-count">Applications</span>
  </div>
)

interface StageRowProps {
  stage: Stage
  index: number
  handle: ComponentChildren
  count: number
  jobId: string
  /** what can be ordered */
  packages: Stages['packages']
  fault: string | undefined
  /** it was just added */
  focused: boolean
  onChange: (change: Partial<Stage>) => void
  onRemove: (() => void) | undefined
}

export function StageRow({
  stage,
  index,
  handle,
  count,
  jobId,
  packages,
  fault,
  focused,
  onChange,
  onRemove,
}: StageRowProps) {
  const place = `stage ${index + 1}`
  return (
    <div class="stage-row">
      {handle}
      <div class="stage-name">
        <input
          aria-label={`Name of ${place}`}
          aria-invalid={fault ? true : undefined}
          value={stage.name}
          maxLength={240}
          placeholder="Name of the stage"
          ref={input => {
            if (focused && input && stage.name === '') input.focus()
          }}
          onInput={event => onChange({ name: event.currentTarget.value })}
        />
        {fault && <div class="fault">{fault}</div>}
        <div class="hint">{KIND_HINTS[stage.type]}</div>
      </div>
      <select
        class="stage-type"
        aria-label={`Kind of ${place}`}
        value={stage.type}
        onInput={event => {
          const type = event.currentTarget.value as StageTypeName
          onChange({ type, is_terminal: ENDS.includes(type) })
        }}
      >
        {TYPES.map(([type, title]) => (
          <option key={type} value={type} selected={type === stage.type}>
            {title}
          </option>
        ))}
      </select>
      <label class="stage-final">
        <input
          type="checkbox"
          checked={stage.is_terminal}
          aria-label={`${stageName(stage)} is final`}
          onChange={event => onChange({ is_terminal: event.currentTarget.checked })}
        />
        <span class="narrow-only">Final</span>
      </label>
      <span class="stage-count">
        {count > 0 ? <Link to={`/jobs/${jobId}`}>{counted(count)}</Link> : <span class="faint">None</span>}
      </span>
      <button
        type="button"
        class="icon-button"
        aria-label={`Remove ${stageName(stage)}`}
        title={onRemove ? 'Remove' : 'A job has at least one stage'}
        disabled={!onRemove}
        onClick={onRemove}
      >
        <Icon name="trash" />
      </button>
      {!stage.is_terminal && (
        <StageOrders
          stage={stageName(stage)}
          packages={packages}
          chosen={stage.order_package_ids}
          onChoose={order_package_ids => onChange({ order_package_ids })}
        />
      )}
    </div>
  )
}
