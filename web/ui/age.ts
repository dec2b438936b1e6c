import { shown, whenLanguageChanges } from './language.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export interface Age {
  /** whole ones: never rounded up, so that all pages say the same number of the same time */
  count: number
  /** the largest of which there is one; of less than a minute there is none */
  unit: 'minute' | 'hour' | 'day'
}

/** How much time lies between two moments, whichever is the earlier one. */
export function ageIn(ms: number): Age {
  const size = Math.abs(ms)
  if (size < HOUR) return { count: Math.floor(size / MINUTE), unit: 'minute' }
  if (size < DAY) return { count: Math.floor(size / HOUR), unit: 'hour' }
  return { count: wholeDays(size), unit: 'day' }
}

export const wholeDays = (ms: number): number => Math.max(0, Math.floor(ms / DAY))

const SHORT_UNITS = {
  en: { minute: 'min', hour: 'h', day: 'd' },
  de: { minute: 'min', hour: 'h', day: 'T' },
} as const

/** `3 d`, as short as a card needs it; `now` for less than a minute. */
export function shortAge(ms: number): string {
  const { count, unit } = ageIn(Math.max(0, ms))
  if (count === 0) return MOMENT[shown.language].short
  return `${count} ${SHORT_UNITS[shown.language][unit]}`
}

const MOMENT = {
  en: { short: 'now', past: 'just now', future: 'in a moment' },
  de: { short: 'jetzt', past: 'gerade eben', future: 'gleich' },
} as const

const LAST_DAY = 7
const formatIn = (locale: string) => new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'short' })
let relative = formatIn('en')
whenLanguageChanges(({ language }) => {
  relative = formatIn(language)
})

/** `3 hr ago` or `in 3 hr` for a time that is `ms` from now; undefined from one week on. */
export function relativeTime(ms: number): string | undefined {
  const { count, unit } = ageIn(ms)
  if (count === 0) return ms <= 0 ? MOMENT[shown.language].past : MOMENT[shown.language].future
  if (unit === 'day' && count >= LAST_DAY) return undefined
  // without the points of abbreviations, which would end a sentence
  return relative.format(ms < 0 ? -count : count, unit).replace('.', '')
}
