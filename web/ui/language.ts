import { PAGE_LOCALES, type PageLanguage } from '../../src/contract/page-languages.ts'

export interface Shown {
  language: PageLanguage
  /** how its dates and numbers are written */
  locale: string
  /** that of the account; undefined: that of the browser */
  timeZone: string | undefined
}

/** English in the browser's time zone, until the program says otherwise before it draws. */
export let shown: Shown = { language: 'en', locale: PAGE_LOCALES.en, timeZone: undefined }

const listeners: ((now: Shown) => void)[] = []

/** For modules that keep something in the language of the page, such as a format. */
export const whenLanguageChanges = (listener: (now: Shown) => void): void => void listeners.push(listener)

function change(to: Partial<Shown>): void {
  shown = { ...shown, ...to }
  for (const listener of listeners) listener(shown)
}

export const showLanguage = (language: PageLanguage): void => change({ language, locale: PAGE_LOCALES[language] })

/** The zone in which times are shown; null: that of the browser. */
export const showTimeZone = (timeZone: string | null): void => change({ timeZone: timeZone ?? undefined })
