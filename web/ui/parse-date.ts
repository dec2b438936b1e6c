/** A day such as `2026-11-20`. */
export type Day = string

const DAY_MS = 86_400_000
const at = (day: Day): number => Date.parse(`${day}T00:00:00Z`)
const toDay = (ms: number): Day => new Date(ms).toISOString().slice(0, 10)

export const addDays = (day: Day, n: number): Day => toDay(at(day) + n * DAY_MS)

/** 0 is Monday. */
export const weekdayOf = (day: Day): number => (new Date(at(day)).getUTCDay() + 6) % 7

/** The day, if the month has it. */
export function dayOf(year: number, month: number, date: number): Day | undefined {
  if (year < 1900 || year > 2200) return undefined
  const ms = Date.UTC(year, month - 1, date)
  const found = new Date(ms)
  return found.getUTCMonth() === month - 1 && found.getUTCDate() === date ? toDay(ms) : undefined
}

const MONTHS = [
  ['january', 'januar', 'jänner'],
  ['february', 'februar'],
  ['march', 'märz', 'maerz', 'mrz'],
  ['april'],
  ['may', 'mai'],
  ['june', 'juni'],
  ['july', 'juli'],
  ['august'],
  ['september'],
  ['october', 'oktober'],
  ['november'],
  ['december', 'dezember'],
]
const WEEKDAYS = [
  ['monday', 'montag'],
  ['tuesday', 'dienstag'],
  ['wednesday', 'mittwoch'],
  ['thursday', 'donnerstag'],
  ['friday', 'freitag'],
  ['saturday', 'samstag'],
  ['sunday', 'sonntag'],
]
const NEAR: Readonly<Record<string, number>> = {
  today: 0,
  heute: 0,
  tomorrow: 1,
  morgen: 1,
  übermorgen: 2,
  uebermorgen: 2,
  yesterday: -1,
  gestern: -1,
}

/** The position of the only entry that begins with the word; short words are abbreviations. */
function nameAt(names: readonly (readonly string[])[], word: string, least: number): number {
  if (word.length < least) return -1
  return names.findIndex(forms => forms.some(form => form.startsWith(word)))
}

const YEARS_TRIED = 8

/** Without a year: the nearest such day that is not over, or with `past` not in the future; 29 February waits for its year. */
function nearest(today: Day, month: number, date: number, past: boolean): Day | undefined {
  const year = Number(today.slice(0, 4))
  for (let n = 0; n <= YEARS_TRIED; n++) {
    const day = dayOf(past ? year - n : year + n, month, date)
    if (day !== undefined && (past ? day <= today : day >= today)) return day
  }
  return undefined
}

const fullYear = (text: string): number => (text.length === 2 ? 2000 + Number(text) : Number(text))

/**
 * What people type for a day, in English or German: `20 Nov`, `20.11.`, `20.11.26`, `2026-11-20`, `tomorrow`, `Freitag`,
 * `+3`, `+2w`. Numbers are day first. Undefined: it is none. `past`: what has no year lies behind today.
 */
export function parseDate(typed: string, today: Day, { past = false } = {}): Day | undefined {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ')
  if (text.length > 40) return undefined
  const near = Object.hasOwn(NEAR, text) ? NEAR[text] : undefined
  if (near !== undefined) return addDays(today, near)

  const relative = /^([+-])(\d{1,3}) ?([dtw])?$/.exec(text)
  if (relative) {
    const days = Number(relative[2]) * (relative[3] === 'w' ? 7 : 1)
    return addDays(today, relative[1] === '-' ? -days : days)
  }
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))

  const numbers = /^(\d{1,2}) ?[./-] ?(\d{1,2})(?:[./-]? ?(\d{4}|\d{2}))?\.?$/.exec(text)
  if (numbers) return inYear(Number(numbers[1]), Number(numbers[2]), numbers[3])

  const named = /^(\d{1,2})\.? ?(\p{L}+)\.?,?(?: ?(\d{4}|\d{2}))?$/u.exec(text)
  if (named) return inYear(Number(named[1]), nameAt(MONTHS, named[2]!, 3) + 1, named[3])
  const american = /^(\p{L}+)\.? (\d{1,2})(?:st|nd|rd|th)?\.?(?:,? (\d{4}))?$/u.exec(text)
  if (american) return inYear(Number(american[2]), nameAt(MONTHS, american[1]!, 3) + 1, american[3])

  const weekday = nameAt(WEEKDAYS, text.replace(/\.$/, ''), 2)
  if (weekday === -1) return undefined
  const ahead = (weekday - weekdayOf(today) + 7) % 7 || 7
  return addDays(today, past ? ahead - 7 || -7 : ahead)

  function inYear(date: number, month: number, year: string | undefined): Day | undefined {
    if (month < 1 || month > 12 || date < 1) return undefined
    return year === undefined ? nearest(today, month, date, past) : dayOf(fullYear(year), month, date)
  }
}

/** `9`, `930`, `9:30`, `9.30 pm`, `14 Uhr`: the time as `09:30`; undefined: it is none. */
export function parseTime(typed: string): string | undefined {
  const text = typed.trim().toLowerCase()
  const found = /^(\d{1,2})(?:[:.h ]? ?(\d{2}))? ?(am|pm|a|p|uhr|h)?$/.exec(text)
  if (!found) return undefined
  const [, hours = '', minutes = '0', half = ''] = found
  let hour = Number(hours)
  if (half.startsWith('a') || half.startsWith('p')) {
    if (hour < 1 || hour > 12) return undefined
    hour = (hour % 12) + (half.startsWith('p') ? 12 : 0)
  }
  if (hour > 23 || Number(minutes) > 59) return undefined
  return `${String(hour).padStart(2, '0')}:${minutes.padStart(2, '0')}`
}
