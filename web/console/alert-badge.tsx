import { useAlertCount } from './alert-count.ts'

/** How many open alerts wait for someone. */
export function AlertBadge() {
  const count = useAlertCount()
  if (!count || count.waiting === 0) return null
  return (
    <span class={count.critical > 0 ? 'badge bad' : 'badge'}>
      {count.waiting}
      <span class="visually-hidden"> open</span>
    </span>
  )
}
