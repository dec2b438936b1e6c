import { useRef, useState } from 'preact/hooks'
import { shortAge } from '../../ui/age.ts'
import { Button } from '../../ui/button.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty, Notice } from '../../ui/notice.tsx'
import { percent } from '../../ui/numbers.ts'
import { PageHead } from '../../ui/page.tsx'
import { Link, navigate, useFilters } from '../../ui/router.tsx'
import { DataTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { useData, usePages } from '../api.ts'
import { undoLatest } from '../candidate/undo.ts'
import { useCandidateList } from '../candidate-lists.ts'
import { type Asked, BulkDialog, type Candidate, SelectedBar } from '../candidates/bulk.tsx'
import { CandidateFilters, FILTERS } from '../candidates/filters.tsx'
import { candidateName, candidatePlace } from '../candidates/words.ts'
import '../css/candidates.css'
import '../css/selection-bar.css'
import { useJobRights } from '../job-rights.ts'
import { KEYS } from '../key-table.ts'
import { useMay, useSession } from '../session.ts'
import { SortHead } from '../sort-head.tsx'
import { t } from '../texts/index.ts'
import { arrangeColumns, ColumnsButton, type NamedColumn } from '../views/columns.tsx'
import { ViewsMenu } from '../views/views-menu.tsx'

const PAGE_ROWS = 50

const SORTS = { name: 'name', score: 'score', inStage: 'in_stage', activity: 'activity' } as const
type Sorted = keyof typeof SORTS

/** A number of a phone, which only owners and admins search. */
const isPhoneNumber = (q: string): boolean => /^\+?[\d\s()./-]+$/.test(q) && q.replace(/\D/g, '').length >= 9

/** Everyone who applied for any job: a row for each person. */
export function CandidatesPage() {
  const may = useMay()
  const [{ sort, columns: shown, ...given }, set] = useFilters([...FILTERS, 'sort', 'columns'])
  const values = { ...given, job_id: useReachedJobs(given.job_id) }
  const query = { ...values, sort }
  const list = usePages('/candidates', { limit: PAGE_ROWS, ...query })
  const { data: state } = useData('/search/state')
  const { rows, reload, next } = list
  const address = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
  const addressOf = useCandidateList(
    'candidates',
    address,
    rows?.map(row => row.application_id),
    next,
  )
  const mayWrite = may('applications:write')
  const rights = useJobRights()
  const isSelectable = (row: Candidate) => !row.stopped && rights(row.job_id, 'decide')
  const mayTransfer = (row: Candidate) => rights(row.job_id, 'hire') && row.status !== 'hired'
  const selection = useSelection((rows ?? []).filter(isSelectable))
  // who decides about no one in sight has nothing to select
  const mayChange = mayWrite && (rows ?? []).some(row => rights(row.job_id, 'decide'))
  const [asked, setAsked] = useState<Asked>()
  const frame = useRef<HTMLDivElement>(null)

  /** The row that has the focus. */
  const pointed = (): Candidate | undefined => {
    const id = document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[data-candidate]')?.dataset[
      'candidate'
    ]
    return rows?.find(row => row.application_id === id)
  }
  const selected = (one: Candidate | undefined) => (selection.people.length > 0 ? selection.people : one ? [one] : [])
  const ask = (what: Asked) => {
    const one = pointed()
    if (selection.people.length === 0 && one && isSelectable(one)) selection.toggle(one)
    if (selection.people.length === 0 && (!one || !isSelectable(one))) toast(t.candidates.pointFirst)
    else if (what !== 'transfer' || selected(one).every(mayTransfer)) setAsked(what)
    else toast(t.adding.notForAll, 'bad')
  }
  const isChangeable = () => mayChange
  useShortcuts([
    { keys: KEYS.search, title: t.candidates.search, run: () => frame.current?.querySelector('input')?.focus() },
    {
      keys: KEYS.select,
      title: t.candidates.select('…'),
      run: () => {
        const one = pointed()
        if (one && isSelectable(one)) selection.toggle(one)
      },
      when: isChangeable,
    },
    { keys: KEYS.move, title: t.candidates.move, run: () => ask('move'), when: isChangeable },
    { keys: KEYS.reject, title: t.candidates.reject, run: () => ask('reject'), when: isChangeable },
    { keys: KEYS.tag, title: t.candidates.addTag, run: () => ask('tag'), when: isChangeable },
    { keys: KEYS.toJob, title: t.adding.toOtherJob, run: () => ask('transfer'), when: isChangeable },
    { keys: KEYS.undo, title: t.common.undo, run: undoLatest, when: isChangeable },
    {
      keys: KEYS.clear,
      title: t.candidates.clearSelection,
      run: selection.clear,
      when: () => selection.people.length > 0,
    },
  ])

  const head = (column: Sorted) => (
    <SortHead
      title={t.candidates.columns[column]}
      sorted={sort === SORTS[column] ? 'desc' : undefined}
      onSort={() => set({ sort: sort === SORTS[column] ? '' : SORTS[column] })}
    />
  )
  const columns: NamedColumn<Candidate>[] = [
    {
      title: t.candidates.columns.name,
      head: (
        <span class="candidate-cell">
          {mayChange && (
            <input
              type="checkbox"
              aria-label={t.candidates.selectAll}
              checked={selection.isAll}
              onChange={selection.toggleAll}
            />
          )}
          {may('applicants:read') ? head('name') : t.candidates.columns.name}
        </span>
      ),
      grow: true,
      cell: row => (
        <div class="candidate-cell" data-candidate={row.application_id}>
          {mayWrite && rights(row.job_id, 'decide') && (
            <input
              type="checkbox"
              aria-label={t.candidates.select(candidateName(row))}
              disabled={row.stopped}
              checked={selection.has(row)}
              onChange={() => selection.toggle(row)}
            />
          )}
          <span class="candidate-name">
            <Link to={addressOf(row.application_id)}>{candidateName(row)}</Link>
            {row.others > 0 && (
              <span class="faint" title={t.candidates.othersTitle(row.others)}>
                {' '}
                {t.candidates.others(row.others)}
              </span>
            )}
            {row.stopped && <span class="faint"> · {t.candidates.stopped}</span>}
            <span class="faint narrow-only">{row.job_title}</span>
          </span>
        </div>
      ),
    },
    ...(may('resume:read')
      ? [
          {
            title: t.candidates.columns.title,
            name: 'title',
            wide: true,
            cell: (row: Candidate) => (
              <span class="clip soft">{[row.title, row.company].filter(Boolean).join(', ')}</span>
            ),
          },
        ]
      : []),
    {
      title: t.candidates.columns.job,
      name: 'job',
      wide: true,
      cell: row => <span class="clip">{row.job_title}</span>,
    },
    { title: t.candidates.columns.stage, name: 'stage', cell: row => <span class="clip">{candidatePlace(row)}</span> },
    {
      title: t.candidates.columns.score,
      name: 'score',
      head: head('score'),
      align: 'end',
      wide: true,
      cell: row => (row.match_pct === null ? '–' : percent(row.match_pct)),
    },
    {
      title: t.candidates.columns.inStage,
      name: 'in_stage',
      head: head('inStage'),
      align: 'end',
      wide: true,
      cell: row => shortAge(Date.now() - Date.parse(row.in_stage_since)),
    },
    {
      title: t.candidates.columns.activity,
      name: 'activity',
      head: head('activity'),
      wide: true,
      cell: row => <Time at={row.updated_at} />,
    },
  ]
  const isFiltered = FILTERS.some(filter => values[filter] !== '')
  const isPhoneRefused = isPhoneNumber(values.q) && !may('contact:phone:read')
  return (
    <div ref={frame} class="candidates-page">
      <PageHead
        title={t.candidates.title}
        actions={
          <>
            <ColumnsButton columns={columns} value={shown} onInput={next => set({ columns: next })} />
            <ViewsMenu page="candidates" />
          </>
        }
      />
      <CandidateFilters values={values} set={set} />
      {isPhoneRefused && <Notice>{t.candidates.phoneRefused}</Notice>}
      {state?.rebuilding && values.q !== '' && <Notice>{t.candidates.rebuilding}</Notice>}
      {selection.people.length > 0 && (
        <SelectedBar
          count={selection.people.length}
          mayTransfer={selection.people.every(mayTransfer)}
          ask={ask}
          onClear={selection.clear}
        />
      )}
      <DataTable
        {...list}
        name={t.candidates.title}
        columns={arrangeColumns(columns, shown)}
        rowKey={row => row.application_id}
        onRow={row => navigate(addressOf(row.application_id))}
        empty={<NoCandidates isFiltered={isFiltered} q={values.q} />}
      />
      {asked && selection.people.length > 0 && (
        <BulkDialog
          asked={asked}
          people={selection.people}
          onClose={() => setAsked(undefined)}
          onChanged={() => {
            selection.clear()
            reload()
          }}
        />
      )}
    </div>
  )
}

