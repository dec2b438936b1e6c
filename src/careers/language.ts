import type { IncomingMessage } from 'node:http'
import { acceptedLanguages } from '../pages/accept-language.ts'
import { type Html, html, type Part } from '../pages/html.ts'
import { detectLanguage } from './text-language.ts'
import { de } from './texts/de.ts'
import { en, type Texts } from './texts/en.ts'

/** Every language of the site, the first is used where none fits. A further language is a file and a row here. */
export const LANGUAGES: readonly Texts[] = [en, de]

export const LANGUAGE_CODES: readonly string[] = LANGUAGES.map(texts => texts.language.code)

export const textsIn = (code: string | null | undefined): Texts | undefined =>
  LANGUAGES.find(texts => texts.language.code === code)

/** ` lang="…"` for a text of the company in a clearly different language than the page. */
export const markDetectedLanguage = (text: string, texts: Texts): Html | undefined =>
  markLanguage(detectLanguage(text), texts)

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi'])

/** The same for a text whose language is known; undefined: it is not. */
export const markLanguage = (code: string | undefined, { language }: Texts): Html | undefined =>
  code === undefined || code === language.code
    ? undefined
    : html` lang="${code}"${RIGHT_TO_LEFT.has(code) && html` dir="rtl"`}`

/** For the title of a job where its texts are not shown. */
export const titleLanguage = ({ language, title }: { language: string | null; title: string }): string | undefined =>
  language ?? detectLanguage(title)

/** The language that was chosen on the page (`?lang=`), or the first of the browser's languages that there is. */
export const chooseTexts = (request: IncomingMessage, query: URLSearchParams): Texts =>
  textsIn(query.get('lang')) ?? accepted(request.headers['accept-language']) ?? en

function accepted(header: string | undefined): Texts | undefined {
  for (const code of acceptedLanguages(header)) {
    const found = code === '*' ? en : textsIn(code)
    if (found) return found
  }
  return undefined
}

/** Characters that no text has. */
const PLACES = '\u{F0000}\u{F0001}\u{F0002}\u{F0003}\u{F0004}\u{F0005}\u{F0006}\u{F0007}'

/** A sentence of the page with other parts in it, such as a text in another language. */
export function fillSentence(build: (...places: string[]) => string, ...parts: readonly Part[]): Part[] {
  const places = [...PLACES].slice(0, parts.length)
  return build(...places)
    .split(/([\u{F0000}-\u{F0007}])/u)
    .map(text => (places.includes(text) ? parts[places.indexOf(text)] : text))
}
