import { type Html, html } from '../pages/html.ts'
import { renderMarkdown } from '../pages/markdown.ts'
import { textsIn } from './language.ts'
import type { DetailedJob } from './store.ts'
import { detectLanguage } from './text-language.ts'
import type { Texts } from './texts/en.ts'

/** With the rendered description. */
export type Rendered<J> = J & { description: Html | undefined }

export const renderedJob =
  (workspace: string) =>
  async <J extends { description_md: string | null }>(job: J): Promise<Rendered<J>> => ({
    ...job,
    description: job.description_md === null ? undefined : await renderMarkdown(workspace, job.description_md),
  })

/** The language of what the company wrote about a job: the one that the team chose, or else that of the texts. */
export const jobLanguage = (job: JobTexts): string | undefined =>
  job.language ?? detectLanguage([job.title, job.summary, job.description_md, ...job.requirements].join(' '))

type JobTexts = Pick<DetailedJob, 'language' | 'title' | 'summary' | 'description_md' | 'requirements'>

/** The whole text of a job as HTML, for search engines and readers of feeds. */
export function descriptionHtml(job: Rendered<DetailedJob>, texts: Texts): Html {
  // headings in the language of the text
  const { job: words } = textsIn(jobLanguage(job)) ?? texts
  const list = (title: string, items: readonly string[]) =>
    items.length > 0 && html`<h3>${title}</h3><ul>${items.map(item => html`<li>${item}</li>`)}</ul>`
  return html`${job.summary !== null && html`<p>${job.summary}</p>`}${job.description}${list(words.responsibilities, job.responsibilities)}${list(words.requirements, job.requirements)}${list(words.niceToHave, job.nice_to_have)}${list(words.skills, [...job.skills_required, ...job.skills_preferred])}${list(words.benefits, job.benefits)}`
}
