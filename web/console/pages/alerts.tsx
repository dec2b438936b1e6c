import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { countsChanged } from '../../ui/count-badge.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Segments, useSubmit } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Link, navigate, useFilters } from '../../ui/router.tsx'
import { State } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Row, send, usePages } from '../api.ts'

type AlertResponse = Row<'/alerts'>

export function AlertsPage() {
  const [{ state }, setFilters] = useFilters(['state'])
  const shown = state || 'open'
  const { rows, error, loading, more, loadMore, reload, retry } = usePages('/alerts', { state: shown })
  return (
    <>
      <PageHead
        title="Alerts"
        description="What needs attention before an integration stops working. An alert closes when its cause is gone."
        actions={
          <>
            <Segments
              label="Alerts"
              value={shown}
              onInput={value => setFilters({ state: value === 'open' ? '' : value })}
              options={[
                ['open', 'Open'],
                ['resolved', 'Resolved'],
              ]}
            />
            <Button onClick={() => navigate('/alerts/settings')}>
              <Icon name="settings" size={16} />
              Notifications
            </Button>
          </>
        }
      />
      {error && <ErrorNote error={error} retry={rows ? retry : reload} />}
      {!rows && !error && <Skeleton />}
      {rows?.length === 0 &&
        (shown === 'open' ? (
          <Empty title="No open alerts">Webhook endpoints, budgets, keys and deletion deadlines are in order.</Empty>
        ) : (
          <Empty title="No resolved alerts">Resolved alerts are shown here for 90 days.</Empty>
        ))}
      {rows && rows.length > 0 && (
        <ul class={loading ? 'alerts stale' : 'alerts'} aria-label={`${shown === 'open' ? 'Open' : 'Resolved'} alerts`}>
          {rows.map(alert => (
            <AlertItem key={alert.id} alert={alert} reload={reload} />
          ))}
        </ul>
      )}
      {more && (
        <div class="actions">
          <Button onClick={loadMore} busy={loading}>
            Show more
          </Button>
        </div>
      )}
    </>
  )
}

const TONES = { warning: 'warn', critical: 'bad' } as const

function AlertItem({ alert, reload }: { alert: AlertResponse; reload: () => void }) {
  const { busy, error, submit } = useSubmit()
  const [acknowledged, setAcknowledged] = useState(alert.acknowledged_by)
  const by = alert.acknowledged_by ?? acknowledged
  const acknowledge = () =>
    submit(async () => {
      setAcknowledged((await send('/alerts/{id}/acknowledge', { id: alert.id })).acknowledged_by)
      toast('Alert acknowledged')
      countsChanged()
      reload()
    })
  return (
    <li class={by || alert.resolved_at ? 'alert panel calm' : 'alert panel'}>
      <div class="alert-head">
        <h2>
          <Link to={alert.path}>{alert.title}</Link>
        </h2>
        <State tone={alert.resolved_at ? 'good' : TONES[alert.level]}>
          {alert.resolved_at ? 'resolved' : alert.level}
        </State>
      </div>
      <p>{alert.text}</p>
      <div class="alert-foot">
        <span class="faint small">
          Opened <Time at={alert.opened_at} />
          {by && (
            <>
              {' · '}acknowledged by {by} {alert.acknowledged_at && <Time at={alert.acknowledged_at} />}
            </>
          )}
          {alert.resolved_at && (
            <>
              {' · '}resolved <Time at={alert.resolved_at} />
            </>
          )}
        </span>
        {!by && !alert.resolved_at && (
          <Button small busy={busy} onClick={acknowledge}>
            Acknowledge
          </Button>
        )}
      </div>
      <FormError error={error} />
    </li>
  )
}
