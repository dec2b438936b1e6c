import { type Html, html } from '../../pages/html.ts'
import { renderMarkdown } from '../markdown.ts'
import type { Texts } from '../texts/en.ts'
import type { FeedJob } from './store.ts'

export type RenderedJob = FeedJob & { description: Html | undefined }

/** The job with its rendered description. */
export const renderedJob = async (job: FeedJob): Promise<RenderedJob> => ({
  ...job,
  description: job.description_md === null ? undefined : await renderMarkdown(job.description_md),
})

/** The whole text of a job as HTML, for readers that show it on a page of their own. */
export function descriptionHtml(job: RenderedJob, { job: words }: Texts): Html {
  const list = (title: string, items: readonly string[]) =>
    items.length > 0 && html`<h3>${title}</h3><ul>${items.map(item => html`<li>${item}</li>`)}</ul>`
  return html`${job.summary !== null && html`<p>${job.summary}</p>`}${job.description}${list(words.responsibilities, job.responsibilities)}${list(words.requirements, job.requirements)}${list(words.niceToHave, job.nice_to_have)}${list(words.skills, [...job.skills_required, ...job.skills_preferred])}${list(words.benefits, job.benefits)}`
}
