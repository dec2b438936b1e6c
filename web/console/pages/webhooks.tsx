import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { count } from '../../ui/numbers.ts'
import { Link, navigate, useFilters } from '../../ui/router.tsx'
import type { Column } from '../../ui/table.tsx'
import { State } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { type Row, useData } from '../api.ts'
import { useSession } from '../session.ts'
import { NeedsPlan } from './webhook-form.tsx'

type EndpointResponse = Row<'/webhooks'>

const DISABLED_WHY = {
  failing: 'no success for 5 days',
  gone: 'the receiver responded with 410',
  manual: 'by a person',
  key_revoked: 'its key was revoked',
} as const

/** How an endpoint is, and in a few words why. */
export function EndpointState({ endpoint, oneLine }: { endpoint: EndpointResponse; oneLine?: boolean }) {
  const { enabled, disabled_reason: reason, consecutive_failures: failures } = endpoint
  const [tone, word, why] = enabled
    ? failures > 0
      ? (['warn', 'failing', `${count.format(failures)} in a row`] as const)
      : (['good', 'enabled', ''] as const)
    : ([reason === 'manual' ? 'plain' : 'bad', 'disabled', reason ? DISABLED_WHY[reason] : ''] as const)
  return (
    <span class={oneLine ? 'links' : 'two-lines'}>
      <State tone={tone}>{word}</State>
      {why && <span class="faint">{why}</span>}
    </span>
  )
}

const COLUMNS: readonly Column<EndpointResponse>[] = [
  {
    title: 'URL',
    grow: true,
    cell: endpoint => (
      <div class="two-lines">
        <Link to={`/webhooks/${endpoint.id}`}>{endpoint.url.replace('https://', '')}</Link>
        <span class="faint">{endpoint.description ?? endpoint.key.name}</span>
      </div>
    ),
  },
  { title: 'State', cell: endpoint => <EndpointState endpoint={endpoint} /> },
  { title: 'Key', wide: true, cell: endpoint => <Link to={`/keys/${endpoint.key.id}`}>{endpoint.key.name}</Link> },
  { title: 'Types', wide: true, align: 'end', cell: endpoint => endpoint.event_types.length || 'all' },
  { title: 'Waiting', wide: true, align: 'end', cell: endpoint => count.format(endpoint.waiting) },
  { title: 'Last success', wide: true, cell: endpoint => <Time at={endpoint.last_success_at} never="never" /> },
]

export function WebhooksPage() {
  const { workspace } = useSession()
  const [{ key }, setFilters] = useFilters(['key'])
  const read = useData('/webhooks')
  const all = read.data?.data
  return (
    <ListPage
      title="Webhook endpoints"
      description="URLs that receive signed events as they happen."
      actions={
        <>
          <Button onClick={() => navigate('/webhooks/signature')}>
            <Icon name="check" size={16} />
            Check a signature
          </Button>
          <Button kind="primary" disabled={workspace.plan === null} onClick={() => navigate('/webhooks/new')}>
            <Icon name="plus" size={16} />
            Register endpoint
          </Button>
        </>
      }
      columns={COLUMNS}
      list={{ ...read, rows: key ? all?.filter(endpoint => endpoint.key.id === key) : all }}
      rowKey={endpoint => endpoint.id}
      onRow={endpoint => navigate(`/webhooks/${endpoint.id}`)}
      empty={['No endpoints yet', 'Register an HTTPS URL of a partner system to deliver events to it within seconds.']}
    >
      {workspace.plan === null && <NeedsPlan />}
      {key && (
        <div class="toolbar">
          <span class="soft">Only endpoints of one key.</span>
          <Button small onClick={() => setFilters({ key: '' })}>
            Show all
          </Button>
        </div>
      )}
    </ListPage>
  )
}
