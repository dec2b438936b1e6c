import { useRef } from 'preact/hooks'
import { ERROR_CODES } from '../../../src/contract/errors.ts'
import { API_LIMITS } from '../../../src/contract/limits.ts'
import { toQuery } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Chart, REQUEST_SERIES } from '../../ui/chart.tsx'
import { createdWithin, FilterSpan, Filters, FilterText } from '../../ui/filters.tsx'
import { Segments, SelectField } from '../../ui/form.tsx'
import { Empty, ErrorNote, Notice } from '../../ui/notice.tsx'
import { count } from '../../ui/numbers.ts'
import { PageHead, Section } from '../../ui/page.tsx'
import { Link, navigate, useFilters } from '../../ui/router.tsx'
import { type Column, DataTable, SmallTable } from '../../ui/table.tsx'
import { State, type Tone } from '../../ui/tag.tsx'
import { dateFormat, ExactTime } from '../../ui/time.tsx'
import { type Read, type Row, useData, usePages } from '../api.ts'

type RequestFiguresResponse = Read<'/requests/figures'>
type RequestLogResponse = Row<'/requests'>

const FILTERS = ['key_id', 'status', 'code', 'route', 'request_id', 'created_after', 'created_before'] as const

const STATUSES: readonly (readonly [string, string])[] = [
  ['', 'Any status'],
  ['errors', 'All errors'],
  ['2xx', '2xx'],
  ['4xx', '4xx'],
  ['400', '400'],
  ['401', '401'],
  ['403', '403'],
  ['404', '404'],
  ['409', '409'],
  ['429', '429'],
  ['5xx', '5xx'],
]

const toneOf = (status: number): Tone =>
  status >= 500 ? 'bad' : status === 429 ? 'info' : status >= 400 ? 'warn' : 'good'

export const RequestStatus = ({ status }: { status: number }) => <State tone={toneOf(status)}>{status}</State>

/** The endpoint of a call, or that there was none, and the nearest one. */
export const endpointName = ({
  method,
  route,
  did_you_mean: near = null,
}: Pick<RequestLogResponse, 'method' | 'route'> & Partial<RequestLogResponse>): string =>
  `${method} ${route ?? `(no such endpoint${near === null ? '' : `, near ${near}`})`}`

export const callerName = ({ key }: Pick<RequestLogResponse, 'key'>): string => key.name ?? key.id

const momentLabel = dateFormat('recent')

/** The second of a call matters: calls are compared with another log. */
const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {momentLabel.format(new Date(at))}
  </time>
)

const COLUMNS: readonly Column<RequestLogResponse>[] = [
  {
    title: 'Call',
    grow: true,
    cell: row => (
      <div class="two-lines">
        <Link to={`/requests/${row.id}`} class="mono">
          {endpointName(row)}
        </Link>
        <span class="faint">
          {callerName(row)}
          <span class="narrow-only">
            {' · '}
            <Moment at={row.created_at} />
          </span>
        </span>
      </div>
    ),
  },
  { title: 'Status', cell: row => <RequestStatus status={row.status} /> },
  { title: 'Error', wide: true, cell: row => <span class="mono">{row.code ?? ''}</span> },
  { title: 'Took', wide: true, align: 'end', cell: row => `${count.format(row.duration_ms)} ms` },
  { title: 'When', wide: true, cell: row => <Moment at={row.created_at} /> },
]

