import { ERRORS, type ErrorCode } from '../../../src/contract/errors.ts'
import { API_LIMITS } from '../../../src/contract/limits.ts'
import { Id } from '../../ui/copy.tsx'
import { Empty, ErrorNote, Prose } from '../../ui/notice.tsx'
import { count } from '../../ui/numbers.ts'
import { DescriptionList, PageHead, Pending, Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { callsAround } from '../../ui/request-link.tsx'
import { Link } from '../../ui/router.tsx'
import { SmallTable } from '../../ui/table.tsx'
import { ExactTime } from '../../ui/time.tsx'
import { type Read, useData } from '../api.ts'
import { callerName, endpointName, RequestStatus } from './requests.tsx'

type RequestDetailResponse = Read<'/requests/{id}'>

const back = { to: '/requests', title: 'Request log' }

export function RequestPage({ params }: PageProps<'id'>) {
  const { data: call, error, reload } = useData('/requests/{id}', { id: params.id })
  if (!call && error?.status === 404) {
    return (
      <>
        <PageHead title="Call" back={back} />
        <Empty title="Not in the log">
          The log has API calls of the last {API_LIMITS.requestLogDays} days with a key of this workspace. Calls of
          other workspaces and with an unknown or revoked key are not in it.
        </Empty>
      </>
    )
  }
  if (!call) return <Pending title="Call" back={back} error={error} reload={reload} />
  const { key, acting_user: person } = call
  return (
    <>
      <PageHead title={endpointName(call)} back={back} description={<RequestStatus status={call.status} />} />
      {error && <ErrorNote error={error} retry={reload} />}
      <DescriptionList
        rows={[
          ['Request id', <Id key="id" value={call.id} />],
          ['Time', <ExactTime key="at" at={call.created_at} />],
          ['Took', `${count.format(call.duration_ms)} ms`],
          [
            key.is_app ? 'App' : 'Key',
            key.is_app ? (
              callerName(call)
            ) : (
              <Link key="key" to={`/keys/${key.id}`}>
                {callerName(call)}
              </Link>
            ),
          ],
          person !== null && ['On behalf of', person.name ?? person.id],
          call.personal_data_units > 0 && [
            'Personal-data units',
            <Link key="units" to={`/audit?key_id=${key.id}`}>
              {count.format(call.personal_data_units)}
            </Link>,
          ],
          [
            'More',
            <span key="more" class="links">
              <Link to={callsAround(key.id, call.created_at)}>Calls of the key at this time</Link>
              {call.code !== null && <Link to={`/requests?code=${call.code}`}>Calls with this error</Link>}
            </span>,
          ],
        ]}
      />
      {call.code !== null && <Failure code={call.code} param={call.param} />}
      <Section
        title="Parameters"
        description="Of path and query. Values that may be personal are not stored, and neither is the body."
      >
        <Parameters params={call.params} />
      </Section>
    </>
  )
}

/** What the error means, in the words of the catalogue. */
function Failure({ code, param }: { code: string; param: string | null }) {
  const row = ERRORS[code as ErrorCode]
  return (
    <Section title="Error">
      <DescriptionList
        rows={[
          [
            'Code',
            <a key="code" href={`/docs/errors#${code}`}>
              <code>{code}</code>
            </a>,
          ],
          param !== null && ['Parameter', <code key="param">{param}</code>],
        ]}
      />
      {row && (
        <>
          <p>
            <Prose text={row.message} /> <Prose text={row.cause} />
          </p>
          <p>
            <Prose text={row.remedy} />
          </p>
        </>
      )}
    </Section>
  )
}

function Parameters({ params }: { params: RequestDetailResponse['params'] }) {
  const rows = Object.entries(params)
  if (rows.length === 0) return <Empty title="None" />
  return (
    <div class="table-frame">
      <SmallTable
        auto
        name="Parameters"
        columns={[
          { title: 'Name', class: 'mono', cell: ([name]) => name },
          { title: 'Value', class: 'mono wrap', cell: ([, value]) => value ?? <span class="faint">not stored</span> },
        ]}
        rows={rows}
        rowKey={([name]) => name}
      />
    </div>
  )
}
