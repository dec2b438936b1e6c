import { getOrCreate } from '../../kernel/async/get-or-create.ts'
import type { Texts } from '../texts/en.ts'

const numbers = new Map<string, Intl.NumberFormat>()

/** In kilobytes, as file managers show it. */
export const sizeInWords = ({ language: { locale } }: Texts, bytes: number): string =>
  getOrCreate(
    numbers,
    locale,
    () => new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 }),
  ).format(Math.max(1, bytes / 1_000))
