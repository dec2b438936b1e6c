import { type Html, html } from '../pages/html.ts'
import { renderMarkdown } from './markdown.ts'
import type { Texts } from './texts/en.ts'

/** The texts of a job. */
interface DescribedJob {
  summary: string | null
  description_md: string | null
  responsibilities: readonly string[]
  requirements: readonly string[]
  nice_to_have: readonly string[]
  skills_required: readonly string[]
  skills_preferred: readonly string[]
  benefits: readonly string[]
}

/** The whole text of a job as HTML, for search engines and readers of feeds. */
export function descriptionHtml(job: DescribedJob, { job: words }: Texts): Html {
  const list = (title: string, items: readonly string[]) =>
    items.length > 0 && html`<h3>${title}</h3><ul>${items.map(item => html`<li>${item}</li>`)}</ul>`
  return html`${job.summary !== null && html`<p>${job.summary}</p>`}${job.description_md !== null && renderMarkdown(job.description_md)}${list(words.responsibilities, job.responsibilities)}${list(words.requirements, job.requirements)}${list(words.niceToHave, job.nice_to_have)}${list(words.skills, [...job.skills_required, ...job.skills_preferred])}${list(words.benefits, job.benefits)}`
}
