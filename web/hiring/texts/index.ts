import { isPageLanguage, type PageLanguage } from '../../../src/contract/page-languages.ts'
import { showLanguage } from '../../ui/language.ts'
import { en as englishUi } from '../../ui/texts/en.ts'
import { showUiTexts, type UiTexts } from '../../ui/texts/index.ts'
import { en } from './en/index.ts'

export type Texts = typeof en

/**
 * The catalogue of the language that is shown: `t.board.empty`. Read it inside functions only: a value that a module keeps
 * from its start stays English.
 */
export let t: Texts = en

/** English is part of the program; every other language is loaded by those who read it. */
const OTHERS: Readonly<Record<Exclude<PageLanguage, 'en'>, () => Promise<{ texts: Texts; ui: UiTexts }>>> = {
  de: () => import('./de/all.ts'),
}

/** Shows the pages in a language, English where it is another one. Before the program draws. */
export async function loadTexts(language: string): Promise<void> {
  const known = isPageLanguage(language) ? language : 'en'
  const loaded = known === 'en' ? { texts: en, ui: englishUi } : await OTHERS[known]()
  t = loaded.texts
  showUiTexts(loaded.ui)
  showLanguage(known)
}
