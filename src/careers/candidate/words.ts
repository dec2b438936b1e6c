import { join } from 'node:path'
import { getOrCreate } from '../../kernel/async/get-or-create.ts'
import { asset } from '../../pages/assets.ts'
import { type Html, html, type Part } from '../../pages/html.ts'
import type { Texts } from '../texts/en.ts'
import { formatTime } from '../wording.ts'

const numbers = new Map<string, Intl.NumberFormat>()

/** In kilobytes, as file managers show it. */
export const sizeInWords = ({ language: { locale } }: Texts, bytes: number): string =>
  getOrCreate(
    numbers,
    locale,
    () => new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 }),
  ).format(Math.max(1, bytes / 1_000))

/** The script that writes times in the time zone of the reader, on pages with `data-times`. */
export const TIMES_SCRIPT = asset(join(import.meta.dirname, '../assets/times.js'))

/** In UTC, which the page says; the script of the page writes it in the time zone of the reader. */
export const shownTime = (instant: string, texts: Texts): Html =>
  html`<time datetime="${instant}">${formatTime(instant, texts)}</time>`

/** Sentences are not set in the weight of a fact. */
const LONG_TEXT = 80
export const longClass = (value: unknown): Part =>
  typeof value === 'string' && value.length > LONG_TEXT && html` class="long"`
