import { APPLICATION_STATUSES } from '../../contract/application-status.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import { present } from '../../kernel/errors/present.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { STAGE_TYPES } from '../jobs/shape.ts'
import type { StageTally, TotalsRow } from './shape.ts'

const DAY_MS = 86_400_000

/** Both ends are outside, as with every `…_after` and `…_before`. */
export interface Window {
  after: string
  before: string
}

interface WindowQuery {
  applied_after?: string
  applied_before?: string
}

/** The first time that the store has: the year before it is one for JavaScript alone. */
const FIRST_TIME = Date.parse('0001-01-01T00:00:00.000Z')

/** By default the last 90 days before the end of the window; at most 366 days. */
export function resolveWindow(query: WindowQuery, now: string): Window {
  const { applied_after, applied_before } = query
  const before = applied_before ?? now
  const start = Date.parse(before) - API_LIMITS.funnelDefaultDays * DAY_MS
  const after = applied_after ?? new Date(Math.max(FIRST_TIME, start)).toISOString()
  return { after, before }
}

export function windowFaults(query: WindowQuery, now: string): InputFault[] {
  const { after, before } = resolveWindow(query, now)
  const milliseconds = Date.parse(before) - Date.parse(after)
  const open = query.applied_before === undefined
  if (milliseconds <= 0) {
    return open
      ? [{ param: 'applied_after', message: 'must be in the past' }]
      : [{ param: 'applied_before', message: 'must be later than applied_after' }]
  }
  if (milliseconds <= API_LIMITS.funnelDays * DAY_MS) return []
  const end = open ? 'now' : 'applied_before'
  return [{ param: 'applied_after', message: `must be at most ${API_LIMITS.funnelDays} days before ${end}` }]
}

/** The whole days or months inside a window: the first one, and the one after the last. undefined: none is whole. */
export function wholeSpans(
  { after, before }: Window,
  span: 'day' | 'month',
): { first: string; end: string } | undefined {
  const startOf = (time: string, next: 0 | 1): number => {
    const at = new Date(Date.parse(time))
    return span === 'day'
      ? Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + next)
      : Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + next, 1)
  }
  const first = startOf(after, 1)
  const end = startOf(before, 0)
  // as numbers: the text of the year 10 000 comes before that of 9999
  return first < end ? { first: new Date(first).toISOString(), end: new Date(end).toISOString() } : undefined
}

/** How many applications are in each stage type with each status, and how many reached each type. */
export interface FunnelCounts {
  /** by number of the type, then of the status */
  standing: number[][]
  reached: number[]
}

/** Adds n applications with this code: 3 bits of status, 3 of the current stage type, 8 with one for each type reached. */
export function addCode({ standing, reached }: FunnelCounts, code: number, n: number): void {
  standing[(code >> 3) & 7]![code & 7]! += n
  for (const type of STAGE_TYPES.keys()) if ((code >> (6 + type)) & 1) reached[type]! += n
}

export const countStanding = ({ standing }: FunnelCounts): number => standing.flat().reduce((sum, n) => sum + n, 0)

export function computeTotals({ standing }: FunnelCounts, medianDays: number | null): TotalsRow {
  const totals: TotalsRow = {
    applications: 0,
    new: 0,
    in_review: 0,
    advanced: 0,
    rejected: 0,
    withdrawn: 0,
    hired: 0,
    median_days_to_hire: rounded(medianDays),
  }
  for (const statuses of standing) {
    for (const [status, n] of statuses.entries()) {
      totals.applications += n
      totals[statusAt(status)] += n
    }
  }
  return totals
}

export type Tally = Pick<StageTally, 'reached' | 'current' | 'advanced' | 'rejected' | 'withdrawn' | 'hired'>

export const emptyTally = (): Tally => ({ reached: 0, current: 0, advanced: 0, rejected: 0, withdrawn: 0, hired: 0 })

/** The counts with the rate and the median. */
export const withRate = (tally: Tally, medianHours: number | null) => ({
  ...tally,
  conversion_rate:
    tally.reached === 0 ? null : Math.round((10_000 * (tally.advanced + tally.hired)) / tally.reached) / 10_000,
  median_hours_in_stage: rounded(medianHours),
})

/** The stage types that any application reached, in their usual order. */
export function stageTallies(
  { standing, reached }: FunnelCounts,
  medianHours: (type: number) => number | null,
): StageTally[] {
  return STAGE_TYPES.flatMap((stage_type, type) => {
    const all = present(reached[type], stage_type)
    const tally = { ...emptyTally(), reached: all, advanced: all }
    for (const [status, n] of present(standing[type], stage_type).entries()) {
      tally[outcome(statusAt(status))] += n
      tally.advanced -= n
    }
    return tally.reached === 0 ? [] : [{ stage_type, position: type, ...withRate(tally, medianHours(type)) }]
  })
}

/** The status that rows of counts have under this number. */
export const statusAt = (number: number) => present(APPLICATION_STATUSES[number], 'a status')

/** The outcome of an application in its current stage. */
export const outcome = (
  status: (typeof APPLICATION_STATUSES)[number],
): 'current' | 'rejected' | 'withdrawn' | 'hired' =>
  status === 'rejected' || status === 'withdrawn' || status === 'hired' ? status : 'current'

/** The numbers of the statuses that an outcome in a stage has. */
export const outcomeStatuses = (wanted: ReturnType<typeof outcome>): number[] =>
  APPLICATION_STATUSES.flatMap((status, number) => (outcome(status) === wanted ? [number] : []))

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100)
