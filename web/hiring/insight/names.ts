import { DATE_LOCALE } from '../../../src/contract/date-format.ts'
import { dateFormat } from '../../ui/time.tsx'
import { sourceName } from '../source-names.ts'

export const SPANS = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '12 months'],
] as const

export const GROUPINGS = [
  ['job', 'Job'],
  ['department', 'Department'],
  ['source', 'Source'],
  ['week', 'Week'],
  ['month', 'Month'],
] as const

export const groupingName = (grouping: string): string =>
  GROUPINGS.find(([value]) => value === grouping)?.[1] ?? grouping

/** The types of stages, in the words of the default pipeline. */
export const STAGE_NAMES: Readonly<Record<string, string>> = {
  applied: 'Applied',
  screen: 'Screen',
  assessment: 'Assessment',
  interview: 'Interview',
  offer: 'Offer',
  hired: 'Hired',
  custom: 'Other stages',
}

// days and months of the service are those of UTC
const day = () => dateFormat('date', 'UTC')
const month = new Intl.DateTimeFormat(DATE_LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A group of the funnel as people call it. `label` is the title of a job. */
export function groupName(grouping: string, key: string | null, label: string | null): string {
  if (key === null) return grouping === 'department' ? 'No department' : 'None'
  const from = Date.parse(`${key}T00:00:00Z`)
  if (grouping === 'week' && !Number.isNaN(from)) return `Week of ${day().format(from)}`
  if (grouping === 'month' && !Number.isNaN(from)) return month.format(from)
  return grouping === 'source' ? sourceName(key) : (label ?? key)
}
