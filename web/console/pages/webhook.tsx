import { useState } from 'preact/hooks'
import type { Pages } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Id } from '../../ui/copy.tsx'
import { Confirm, Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { SelectField, useSubmit } from '../../ui/form.tsx'
import { Empty, ErrorNote, Notice, Skeleton } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { CodeList, DescriptionList, PageHead, Pending, Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { RotateDialog } from '../../ui/rotate-dialog.tsx'
import { Link, navigate } from '../../ui/router.tsx'
import { DataTable } from '../../ui/table.tsx'
import { ExactTime, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Row, type Sent, send, useData, usePages } from '../api.ts'
import { deliveryColumns } from './deliveries.tsx'
import { EditEndpoint, SigningSecret } from './webhook-form.tsx'
import { EndpointState } from './webhooks.tsx'

type EndpointResponse = Row<'/webhooks'>
type IssuedEndpointResponse = Sent<'/webhooks'>

/** Deliveries on the page of an endpoint; the rest is in the log. */
const RECENT = 10

type Open = 'edit' | 'rotate' | 'disable' | 'recover'

export function WebhookPage({ params: { id } }: PageProps<'id'>) {
  const { data: endpoint, error, reload } = useData('/webhooks/{id}', { id })
  const log = usePages('/deliveries', { endpoint_id: id, limit: RECENT })
  const [dialog, setDialog] = useState<Open>()
  const [issued, setIssued] = useState<IssuedEndpointResponse>()
  const { busy, error: failure, submit } = useSubmit()
  const back = { to: '/webhooks', title: 'Webhook endpoints' }
  const close = () => setDialog(undefined)
  const refresh = () => {
    reload()
    log.reload()
  }

  if (!endpoint) return <Pending title="Webhook endpoint" back={back} error={error} reload={reload} />
  if (issued) {
    return (
      <>
        <PageHead title="Signing secret rotated" description={endpoint.url} />
        <SigningSecret
          secret={issued.signing_secret}
          onDone={() => {
            setIssued(undefined)
            refresh()
          }}
        />
      </>
    )
  }
  const test = () =>
    submit(async () => {
      const delivery = await send('/webhooks/{id}/test', { id })
      navigate(`/deliveries/${delivery.id}`)
    })
  const enable = () =>
    submit(async () => {
      await send('/webhooks/{id}/enable', { id })
      toast('Endpoint enabled')
      refresh()
    })
  return (
    <>
      <PageHead
        title={endpoint.url.replace('https://', '')}
        back={back}
        description={<EndpointState endpoint={endpoint} oneLine />}
        actions={
          <>
            {endpoint.enabled && (
              <Button busy={busy} onClick={test}>
                Send test
              </Button>
            )}
            {endpoint.enabled && <Button onClick={() => setDialog('recover')}>Recover</Button>}
            <Button onClick={() => setDialog('rotate')}>Rotate secret</Button>
            <Button onClick={() => setDialog('edit')}>Edit</Button>
            {endpoint.enabled ? (
              <Button kind="danger" onClick={() => setDialog('disable')}>
                Disable
              </Button>
            ) : (
              <Button kind="primary" busy={busy} onClick={enable}>
                Enable
              </Button>
            )}
          </>
        }
      />
      <FormError error={failure ?? error} />
      {!endpoint.enabled && endpoint.disabled_reason !== 'manual' && (
        <Notice tone="warn">
          <p>
            No events are sent to it. They are still in the feed. After you enable it again, use Recover to send what it
            missed.
          </p>
        </Notice>
      )}
      <EndpointFacts endpoint={endpoint} />
      <Section title={`Event types (${endpoint.event_types.length || 'all'})`}>
        {endpoint.event_types.length === 0 ? (
          <p class="soft">All types that its key can read, including types that are added later.</p>
        ) : (
          <CodeList codes={endpoint.event_types} />
        )}
      </Section>
      <RecentDeliveries endpointId={id} log={log} onRefresh={refresh} />
      {dialog && (
        <EndpointDialog open={dialog} endpoint={endpoint} onClose={close} onChanged={refresh} onIssued={setIssued} />
      )}
    </>
  )
}

const EndpointFacts = ({ endpoint }: { endpoint: EndpointResponse }) => (
  <DescriptionList
    rows={[
      ['Endpoint id', <Id key="id" value={endpoint.id} />],
      [
        'Key',
        <Link key="key" to={`/keys/${endpoint.key.id}`}>
          {endpoint.key.name}
        </Link>,
      ],
      endpoint.description !== null && ['Description', endpoint.description],
      ['Waiting', amount(endpoint.waiting, 'delivery', 'deliveries')],
      ['Last success', <Time key="success" at={endpoint.last_success_at} never="never" />],
      ['Last failure', <Time key="failure" at={endpoint.last_failure_at} never="never" />],
      ['Registered', <ExactTime key="created" at={endpoint.created_at} />],
      [
        'Signing secret',
        <>
          version {endpoint.signing_secret_version}
          {endpoint.previous_secret_expires_at && (
            <>
              ; the one before signs too, and ends <Time at={endpoint.previous_secret_expires_at} />
            </>
          )}
        </>,
      ],
    ]}
  />
)

interface RecentProps {
  endpointId: string
  log: Pages<Row<'/deliveries'>>
  onRefresh: () => void
}

const RecentDeliveries = ({ endpointId, log, onRefresh }: RecentProps) => (
  <Section
    title="Recent deliveries"
    actions={
      <>
        <Button small onClick={onRefresh}>
          Refresh
        </Button>
        <Button small onClick={() => navigate(`/deliveries?endpoint_id=${endpointId}`)}>
          Full log
        </Button>
      </>
    }
  >
    <DataTable
      name="Recent deliveries"
      columns={deliveryColumns()}
      rows={log.rows?.slice(0, RECENT)}
      rowKey={row => row.id}
      error={log.error}
      loading={log.loading}
      reload={log.reload}
      onRow={row => navigate(`/deliveries/${row.id}`)}
      empty={<Empty title="Nothing was sent yet">Send a test to see whether the receiver responds.</Empty>}
    />
  </Section>
)

interface EndpointDialogProps {
  open: Open
  endpoint: EndpointResponse
  onClose: () => void
  onChanged: () => void
  onIssued: (issued: IssuedEndpointResponse) => void
}

function EndpointDialog({ open, endpoint, onClose, onChanged, onIssued }: EndpointDialogProps) {
  if (open === 'recover') return <Recover endpoint={endpoint} onClose={onClose} onDone={onChanged} />
  if (open === 'edit') {
    return (
      <EditLoaded
        endpoint={endpoint}
        onClose={onClose}
        onDone={() => {
          onClose()
          toast('Saved')
          onChanged()
        }}
      />
    )
  }
  if (open === 'rotate') {
    return (
      <RotateDialog
        title="Rotate the signing secret"
        noOverlap="stop signing with the old secret now"
        rotate={hours => send('/webhooks/{id}/rotate', { id: endpoint.id }, { overlap_seconds: hours * 3600 })}
        onClose={onClose}
        onIssued={onIssued}
      >
        <p>
          Deliveries are signed with both secrets until the overlap ends: two <code>v1</code> values, of which one must
          match.
        </p>
      </RotateDialog>
    )
  }
  return (
    <Confirm
      title="Disable this endpoint?"
      action="Disable"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await send('/webhooks/{id}/disable', { id: endpoint.id })
        onClose()
        toast('Endpoint disabled')
        onChanged()
      }}
    >
      <p>
        No more events are sent to it, and pending deliveries are canceled (
        {amount(endpoint.waiting, 'delivery', 'deliveries')}
        ). It can be enabled again at any time.
      </p>
    </Confirm>
  )
}

