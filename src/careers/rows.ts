import { type Html, html } from '../pages/html.ts'
import { jobBelow } from '../resources/careers/index.ts'
import { markLanguage, titleLanguage } from './language.ts'
import { webAddress } from './shell.ts'
import type { ListedJob } from './store.ts'
import type { Texts } from './texts/en.ts'
import { type SiteVisit, siteLink } from './visit.ts'
import { factsLine, salaryLine } from './wording.ts'

/** Jobs as rows: the title leads to the job, the rest of the row too. A heading names their department, or each row. */
export const jobRows = (
  visit: Pick<SiteVisit, 'site' | 'query' | 'texts'>,
  jobs: readonly ListedJob[],
  { withDepartment = false } = {},
): Html =>
  html`<ul class="jobs">${jobs.map(job => {
    const salary = salaryLine(job, visit.texts)
    const facts = [
      ...(withDepartment && job.department !== null ? [job.department] : []),
      ...factsLine(job, visit.texts),
      ...applyFact(job, visit.texts),
    ]
    return html`<li><a href="${siteLink(visit, jobBelow(job.slug))}"${markLanguage(titleLanguage(job), visit.texts)}>${job.title}</a>${facts.length > 0 && html`<span>${facts.join(' · ')}</span>`}${salary && html`<b>${salary}</b>`}</li>
`
  })}</ul>`

/** Where a form of this site does not follow: people know it before they open the job. */
function applyFact({ external_apply_url, accept_applications }: ListedJob, { list }: Texts): string[] {
  const external = webAddress(external_apply_url)
  if (external !== undefined) return [list.appliesAt(new URL(external).host)]
  return accept_applications ? [] : [list.noApplications]
}
