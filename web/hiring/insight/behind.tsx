import type { ComponentChildren } from 'preact'
import { toQuery } from '../../ui/api.ts'
import { count } from '../../ui/numbers.ts'
import { Link } from '../../ui/router.tsx'
import { useMay } from '../session.ts'

/** Parameters of the funnel and of the applications behind it. */
export type Part = Readonly<Record<string, string>>

interface BehindProps {
  n: number
  window: Part
  part: Part
  /** instead of the number: a time that was measured over those n */
  children?: ComponentChildren
}

/** A number that opens what it counts, for those who may see it. */
export function Behind({ n, window, part, children }: BehindProps) {
  const may = useMay()
  const text = children ?? count.format(n)
  // which applications reached a stage is their history
  const isHistory = 'stage_id' in part || 'stage_type' in part
  const scope = isHistory && part['outcome'] !== 'current' ? 'applications:internal:read' : 'applications:read'
  if (n === 0 || !may(scope)) return <>{text}</>
  return <Link to={`/insight/applications${toQuery({ ...window, ...part })}`}>{text}</Link>
}

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })

/** What share of a whole; of nothing there is none. */
export const share = (n: number, whole: number): string => (whole === 0 ? '–' : percent.format(n / whole))

export const inDays = (days: number | null): string =>
  days === null ? '–' : `${count.format(Math.round(days))} ${Math.round(days) === 1 ? 'day' : 'days'}`

/** Hours as people say them. */
export const duration = (hours: number | null): string =>
  hours === null ? '–' : hours < 48 ? `${count.format(Math.round(hours))} h` : inDays(hours / 24)
