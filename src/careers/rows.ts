import { type Html, html } from '../pages/html.ts'
import { jobBelow } from '../resources/careers/index.ts'
import type { ListedJob } from './store.ts'
import { siteLink, type Visit } from './visit.ts'
import { factsLine, salaryLine } from './wording.ts'

/** Jobs as rows: the title leads to the job, the rest of the row too. A heading names their department, or each row. */
export const jobRows = (
  visit: Pick<Visit, 'site' | 'query' | 'texts'>,
  jobs: readonly ListedJob[],
  { withDepartment = false } = {},
): Html =>
  html`<ul class="jobs">${jobs.map(job => {
    const salary = salaryLine(job, visit.texts)
    const facts = [
      ...(withDepartment && job.department !== null ? [job.department] : []),
      ...factsLine(job, visit.texts),
    ]
    return html`<li><a href="${siteLink(visit, jobBelow(job.slug))}">${job.title}</a>${facts.length > 0 && html`<span>${facts.join(' · ')}</span>`}${salary && html`<b>${salary}</b>`}</li>
`
  })}</ul>`
