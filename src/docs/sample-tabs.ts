import { type Html, html, type Part } from '../pages/html.ts'
import { LANGUAGES, type SampleLanguage } from './assets/samples.js'
import { codeBlock } from './highlight.ts'

export interface Sample {
  language: SampleLanguage
  code: string
  title: string
}

const titleOf = (language: SampleLanguage): string => LANGUAGES.find(({ id }) => id === language)!.title

export const isSampleLanguage = (name: string): name is SampleLanguage => LANGUAGES.some(({ id }) => id === name)

/**
 * The same in several languages. One of them is shown: the choice works without scripts, which only make it hold for the
 * whole site. `id` is unique on the page.
 */
export const sampleTabs = (id: string, samples: readonly Sample[], attributes: Part = false): Html =>
  html`<div class="samples"${attributes}><fieldset class="languages"><legend>Language of the sample</legend>${samples.map(
    ({ language }, i) =>
      html`<label><input type="radio" name="language-${id}" value="${language}" data-language${i === 0 && html` checked`}>${titleOf(language)}</label>`,
  )}</fieldset>${samples.map(({ language, code, title }) => html`<div data-sample="${language}">${codeBlock(code, language, title)}</div>`)}</div>`
