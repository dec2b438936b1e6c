/** The languages of the hiring pages; the first is used where none fits. */
export const PAGE_LANGUAGES = ['en', 'de'] as const
export type PageLanguage = (typeof PAGE_LANGUAGES)[number]

export const isPageLanguage = (code: unknown): code is PageLanguage => PAGE_LANGUAGES.includes(code as PageLanguage)

/** How dates and numbers are written in each of them. */
export const PAGE_LOCALES: Readonly<Record<PageLanguage, string>> = { en: 'en-GB', de: 'de-DE' }
