export type When = 'soon' | 'tomorrow' | 'three_days'

const NINE = 9

/** At nine in the morning, in the time zone of the reader. */
function morningIn(days: number): string {
  const at = new Date()
  at.setDate(at.getDate() + days)
  at.setHours(NINE, 0, 0, 0)
  return at.toISOString()
}

export const laterTimes = () => ({ tomorrow: morningIn(1), three_days: morningIn(3) })
