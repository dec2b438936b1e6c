import { ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { count } from '../../ui/numbers.ts'
import { Section } from '../../ui/page.tsx'
import { type Column, SmallTable } from '../../ui/table.tsx'
import { type Read, useData } from '../api.ts'

type LimitResponse = Read<'/limits'>['limits'][number]

const NAMES: Readonly<Record<LimitResponse['name'], string>> = {
  general_per_minute: 'Requests of a key in a minute',
  expensive_per_minute: 'Expensive requests of a key in a minute',
  download_per_minute: 'Downloads of a key in a minute',
  personal_data_reads_per_day: 'Personal values that a key reads in a day',
  requests_per_month: 'Requests of the workspace in a month',
}

const shown = (value: number | null) => (value === null ? 'unlimited' : count.format(value))

const COLUMNS: readonly Column<Read<'/limits'>['limits'][number]>[] = [
  {
    title: 'Limit',
    grow: true,
    cell: ({ name, own }) => (
      <>
        {NAMES[name]}
        {own !== undefined && <div class="soft">set by the operator</div>}
      </>
    ),
  },
  { title: 'In force', align: 'end', cell: ({ value }) => shown(value) },
  { title: 'Plan', align: 'end', class: 'soft', cell: ({ plan }) => shown(plan) },
]

/** The limits of the workspace's keys. Only the operator can change them. */
export function Limits() {
  const { data, error, reload } = useData('/limits')
  return (
    <Section
      title="Limits"
      description="What the keys of this workspace may use: the limits of its plan, and those that the operator of this installation set for it."
    >
      {error && !data && <ErrorNote error={error} retry={reload} />}
      {!data && !error && <Skeleton />}
      {data && <SmallTable auto name="Limits" columns={COLUMNS} rows={data.limits} rowKey={({ name }) => name} />}
    </Section>
  )
}
