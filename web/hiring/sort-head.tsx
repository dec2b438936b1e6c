import './css/sort-head.css'
import { t } from './texts/index.ts'

interface SortHeadProps {
  title: string
  /** undefined: the rows are sorted by something else */
  sorted: 'asc' | 'desc' | undefined
  onSort: () => void
}

/** The head of a column that the rows can be sorted by. */
export const SortHead = ({ title, sorted, onSort }: SortHeadProps) => (
  <button
    type="button"
    class="sort-head"
    aria-pressed={sorted !== undefined}
    title={t.candidates.sortBy(title)}
    onClick={onSort}
  >
    {title}
    {sorted && <span aria-hidden="true"> {sorted === 'asc' ? '↑' : '↓'}</span>}
  </button>
)
