import { en } from './en.ts'

export type UiTexts = typeof en

/** What the shared components say, in the language of the page. Read it inside functions only. */
export let ui: UiTexts = en

/** For a program in another language, before it draws. */
export const showUiTexts = (texts: UiTexts): void => {
  ui = texts
}
