import { getOrCreate } from '../kernel/async/get-or-create.ts'
import type { ListedJob } from './store.ts'
import type { Texts } from './texts/en.ts'

/** Values of a job in the words of a language. */
type Names = Readonly<Record<string, string>>

/** The name of a value; one that has none yet is shown as it is. */
export const nameOf = (names: Names, value: string | null): string | undefined =>
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
    nameOf(texts.job.workplaces, job.location_type),
    nameOf(texts.job.types, job.employment_type),
  ].filter(fact => fact !== undefined)

const numbers = new Map<string, Intl.NumberFormat>()

const money = (locale: string, currency: string): Intl.NumberFormat =>
  getOrCreate(
    numbers,
    `${locale} ${currency}`,
    () => new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 0 }),
  )

type Salary = Pick<ListedJob, 'salary_min' | 'salary_max' | 'salary_currency' | 'salary_interval'>

/** `€60,000 – €80,000 per year`; undefined where the job names no amount. */
export function salaryOf({ salary_min, salary_max, salary_currency, salary_interval }: Salary, texts: Texts) {
  const low = salary_min ?? undefined
  const high = salary_max ?? undefined
  if ((low === undefined && high === undefined) || !/^[A-Z]{3}$/.test(salary_currency ?? '')) return undefined
  const format = money(texts.language.locale, salary_currency!)
  const amount =
    low === undefined
      ? texts.job.upTo(format.format(high!))
      : high === undefined
        ? texts.job.from(format.format(low))
        : low === high
          ? format.format(low)
          : low < high
            ? format.formatRange(low, high)
            : format.formatRange(high, low)
  return texts.job.per(amount, nameOf(texts.job.intervals, salary_interval) ?? '')
}

const dates = new Map<string, Intl.DateTimeFormat>()

/** A day as people write it, in UTC. */
export const dayOf = (instant: string, texts: Texts): string =>
  getOrCreate(
    dates,
    texts.language.locale,
    () => new Intl.DateTimeFormat(texts.language.locale, { dateStyle: 'long', timeZone: 'UTC' }),
  ).format(new Date(instant))
