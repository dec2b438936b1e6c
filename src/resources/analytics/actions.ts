import { APPLICATION_STATUSES } from '../../contract/application-status.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import { type Database, type Queryable, withUnlimitedSession } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { STAGE_TYPES } from '../jobs/shape.ts'
import {
  addChanges,
  compareFunnel,
  type FunnelDifferences,
  lockFunnel,
  recountFunnel,
  selectExistingWorkspaces,
  tryAdding,
  workspacesChanged,
  workspacesCounted,
} from './rollup-store.ts'
import {
  addCode,
  computeTotals,
  countStanding,
  emptyTally,
  type FunnelCounts,
  outcome,
  stageTallies,
  statusAt,
  wholeSpans,
  withRate,
} from './rules.ts'
import { type FunnelRow, MEASURED, MEASURED_OF_GROUP, type StageTally, type TotalsRow } from './shape.ts'
import {
  type CountRow,
  type FunnelQuery,
  funnelCounts,
  funnelStageCounts,
  groupHoursMedians,
  hireMedians,
  hoursMedians,
  type JobStage,
  onOneCore,
  type RollupRange,
  selectFunnelStages,
  stageMedians,
} from './store.ts'

/** Each application is in one of these buckets, by a hash of its handle: the first n of them are a random sample. */
const SAMPLE_BUCKETS = 1_024

type FunnelResult = Pick<FunnelRow, 'totals' | 'stages' | 'groups' | 'groups_truncated'>

/** One snapshot for all statements, so that stages, statuses and groups agree. */
export const readFunnel = (db: Database, query: FunnelQuery): Promise<FunnelResult> =>
  db.transaction(tx => countFunnel(tx, query), { mode: 'read only snapshot' })

async function countFunnel(tx: Queryable, query: FunnelQuery): Promise<FunnelResult> {
  await tx.query(onOneCore)
  const rows = await tx.query(funnelCounts(query, rollupRangeFor(query), API_LIMITS.funnelGroups + 1))
  const inOrder = rows.sort((a, b) => a.place - b.place).map(row => ({ ...row, counts: countedOf(row) }))
  const { counts: whole } = present(inOrder.shift(), 'the count of the whole')
  const shown = inOrder.slice(0, API_LIMITS.funnelGroups)

  const days = new Map((await tx.query(hireMedians(query))).map(row => [name(row.whole, row.key), row.days]))
  const stages =
    query.jobId === undefined ? await byType(tx, query, whole, shown) : await byStage(tx, query, query.jobId)
  const part = (
    counts: FunnelCounts,
    isWhole: boolean,
    key: string | null,
  ): { totals: TotalsRow; stages: StageTally[] } => ({
    totals: computeTotals(counts, days.get(name(isWhole, key)) ?? null),
    stages: stages(counts, isWhole, key),
  })
  return {
    ...part(whole, true, null),
    groups: shown.map(({ key, label, counts }) => ({ key, label, ...part(counts, false, key) })),
    groups_truncated: inOrder.length > shown.length,
  }
}

/** Which rollup serves the query: daily rollups have no jobs; job rollups have no days and so no weeks. */
function rollupRangeFor({ jobId, department, source, grouping, window }: FunnelQuery): RollupRange | undefined {
  const ofJobs = jobId !== undefined || department !== undefined || grouping === 'job' || grouping === 'department'
  if (ofJobs && grouping === 'week') return undefined
  const ofSources = source !== undefined || grouping === 'source'
  const spans = wholeSpans(window, ofJobs ? 'month' : 'day')
  return spans && { by: ofJobs ? (ofSources ? 'job_and_source' : 'job') : 'day', ...spans }
}

/** The rollups of whole spans plus the applications that were counted one by one. */
function countedOf({ rollup, codes, counts }: CountRow): FunnelCounts {
  const width = APPLICATION_STATUSES.length
  const sums = rollup ?? Array<number>(1 + STAGE_TYPES.length * (width + 1)).fill(0)
  const all: FunnelCounts = {
    standing: STAGE_TYPES.map((_, type) => sums.slice(1 + type * width, 1 + (type + 1) * width)),
    reached: sums.slice(1 + STAGE_TYPES.length * width),
  }
  for (const [i, code] of (codes ?? []).entries()) addCode(all, code, counts![i]!)
  return all
}

interface Group {
  key: string | null
  counts: FunnelCounts
}

/** The whole, or a group by its key; a group may have no key. */
const name = (whole: boolean, key: string | null, what = '') =>
  `${whole ? 'whole' : key === null ? 'no key' : `key ${key}`} ${what}`

type Stages = (counts: FunnelCounts, whole: boolean, key: string | null) => StageTally[]

/**
 * Counts come from rollups, but medians need the single stays: of very many applications a random sample is used. A group
 * that would have too few applications in the sample (a sparse group) gets a larger sample of its own.
 */
