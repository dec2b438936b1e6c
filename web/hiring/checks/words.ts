import { kindShort } from '../../../src/contract/check-words.ts'
import { percent } from '../../ui/numbers.ts'
import type { Tone } from '../../ui/tag.tsx'
import type { Row } from '../api.ts'

export type Package = Row<'/v1/packages'>

const STATUSES: Readonly<Record<string, readonly [title: string, tone: Tone]>> = {
  requested: ['Requested', 'info'],
  invited: ['Invited', 'info'],
  in_progress: ['In progress', 'accent'],
  completed: ['Completed', 'good'],
  expired: ['Expired', 'warn'],
  declined: ['Declined', 'warn'],
  failed: ['Failed', 'bad'],
  canceled: ['Canceled', 'plain'],
}

export const CHECK_STATUSES = Object.keys(STATUSES)

export const statusTitle = (status: string): string => STATUSES[status]?.[0] ?? status
export const statusTone = (status: string): Tone => STATUSES[status]?.[1] ?? 'plain'

const OUTCOMES: Readonly<Record<string, readonly [title: string, tone: Tone]>> = {
  recommended: ['Recommended', 'good'],
  not_recommended: ['Not recommended', 'warn'],
  inconclusive: ['Inconclusive', 'plain'],
  clear: ['Clear', 'good'],
  consider: ['To consider', 'warn'],
  none: ['No outcome', 'plain'],
}

export const outcomeTitle = (outcome: string): string => OUTCOMES[outcome]?.[0] ?? outcome.replaceAll('_', ' ')
export const outcomeTone = (outcome: string): Tone => OUTCOMES[outcome]?.[1] ?? 'plain'

/** Why an order ended without a result, where the vendor wrote nothing about it. */
const REASONS: Readonly<Record<string, string>> = {
  vendor_timeout: 'No response for seven days.',
  vendor_error: 'An error at the vendor.',
  unsupported_country: 'Not offered in the country of the candidate.',
  candidate_unreachable: 'The candidate could not be reached.',
  duplicate: 'The vendor has an order for this candidate already.',
  canceled_by_workspace: 'Canceled by your team.',
  app_uninstalled: 'The app of the vendor was removed.',
  application_withdrawn: 'The application was withdrawn.',
  application_rejected: 'The application was rejected.',
  processing_stopped: 'The person asked that processing stop.',
  other: 'For another reason.',
}

export const reasonTitle = ({ code, message }: { code: string; message: string | null }): string =>
  message || (REASONS[code] ?? code.replaceAll('_', ' '))

export interface CheckScore {
  value: number
  min: number
  max: number
  passing: number | null
  unit: string
}

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** `42 of 60 points`, `84%`, `Percentile 91`. */
export function scoreTitle({ value, min, max, unit }: CheckScore): string {
  if (unit === 'percent' && min === 0 && max === 100) return `${number.format(value)}%`
  if (unit === 'percentile') return `Percentile ${number.format(value)}`
  if (unit === 'band') return `Band ${number.format(value)} of ${number.format(min)} to ${number.format(max)}`
  return `${number.format(value)} of ${number.format(max)} ${unit === 'points' ? 'points' : unit}`
}

export const passingTitle = ({ passing, unit }: CheckScore): string | undefined =>
  passing === null ? undefined : `pass mark ${number.format(passing)}${unit === 'percent' ? '%' : ''}`

export interface Mark {
  kind: string
  status: string
  score_pct: number | null
  outcome: string | null
}

/** On a card: `Test: invited`, `Test: 84%`, `Background: clear`. */
export function markTitle({ kind, status, score_pct, outcome }: Mark): string {
  const what = kindShort(kind)
  if (status !== 'completed') return `${what}: ${statusTitle(status).toLowerCase()}`
  if (score_pct !== null) return `${what}: ${percent(score_pct)}`
  if (outcome !== null && outcome !== 'none') return `${what}: ${outcomeTitle(outcome).toLowerCase()}`
  return `${what}: done`
}

/** What a team should look at is colored; a good result does not decide anything. */
export function markTone({ status, outcome }: Mark): Tone {
  if (status === 'completed') return outcome === null ? 'plain' : outcomeTone(outcome)
  return status === 'invited' || status === 'requested' || status === 'in_progress' ? 'plain' : statusTone(status)
}
