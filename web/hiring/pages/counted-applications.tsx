import type { CountedApplicationResponse } from '../../../src/hiring/api-types.ts'
import { usePages } from '../../ui/api.ts'
import { Empty } from '../../ui/notice.tsx'
import { percent } from '../../ui/numbers.ts'
import { PageHead } from '../../ui/page.tsx'
import { Link, navigate, useAddress } from '../../ui/router.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { STATUS_NAMES } from '../status-names.ts'

const COLUMNS: readonly Column<CountedApplicationResponse>[] = [
  {
    title: 'Candidate',
    grow: true,
    cell: row => <Link to={`/applications/${row.id}`}>{row.name ?? 'Candidate'}</Link>,
  },
  { title: 'Job', wide: true, cell: row => row.job_title },
  { title: 'Stage', wide: true, cell: row => row.stage_name },
  { title: 'Status', cell: row => STATUS_NAMES[row.status] ?? row.status },
  { title: 'Match', align: 'end', cell: row => (row.match_pct === null ? '–' : percent(row.match_pct)) },
  { title: 'Applied', wide: true, cell: row => <Time at={row.applied_at} /> },
]

/** The applications behind a number of the funnel. */
export function CountedApplicationsPage() {
  const { search } = useAddress()
  const rows = usePages<CountedApplicationResponse>(`/insight/applications${search}`)
  return (
    <>
      <PageHead
        title="Applications behind the number"
        back={{ to: `/insight`, title: 'Insight' }}
        description="Newest first. Applications that moved since the number was counted may differ."
      />
      <DataTable
        name="Applications"
        columns={COLUMNS}
        {...rows}
        rowKey={row => row.id}
        onRow={row => navigate(`/applications/${row.id}`)}
        empty={<Empty title="No application is behind this number any more" />}
      />
    </>
  )
}
