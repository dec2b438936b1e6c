import type { ComponentChildren } from 'preact'
import { toQuery, usePolling } from '../../ui/api.ts'
import { Chart, Meter, REQUEST_SERIES } from '../../ui/chart.tsx'
import { Segments, SelectField } from '../../ui/form.tsx'
import { Empty, ErrorNote, Notice, Skeleton } from '../../ui/notice.tsx'
import { amount, count } from '../../ui/numbers.ts'
import { PageHead, Section } from '../../ui/page.tsx'
import { Link, useFilters } from '../../ui/router.tsx'
import { type Column, SmallTable } from '../../ui/table.tsx'
import { State, type Tone } from '../../ui/tag.tsx'
import { ago, dateFormat, Time } from '../../ui/time.tsx'
import { useAlertCount } from '../alert-badge.tsx'
import { type Read, useData } from '../api.ts'

type OverviewResponse = Read<'/overview'>

const hourLabel = dateFormat('axisTime')
const dayLabel = dateFormat('axisDay', 'UTC')

const POLL_MS = 60_000

export function OverviewPage() {
  const [filters, setFilters] = useFilters(['range', 'key_id'])
  const range = filters.range || '24h'
  const read = useData('/overview', { range, key_id: filters.key_id })
  const { data, error, loading, reload } = read
  usePolling(read, true, POLL_MS)
  const label = (row: { at: string }) => (data?.bucket === 'day' ? dayLabel : hourLabel).format(new Date(row.at))
  const keyOptions = [['', 'All keys'], ...(data?.keys ?? []).map(key => [key.id, key.name] as const)] as const
  return (
    <>
      <PageHead
        title="Overview"
        description="Activity of the integrations of this workspace."
        actions={
          <>
            <SelectField
              label="Key"
              value={filters.key_id}
              onInput={value => setFilters({ key_id: value })}
              options={keyOptions}
            />
            <Segments
              label="Time"
              value={range}
              onInput={value => setFilters({ range: value === '24h' ? '' : value })}
              options={[
                ['24h', '24 hours'],
                ['7d', '7 days'],
                ['30d', '30 days'],
              ]}
            />
          </>
        }
      />
      <OpenAlerts />
      {error && <ErrorNote error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <div class={loading ? 'stale' : undefined}>
          {data.keys.length === 0 && <FirstSteps />}
          <Tiles data={data} keyId={filters.key_id} />
          <div class="charts">
            <Chart
              title="Requests"
              rows={data.requests}
              label={label}
              empty="No requests in this period."
              series={REQUEST_SERIES}
            />
            <Chart
              title="Webhook deliveries"
              rows={data.deliveries}
              label={label}
              empty="Nothing was sent in this period."
              series={[
                { name: 'Delivered', tone: 'good', value: r => r.delivered },
                { name: 'Failed attempts', tone: 'warn', value: r => r.failed_attempts - r.given_up },
                { name: 'Gave up', tone: 'bad', value: r => r.given_up },
              ]}
            />
            <Chart
              title="Personal-data reads per day (UTC)"
              rows={data.personal_data}
              label={row => dayLabel.format(new Date(row.day))}
              empty="No personal data was read in this period."
              series={[{ name: 'Values', tone: 'accent', value: r => r.used }]}
            />
            <Allowances data={data} keyId={filters.key_id} />
          </div>
          <Section
            title="Keys"
            description={`Requests in the last ${RANGE_WORDS[range] ?? range}; personal data since midnight UTC.`}
          >
            <KeyFigures data={data} />
          </Section>
        </div>
      )}
    </>
  )
}

const Allowances = ({ data, keyId }: { data: OverviewResponse; keyId: string }) => (
  <div class="panel">
    <h3>Allowances</h3>
    <Meter
      name="Requests this month"
      used={data.month.used}
      limit={data.month.quota}
      note={`Shared by all keys. Resets ${ago(data.month.resets_at)}.`}
    />
    {data.keys
      .filter(key => !keyId || key.id === keyId)
      .sort((a, b) => b.personal_data_today - a.personal_data_today)
      .slice(0, METERS)
      .map(key => (
        <Meter
          key={key.id}
          name={`Personal data today: ${key.name}`}
          used={key.personal_data_today}
          limit={data.personal_data_per_day}
        />
      ))}
    <p class="faint small">
      Each key can make {count.format(data.per_minute.general)} general calls per minute,{' '}
      {count.format(data.per_minute.expensive)} expensive ones and {count.format(data.per_minute.download)} downloads.{' '}
      <a href="/docs/limits">See all limits</a>
    </p>
  </div>
)

