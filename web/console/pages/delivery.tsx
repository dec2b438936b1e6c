import { usePolling } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Id } from '../../ui/copy.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { Json } from '../../ui/json.tsx'
import { Empty, Notice } from '../../ui/notice.tsx'
import { DescriptionList, PageHead, Pending, Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { Link, navigate } from '../../ui/router.tsx'
import { type Column, SmallTable } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { ExactTime, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send, useData } from '../api.ts'
import { DeliveryState, ERROR_WORDS } from './deliveries.tsx'

type DeliveryDetailResponse = Read<'/deliveries/{id}'>

/** How often a delivery that is about to be sent is looked at again. */
const LOOK_MS = 1_500

export function DeliveryPage({ params }: PageProps<'id'>) {
  const read = useData('/deliveries/{id}', { id: params.id })
  const { data: delivery, error, reload } = read
  const { busy, error: failure, submit } = useSubmit()
  const back = { to: '/deliveries', title: 'Delivery log' }
  usePolling(read, delivery?.status === 'pending', LOOK_MS)

  if (!delivery) return <Pending title="Delivery" back={back} error={error} reload={reload} />
  const redeliver = () =>
    submit(async () => {
      const again = await send('/deliveries/{id}/redeliver', { id: delivery.id })
      toast('Queued again')
      navigate(`/deliveries/${again.id}`)
    })
  return (
    <>
      <PageHead
        title={delivery.event_type}
        back={back}
        description={
          <>
            <DeliveryState status={delivery.status} />{' '}
            {delivery.kind !== 'event' && <Tag>{delivery.kind === 'ping' ? 'test' : 'redelivery'}</Tag>}
          </>
        }
        actions={
          <Button busy={busy} disabled={delivery.payload === null} onClick={redeliver}>
            Redeliver
          </Button>
        }
      />
      <FormError error={failure ?? error} />
      {delivery.status === 'retrying' && (
        <Notice tone="warn">
          <p>
            Next attempt <Time at={delivery.next_attempt_at} /> ({delivery.attempts.length} of 10 used).
          </p>
        </Notice>
      )}
      {delivery.status === 'canceled' && (
        <Notice>
          <p>The endpoint was disabled before this was sent. Use Recover on the endpoint to send missed events.</p>
        </Notice>
      )}
      <DescriptionList
        rows={[
          ['Delivery id', <Id key="id" value={delivery.id} />],
          [
            'Event',
            <span key="event" class="links">
              <Id value={delivery.event_id} />
              <Link to={`/events?about=${delivery.event_id}`}>In the feed</Link>
            </span>,
          ],
          [
            'Endpoint',
            <Link key="endpoint" to={`/webhooks/${delivery.endpoint.id}`}>
              {delivery.endpoint.url.replace('https://', '')}
            </Link>,
          ],
          ['Queued', <ExactTime key="created" at={delivery.created_at} />],
          delivery.delivered_at !== null && ['Delivered', <ExactTime key="delivered" at={delivery.delivered_at} />],
        ]}
      />
      <Section title={`Attempts (${delivery.attempts.length})`}>
        {delivery.attempts.length === 0 ? (
          <Empty title="No attempts yet">The first attempt starts within seconds.</Empty>
        ) : (
          <div class="table-frame">
            <SmallTable
              auto
              name="Attempts"
              columns={ATTEMPT_COLUMNS}
              rows={delivery.attempts}
              rowKey={({ attempt }) => String(attempt)}
            />
          </div>
        )}
      </Section>
      <Responses attempts={delivery.attempts} />
      <Section
        title="Payload"
        description="Formatted for reading. Copy gives the exact bytes that are signed and sent."
      >
        {delivery.payload === null ? (
          <Empty title="The event is no longer retained">Events are retained for 30 days.</Empty>
        ) : (
          <Json text={delivery.payload} name="payload" />
        )}
      </Section>
    </>
  )
}

type Attempt = DeliveryDetailResponse['attempts'][number]

const ATTEMPT_COLUMNS: readonly Column<Attempt>[] = [
  { title: 'No.', cell: attempt => attempt.attempt },
  {
    title: 'Sent',
    cell: attempt => (
      <>
        <span class="wide-only">
          <ExactTime at={attempt.sent_at} />
        </span>
        <span class="narrow-only">
          <Time at={attempt.sent_at} />
        </span>
      </>
    ),
  },
  {
    title: 'Took',
    align: 'end',
    wide: true,
    cell: ({ duration_ms: took }) => (took === null ? '–' : `${took} ms`),
  },
  { title: 'Status', align: 'end', cell: attempt => attempt.response_status ?? '–' },
  { title: 'Outcome', class: 'wrap', cell: attempt => outcome(attempt) },
]

/** What the receiver returned, by attempt, the last one open. Nothing before the first response. */
function Responses({ attempts }: { attempts: readonly Attempt[] }) {
  const responded = attempts.filter(attempt => attempt.response_status !== null)
  if (responded.length === 0) return null
  const withText = responded.flatMap(({ attempt, response_status: status, response_body: text }) =>
    text === null ? [] : { attempt, status, text },
  )
  return (
    <Section
      title="Response"
      description="The first 1 KB that the receiver returned. Control characters are replaced with �."
    >
      {withText.length === 0 ? (
        <Empty title="No text">
          The response was empty or not text, or it was deleted with the data of an erased person.
        </Empty>
      ) : (
        withText.map(({ attempt, status, text }) => (
          <details key={attempt} class="response" open={attempt === withText.at(-1)?.attempt}>
            <summary>
              Attempt {attempt}: {status}
            </summary>
            <Json text={text} name={`response of attempt ${attempt}`} />
          </details>
        ))
      )}
    </Section>
  )
}

function outcome({ error, duration_ms }: Attempt): string {
  if (duration_ms === null) return 'in flight'
  if (error === null) return 'acknowledged'
  return error === 'http_status' ? 'rejected by the receiver' : (ERROR_WORDS[error] ?? error)
}
