import '../css/decisions.css'
import { kindTitle } from '../../../src/contract/check-words.ts'
import { Icon } from '../../ui/icons.tsx'
import type { Read } from '../api.ts'

/** As many as the service takes. */
const MAX_ORDERS = 3

interface StageOrdersProps {
  /** its name */
  stage: string
  /** those that can be ordered, and those that a stage of the job names */
  packages: Read<'/jobs/{job_id}/stages'>['packages']
  /** handles */
  chosen: readonly string[]
  onChoose: (ids: readonly string[]) => void
}

/** What is ordered when a candidate enters a stage. Drawn where there is something to order, or was. */
export function StageOrders({ stage, packages, chosen, onChoose }: StageOrdersProps) {
  if (packages.length === 0) return null
  const rest = packages.filter(({ id, status }) => status === 'active' && !chosen.includes(id))
  const titleOf = (id: string) => {
    const found = packages.find(one => one.id === id)
    if (!found) return 'A check that was removed'
    return `${found.name} (${found.vendor_name})${found.status === 'active' ? '' : ', no longer offered'}`
  }
  return (
    <fieldset class="stage-orders">
      <legend class="visually-hidden">Checks that are ordered when a candidate enters {stage}</legend>
      <span class="small soft">When a candidate enters, order</span>
      {chosen.map(id => (
        <span key={id} class="tag removable">
          {titleOf(id)}
          <button
            type="button"
            aria-label={`Do not order ${titleOf(id)}`}
            title="Remove"
            onClick={() => onChoose(chosen.filter(one => one !== id))}
          >
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      {chosen.length < MAX_ORDERS && rest.length > 0 && (
        <select
          aria-label={`Order a check in ${stage}`}
          value=""
          onInput={event => {
            const id = event.currentTarget.value
            event.currentTarget.value = ''
            if (id !== '') onChoose([...chosen, id])
          }}
        >
          <option value="">{chosen.length === 0 ? 'nothing' : 'also…'}</option>
          {rest.map(one => (
            <option key={one.id} value={one.id}>
              {kindTitle(one.kind)}: {one.name} ({one.vendor_name})
            </option>
          ))}
        </select>
      )}
    </fieldset>
  )
}
