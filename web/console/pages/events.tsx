import { useState } from 'preact/hooks'
import { EVENT_TYPES, EVENTS, isEventType } from '../../../src/contract/events.ts'
import { Button } from '../../ui/button.tsx'
import { Id } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { createdWithin, FilterSpan, Filters, FilterText } from '../../ui/filters.tsx'
import { SelectField } from '../../ui/form.tsx'
import { Json } from '../../ui/json.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Notice, Prose } from '../../ui/notice.tsx'
import { count } from '../../ui/numbers.ts'
import { DescriptionList } from '../../ui/page.tsx'
import { callsAround } from '../../ui/request-link.tsx'
import { Link, useFilters } from '../../ui/router.tsx'
import type { Column } from '../../ui/table.tsx'
import { ExactTime, Time } from '../../ui/time.tsx'
import { type Row, useData, usePages } from '../api.ts'

type EventResponse = Row<'/events'>

const recordOf = (event: EventResponse): { object: string; id: string } => JSON.parse(event.body).data.object

const FILTERS = ['type', 'origin', 'about', 'created_after', 'created_before'] as const

export function EventsPage() {
  const [filters, setFilters] = useFilters(FILTERS)
  const keys = useData('/keys')
  const [open, setOpen] = useState<EventResponse>()
  const list = usePages('/events', filters)
  const columns: readonly Column<EventResponse>[] = [
    { title: 'Sequence', align: 'end', wide: true, cell: event => count.format(event.sequence) },
    {
      title: 'Event',
      grow: true,
      cell: event => (
        <div class="two-lines">
          <button type="button" class="row-button" onClick={() => setOpen(event)}>
            {event.type}
          </button>
          <span class="faint mono">{recordOf(event).id}</span>
        </div>
      ),
    },
    {
      title: 'Caused by',
      wide: true,
      cell: event =>
        event.origin ? (
          <Link to={`/keys/${event.origin.id}`}>{event.origin.name}</Link>
        ) : (
          <span class="faint">the product</span>
        ),
    },
    { title: 'Recorded', cell: event => <Time at={event.created_at} /> },
  ]
  const filtered = FILTERS.some(name => filters[name] !== '')
  return (
    <>
      <ListPage
        title="Event feed"
        description="Every change of the last 30 days, as partners read it and webhooks deliver it. Newest first."
        actions={<Button onClick={list.reload}>Refresh</Button>}
        name="Events"
        columns={columns}
        list={{ ...list, more: list.more && !list.unfinished }}
        rowKey={event => event.id}
        onRow={setOpen}
        empty={
          list.unfinished
            ? null
            : filtered
              ? ['No matching events', 'Change the filters.']
              : ['No events yet', 'Changes to jobs, applications, lists and people appear here.']
        }
      >
        <Filters values={filters} set={setFilters}>
          <SelectField
            label="Type"
            value={filters.type}
            onInput={type => setFilters({ type })}
            options={[['', 'All types'], ...EVENT_TYPES.map(type => [type, type] as const)]}
          />
          <SelectField
            label="Caused by"
            value={filters.origin}
            onInput={origin => setFilters({ origin })}
            options={[
              ['', 'Anything'],
              ['product', 'The product'],
              ['api', 'Any API key'],
              ...(keys.data?.data ?? []).map(key => [key.id, key.name] as const),
            ]}
          />
          <FilterText
            label="Record or event id"
            value={filters.about}
            onInput={about => setFilters({ about })}
            placeholder="app_… or evt_…"
          />
          <FilterSpan
            after={filters.created_after}
            before={filters.created_before}
            onInput={createdWithin(setFilters)}
          />
        </Filters>
      </ListPage>
      {list.unfinished && !list.loading && (
        <Notice>
          <p>No more matches in the events searched so far. There are older events.</p>
          <p>
            <Button small onClick={list.loadMore}>
              Search older events
            </Button>
          </p>
        </Notice>
      )}
      {open && <EventDialog event={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function EventDialog({ event, onClose }: { event: EventResponse; onClose: () => void }) {
  const record = recordOf(event)
  return (
    <Dialog title={event.type} onClose={onClose} wide>
      <p class="soft">{isEventType(event.type) && <Prose text={EVENTS[event.type].description} />}</p>
      <DescriptionList
        rows={[
          ['Event', <Id key="id" value={event.id} />],
          [`Record (${record.object})`, <Id key="record" value={record.id} />],
          ['Sequence', count.format(event.sequence)],
          ['Recorded', <ExactTime key="at" at={event.created_at} />],
          ['Caused by', event.origin ? event.origin.name : 'the product'],
          isEventType(event.type) && ['Needs', <code key="scope">{EVENTS[event.type].scope}</code>],
        ]}
      />
      <h3 class="payload-title">Payload</h3>
      <Json text={event.body} name="payload" />
      <p>
        <span class="links">
          <Link to={`/deliveries?event_id=${event.id}`}>Webhook deliveries</Link>
          {event.origin && (
            <Link to={callsAround(event.origin.id, event.created_at)}>Calls of the key at this time</Link>
          )}
        </span>
      </p>
    </Dialog>
  )
}
