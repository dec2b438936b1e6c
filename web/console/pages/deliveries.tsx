import { EVENT_TYPES } from '../../../src/contract/events.ts'
import { Button } from '../../ui/button.tsx'
import { createdWithin, FilterSpan, Filters, FilterText } from '../../ui/filters.tsx'
import { SelectField } from '../../ui/form.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Link, navigate, useFilters } from '../../ui/router.tsx'
import type { Column } from '../../ui/table.tsx'
import { State, type Tone } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { type Row, useData, usePages } from '../api.ts'

type DeliveryResponse = Row<'/deliveries'>
type DeliveryStatus = Row<'/deliveries'>['status']

const TONES: Readonly<Record<DeliveryStatus, Tone>> = {
  pending: 'info',
  retrying: 'warn',
  delivered: 'good',
  failed: 'bad',
  canceled: 'plain',
}

export const DeliveryState = ({ status }: { status: DeliveryStatus }) => <State tone={TONES[status]}>{status}</State>

/** What came back, in a few words. */
export const describeOutcome = ({
  response_status: status,
  error,
}: Pick<DeliveryResponse, 'response_status' | 'error'>): string =>
  [status ?? '', error && error !== 'http_status' ? (ERROR_WORDS[error] ?? error) : ''].filter(Boolean).join(' · ') ||
  '–'

export const ERROR_WORDS: Readonly<Record<string, string>> = {
  timeout: 'no response in 10 s',
  connection_failed: 'no connection',
  tls_failed: 'TLS failed',
  redirect_refused: 'redirects are not followed',
  'url_refused: blocked_address': 'IP address is not public',
  event_expired: 'gave up',
}

export const deliveryColumns = (urlOf?: (id: string) => string | undefined): readonly Column<DeliveryResponse>[] => [
  {
    title: 'Event',
    grow: true,
    cell: row => (
      <div class="two-lines">
        <Link to={`/deliveries/${row.id}`}>{row.event_type}</Link>
        <span class="faint">
          <span class="narrow-only">
            <Time at={row.created_at} />
            {' · '}
          </span>
          <span class="mono">{urlOf?.(row.endpoint_id) ?? row.event_id}</span>
        </span>
      </div>
    ),
  },
  { title: 'State', cell: row => <DeliveryState status={row.status} /> },
  { title: 'Response', wide: true, cell: row => <span class={row.error ? '' : 'faint'}>{describeOutcome(row)}</span> },
  { title: 'Attempts', wide: true, align: 'end', cell: row => row.attempt },
  { title: 'Next attempt', wide: true, cell: row => <Time at={row.next_attempt_at} /> },
  { title: 'Queued', wide: true, cell: row => <Time at={row.created_at} /> },
]

const FILTERS = [
  'endpoint_id',
  'status',
  'event_type',
  'response_status',
  'event_id',
  'created_after',
  'created_before',
] as const

const STATUSES: readonly (readonly [string, string])[] = [
  ['', 'All states'],
  ['failed,retrying', 'Failed or retrying'],
  ['pending', 'Pending'],
  ['retrying', 'Retrying'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
  ['canceled', 'Canceled'],
]

const RESPONSES: readonly (readonly [string, string])[] = [
  ['', 'Any response'],
  ['2xx', '2xx'],
  ['3xx', '3xx'],
  ['4xx', '4xx'],
  ['410', '410'],
  ['429', '429'],
  ['5xx', '5xx'],
  ['503', '503'],
]

export function DeliveriesPage() {
  const [filters, setFilters] = useFilters(FILTERS)
  const endpoints = useData('/webhooks')
  const list = usePages('/deliveries', filters)
  const urls = new Map(endpoints.data?.data.map(({ id, url }) => [id, url.replace('https://', '')]))
  const filtered = FILTERS.some(name => filters[name] !== '')
  return (
    <ListPage
      title="Delivery log"
      description="Deliveries of events to endpoints, newest first. Retained for 30 days."
      actions={<Button onClick={list.reload}>Refresh</Button>}
      name="Deliveries"
      columns={deliveryColumns(id => urls.get(id))}
      list={list.error?.status === 404 ? { ...list, rows: [], error: undefined } : list}
      rowKey={row => row.id}
      onRow={row => navigate(`/deliveries/${row.id}`)}
      empty={
        filtered
          ? ['No matching deliveries', 'Change the filters.']
          : ['Nothing was sent yet', 'When an endpoint is registered, its deliveries appear here.']
      }
    >
      <Filters values={filters} set={setFilters}>
        <SelectField
          label="Endpoint"
          value={filters.endpoint_id}
          onInput={endpoint_id => setFilters({ endpoint_id })}
          options={[['', 'All endpoints'], ...urls]}
        />
        <SelectField
          label="State"
          value={filters.status}
          onInput={status => setFilters({ status })}
          options={STATUSES}
        />
        <SelectField
          label="Event type"
          value={filters.event_type}
          onInput={event_type => setFilters({ event_type })}
          options={[['', 'All types'], ['ping', 'ping (test)'], ...EVENT_TYPES.map(type => [type, type] as const)]}
        />
        <SelectField
          label="Response"
          value={filters.response_status}
          onInput={response_status => setFilters({ response_status })}
          options={RESPONSES}
        />
        <FilterText
          label="Event id"
          value={filters.event_id}
          onInput={event_id => setFilters({ event_id })}
          placeholder="evt_…"
        />
        <FilterSpan after={filters.created_after} before={filters.created_before} onInput={createdWithin(setFilters)} />
      </Filters>
    </ListPage>
  )
}