async function byType(
  tx: Queryable,
  query: FunnelQuery,
  whole: FunnelCounts,
  groups: readonly Group[],
): Promise<Stages> {
  const sampleBuckets = sampleBucketsFor(MEASURED, countStanding(whole))
  const sparseGroups = groups
    .map(({ key, counts }) => ({ key, sampleBuckets: sampleBucketsFor(MEASURED_OF_GROUP, countStanding(counts)) }))
    .filter(group => group.sampleBuckets > sampleBuckets)
  const all = sparseGroups.length === groups.length ? { ...query, grouping: 'none' as const } : query
  const rows = await tx.query(hoursMedians(all, sampleBuckets < SAMPLE_BUCKETS ? sampleBuckets : undefined))
  if (sparseGroups.length > 0) rows.push(...(await tx.query(groupHoursMedians(query, sparseGroups))))
  // the later row of a group wins: that of its own sample
  const medians = new Map(rows.map(row => [name(row.whole, row.key), row.hours]))
  return (counts, isWhole, key) => {
    const hours = medians.get(name(isWhole, key))
    return stageTallies(counts, type => hours?.[type] ?? null)
  }
}

/** How many buckets contain about `wanted` of the applications. */
const sampleBucketsFor = (wanted: number, applications: number): number =>
  applications <= wanted ? SAMPLE_BUCKETS : Math.ceil((SAMPLE_BUCKETS * wanted) / applications)

/** Every stage of the job that is a step, including those without an application. */
async function byStage(tx: Queryable, query: FunnelQuery, jobId: string): Promise<Stages> {
  const found = await tx.query(selectFunnelStages(query.workspace, jobId))
  if (found.length === 0) fail('not_found')
  const tallies = new Map<string, ReturnType<typeof emptyTally>>()
  for (const { whole, key, stage_id, status, is_current, n } of await tx.query(funnelStageCounts(query))) {
    const at = name(whole, key, stage_id)
    const tally = tallies.get(at) ?? emptyTally()
    tally.reached += n
    tally[is_current ? outcome(statusAt(status)) : 'advanced'] += n
    tallies.set(at, tally)
  }
  const medians = new Map(
    (await tx.query(stageMedians(query))).map(row => [name(row.whole, row.key, row.stage_id), row.hours]),
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

/** Adds changes to the rollups; returns how many, 0 while another process does it. */
export async function addUpFunnel(db: Database, batchSize: number): Promise<number> {
  return db.transaction(async tx => {
    if (!(await tx.only(tryAdding)).held) return 0
    const changed = await tx.query(workspacesChanged(batchSize))
    if (changed.length === 0) return 0
    const present = (await tx.query(selectExistingWorkspaces(changed.map(row => row.workspace_id)))).map(row => row.id)
    const added = await db.eachPartition(changed, part => tx.only(addChanges(part, present, batchSize)))
    return added.reduce((sum, row) => sum + row.added, 0)
  })
}

export interface FunnelCheck {
  applications: number
  differing: FunnelDifferences
}

/** Compares the rollups with the history, each workspace in one snapshot. Writers are not blocked. */
export const checkFunnel = (db: Database): Promise<FunnelCheck> =>
  withUnlimitedSession(db, async session => {
    const total = nothingCounted()
    for (const { id } of await session.query(workspacesCounted)) addCheck(total, await session.one(compareFunnel(id)))
    return total
  })

const nothingCounted = (): FunnelCheck => ({
  applications: 0,
  differing: { application_funnel: 0, funnel_by_day: 0, funnel_by_job: 0, funnel_by_job_and_source: 0 },
})

/** `found` undefined: the workspace was deleted in the meantime. */
function addCheck(total: FunnelCheck, found: FunnelCheck | undefined): void {
  if (!found) return
  total.applications += found.applications
  for (const table of Object.keys(total.differing) as (keyof FunnelDifferences)[])
    total.differing[table] += found.differing[table]
}

/**
 * Rebuilds wrong counts from the history and returns what was wrong. Workspaces are compared first, one after the other;
 * application writes block only while those that differ are compared again and rebuilt.
 */
export const repairFunnel = (db: Database): Promise<FunnelCheck> =>
  withUnlimitedSession(db, async session => {
    const total = nothingCounted()
    const wrong: string[] = []
    for (const { id } of await session.query(workspacesCounted)) {
      const found = await session.one(compareFunnel(id))
      if (found && hasDifferences(found)) wrong.push(id)
      else addCheck(total, found)
    }
    if (wrong.length === 0) return total
    await session.script('begin')
    for (const statement of lockFunnel) await session.query(statement)
    for (const id of wrong) {
      const found = await session.one(compareFunnel(id))
      if (found && hasDifferences(found)) for (const statement of recountFunnel(id)) await session.query(statement)
      addCheck(total, found)
    }
    await session.script('commit')
    return total
  })

export const hasDifferences = ({ differing }: FunnelCheck): boolean => Object.values(differing).some(rows => rows > 0)
