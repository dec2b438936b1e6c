import { t } from '../texts/index.ts'

interface CancelAheadProps {
  /** how many of the candidates have an interview ahead; 0 draws nothing */
  count: number
  checked: boolean
  onChange: (cancels: boolean) => void
}

/** Whether interviews that are ahead are canceled with a decision. */
export const CancelAhead = ({ count, checked, onChange }: CancelAheadProps) =>
  count === 0 ? null : (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={event => onChange(event.currentTarget.checked)} />
      {t.interviews.cancelAhead(count)}
    </label>
  )
