import { type Html, html, type Part } from '../../pages/html.ts'
import type { PublicFormView } from '../../resources/jobs/index.ts'
import { markLanguage } from '../language.ts'
import { detectLanguage } from '../text-language.ts'
import type { Texts } from '../texts/en.ts'

/** How the form page marks what the company wrote, where that is in another language than the page. */
export interface CompanyMarks {
  /** ` lang="…"` for the title of the job */
  title: Html | undefined
  /** The same for a text of the form. A text of the page itself has none. */
  mark: (text: string) => Html | undefined
}

/**
 * The language of each text that the company wrote: its own where that is clear; that of the whole form for a short one, such
 * as an option; that of the job for the job's own questions.
 */
export function detectCompanyMarks(form: PublicFormView, texts: Texts): CompanyMarks {
  const { fields, questions } = form
  const language = form.language ?? detectLanguage([form.title, form.summary].join(' '))
  const written = fields.flatMap(field => [
    ...(field.is_default_label ? [] : [field.label]),
    ...(field.is_default_help_text ? [] : [field.help_text ?? []].flat()),
    ...(field.section === null ? [] : [field.section]),
    ...field.options,
  ])
  const asked = questions.flatMap(({ prompt, choices }) => [prompt, ...(choices ?? [])])
  const ofForm = detectLanguage(written.join(' '))
  const ofQuestions = detectLanguage(asked.join(' ')) ?? language
  const known = new Map([
    ...written.map(text => [text, detectLanguage(text) ?? ofForm] as const),
    ...asked.map(text => [text, detectLanguage(text) ?? ofQuestions] as const),
  ])
  return { title: markLanguage(language, texts), mark: text => markLanguage(known.get(text), texts) }
}

/** A text in its language, as a part of another one. */
export const markText = (text: string, mark: Html | undefined): Part =>
  mark ? html`<span${mark}>${text}</span>` : text
