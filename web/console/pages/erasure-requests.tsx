import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Id } from '../../ui/copy.tsx'
import { Confirm, Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { Segments, TextField, useSubmit } from '../../ui/form.tsx'
import { Empty, ErrorNote, Notice } from '../../ui/notice.tsx'
import { DescriptionList, PageHead, Pending, Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { Link, navigate, useFilters } from '../../ui/router.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { State, type Tone } from '../../ui/tag.tsx'
import { ExactTime, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, type Row, send, useData, usePages } from '../api.ts'
import { actorWords, REASON_WORDS, recordWords } from '../erasure-words.ts'
import { useSession } from '../session.ts'

type ErasureAskedResponse = Row<'/erasure-requests'>

const STATES: Readonly<Record<ErasureAskedResponse['state'], readonly [tone: Tone, words: string]>> = {
  open: ['warn', 'waiting for a decision'],
  approved: ['good', 'approved'],
  declined: ['plain', 'declined'],
  superseded: ['plain', 'closed by another request'],
}

const RequestState = ({ state }: Pick<ErasureAskedResponse, 'state'>) => (
  <State tone={STATES[state][0]}>{STATES[state][1]}</State>
)

const COLUMNS: readonly Column<ErasureAskedResponse>[] = [
  {
    title: 'Request',
    grow: true,
    cell: row => (
      <div class="two-lines">
        <Link to={`/erasures/requests/${row.id}`}>{REASON_WORDS[row.reason]}</Link>
        <span class="faint mono wide-only">{row.id}</span>
        <span class="faint narrow-only">
          received <Time at={row.requested_at} />
        </span>
      </div>
    ),
  },
  { title: 'State', cell: row => <RequestState state={row.state} /> },
  { title: 'Received', wide: true, cell: row => <Time at={row.requested_at} /> },
  { title: 'Decided', wide: true, cell: row => <Time at={row.decided_at} /> },
  { title: 'Decided by', wide: true, cell: row => (row.state === 'open' ? '–' : actorWords(row.decided_by)) },
]

/** What other workspaces ask of this one, on the page of erasures. */
export const RequestsSection = ({ owner }: { owner: boolean }) => (
  <Section
    title="Requests from other workspaces"
    description="Another workspace of this installation erased a person, or stopped processing their data, and this workspace has records of the same person. An owner decides whether this applies here; until then nothing changes. The name of the other workspace is not shown."
  >
    {owner ? <RequestsTable /> : <p class="soft">Only owners can see and decide these requests.</p>}
  </Section>
)

function RequestsTable() {
  const [{ requests }, set] = useFilters(['requests'])
  const decided = requests === 'decided'
  const list = usePages('/erasure-requests', { state: decided ? 'decided' : 'open' })
  return (
    <>
      <div class="toolbar">
        <Segments
          label="Requests"
          value={decided ? 'decided' : 'open'}
          onInput={value => set({ requests: value === 'decided' ? value : '' })}
          options={[
            ['open', 'Open'],
            ['decided', 'Decided'],
          ]}
        />
      </div>
      <DataTable
        name="Requests from other workspaces"
        columns={COLUMNS}
        {...list}
        rowKey={row => row.id}
        onRow={row => navigate(`/erasures/requests/${row.id}`)}
        empty={
          decided ? (
            <Empty title="None decided yet">Decided requests are listed here, with who decided them and when.</Empty>
          ) : (
            <Empty title="No open requests">
              Owners receive an email when another workspace asks. The request is listed here until it is decided.
            </Empty>
          )
        }
      />
    </>
  )
}

/** Handles of records, with what they are. */
interface SubjectListProps {
  subjects: readonly { object: string; id: string }[]
  /** the records exist: an application leads to its candidate */
  areStored?: boolean
}

export const SubjectList = ({ subjects, areStored }: SubjectListProps) => (
  <ul class="codes">
    {subjects.map(({ object, id }) => (
      <li key={id}>
        <span class="faint">{object.replaceAll('_', ' ')}</span>{' '}
        {areStored && object === 'application' ? (
          <a href={`/hiring/applications/${id}`}>
            <code>{id}</code>
          </a>
        ) : (
          <code>{id}</code>
        )}
      </li>
    ))}
  </ul>
)

const BACK = { to: '/erasures', title: 'Erasure requests' }
const TITLE = 'Request from another workspace'

export function ErasureRequestPage({ params }: PageProps<'id'>) {
  const { user } = useSession()
  if (user.role !== 'owner') {
    return (
      <>
        <PageHead title={TITLE} back={BACK} />
        <Notice tone="warn">
          <p>Only owners can see and decide requests from other workspaces. Ask an owner of this workspace.</p>
        </Notice>
      </>
    )
  }
  return <RequestPage id={params.id} />
}

function RequestPage({ id }: { id: string }) {
  const { data, error, reload } = useData('/erasure-requests/{id}', { id })
  const [dialog, setDialog] = useState<'approve' | 'decline'>()
  const close = () => setDialog(undefined)
  if (!data) return <Pending title={TITLE} back={BACK} error={error} reload={reload} />
  const open = data.state === 'open'
  const erases = data.reason !== 'stop_processing'
  return (
    <>
      <PageHead
        title={REASON_WORDS[data.reason]}
        back={BACK}
        description={<RequestState state={data.state} />}
        actions={
          open && (
            <>
              <Button onClick={() => setDialog('decline')}>Decline</Button>
              <Button kind="danger" onClick={() => setDialog('approve')}>
                Approve
              </Button>
            </>
          )
        }
      />
      {error && <ErrorNote error={error} retry={reload} />}
      {open && (
        <Notice>
          <p>
            Another workspace of this installation {erases ? 'erased a person' : 'stopped processing a person'}. This
            workspace has records of the same person, which are unchanged. The other workspace does not learn what you
            have or decide.
          </p>
        </Notice>
      )}
      <RequestFacts request={data} />
      {data.note !== null && (
        <Section title="Note" description="Only owners of this workspace and the operator see it.">
          <p class="as-written">{data.note}</p>
        </Section>
      )}
      {open && (
        <Section
          title="Records in this workspace"
          description="Handles only. Read a record with the API to see who it is, before you decide."
        >
          {data.subjects.length === 0 ? (
            <p class="soft">
              None. The records were deleted after the request. If you approve, the person cannot be stored here again.
            </p>
          ) : (
            <>
              <p>{data.held_here.map(h => recordWords(h.object, h.count)).join(', ')}</p>
              <SubjectList subjects={data.subjects} />
            </>
          )}
        </Section>
      )}
      {dialog === 'approve' && (
        <Confirm
          title={erases ? 'Erase this person here?' : 'Stop processing this person here?'}
          action={erases ? 'Erase in this workspace' : 'Stop processing'}
          danger
          onClose={close}
          onConfirm={async () => {
            const { erasure_id } = await send('/erasure-requests/{id}/approve', { id })
            toast(erases ? 'The erasure was started' : 'Processing stopped')
            navigate(`/erasures/${erasure_id}`, { replace: true })
          }}
        >
          <p>
            {erases
              ? 'Records, files, exports and emails of the person are deleted from this workspace, and partners are notified to delete their copies. This cannot be undone, and the person cannot be stored here again.'
              : 'The records stay, but are excluded from search, matching, messages and reads of contact details. Partners are notified to delete their copies.'}
          </p>
        </Confirm>
      )}
      {dialog === 'decline' && (
        <DeclineDialog
          id={id}
          onClose={close}
          onDone={() => {
            close()
            toast('Request declined')
            reload()
          }}
        />
      )}
    </>
  )
}

const RequestFacts = ({ request }: { request: Read<'/erasure-requests/{id}'> }) => (
  <DescriptionList
    rows={[
      ['Request id', <Id key="id" value={request.id} />],
      ['Requested by', 'another workspace of this installation'],
      ['Received', <ExactTime key="received" at={request.requested_at} />],
      request.decided_at !== null && ['Decided', <ExactTime key="decided" at={request.decided_at} />],
      request.decided_at !== null && ['Decided by', actorWords(request.decided_by)],
      request.erasure_id !== null && [
        'Result',
        <Link key="erasure" to={`/erasures/${request.erasure_id}`}>
          the erasure in this workspace
        </Link>,
      ],
    ]}
  />
)

function DeclineDialog({ id, onClose, onDone }: { id: string; onClose: () => void; onDone: () => void }) {
  const [note, setNote] = useState('')
  const { busy, error, fault, submit } = useSubmit()
  return (
    <Dialog title="Decline this request?" onClose={onClose}>
      <p>The records do not change. The other workspace is not notified.</p>
      <TextField
        label="Note (optional)"
        value={note}
        onInput={setNote}
        rows={3}
        maxLength={2_000}
        fault={fault('note')}
        hint="Why the records stay, for your own documentation. Avoid personal data."
      />
      <FormError error={error} marked />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          busy={busy}
          onClick={() =>
            submit(async () => {
              await send('/erasure-requests/{id}/decline', { id }, note.trim() === '' ? {} : { note })
              onDone()
            })
          }
        >
          Decline request
        </Button>
      </DialogActions>
    </Dialog>
  )
}
