import './css/badge.css'
import { useTaskCount } from './task-count.ts'

/** How much waits for the reader. */
export function TaskBadge() {
  const count = useTaskCount()
  if (!count) return null
  const { waiting, scorecards, mentions, counted } = count
  const total = waiting + scorecards + mentions
  if (total === 0) return null
  return (
    <span class="badge">
      {total >= counted ? `${counted - 1}+` : total}
      <span class="visually-hidden"> open</span>
    </span>
  )
}
