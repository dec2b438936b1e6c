import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty } from '../../ui/notice.tsx'
import { count } from '../../ui/numbers.ts'
import { PageHead, Section } from '../../ui/page.tsx'
import { Link, navigate } from '../../ui/router.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { State } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { type Row, usePages } from '../api.ts'
import { actorWords, REASON_WORDS } from '../erasure-words.ts'
import { useSession } from '../session.ts'
import { RequestsSection } from './erasure-requests.tsx'

type ErasureResponse = Row<'/erasures'>

export const ErasureState = ({ erasure }: { erasure: ErasureResponse }) =>
  erasure.running ? (
    <State tone="info">running</State>
  ) : erasure.status === 'erased' ? (
    <State tone="good">erased</State>
  ) : (
    <State tone="good">processing stopped</State>
  )

export const requester = ({ requested_by, approved }: ErasureResponse): string =>
  approved ? `another workspace, approved by ${actorWords(requested_by)}` : actorWords(requested_by)

const COLUMNS: readonly Column<ErasureResponse>[] = [
  {
    title: 'Request',
    grow: true,
    cell: row => (
      <div class="two-lines">
        <Link to={`/erasures/${row.id}`}>{REASON_WORDS[row.reason]}</Link>
        <span class="faint mono wide-only">{row.id}</span>
        <span class="faint narrow-only">
          requested <Time at={row.requested_at} />
        </span>
      </div>
    ),
  },
  {
    title: 'State',
    cell: row => (
      <div class="two-lines">
        <ErasureState erasure={row} />
        {row.running && (
          <span class="faint">
            {row.progress.done} of {row.progress.found}
          </span>
        )}
        {!row.running && row.unconfirmed > 0 && <span class="faint">waiting for partners</span>}
      </div>
    ),
  },
  {
    title: 'Records',
    wide: true,
    align: 'end',
    cell: row => (row.requested_by === null ? '–' : count.format(row.records.reduce((sum, r) => sum + r.found, 0))),
  },
  {
    title: 'Confirmed',
    wide: true,
    align: 'end',
    cell: row => `${count.format(row.acknowledgements)} of ${count.format(row.acknowledgements + row.unconfirmed)}`,
  },
  { title: 'Requested by', wide: true, cell: row => requester(row) },
  { title: 'Requested', wide: true, cell: row => <Time at={row.requested_at} /> },
]

export function ErasuresPage() {
  const { user, workspace, erasure_reach: reach } = useSession()
  const list = usePages('/erasures')
  const owner = user.role === 'owner'
  return (
    <>
      <PageHead
        title="Erasure requests"
        description="People who asked to be erased, or for processing to stop. Their identities are not stored."
        actions={
          <Button kind="primary" disabled={!owner} onClick={() => navigate('/erasures/new')}>
            <Icon name="plus" size={16} />
            New request
          </Button>
        }
      />
      {!owner && <p class="soft">Only owners can start a request, because an erasure cannot be undone.</p>}
      <RequestsSection owner={owner} />
      <Section title="In this workspace">
        <DataTable
          name="Erasure requests"
          columns={COLUMNS}
          {...list}
          rowKey={row => row.id}
          onRow={row => navigate(`/erasures/${row.id}`)}
          empty={
            <Empty title="No requests yet">
              {reach === 'workspace'
                ? `A request removes a person from this workspace, including files, exports and emails, and notifies partners to delete their copies.${workspace.environment === 'live' ? ' Other workspaces that have data about the person are asked to decide.' : ''}`
                : 'A request removes a person from every workspace, the pool, files, exports and emails, and notifies partners to delete their copies.'}
            </Empty>
          }
        />
      </Section>
    </>
  )
}
