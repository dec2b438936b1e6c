import { useState } from 'preact/hooks'
import { APPLICATION_STATUSES, OPEN_STATUSES } from '../../../src/contract/application-status.ts'
import { BOARD_FILTERS } from '../../../src/contract/saved-views.ts'
import type { Scope } from '../../../src/contract/scopes.ts'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { FilterText } from '../../ui/filters.tsx'
import { fromLocal, Segments, SelectField, toLocal } from '../../ui/form.tsx'
import { count } from '../../ui/numbers.ts'
import { CHECK_STATUSES, statusTitle } from '../checks/words.ts'
import { OUTCOME_WORDS } from '../outcome.ts'
import { t } from '../texts/index.ts'
import type { Board } from './reader.ts'
import { sourceTitle } from './words.ts'

/** Filters of the address have the names of the service: any of them can be linked to. */
export const FILTER_NAMES = ['q', ...BOARD_FILTERS] as const

export type FilterName = (typeof FILTER_NAMES)[number]

/** A role must not learn by a filter what it may not read: the service refuses these without their scope. */
const NEEDED: Readonly<Partial<Record<FilterName, { scope: Scope; what: string }>>> = {
  q: { scope: 'applicants:read', what: 'names' },
  skills: { scope: 'resume:read', what: 'skills' },
  check: { scope: 'orders:read', what: 'checks' },
}

/** What the filters of an address, perhaps of a colleague with another role, name that this role may not read. */
export const refusedFilters = (values: Values, may: (scope: Scope) => boolean) =>
  FILTER_NAMES.flatMap(name => {
    const needed = NEEDED[name]
    return needed && values[name] !== '' && !may(needed.scope) ? [{ name, what: needed.what }] : []
  })

type Values = Readonly<Record<FilterName | 'view' | 'sort', string>>

const SORTS: readonly (readonly [string, string])[] = [
  ['', 'Newest first'],
  ['score', 'Best score first'],
  ['time_in_stage', 'Longest in stage first'],
]

const ALL = APPLICATION_STATUSES.join(',')
const SCORES = [50, 60, 70, 75, 80, 90]
/** Behind the button, so that the board begins high on the page. */
const FURTHER = ['score_from', 'source', 'skills', 'applied_after', 'applied_before', 'has_resume', 'check'] as const

const DAY_MS = 86_400_000

/** A day of the reader's calendar; `to` is in the address as the beginning of the next one. */
const dayOf = (iso: string, isTo = false) =>
  iso === '' ? '' : toLocal(new Date(Date.parse(iso) - (isTo ? DAY_MS / 2 : 0)).toISOString()).slice(0, 10)
function timeOf(day: string, isTo = false): string {
  if (day === '') return ''
  const start = new Date(`${day}T00:00`)
  if (isTo) start.setDate(start.getDate() + 1)
  return fromLocal(toLocal(start.toISOString()))
}

interface FilterBarProps {
  /** what the reader may read in the job of the board */
  may: (scope: Scope) => boolean
  values: Values
  set: (changes: Partial<Record<keyof Values, string>>) => void
  board: Board | undefined
}

type Options = readonly (readonly [string, string])[]

const titled = (title: string, n: number | undefined) => (n === undefined ? title : `${title} (${count.format(n)})`)

/** The options, and the value of the address if it is none of them. */
const including = (options: Options, value: string, title: string): Options =>
  value === '' || options.some(([id]) => id === value) ? options : [...options, [value, title]]

/** Statuses with their numbers, once the board is read. */
function listStatuses(board: Board | undefined, value: string): Options {
  const counts = new Map(board?.statuses.map(({ status, count: n }) => [status as string, n]))
  const sumOf = (statuses: string) => statuses.split(',').reduce((sum, status) => sum + (counts.get(status) ?? 0), 0)
  const statuses: Options = [
    ['', titled(t.common.open, board && sumOf(OPEN_STATUSES.join()))],
    ...Object.entries(OUTCOME_WORDS()).map(([id, title]) => [id, titled(title, counts.get(id))] as const),
    [ALL, titled(t.common.all, board && sumOf(ALL))],
  ]
  return including(statuses, value, 'Several')
}

function listSources(board: Board | undefined, value: string): Options {
  const sources = (board?.sources ?? []).map(
    ({ source, count: n }) => [source, titled(sourceTitle(source), n)] as const,
  )
  return including(sources, value, sourceTitle(value))
}

const scoreTitle = (score: string | number) => `${score} or more`

const listScores = (value: string): Options =>
  including(
    SCORES.map(n => [String(n), scoreTitle(n)] as const),
    value,
    scoreTitle(value),
  )

export function FilterBar({ may, values, set, board }: FilterBarProps) {
  const used = FURTHER.filter(name => values[name] !== '').length
  const [open, setOpen] = useState(used > 0)
  const isUsed = FILTER_NAMES.some(name => values[name] !== '')
  return (
    <div class="board-filters">
      <div class="toolbar">
        <Segments
          label="View"
          value={values.view}
          onInput={view => set({ view })}
          options={[
            ['', 'Board'],
            ['table', 'Table'],
          ]}
        />
        {may('applicants:read') && (
          <FilterText words label="Name" placeholder="Search by name" value={values.q} onInput={q => set({ q })} />
        )}
        <SelectField
          label="Status"
          value={values.status}
          options={listStatuses(board, values.status)}
          onInput={status => set({ status })}
        />
        <SelectField label="Sort" value={values.sort} options={SORTS} onInput={sort => set({ sort })} />
        <button type="button" class="button secondary" aria-expanded={open} onClick={() => setOpen(!open)}>
          {used > 0 ? `Filters (${used})` : 'Filters'}
        </button>
        {isUsed && <Button onClick={() => set(Object.fromEntries(FILTER_NAMES.map(name => [name, ''])))}>Clear</Button>}
      </div>
      {open && <FurtherFilters may={may} values={values} set={set} board={board} />}
    </div>
  )
}

function FurtherFilters({ may, values, set, board }: FilterBarProps) {
  return (
    <div class="toolbar">
      <SelectField
        label="Score"
        value={values.score_from}
        options={[['', 'Any'], ...listScores(values.score_from)]}
        onInput={score_from => set({ score_from })}
      />
      <SelectField
        label="Source"
        value={values.source}
        options={[['', 'Any'], ...listSources(board, values.source)]}
        onInput={source => set({ source })}
      />
      {may('resume:read') && (
        <FilterText
          words
          label="Skills"
          placeholder="SQL, Figma"
          value={values.skills}
          onInput={skills => set({ skills })}
        />
      )}
      <DateField
        label="Applied from"
        isPast
        value={dayOf(values.applied_after)}
        onInput={day => set({ applied_after: timeOf(day) })}
      />
      <DateField
        label="Applied to"
        isPast
        value={dayOf(values.applied_before, true)}
        onInput={day => set({ applied_before: timeOf(day, true) })}
      />
      <SelectField
        label="Résumé"
        value={values.has_resume}
        options={[
          ['', 'Any'],
          ['true', 'With résumé'],
          ['false', 'Without résumé'],
        ]}
        onInput={has_resume => set({ has_resume })}
      />
      {may('orders:read') && (
        <SelectField
          label="Check"
          value={values.check}
          options={[
            ['', 'Any'],
            ['none', 'None ordered'],
            ...CHECK_STATUSES.map(status => [status, statusTitle(status)] as const),
          ]}
          onInput={check => set({ check })}
        />
      )}
    </div>
  )
}