export function RequestsPage() {
  const [filters, setFilters] = useFilters(FILTERS)
  const [{ range: chosen }, setRange] = useFilters(['range'])
  const range = chosen || '24h'
  const dated = filters.created_after !== '' || filters.created_before !== ''
  const asked = { ...filters, range: dated ? '' : range }
  const { request_id, ...figured } = asked
  const callers = useData('/audit/options')
  const figures = useData('/requests/figures', figured)
  const list = usePages('/requests', asked)
  // not a handle: finds nothing
  const unknown = list.error?.status === 404
  const filtered = FILTERS.some(name => filters[name] !== '')
  const reload = () => {
    list.reload()
    figures.reload()
  }
  return (
    <>
      <PageHead
        title="Request log"
        description={`Every API call of the last ${API_LIMITS.requestLogDays} days, newest first. Bodies and personal values are not stored.`}
        actions={
          <>
            <Segments
              label="Time"
              value={dated ? '' : range}
              onInput={value => {
                setFilters({ created_after: '', created_before: '' })
                setRange({ range: value === '24h' ? '' : value })
              }}
              options={[
                ['1h', '1 hour'],
                ['24h', '24 hours'],
                ['7d', '7 days'],
              ]}
            />
            <Button onClick={reload}>Refresh</Button>
          </>
        }
      />
      <Filters values={filters} set={setFilters}>
        <SelectField
          label="Key"
          value={filters.key_id}
          onInput={key_id => setFilters({ key_id })}
          options={[['', 'Any key or app'], ...(callers.data?.readers ?? []).map(r => [r.id, r.name] as const)]}
        />
        <SelectField
          label="Status"
          value={filters.status}
          onInput={status => setFilters({ status })}
          options={STATUSES}
        />
        <SelectField
          label="Error"
          value={filters.code}
          onInput={code => setFilters({ code })}
          options={[['', 'Any code'], ...ERROR_CODES.map(code => [code, code] as const)]}
        />
        <SelectField
          label="Endpoint"
          value={filters.route}
          onInput={route => setFilters({ route })}
          options={useRoutes(figures.data, filters.route)}
        />
        <FilterText
          label="Request id"
          value={request_id}
          onInput={id => setFilters({ request_id: id })}
          placeholder="req_…"
        />
        <FilterSpan after={filters.created_after} before={filters.created_before} onInput={createdWithin(setFilters)} />
      </Filters>
      {request_id === '' && <Figures data={figures.data} loading={figures.loading} />}
      {figures.error && <ErrorNote error={figures.error} retry={figures.reload} />}
      <Section title="Calls">
        <DataTable
          name="Calls"
          columns={COLUMNS}
          {...(unknown ? { ...list, rows: [], error: undefined } : list)}
          rowKey={row => row.id}
          onRow={row => navigate(`/requests/${row.id}`)}
          empty={
            <Empty title={filtered ? 'No matching calls' : 'No calls in this period'}>
              {filtered ? 'Change the filters or the time.' : 'When a key or app calls the API, the call appears here.'}
            </Empty>
          }
        />
      </Section>
    </>
  )
}

/** Endpoints that were called, of all responses so far: the one that is chosen leaves no others in its own response. */
function useRoutes(
  data: RequestFiguresResponse | undefined,
  chosen: string,
): readonly (readonly [value: string, label: string])[] {
  const seen = useRef(new Set<string>())
  for (const { route } of data?.endpoints ?? []) if (route !== null) seen.current.add(route)
  if (chosen !== '') seen.current.add(chosen)
  return [['', 'All endpoints'], ...[...seen.current].sort().map(route => [route, route] as const)]
}

const timeLabel = dateFormat('axisTime')

function Figures({ data, loading }: { data: RequestFiguresResponse | undefined; loading: boolean }) {
  if (!data) return null
  const label = (row: { at: string }) => timeLabel.format(new Date(row.at))
  return (
    <div class={loading ? 'stale' : undefined}>
      {data.counted_from !== null && (
        <Notice>
          <p>
            There were too many calls to count all of them here. The figures are those of the newest{' '}
            {count.format(data.total.requests)}, since <ExactTime at={data.counted_from} />.
          </p>
        </Notice>
      )}
      <div class="charts">
        <Chart
          title="Calls"
          rows={data.series}
          label={label}
          empty="No calls in this period."
          series={REQUEST_SERIES}
        />
        <Chart
          title="Response time"
          rows={data.series}
          label={label}
          empty="No calls in this period."
          unit="ms"
          series={[
            { name: '95th percentile', tone: 'info', value: r => r.p95_ms, overall: data.total.p95_ms },
            { name: 'Median', tone: 'accent', value: r => r.p50_ms, overall: data.total.p50_ms },
          ]}
        />
      </div>
      {data.endpoints.length > 1 && <Endpoints data={data} />}
    </div>
  )
}

const ENDPOINT_COLUMNS: readonly Column<RequestFiguresResponse['endpoints'][number]>[] = [
  {
    title: 'Endpoint',
    grow: true,
    class: 'mono',
    cell: row =>
      row.route === null ? (
        endpointName(row)
      ) : (
        <Link to={`/requests${toQuery({ route: row.route })}`}>{endpointName(row)}</Link>
      ),
  },
  { title: 'Calls', align: 'end', cell: row => count.format(row.requests) },
  {
    title: 'Errors',
    align: 'end',
    cell: row => count.format(row.client_errors + row.server_errors + row.limited),
  },
  { title: 'Median', align: 'end', wide: true, cell: row => `${count.format(row.p50_ms)} ms` },
  { title: '95th percentile', align: 'end', wide: true, cell: row => `${count.format(row.p95_ms)} ms` },
]

const Endpoints = ({ data }: { data: RequestFiguresResponse }) => (
  <details class="as-table endpoint-figures">
    <summary>By endpoint</summary>
    <div class="table-frame">
      <SmallTable name="Calls by endpoint" columns={ENDPOINT_COLUMNS} rows={data.endpoints} rowKey={endpointName} />
    </div>
  </details>
)
