import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { navigate, useFilters } from '../../ui/router.tsx'
import { DataTable } from '../../ui/table.tsx'
import { useData, usePages } from '../api.ts'
import '../css/jobs.css'
import '../css/job-list.css'
import { DEFAULT_STATUSES, jobColumns, jobPath, STATUS_CHIPS } from '../jobs/list-columns.tsx'
import { JOB_FILTERS, JobFilters } from '../jobs/list-filters.tsx'
import { KEYS } from '../key-table.ts'
import { useJobRoles, useLive } from '../live.ts'
import { useMay, useSession } from '../session.ts'
import { t } from '../texts/index.ts'
import { arrangeColumns, ColumnsButton } from '../views/columns.tsx'
import { ViewsMenu } from '../views/views-menu.tsx'

/** Several changes in a row are read together. */
const SETTLE_MS = 800
const PAGE_ROWS = 50

/** Every job, whatever its status and whose it is. */
const ALL_JOBS = {
  team: 'all',
  status: STATUS_CHIPS.join(),
  q: '',
  department: '',
  location_type: '',
  employment_type: '',
}

/** The jobs of the workspace; at first those whose team the reader is on, if there are any. */
export function JobsPage() {
  const may = useMay()
  const { limited, job_roles } = useSession()
  const roles = useJobRoles() ?? job_roles
  const mayCreate = may('jobs:write') && !limited
  const [{ sort, order, columns: shown, ...values }, set] = useFilters([...JOB_FILTERS, 'sort', 'order', 'columns'])
  const { team, status, ...narrowed } = values
  const isMine = !limited && (team === 'mine' || (team === '' && Object.keys(roles).length > 0))
  const mine = isMine ? { mine: 'true' } : {}
  const jobs = usePages('/jobs', {
    limit: PAGE_ROWS,
    ...narrowed,
    ...mine,
    status: status || DEFAULT_STATUSES,
    sort,
    order,
  })
  const { data: counts, reload: reloadCounts } = useData('/job-counts', narrowed)
  const { data: words, reload: reloadWords } = useData('/job-words')
  const list = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { rows, reload } = jobs
  useEffect(() => () => clearTimeout(timer.current), [])
  useLive(({ type }) => {
    // someone who has loaded more would lose their place
    if (!/^(job|application)\./.test(type) || (rows?.length ?? 0) > PAGE_ROWS) return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      reload()
      if (!type.startsWith('job.')) return
      reloadWords()
      reloadCounts()
    }, SETTLE_MS)
  }, reload)

  const step = (by: 1 | -1) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('.job-link') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))]?.focus()
  }
  useShortcuts([
    {
      keys: KEYS.search,
      title: t.views.jobs.searchJobs,
      run: () => document.querySelector<HTMLElement>('.job-search input')?.focus(),
    },
    { keys: KEYS.next, title: t.views.jobs.nextJob, run: () => step(1) },
    { keys: KEYS.previous, title: t.views.jobs.previousJob, run: () => step(-1) },
    ...(mayCreate ? [{ keys: KEYS.create, title: t.views.jobs.newJob, run: () => navigate('/jobs/new') }] : []),
  ])

  const newJob = mayCreate && (
    <Button kind="primary" onClick={() => navigate('/jobs/new')}>
      <Icon name="plus" size={15} />
      {t.views.jobs.newJob}
    </Button>
  )
  const columns = jobColumns({ sort, order }, next => set({ ...next }))
  const total = counts?.statuses.reduce((sum, { all }) => sum + all, 0)
  const isNarrowed = Object.values(narrowed).some(value => value !== '')
  return (
    <>
      <PageHead
        title={t.jobs.title}
        description={limited ? t.views.jobs.ownDescription : t.views.jobs.description}
        actions={
          <>
            <ColumnsButton columns={columns} value={shown} onInput={next => set({ columns: next })} />
            <ViewsMenu page="jobs" />
            {newJob}
          </>
        }
      />
      <JobFilters
        values={values}
        set={set}
        departments={words?.departments ?? []}
        counts={counts?.statuses}
        isMine={isMine}
        limited={limited}
      />
      <div ref={list} class="job-list">
        <DataTable
          name={t.jobs.title}
          columns={arrangeColumns(columns, shown)}
          {...jobs}
          rowKey={job => job.id}
          onRow={job => navigate(jobPath(job))}
          empty={
            isNarrowed || total !== 0 ? (
              <Empty title={t.views.jobs.noMatch}>
                <Button small onClick={() => set(ALL_JOBS)}>
                  {t.views.jobs.showAll}
                </Button>
              </Empty>
            ) : limited ? (
              <Empty title={t.views.jobs.noneOfTeam}>
                <p>{t.views.jobs.askAdmin}</p>
              </Empty>
            ) : (
              <Empty title={t.views.jobs.none}>
                <p>{t.views.jobs.noneHint}</p>
                {newJob && <p>{newJob}</p>}
              </Empty>
            )
          }
        />
      </div>
    </>
  )
}