interface EditLoadedProps {
  endpoint: EndpointResponse
  onClose: () => void
  onDone: () => void
}

/** The scopes of its key say which events can be chosen. */
function EditLoaded({ endpoint, onClose, onDone }: EditLoadedProps) {
  const { data: key, error } = useData('/keys/{id}', { id: endpoint.key.id })
  if (key) return <EditEndpoint endpoint={endpoint} scopes={key.scopes} onClose={onClose} onDone={onDone} />
  return (
    <Dialog title="Edit the endpoint" onClose={onClose} wide>
      {error ? <ErrorNote error={error} /> : <Skeleton lines={4} />}
    </Dialog>
  )
}

interface RecoverProps {
  endpoint: EndpointResponse
  onClose: () => void
  onDone: () => void
}

const HOUR_MS = 3_600_000
const SINCE = [
  ['1', 'The last hour'],
  ['24', 'The last 24 hours'],
  ['168', 'The last 7 days'],
  ['720', 'Everything retained (30 days)'],
] as const

function Recover({ endpoint, onClose, onDone }: RecoverProps) {
  const [hours, setHours] = useState('24')
  const [queued, setQueued] = useState<number>()
  const [gap, setGap] = useState(false)
  const { busy, error, submit } = useSubmit()
  const recover = () =>
    submit(async () => {
      const since = new Date(Date.now() - Number(hours) * HOUR_MS).toISOString()
      let after: number | undefined
      let sum = 0
      for (let more = true; more; ) {
        const response = await send(
          '/webhooks/{id}/recover',
          { id: endpoint.id },
          after === undefined ? { since } : { after },
        )
        sum += response.queued
        setQueued(sum)
        setGap(before => before || response.gap)
        more = response.has_more
        after = response.next_after
      }
      onDone()
    })
  return (
    <Dialog title="Recover missed events" onClose={onClose}>
      <p>
        Queues every event of this period that the endpoint subscribes to and has not acknowledged. What was delivered,
        or is about to be, is left out.
      </p>
      <SelectField label="Time" value={hours} onInput={setHours} options={SINCE} />
      <div role="status">
        {queued !== undefined && (
          <Notice tone="good">
            <p>{queued === 0 ? 'Nothing was missed.' : `Queued: ${amount(queued, 'delivery', 'deliveries')}.`}</p>
          </Notice>
        )}
      </div>
      {gap && Number(hours) < 720 && (
        <Notice tone="warn">
          <p>Some events of this period are no longer retained. The partner must start again from a full copy.</p>
        </Notice>
      )}
      <FormError error={error} />
      <DialogActions>
        <Button onClick={onClose}>{queued === undefined ? 'Cancel' : 'Close'}</Button>
        {queued === undefined && (
          <Button kind="primary" busy={busy} onClick={recover}>
            Recover
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
