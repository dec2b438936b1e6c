import { getOrCreate } from '../kernel/async/get-or-create.ts'
import { present } from '../kernel/errors/present.ts'
import type { ListedJob } from './store.ts'
import type { Texts } from './texts/en.ts'

/** Values of a job in the words of a language. */
type Names = Readonly<Record<string, string>>

/** The name of a value; one that has none yet is shown as it is. */
export const wordFor = (names: Names, value: string | null): string | undefined =>
  value === null ? undefined : (names[value] ?? value)

/** Where, how and how long: the line under the title of a job. */
export const factsLine = (
  job: Pick<ListedJob, 'locations' | 'location_type' | 'employment_type'>,
  texts: Texts,
  mostLocations = 3,
): string[] =>
  [
    ...job.locations.slice(0, mostLocations),
    job.locations.length > mostLocations ? texts.job.moreLocations(job.locations.length - mostLocations) : undefined,
    wordFor(texts.job.workplaces, job.location_type),
    wordFor(texts.job.types, job.employment_type),
  ].filter(fact => fact !== undefined)

const amounts = new Map<string, Intl.NumberFormat>()

const money = (locale: string, currency: string): Intl.NumberFormat =>
  getOrCreate(
    amounts,
    `${locale} ${currency}`,
    () => new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 0 }),
  )

type Salary = Pick<ListedJob, 'salary_min' | 'salary_max' | 'salary_currency' | 'salary_interval'>

/** Salaries that were written lately: writing a range takes a fifth of a millisecond, a list has a hundred. */
const CACHED_SALARIES = 5000
const salaries = new Map<string, string>()

/** `€60,000–80,000 per year`; undefined where the job names no amount. */
export function salaryLine(job: Salary, texts: Texts): string | undefined {
  const { salary_min: low, salary_max: high, salary_currency: currency, salary_interval: interval } = job
  if ((low === null && high === null) || currency === null || !/^[A-Z]{3}$/.test(currency)) return undefined
  const key = `${texts.language.locale} ${low} ${high} ${currency} ${interval}`
  if (salaries.size >= CACHED_SALARIES && !salaries.has(key)) salaries.clear()
  return getOrCreate(salaries, key, () => {
    const amount = amountOf(low, high, money(texts.language.locale, currency), texts)
    return texts.job.per(amount, wordFor(texts.job.intervals, interval) ?? '')
  })
}

function amountOf(low: number | null, high: number | null, format: Intl.NumberFormat, { job }: Texts): string {
  if (low === null) return job.upTo(format.format(present(high, 'the highest salary')))
  if (high === null) return job.from(format.format(low))
  if (low === high) return format.format(low)
  return rangeOf(Math.min(low, high), Math.max(low, high), format)
}

/**
 * With the currency once, whatever its sign: `formatRange` writes “€60,000 – €80,000”, and for a currency of several letters
 * “US$60,000–80,000”.
 */
function rangeOf(low: number, high: number, format: Intl.NumberFormat): string {
  const first = format.formatToParts(low)
  const last = format.formatToParts(high)
  const isBefore = first.findIndex(isCurrency) < first.findIndex(({ type }) => type === 'integer')
  return isBefore ? `${joined(first)}–${joined(bare(last))}` : `${joined(bare(first))}–${joined(last)}`
}

type Parts = readonly Intl.NumberFormatPart[]
const isCurrency = ({ type }: Intl.NumberFormatPart): boolean => type === 'currency'
const bare = (parts: Parts): Parts => parts.filter(({ type }) => type !== 'currency' && type !== 'literal')
const joined = (parts: Parts): string => parts.map(({ value }) => value).join('')

// the first format of a locale loads its data
const dates = new Map<string, Intl.DateTimeFormat>()
const times = new Map<string, Intl.DateTimeFormat>()

/** A day as people write it, in UTC. */
export const formatDay = (instant: string, texts: Texts): string =>
  getOrCreate(
    dates,
    texts.language.locale,
    () => new Intl.DateTimeFormat(texts.language.locale, { dateStyle: 'long', timeZone: 'UTC' }),
  ).format(new Date(instant))

/** The time of day too, to the minute. */
export const formatTime = (instant: string, texts: Texts): string =>
  `${getOrCreate(
    times,
    texts.language.locale,
    () => new Intl.DateTimeFormat(texts.language.locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }),
  ).format(new Date(instant))} UTC`

const formats = new Map<string, Intl.DateTimeFormat>()

const formatIn = (locale: string, timeZone: string, name: string, options: Intl.DateTimeFormatOptions) =>
  getOrCreate(formats, `${locale} ${timeZone} ${name}`, () => new Intl.DateTimeFormat(locale, { ...options, timeZone }))

/** `UTC+1`: of the zone at that time. */
export function formatOffset(instant: string, timeZone: string): string {
  const parts = formatIn('en-GB', timeZone, 'offset', { timeZoneName: 'shortOffset' }).formatToParts(new Date(instant))
  return (parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC').replace('GMT', 'UTC')
}

/** `Monday 15 March 2027`, in a time zone. */
export const formatDayIn = (instant: string, timeZone: string, texts: Texts): string =>
  formatIn(texts.language.locale, timeZone, 'day', { dateStyle: 'full' }).format(new Date(instant))

/** `10:00` */
export const formatClock = (instant: string, timeZone: string, texts: Texts): string =>
  formatIn(texts.language.locale, timeZone, 'clock', { hour: '2-digit', minute: '2-digit' }).format(new Date(instant))

/** `Monday 15 March 2027, 10:00` */
export const formatMoment = (instant: string, timeZone: string, texts: Texts): string =>
  `${formatDayIn(instant, timeZone, texts)}, ${formatClock(instant, timeZone, texts)}`

interface Span {
  starts_at: string
  ends_at: string
}

/** `10:00–10:45`; the day of the end too, where it is another one. */
export function formatClocks({ starts_at, ends_at }: Span, timeZone: string, texts: Texts): string {
  const [from, to] = [formatDayIn(starts_at, timeZone, texts), formatDayIn(ends_at, timeZone, texts)]
  const end = formatClock(ends_at, timeZone, texts)
  return `${formatClock(starts_at, timeZone, texts)}–${from === to ? end : `${end} (${to})`}`
}

/** `Monday 15 March 2027, 10:00–10:45 (America/New_York, UTC-4)` */
export const formatSpan = (span: Span, timeZone: string, texts: Texts): string =>
  `${formatDayIn(span.starts_at, timeZone, texts)}, ${formatClocks(span, timeZone, texts)} (${timeZone.replaceAll('_', ' ')}, ${formatOffset(span.starts_at, timeZone)})`
