import { getOrCreate } from '../../kernel/async/get-or-create.ts'
import type { Texts } from '../texts/en.ts'

// the first format of a locale loads its data
const days = new Map<string, Intl.DateTimeFormat>()
const times = new Map<string, Intl.DateTimeFormat>()
const numbers = new Map<string, Intl.NumberFormat>()

export const dayInWords = ({ language: { locale } }: Texts, iso: string): string =>
  getOrCreate(days, locale, () => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })).format(
    new Date(iso),
  )

export const timeInWords = ({ language: { locale } }: Texts, iso: string): string =>
  `${getOrCreate(
    times,
    locale,
    () => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }),
  ).format(new Date(iso))} UTC`

/** In kilobytes, as file managers show it. */
export const sizeInWords = ({ language: { locale } }: Texts, bytes: number): string =>
  getOrCreate(
    numbers,
    locale,
    () => new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 }),
  ).format(Math.max(1, bytes / 1_000))
