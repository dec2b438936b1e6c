/** When a message leaves, in the time zone of the sender. */
export const SEND_TIMES = ['now', 'hour', 'tomorrow', 'monday'] as const

export type SendTime = (typeof SEND_TIMES)[number]

const MORNING_HOUR = 9
const MONDAY = 1

/** null: as soon as it may. */
export function sendAt(time: SendTime, now = new Date()): string | null {
  if (time === 'now') return null
  if (time === 'hour') return new Date(now.getTime() + 3_600_000).toISOString()
  const morning = new Date(now)
  morning.setHours(MORNING_HOUR, 0, 0, 0)
  const days = time === 'tomorrow' ? 1 : (MONDAY - now.getDay() + 7) % 7 || 7
  morning.setDate(morning.getDate() + days)
  return morning.toISOString()
}
