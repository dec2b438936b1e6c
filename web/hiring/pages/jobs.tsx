import type { Job } from '../../../packages/sdk/src/generated.ts'
import { usePages } from '../../ui/api.ts'
import { Empty } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { State, type Tone } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'

const TONES: Readonly<Record<string, Tone>> = { published: 'good', draft: 'warn', closed: 'plain' }

const COLUMNS: readonly Column<Job>[] = [
  { title: 'Job', grow: true, cell: job => job.title },
  { title: 'Status', cell: job => <State tone={TONES[job.status] ?? 'plain'}>{job.status}</State> },
  { title: 'Changed', wide: true, cell: job => <Time at={job.updated_at} /> },
]

/** The jobs of the workspace. */
export function JobsPage() {
  const jobs = usePages<Job>('/v1/jobs?include_unpublished=true')
  return (
    <>
      <PageHead title="Jobs" description="Every job of the workspace, with its candidates." />
      <DataTable
        name="Jobs"
        columns={COLUMNS}
        {...jobs}
        rowKey={job => job.id}
        empty={<Empty title="There are no jobs yet" />}
      />
    </>
  )
}
