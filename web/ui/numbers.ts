import { shown, whenLanguageChanges } from './language.ts'

/** It writes numbers as the language of the page does. */
export let count = new Intl.NumberFormat('en')
whenLanguageChanges(({ locale }) => {
  count = new Intl.NumberFormat(locale)
})

/** `87%`, in German `87 %`: how well someone fits a job, and other parts of a hundred. */
export const percent = (value: number): string => (shown.language === 'de' ? `${value}\u00a0%` : `${value}%`)

/** `1 delivery`, `2,000 deliveries` */
export const amount = (n: number, one: string, many = `${one}s`): string => `${count.format(n)} ${n === 1 ? one : many}`