/** The jobs that an address names; people who are limited to jobs get those of them that are theirs. */
function useReachedJobs(jobIds: string): string {
  const { jobs } = useSession()
  const named = jobIds.split(',').filter(Boolean)
  const reached = jobs === null ? named : named.filter(id => jobs.includes(id))
  return (reached.length === 0 ? named : reached).join()
}

function NoCandidates({ isFiltered, q }: { isFiltered: boolean; q: string }) {
  const may = useMay()
  if (!isFiltered) return <Empty title={t.candidates.empty} />
  if (q === '' || !may('pool:read')) return <Empty title={t.candidates.noOne} />
  return (
    <Empty title={t.search.noOne(q)}>
      <Button onClick={() => navigate(`/pool?${new URLSearchParams({ q })}`)}>{t.candidates.searchPool}</Button>
    </Empty>
  )
}

/** Candidates that are selected, as they were when that was done; of what is not shown any more nothing is selected. */
function useSelection(selectable: readonly Candidate[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const people = selectable.filter(row => ids.has(row.application_id))
  const isAll = people.length > 0 && people.length === selectable.length
  const toggle = ({ application_id }: Candidate) =>
    setIds(now => {
      const after = new Set(now)
      if (!after.delete(application_id)) after.add(application_id)
      return after
    })
  return {
    people,
    isAll,
    has: ({ application_id }: Candidate) => ids.has(application_id),
    toggle,
    toggleAll: () => setIds(new Set(isAll ? [] : selectable.map(row => row.application_id))),
    clear: () => setIds(new Set()),
  }
}
