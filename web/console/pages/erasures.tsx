import type { ErasureAnswer, ErasureReason } from '../../../src/console/answers.ts'
import { usePages } from '../api.ts'
import { Link, navigate } from '../router.tsx'
import { useSession } from '../session.ts'
import { Button, count, Empty, State, Time } from '../ui/bits.tsx'
import { Icon } from '../ui/icons.tsx'
import { PageHead } from '../ui/page.tsx'
import { type Column, DataTable } from '../ui/table.tsx'

export const REASON_WORDS: Readonly<Record<ErasureReason, string>> = {
  erasure_request: 'Erasure on request',
  legal_request: 'Erasure by law',
  stop_processing: 'Stop of processing',
}

export const ErasureState = ({ erasure }: { erasure: ErasureAnswer }) =>
  erasure.running ? (
    <State tone="info">running</State>
  ) : erasure.status === 'erased' ? (
    <State tone="good">erased</State>
  ) : (
    <State tone="good">processing stopped</State>
  )

export const requester = ({ requested_by: by }: ErasureAnswer): string =>
  by === null
    ? 'not recorded'
    : by === 'command_line'
      ? 'the command line'
      : by === 'another_workspace'
        ? 'another workspace'
        : by

const COLUMNS: readonly Column<ErasureAnswer>[] = [
  {
    title: 'Request',
    grow: true,
    cell: row => (
      <div class="two-lines">
        <Link to={`/erasures/${row.id}`}>{REASON_WORDS[row.reason]}</Link>
        <span class="faint mono wide-only">{row.id}</span>
        <span class="faint narrow-only">
          asked <Time at={row.requested_at} />
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
      </div>
    ),
  },
  {
    title: 'Records',
    wide: true,
    align: 'end',
    cell: row => (row.requested_by === null ? '–' : count.format(row.records.reduce((sum, r) => sum + r.found, 0))),
  },
  { title: 'Workspaces', wide: true, align: 'end', cell: row => count.format(row.workspaces) },
  { title: 'Confirmed', wide: true, align: 'end', cell: row => count.format(row.acknowledgements) },
  { title: 'Asked by', wide: true, cell: row => requester(row) },
  { title: 'Asked', wide: true, cell: row => <Time at={row.requested_at} /> },
]

export function ErasuresPage() {
  const { user } = useSession()
  const list = usePages<ErasureAnswer>('/erasures')
  const owner = user.role === 'owner'
  return (
    <>
      <PageHead
        title="Erasure requests"
        about="People who asked to be erased, or not to be processed any more. Who they are is kept nowhere."
        actions={
          <Button kind="primary" disabled={!owner} onClick={() => navigate('/erasures/new')}>
            <Icon name="plus" size={16} />
            New request
          </Button>
        }
      />
      {!owner && <p class="soft">Owners start requests: one reaches every workspace of this installation.</p>}
      <DataTable
        name="Erasure requests"
        columns={COLUMNS}
        rows={list.rows}
        rowKey={row => row.id}
        error={list.error}
        loading={list.loading}
        reload={list.reload}
        retry={list.retry}
        more={list.more}
        loadMore={list.loadMore}
        onRow={row => navigate(`/erasures/${row.id}`)}
        empty={
          <Empty title="No requests yet">
            A request removes a person from every workspace, the pool, files, exports and mails, and tells partners to
            delete their copies.
          </Empty>
        }
      />
    </>
  )
}
