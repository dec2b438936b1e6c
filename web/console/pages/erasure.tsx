import { usePolling } from '../../ui/api.ts'
import { Meter } from '../../ui/chart.tsx'
import { Id } from '../../ui/copy.tsx'
import { ErrorNote } from '../../ui/notice.tsx'
import { DescriptionList, PageHead, Pending, Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { Link } from '../../ui/router.tsx'
import { type Column, SmallTable } from '../../ui/table.tsx'
import { State } from '../../ui/tag.tsx'
import { ago, ExactTime, exactTime, Time } from '../../ui/time.tsx'
import { useData } from '../api.ts'
import { REASON_WORDS, recordWords } from '../erasure-words.ts'
import { SubjectList } from './erasure-requests.tsx'
import { ErasureState, requester } from './erasures.tsx'

const POLL_MS = 1_000

/** What a partner has deleted, and confirmed; neither where it has not. */
interface PartnerCopy {
  key: { id: string; name: string }
  deleted_at: string | null
  acknowledged_at: string | null
}

const copyColumns = (overdue: boolean): readonly Column<PartnerCopy>[] => [
  { title: 'Key', cell: ({ key }) => <Link to={`/keys/${key.id}`}>{key.name}</Link> },
  {
    title: 'State',
    cell: ({ acknowledged_at }) =>
      acknowledged_at === null ? (
        <State tone={overdue ? 'bad' : 'warn'}>{overdue ? 'overdue' : 'waiting'}</State>
      ) : (
        <State tone="good">confirmed</State>
      ),
  },
  { title: 'Deleted', cell: ({ deleted_at }) => <Time at={deleted_at} /> },
  { title: 'Confirmed', wide: true, cell: ({ acknowledged_at }) => <Time at={acknowledged_at} /> },
]

export function ErasurePage({ params }: PageProps<'id'>) {
  const read = useData('/erasures/{id}', { id: params.id })
  const { data, error, reload } = read
  const back = { to: '/erasures', title: 'Erasure requests' }
  const running = data?.running ?? false
  usePolling(read, running, POLL_MS)

  if (!data) return <Pending title="Erasure request" back={back} error={error} reload={reload} />
  return (
    <>
      <PageHead title={REASON_WORDS[data.reason]} back={back} description={<ErasureState erasure={data} />} />
      {error && <ErrorNote error={error} retry={reload} />}
      {running && (
        <div class="panel narrow" aria-live="polite">
          <Meter
            name="Done"
            used={data.progress.done}
            limit={Math.max(data.progress.found, 1)}
            progress
            note="This continues in the background, even if you close the page or the service restarts."
          />
        </div>
      )}
      <DescriptionList
        rows={[
          ['Suppression id', <Id key="id" value={data.id} />],
          ['Requested by', requester(data)],
          ['Requested', <ExactTime key="asked" at={data.requested_at} />],
          data.completed_at !== null && ['Completed', <ExactTime key="done" at={data.completed_at} />],
          data.requested_by !== null && [
            data.status === 'erased' ? 'Erased' : 'Records',
            data.records.map(r => recordWords(r.object, r.found)).join(', ') || 'no records',
          ],
        ]}
      />
      <Section
        title="Partners’ copies"
        description={`Partners are notified through the feed and must confirm that they deleted their copies by ${exactTime(data.delete_by)} (${ago(data.delete_by)}).`}
      >
        {data.confirmations.length + data.waiting.length === 0 ? (
          <p class="soft">
            {data.subjects.length === 0
              ? 'This workspace had no records of the person, so no partner has to confirm.'
              : 'No key with access to events was ever used in this workspace, so no partner has to confirm.'}
          </p>
        ) : (
          <div class="table-frame">
            <SmallTable
              auto
              name="Confirmations"
              columns={copyColumns(data.overdue)}
              rows={[
                ...data.confirmations,
                ...data.waiting.map(key => ({ key, deleted_at: null, acknowledged_at: null })),
              ]}
              rowKey={({ key }) => key.id}
            />
          </div>
        )}
      </Section>
      {data.subjects.length > 0 && (
        <Section title="Records in this workspace" description="Handles only. Partners use them to find their copies.">
          <SubjectList subjects={data.subjects} areStored={data.reason === 'stop_processing'} />
        </Section>
      )}
      {data.identifiers.length > 0 && (
        <Section
          title="What is retained about the person"
          description="Hashes of their normalized email addresses and LinkedIn URLs, so that they are not stored again. The identifiers themselves are deleted."
        >
          <ul class="codes">
            {data.identifiers.map(({ kind, value }) => (
              <li key={value}>
                <span class="faint">{kind === 'email' ? 'email' : 'LinkedIn'} SHA-256</span> <code>{value}</code>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}
