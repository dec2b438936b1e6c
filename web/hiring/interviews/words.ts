import { dateFormat } from '../../ui/time.tsx'
import { t } from '../texts/index.ts'
import type { Interview } from './plan.ts'

/** `Fri 20 Nov, 10:00`, in the zone of the reader or in the one that is given. */
export const formatMoment = (at: number | string, zone?: string): string =>
  dateFormat('appointment', ...(zone === undefined ? [] : [zone])).format(new Date(at))

export const formatClock = (at: number, zone: string): string => dateFormat('clock', zone).format(at)

const DAY_MS = 86_400_000
const SOON_DAYS = 6

/** `Fri 10:00` in the next days, then `20 Nov, 10:00`. */
export function formatSoon(at: string, now = Date.now()): string {
  const isSoon = Date.parse(at) - now < SOON_DAYS * DAY_MS
  return dateFormat(isSoon ? 'soon' : 'axisTime')
    .format(new Date(at))
    .replace(', ', isSoon ? ' ' : ', ')
}

/** When it is, or which times the candidate can choose from. */
export function whenWords({ starts_at, offered_until, times, status }: Interview): string {
  if (starts_at !== null) return formatMoment(starts_at)
  if (status !== 'proposed' || offered_until === null) return ''
  return t.interviews.timesUntil(times.filter(({ open }) => open).length, formatMoment(offered_until))
}

/** What a reader tells a candidate whom no email reaches. */
export function detailsText({ kind, starts_at, time_zone, place, meeting_url, candidate_text }: Interview): string {
  const at = starts_at === null ? '' : `${formatMoment(starts_at, time_zone)} (${time_zone.replaceAll('_', ' ')})`
  return [t.interviews.kinds[kind], at, place, meeting_url, candidate_text].filter(Boolean).join('\n')
}
