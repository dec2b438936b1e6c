import '../css/decisions.css'
import '../css/checks.css'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { kindTitle } from '../../../src/contract/check-words.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty, ErrorNote, Notice, Skeleton } from '../../ui/notice.tsx'
import { State } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { send, useData } from '../api.ts'
import type { Check } from '../checks/data.ts'
import { reasonTitle, statusTitle, statusTone } from '../checks/words.ts'
import { KEYS } from '../key-table.ts'
import { useLive } from '../live.ts'
import { useMay } from '../session.ts'
import { CancelCheckDialog, ExtendCheckDialog, RepeatCheckDialog } from './check-dialogs.tsx'
import { CheckResult } from './check-result.tsx'
import { OrderCheckDialog } from './order-check-dialog.tsx'
import type { PanelProps } from './panel-props.ts'

/** Tests and checks of vendors for this application: what was ordered, where it is, and what came of it. */
export function ChecksPanel({ application }: PanelProps) {
  const may = useMay()
  const { data, error, reload } = useData('/applications/{application}/orders', { application: application.id })
  const [ordering, setOrdering] = useState(false)
  const mayOrder = may('orders:write') && data?.orderable === true
  useShortcuts(mayOrder ? [{ keys: KEYS.create, title: 'Order a check', run: () => setOrdering(true) }] : [])
  useLive(({ type, data: { object } }) => {
    // only the first event of an order names its application
    const isShown = data?.orders.some(({ id }) => id === object.id)
    if (type.startsWith('order.') && (isShown || object.application_id === application.id)) reload()
  }, reload)
  if (error && !data) return <ErrorNote error={error} retry={reload} />
  if (!data) return <Skeleton lines={4} />
  return (
    <div class="stack-panel">
      {mayOrder && (
        <div class="entry-actions">
          <Button kind={data.orders.length === 0 ? 'primary' : 'secondary'} onClick={() => setOrdering(true)}>
            Order a check
          </Button>
        </div>
      )}
      {data.unsubscribed && may('orders:write') && (
        <Notice>
          This person unsubscribed from emails, so they get no invitation. Their own page still shows what there is to
          do.
        </Notice>
      )}
      {data.orders.length === 0 && (
        <Empty title="No checks yet">
          {mayOrder
            ? 'Order a test or a check from a vendor. A person decides about the result; it never moves or rejects anyone.'
            : 'Nothing was ordered for this application.'}
        </Empty>
      )}
      {data.orders.length > 0 && (
        <ol class="entries" aria-label="Checks">
          {data.orders.map(check => (
            <CheckEntry key={check.id} check={check} of={application.id} reload={reload} />
          ))}
        </ol>
      )}
      {ordering && (
        <OrderCheckDialog
          application={application.id}
          unsubscribed={data.unsubscribed}
          onClose={() => setOrdering(false)}
          onOrdered={reload}
        />
      )}
    </div>
  )
}

interface EntryProps {
  check: Check
  /** the application */
  of: string
  reload: () => void
}

function CheckEntry({ check, of, reload }: EntryProps) {
  const may = useMay()
  return (
    <li class="entry check-entry">
      <div class="entry-head">
        <b>{check.package_name}</b>
        <State tone={statusTone(check.status)}>{statusTitle(check.status)}</State>
      </div>
      <p class="small soft">
        {kindTitle(check.kind)} · {check.vendor.name}
        {check.attempt > 1 && ` · attempt ${check.attempt}`}
      </p>
      <p class="small faint">
        Ordered by {placedBy(check)} <Time at={check.requested_at} />
        {check.due_at !== null && isOpen(check) && (
          <>
            {' '}
            · due <Time at={check.due_at} />
          </>
        )}
      </p>
      <Situation check={check} />
      {check.result_received && may('orders:results:read') && <CheckResult check={check} />}
      <CheckActions check={check} of={of} reload={reload} />
    </li>
  )
}

const OPEN = ['requested', 'invited', 'in_progress']
const isOpen = ({ status }: Pick<Check, 'status'>) => OPEN.includes(status)

function placedBy({ placed_by }: Check): string {
  if (placed_by.kind === 'rule') return 'a rule of the stage'
  if (placed_by.own) return 'you'
  const { kind, name } = placed_by
  return name ?? (kind === 'person' ? 'a former member' : 'a key that was removed')
}

