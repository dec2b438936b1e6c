import { useEffect, useState } from 'preact/hooks'
import type { PipelineStage } from '../../../packages/sdk/src/generated.ts'
import { isOpen } from '../../../src/contract/application-status.ts'
import { toQuery } from '../../ui/api.ts'
import { Empty } from '../../ui/notice.tsx'
import { percent } from '../../ui/numbers.ts'
import { PageHead } from '../../ui/page.tsx'
import { Link, navigate, useAddress } from '../../ui/router.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { type Row, read, usePages } from '../api.ts'
import { useCandidateList } from '../candidate-lists.ts'
import { groupName, SPANS, STAGE_NAMES } from '../insight/names.ts'
import { OUTCOME_WORDS as ENDS, stateWord } from '../outcome.ts'
import { sourceName } from '../source-names.ts'
import { t } from '../texts/index.ts'

const columns = (addressOf: (id: string) => string): readonly Column<Counted>[] => [
  {
    title: 'Candidate',
    grow: true,
    cell: row => <Link to={addressOf(row.id)}>{row.name ?? 'Candidate'}</Link>,
  },
  { title: 'Job', wide: true, cell: row => row.job_title },
  { title: 'Stage', cell: row => (isOpen(row.status) ? row.stage_name : stateWord(row.status, undefined)) },
  { title: 'Match', align: 'end', cell: row => (row.match_pct === null ? '–' : percent(row.match_pct)) },
  { title: 'Applied', wide: true, cell: row => <Time at={row.applied_at} /> },
]

type Counted = Row<'/insight/applications'>

const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  reached: 'reached',
  advanced: 'moved on from',
  passed: 'moved on from, or were hired in,',
  current: 'are now in',
  rejected: 'were rejected in',
  withdrawn: 'withdrew in',
  hired: 'were hired in',
}

const statusWord = (status: string): string =>
  status === 'open' ? t.common.open : (Object.entries(ENDS()).find(([id]) => id === status)?.[1] ?? '')

/** What the number counted, in words. */
function meaning(query: URLSearchParams, first: Counted | undefined, stageName: string | undefined): string {
  const given = (name: string) => query.get(name) ?? ''
  const stage = STAGE_NAMES[given('stage_type')] ?? (given('stage_id') && (stageName ?? 'a stage of the job'))
  const grouping = given('group_by')
  // only applications of this job are listed
  const job = given('job_id') || grouping === 'job' ? (first?.job_title ?? '') : ''
  return [
    stage ? `Those who ${OUTCOME_WORDS[given('outcome') || 'reached']} ${stage}` : statusWord(given('status')),
    job,
    given('department'),
    given('source') && sourceName(given('source')),
    grouping && grouping !== 'job' ? groupName(grouping, query.get('group'), query.get('group')) : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

/** The name of a stage that the address has by its id; undefined until it is read, and for a stage that was removed. */
function useStageName(jobId: string | null, stageId: string | null): string | undefined {
  const [stages, setStages] = useState<readonly PipelineStage[]>([])
  useEffect(() => {
    if (jobId === null || stageId === null) return
    const abort = new AbortController()
    // without the name the page says that it is a stage of the job
    read('/v1/jobs/{job_handle}/pipeline-stages', { job_handle: jobId }, abort.signal).then(
      ({ data }) => setStages(data),
      () => {},
    )
    return () => abort.abort()
  }, [jobId, stageId])
  return stages.find(({ id }) => id === stageId)?.name
}

/** Insight with the filters that the number had. */
function wayBack(query: URLSearchParams): string {
  const after = Date.parse(query.get('applied_after') ?? '')
  const days = Math.ceil((Date.now() - after) / 86_400_000)
  // on a later day the number is that of the shortest time that has it
  const span = SPANS.find(([length]) => Number(length) >= days)?.[0]
  const names = ['job_id', 'department', 'source', 'group_by'] as const
  const values = Object.fromEntries(names.map(name => [name, query.get(name) ?? '']))
  return `/insight${toQuery({ ...values, days: span })}`
}

/** The applications behind a number of the funnel. */
export function CountedApplicationsPage() {
  const { search } = useAddress()
  const query = new URLSearchParams(search)
  const rows = usePages('/insight/applications', Object.fromEntries(query))
  const addressOf = useCandidateList(
    'insight',
    search,
    rows.rows?.map(({ id }) => id),
    rows.next,
  )
  const counted = meaning(query, rows.rows?.[0], useStageName(query.get('job_id'), query.get('stage_id')))
  return (
    <>
      <PageHead
        title="Applications behind the number"
        back={{ to: wayBack(query), title: 'Insight' }}
        description={`${counted && `${counted}. `}Newest first. Applications that moved since the number was counted may differ.`}
      />
      <DataTable
        name="Applications"
        columns={columns(addressOf)}
        {...rows}
        rowKey={row => row.id}
        onRow={row => navigate(addressOf(row.id))}
        empty={<Empty title="No application is behind this number any more" />}
      />
    </>
  )
}