function OpenAlerts() {
  const open = useAlertCount()
  if (!open || open.waiting === 0) return null
  return (
    <Notice tone={open.critical > 0 ? 'bad' : 'warn'}>
      <p>
        {amount(open.waiting, 'open alert')}
        {open.critical > 0 && `, ${count.format(open.critical)} critical`}.{' '}
        <Link to="/alerts">See what needs attention</Link>
      </p>
    </Notice>
  )
}

/** Keys whose budget is drawn; the table below has all. */
const METERS = 4

const RANGE_WORDS: Readonly<Record<string, string>> = { '24h': '24 hours', '7d': '7 days', '30d': '30 days' }

/** What a workspace does that nothing is connected to yet. */
const FirstSteps = () => (
  <div class="panel first-steps">
    <h2>Connect a system</h2>
    <ol>
      <li>
        <Link to="/keys/new">Create a key</Link> with the scopes that your integration needs.
      </li>
      <li>
        Share it together with <a href="/docs/guides/first-call">First call in five minutes</a>.
      </li>
      <li>
        <Link to="/webhooks/new">Register a webhook endpoint</Link>, if it needs to be notified of changes.
      </li>
    </ol>
  </div>
)

function Tiles({ data, keyId }: { data: OverviewResponse; keyId: string }) {
  const log = toQuery({ key_id: keyId })
  const sum = (pick: (r: OverviewResponse['requests'][number]) => number) =>
    data.requests.reduce((total, row) => total + pick(row), 0)
  const requests = sum(r => r.requests)
  const errors = sum(r => r.client_errors + r.server_errors)
  const server = sum(r => r.server_errors)
  const limited = sum(r => r.limited)
  const sent = data.deliveries.reduce((total, row) => total + row.delivered, 0)
  const failed = data.deliveries.reduce((total, row) => total + row.failed_attempts, 0)
  const { endpoints, last_event: event } = data
  const rate = requests === 0 ? 0 : (errors / requests) * 100
  const health: [Tone, string] =
    endpoints.failing > 0
      ? ['bad', `${endpoints.failing} failing`]
      : endpoints.enabled > 0
        ? ['good', 'all healthy']
        : ['plain', 'none enabled']
  return (
    <div class="tiles">
      <Tile name="Requests" value={<Link to={`/requests${log}`}>{count.format(requests)}</Link>}>
        {limited > 0 ? `${count.format(limited)} over the limit` : 'none over the limit'}
      </Tile>
      <Tile
        name="Errors"
        value={
          <Link to={`/requests${log ? `${log}&` : '?'}status=errors`}>
            {rate.toFixed(rate > 0 && rate < 10 ? 1 : 0)} %
          </Link>
        }
      >
        {amount(errors, 'error response')}
        {server > 0 && ` (5xx: ${count.format(server)})`}
      </Tile>
      <Tile name="Deliveries" value={count.format(sent)}>
        {failed > 0 ? `${count.format(failed)} attempts failed` : 'no attempt failed'}
      </Tile>
      <Tile name="Webhook endpoints" value={<Link to="/webhooks">{endpoints.enabled}</Link>}>
        <State tone={health[0]}>{health[1]}</State>
      </Tile>
      <Tile name="Last event" value={event ? <Time at={event.created_at} /> : 'none yet'}>
        <Link to="/events">{event ? `sequence ${count.format(event.sequence)}` : 'Event feed'}</Link>
      </Tile>
    </div>
  )
}

const Tile = ({ name, value, children }: { name: string; value: ComponentChildren; children: ComponentChildren }) => (
  <div class="tile">
    <span class="faint">{name}</span>
    <b>{value}</b>
    <span class="soft">{children}</span>
  </div>
)

const KEY_COLUMNS: readonly Column<OverviewResponse['keys'][number]>[] = [
  { title: 'Key', grow: true, cell: key => <Link to={`/keys/${key.id}`}>{key.name}</Link> },
  { title: 'Requests', align: 'end', cell: key => count.format(key.requests) },
  { title: 'Errors', align: 'end', cell: key => count.format(key.errors) },
  { title: 'Over the limit', align: 'end', wide: true, cell: key => count.format(key.limited) },
  { title: 'Personal data today', align: 'end', wide: true, cell: key => count.format(key.personal_data_today) },
  { title: 'Last used', wide: true, cell: key => <Time at={key.last_used_at} never="never" /> },
]

function KeyFigures({ data }: { data: OverviewResponse }) {
  if (data.keys.length === 0) return <Empty title="No keys yet" />
  return (
    <div class="table-frame">
      <SmallTable name="Keys and their requests" columns={KEY_COLUMNS} rows={data.keys} rowKey={key => key.id} />
    </div>
  )
}
