import { LIMITS } from '../../contract/limits.ts'
import type { Database, Queryable } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/failure.ts'
import { type CodeCount, emptyTally, outcome, stagesOf, totalsOf, wholeSpans, withRate } from './rules.ts'
import { type FunnelRow, MEASURED, type StageTally, type TotalsRow } from './shape.ts'
import {
  addChanges,
  DIMENSION,
  type FunnelQuery,
  funnelCounts,
  funnelMedians,
  type JobStage,
  stageCounts,
  stageMedians,
  stagesOfJob,
  tryAdding,
} from './store.ts'

/** The lots that applications are in, by their handles. */
const LOTS = 1_024

type Counted = Pick<FunnelRow, 'totals' | 'stages' | 'groups' | 'groups_truncated'>

/** One snapshot for all statements, so that stages, statuses and groups agree. */
export const readFunnel = (db: Database, query: FunnelQuery): Promise<Counted> =>
  db.transaction(tx => countFunnel(tx, query), { mode: 'read only snapshot' })

async function countFunnel(tx: Queryable, query: FunnelQuery): Promise<Counted> {
  const filtered = query.jobId !== undefined || query.department !== undefined || query.source !== undefined
  const span = DIMENSION[query.grouping] === 'day' ? 'day' : 'month'
  const spans = filtered ? undefined : wholeSpans(query.window, span)
  const rows = await tx.query(funnelCounts(query, spans, LIMITS.funnelGroups + 1))
  const whole = rows.filter(row => row.place === 0)
  const applications = whole.reduce((sum, row) => sum + row.n, 0)
  const lots = applications <= MEASURED ? undefined : Math.ceil((LOTS * MEASURED) / applications)
  const medians = new Map(
    (await tx.query(funnelMedians(query, lots))).map(row => [name(row.whole, row.key, row.what), row.median]),
  )
  const stages = query.jobId === undefined ? byType(medians) : await byStage(tx, query, query.jobId)

  const part = (
    counts: CodeCount[],
    isWhole: boolean,
    key: string | null,
  ): { totals: TotalsRow; stages: StageTally[] } => ({
    totals: totalsOf(counts, medians.get(name(isWhole, key, DAYS_TO_HIRE)) ?? null),
    stages: stages(counts, isWhole, key),
  })
  const groups = new Map<number, { key: string | null; label: string | null; counts: CodeCount[] }>()
  for (const row of rows.filter(row => row.place > 0)) {
    const group = groups.get(row.place) ?? { key: row.key, label: row.label, counts: [] }
    group.counts.push(row)
    groups.set(row.place, group)
  }
  const inOrder = [...groups].sort(([a], [b]) => a - b).map(([, group]) => group)
  return {
    ...part(whole, true, null),
    groups: inOrder
      .slice(0, LIMITS.funnelGroups)
      .map(({ key, label, counts }) => ({ key, label, ...part(counts, false, key) })),
    groups_truncated: inOrder.length > LIMITS.funnelGroups,
  }
}

const DAYS_TO_HIRE = -1

/** The whole, or a group by its key; a group may have no key. */
const name = (whole: boolean, key: string | null, what: string | number) =>
  `${whole ? 'whole' : key === null ? 'no key' : `key ${key}`} ${what}`

type Stages = (counts: readonly CodeCount[], whole: boolean, key: string | null) => StageTally[]

const byType =
  (medians: ReadonlyMap<string, number>): Stages =>
  (counts, whole, key) =>
    stagesOf(counts, type => medians.get(name(whole, key, type)) ?? null)

/** Every stage of the job that is a step, also where nobody has been yet. */
async function byStage(tx: Queryable, query: FunnelQuery, jobId: string): Promise<Stages> {
  const found = await tx.query(stagesOfJob(query.workspace, jobId))
  if (found.length === 0) fail('not_found')
  const tallies = new Map<string, ReturnType<typeof emptyTally>>()
  for (const { whole, key, stage_id, status, stands, n } of await tx.query(stageCounts(query))) {
    const at = name(whole, key, stage_id)
    const tally = tallies.get(at) ?? emptyTally()
    tally.reached += n
    tally[stands ? outcome(status) : 'advanced'] += n
    tallies.set(at, tally)
  }
  const medians = new Map(
    (await tx.query(stageMedians(query))).map(row => [name(row.whole, row.key, row.stage_id), row.median]),
  )
  const stages = found.filter((row): row is JobStage => row.id !== null)
  return (_, whole, key) =>
    stages.flatMap(({ id, name: label, position, type }) => {
      const tally = tallies.get(name(whole, key, id))
      if (!tally && type === 'rejected') return []
      const median = medians.get(name(whole, key, id)) ?? null
      return [{ stage_type: type, stage_id: id, name: label, position, ...withRate(tally ?? emptyTally(), median) }]
    })
}

/** Adds up what changed; returns how many changes were taken, 0 when another process is at it. */
export const addUpFunnel = (db: Database, piece: number): Promise<number> =>
  db.transaction(async tx => {
    if (!(await tx.one(tryAdding))!.held) return 0
    return (await tx.one(addChanges(piece)))!.added
  })
