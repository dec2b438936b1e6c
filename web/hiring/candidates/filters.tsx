import { useState } from 'preact/hooks'
import { OPEN_STATUSES } from '../../../src/contract/application-status.ts'
import { CANDIDATE_FILTERS } from '../../../src/contract/saved-views.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { FilterText } from '../../ui/filters.tsx'
import { fromLocal, SelectField, TextField, toLocal } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { dateFormat } from '../../ui/time.tsx'
import { useData } from '../api.ts'
import { useJobs } from '../insight/filters.tsx'
import { useMay } from '../session.ts'
import { sourceName } from '../source-names.ts'
import { t } from '../texts/index.ts'

export const FILTERS = ['q', ...CANDIDATE_FILTERS] as const
export type Filter = (typeof FILTERS)[number]
export type Values = Record<Filter, string>

const OPEN = OPEN_STATUSES.join(',')

type Option = readonly [value: string, label: string]

const statusOptions = (): Option[] => [
  [OPEN, t.common.open],
  ['hired', t.decisions.hired],
  ['rejected', t.decisions.rejected],
  ['withdrawn', t.decisions.withdrawn],
]
const stageOptions = (): Option[] => Object.entries(t.candidates.stageTypes)
const resumeOptions = (): Option[] => [
  ['true', t.candidates.withResume],
  ['false', t.candidates.withoutResume],
]

const labelIn = (options: readonly Option[], value: string): string =>
  options.find(([option]) => option === value)?.[1] ?? value

/** A chosen value as people say it. */
function valueName(filter: Filter, value: string, jobs: readonly Option[]): string {
  switch (filter) {
    case 'job_id':
      return value
        .split(',')
        .map(id => labelIn(jobs, id))
        .join(', ')
    case 'status':
      return labelIn(statusOptions(), value)
    case 'stage_type':
      return labelIn(stageOptions(), value)
    case 'has_resume':
      return labelIn(resumeOptions(), value)
    case 'source':
      return sourceName(value)
    case 'applied_after':
    case 'applied_before':
      return dateFormat('date').format(new Date(value))
    default:
      return value
  }
}

interface FiltersProps {
  values: Values
  set: (changes: Partial<Values>) => void
}

/** What the list is narrowed by: a field for words, a chip for each filter, and a dialog that sets them. */
export function CandidateFilters({ values, set }: FiltersProps) {
  const may = useMay()
  const jobs = useJobs()
  const [asking, setAsking] = useState(false)
  const used = FILTERS.filter(filter => filter !== 'q' && values[filter] !== '')
  return (
    <div class="candidate-filters">
      {may('applicants:read') && (
        <FilterText
          label={t.candidates.search}
          value={values.q}
          onInput={q => set({ q })}
          placeholder={t.candidates.searchHint}
          words
        />
      )}
      <ul class="filter-chips">
        {used.map(filter => {
          const name = `${t.candidates.filters[filter]}: ${valueName(filter, values[filter], jobs)}`
          return (
            <li key={filter}>
              <button type="button" onClick={() => setAsking(true)}>
                {name}
              </button>
              <button
                type="button"
                class="filter-chip-remove"
                aria-label={t.candidates.removeFilter(name)}
                onClick={() => set({ [filter]: '' })}
              >
                <Icon name="close" size={12} />
              </button>
            </li>
          )
        })}
        <li>
          <button type="button" onClick={() => setAsking(true)}>
            <Icon name="plus" size={12} /> {t.candidates.addFilter}
          </button>
        </li>
        {used.length > 1 && (
          <li>
            <button type="button" onClick={() => set(Object.fromEntries(used.map(filter => [filter, ''])))}>
              {t.candidates.clear}
            </button>
          </li>
        )}
      </ul>
      {asking && (
        <FilterDialog
          values={values}
          jobs={jobs}
          onClose={() => setAsking(false)}
          onSet={changes => {
            setAsking(false)
            set(changes)
          }}
        />
      )}
    </div>
  )
}

interface FilterDialogProps {
  values: Values
  jobs: readonly Option[]
  onClose: () => void
  onSet: (changes: Partial<Values>) => void
}

function FilterDialog({ values, jobs, onClose, onSet }: FilterDialogProps) {
  const may = useMay()
  const { data: tags } = useData('/tags')
  const [draft, setDraft] = useState(values)
  const words = t.candidates.filters
  const field = (filter: Filter) => ({
    label: words[filter],
    value: draft[filter],
    onInput: (value: string) => setDraft({ ...draft, [filter]: value }),
  })
  const select = (filter: Filter, options: readonly Option[]) => (
    <SelectField {...field(filter)} options={withAny(options, draft[filter])} />
  )
  const day = (filter: 'applied_after' | 'applied_before') => (
    <TextField
      label={words[filter]}
      type="date"
      value={toLocal(draft[filter]).slice(0, 10)}
      onInput={text => setDraft({ ...draft, [filter]: text === '' ? '' : fromLocal(`${text}T00:00`) })}
    />
  )
  return (
    <FormDialog title={t.common.filter} action={t.candidates.show} onClose={onClose} onSubmit={() => onSet(draft)}>
      {select('job_id', jobs)}
      {select('status', statusOptions())}
      {select('stage_type', stageOptions())}
      {may('resume:read') && <TextField {...field('skills')} placeholder="Kubernetes, Rust" />}
      {select(
        'tag',
        (tags?.tags ?? []).map(({ name }) => [name, name] as const),
      )}
      <TextField {...field('source')} />
      {day('applied_after')}
      {day('applied_before')}
      <TextField {...field('score_from')} type="number" />
      {select('has_resume', resumeOptions())}
    </FormDialog>
  )
}

/** What was chosen is offered also if it is not among the options any more. */
const withAny = (options: readonly Option[], chosen: string): Option[] => [
  ['', t.candidates.any],
  ...(chosen === '' || options.some(([value]) => value === chosen) ? [] : [[chosen, chosen] as const]),
  ...options,
]
