import { Filters, FilterText } from '../../ui/filters.tsx'
import { Segments, SelectField } from '../../ui/form.tsx'
import { count } from '../../ui/numbers.ts'
import type { Read } from '../api.ts'
import { t } from '../texts/index.ts'
import { DEFAULT_STATUSES, STATUS_CHIPS } from './list-columns.tsx'

export const JOB_FILTERS = ['team', 'status', 'q', 'department', 'location_type', 'employment_type'] as const
export type JobFilterValues = Readonly<Record<(typeof JOB_FILTERS)[number], string>>

export type Counts = Read<'/job-counts'>['statuses']

interface FiltersProps {
  values: JobFilterValues
  set: (changes: Partial<JobFilterValues>) => void
  departments: readonly string[]
  counts: Counts | undefined
  isMine: boolean
  /** people who are limited to jobs have no others */
  limited: boolean
}

/** Whose jobs, of which status, and what they are narrowed by besides. */
export function JobFilters({ values, set, departments, counts, isMine, limited }: FiltersProps) {
  const { q, department, location_type, employment_type } = values
  const words = t.views.jobs
  const any = ['', words.any] as const
  return (
    <div class="job-filters">
      <div class="toolbar job-scope">
        {!limited && (
          <Segments
            label={words.team}
            value={isMine ? 'mine' : 'all'}
            onInput={team => set({ team })}
            options={[
              ['mine', words.mine],
              ['all', words.all],
            ]}
          />
        )}
        <StatusChips
          value={values.status}
          onInput={status => set({ status })}
          countOf={status => counts?.find(row => row.status === status)?.[isMine ? 'mine' : 'all']}
        />
      </div>
      <div class="toolbar job-search">
        <FilterText
          label={words.search}
          value={q}
          onInput={text => set({ q: text })}
          placeholder={words.searchHint}
          words
        />
      </div>
      <Filters
        values={{ department, location_type, employment_type }}
        set={(changes: Partial<JobFilterValues>) => set(changes)}
      >
        <SelectField
          label={words.department}
          value={department}
          onInput={value => set({ department: value })}
          options={[any, ...departments.toSorted().map(name => [name, name] as const)]}
        />
        <SelectField
          label={words.workplace}
          value={location_type}
          onInput={value => set({ location_type: value })}
          options={[any, ...Object.entries(t.views.workplaces)]}
        />
        <SelectField
          label={words.employment}
          value={employment_type}
          onInput={value => set({ employment_type: value })}
          options={[any, ...Object.entries(t.views.employment)]}
        />
      </Filters>
    </div>
  )
}

interface ChipsProps {
  /** statuses with commas between them; empty: those at first */
  value: string
  onInput: (value: string) => void
  countOf: (status: string) => number | undefined
}

/** Each status is on or off. With the last one off, the first choice is back. */
function StatusChips({ value, onInput, countOf }: ChipsProps) {
  const on = new Set((value || DEFAULT_STATUSES).split(','))
  const toggle = (status: string) => {
    const next = STATUS_CHIPS.filter(one => (one === status ? !on.has(one) : on.has(one))).join()
    onInput(next === DEFAULT_STATUSES ? '' : next)
  }
  return (
    <fieldset class="status-chips" aria-label={t.views.jobs.statuses}>
      {STATUS_CHIPS.map(status => {
        const n = countOf(status)
        return (
          <button key={status} type="button" aria-pressed={on.has(status)} onClick={() => toggle(status)}>
            {t.jobs.statuses[status]} {n !== undefined && <span>{count.format(n)}</span>}
          </button>
        )
      })}
    </fieldset>
  )
}