/** What is waited for, or how it ended; of a result nothing more is to be said. */
function Situation({ check }: { check: Check }) {
  const text = situationOf(check)
  if (text === undefined) return null
  const isTrouble = check.waiting_on === 'workspace' || check.status === 'declined' || check.status === 'failed'
  return <p class={isTrouble ? 'check-note trouble' : 'check-note'}>{text}</p>
}

function situationOf(check: Check): ComponentChildren {
  const { status, vendor, status_reason: reason, waiting_on: waitingOn } = check
  if (status === 'requested') return `Waiting for ${vendor.name} to accept the order.`
  if (waitingOn === 'workspace' && isOpen(check))
    return `${vendor.name} is waiting for your team${reason?.message ? `: ${reason.message}` : '.'}`
  if (status === 'invited') return <InvitationWords check={check} />
  if (status === 'in_progress')
    return waitingOn === 'vendor'
      ? `The candidate is done; ${vendor.name} is working on the result.`
      : 'The candidate has started.'
  if (status === 'expired')
    return check.due_at === null ? (
      'The time ended without a result.'
    ) : (
      <>
        The time ended <Time at={check.due_at} /> without a result.
      </>
    )
  if (status === 'completed') return check.result_received ? undefined : 'Completed.'
  return reason === null ? undefined : reasonTitle(reason)
}

function InvitationWords({ check: { invitation, vendor } }: { check: Check }) {
  const { by, sent_at: sentAt, reminders, last_reminded_at: remindedAt } = invitation
  if (by === 'vendor') return <>{vendor.name} sends the invitation.</>
  if (sentAt === null)
    return <>{by === 'caller' ? 'No invitation was sent.' : 'No invitation could be sent by email.'}</>
  return (
    <>
      Invited by email <Time at={sentAt} />
      {reminders > 0 && remindedAt !== null && (
        <>
          , reminded {reminders === 1 ? 'once' : `${reminders} times, last`} <Time at={remindedAt} />
        </>
      )}
      .
    </>
  )
}

type Asked = 'extend' | 'cancel' | 'repeat'

/** What can be done now; the service decides the same (`can` of the response). */
function CheckActions({ check, of, reload }: EntryProps) {
  const [asked, setAsked] = useState<Asked>()
  const { busy, error, submit } = useSubmit()
  const { can } = check
  const order = { application: of, order: check.id }
  const run = (what: 'invite' | 'remind', done: string) => () =>
    submit(async () => {
      await send(`/applications/{application}/orders/{order}/${what}`, order)
      toast(done)
      reload()
    })
  const close = () => setAsked(undefined)
  const name = check.package_name
  return (
    <>
      <div class="entry-actions">
        {can.invite && (
          <Button
            small
            kind="primary"
            busy={busy}
            label={`Send invitation: ${name}`}
            onClick={run('invite', 'Invitation is on its way')}
          >
            Send invitation
          </Button>
        )}
        {can.remind && (
          <Button small busy={busy} label={`Remind: ${name}`} onClick={run('remind', 'Reminder is on its way')}>
            Remind
          </Button>
        )}
        {can.extend && (
          <Button small label={`Extend: ${name}`} onClick={() => setAsked('extend')}>
            Extend
          </Button>
        )}
        {can.repeat && (
          <Button small label={`Order again: ${name}`} onClick={() => setAsked('repeat')}>
            Order again
          </Button>
        )}
        {can.cancel && (
          <Button small label={`Cancel: ${name}`} onClick={() => setAsked('cancel')}>
            Cancel
          </Button>
        )}
        {check.external_url !== null && (
          <a class="button secondary small" href={check.external_url} target="_blank" rel="noreferrer">
            Open at {check.vendor.name}
          </a>
        )}
      </div>
      <FormError error={error} />
      {asked === 'extend' && <ExtendCheckDialog check={check} of={of} onClose={close} onDone={reload} />}
      {asked === 'cancel' && <CancelCheckDialog check={check} of={of} onClose={close} onDone={reload} />}
      {asked === 'repeat' && <RepeatCheckDialog check={check} of={of} onClose={close} onDone={reload} />}
    </>
  )
}
