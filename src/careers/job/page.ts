import { type Html, html, type Part } from '../../pages/html.ts'
import { excerpt, shortened } from '../../pages/markdown.ts'
import { jobBelow } from '../../resources/careers/index.ts'
import { jobLanguage } from '../description.ts'
import { NOINDEX, pageHead } from '../head.ts'
import { markLanguage } from '../language.ts'
import { jobRows } from '../rows.ts'
import { companyOf, shell, webAddress } from '../shell.ts'
import type { Texts } from '../texts/en.ts'
import { type SiteVisit, siteLink } from '../visit.ts'
import { factsLine, formatDay, salaryLine, wordFor } from '../wording.ts'
import { jobPosting, structuredData } from './posting.ts'
import type { JobPageRow, PublicJob } from './store.ts'

type JobVisit = SiteVisit & Pick<JobPageRow, 'others'>

/** `description`: the rendered one. */
export function jobPage(visit: JobVisit, job: PublicJob, description: Html | undefined): Html {
  const { texts, site } = visit
  const line = [...(job.department === null ? [] : [job.department]), ...factsLine(job, texts)]
  const apply = applying(visit, job)
  const posting = jobPosting(visit, { ...job, description })
  const lang = markLanguage(jobLanguage(job), texts)
  return shell({
    ...visit,
    title: job.title,
    head: pageHead(visit, {
      below: jobBelow(job.slug),
      title: `${job.title} · ${companyOf(site)}`,
      description: job.summary === null ? excerpt(description ?? html``) : shortened(job.summary),
      changed: job.updated_at,
      more: posting && structuredData(posting),
    }),
    body: html`<article class="wide job">
<header class="job-top">
<p class="eyebrow"><a href="${siteLink(visit)}"><span aria-hidden="true">←</span> ${texts.job.all}</a></p>
<h1${lang}>${job.title}</h1>
<p class="job-line">${line.join(' · ')}</p>
</header>
<aside class="job-side" aria-label="${texts.job.facts}"><div class="panel">
${apply}
<dl class="facts">${facts(job, texts).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</div></aside>
<div class="job-text">
${job.summary !== null && html`<p class="lead"${lang}>${job.summary}</p>`}
${description && html`<div class="prose"${lang}>${description}</div>`}
${sections(job, texts, lang)}
${process(job, texts)}
<div class="job-end no-print">${apply}</div>
</div>
</article>
${others(visit, visit.others)}`,
  })
}

/** A position that was public: it says so and leads to others. Search engines remove it. */
export function closedJobPage(visit: JobVisit, job: PublicJob): Html {
  const { texts } = visit
  return shell({
    ...visit,
    title: job.title,
    head: NOINDEX,
    body: html`<div class="wide">
<p class="eyebrow"><a href="${siteLink(visit)}"><span aria-hidden="true">←</span> ${texts.job.all}</a></p>
<h1>${texts.job.closed}</h1>
<p class="lead">${texts.job.closedText(job.title)}</p>
<p>${texts.job.closedApplied} <a href="${siteLink(visit, '/applications')}">${texts.frame.yourApplications}</a></p>
${visit.others.length === 0 && html`<p>${texts.job.noOthers}</p>`}
</div>
${others(visit, visit.others)}`,
  })
}

function applying(visit: JobVisit, job: PublicJob): Html {
  const { texts } = visit
  const externalUrl = webAddress(job.external_apply_url)
  if (externalUrl !== undefined) {
    const { host } = new URL(externalUrl)
    return html`<p class="apply"><a class="button large" href="${externalUrl}" rel="noopener">${texts.job.applyAt(host)}</a></p>
<p class="small soft">${texts.job.applyElsewhere}</p>`
  }
  if (!job.accept_applications) return html`<p class="notice">${html`<span>${texts.job.noApplications}</span>`}</p>`
  return html`<p class="apply"><a class="button large" href="${siteLink(visit, `${jobBelow(job.slug)}/apply`)}">${texts.job.apply}</a></p>`
}

function facts(job: PublicJob, texts: Texts): [string, Part][] {
  const { job: words } = texts
  const level = wordFor(words.levels, job.experience_level)
  const years = job.years_min === null && job.years_max === null ? undefined : words.years(job.years_min, job.years_max)
  const rows: [string, Part][] = [
    [words.salary, salaryLine(job, texts)],
    [words.equity, job.salary_equity ?? undefined],
    [words.commission, job.salary_commission ? words.commissionPaid : undefined],
    [words.locations(job.locations.length), job.locations.length > 0 && lines(job.locations)],
    [words.workplace, wordFor(words.workplaces, job.location_type)],
    [words.type, wordFor(words.types, job.employment_type)],
    [words.level, [level, years].filter(Boolean).join(', ') || undefined],
    [words.department, job.department ?? undefined],
    [words.team, job.team ?? undefined],
    [words.published, formatDay(job.published_at, texts)],
    [words.closes, job.close_at === null ? undefined : formatDay(job.close_at, texts)],
  ]
  return rows.filter(([, value]) => value !== undefined && value !== false)
}

const lines = (texts: readonly string[]): Html => html`${texts.map((text, i) => html`${i > 0 && html`<br>`}${text}`)}`

function sections(job: PublicJob, { job: words }: Texts, lang: Part): Html[] {
  const list = (title: string, items: readonly string[]) =>
    items.length === 0
      ? []
      : [html`<section><h2>${title}</h2><ul${lang}>${items.map(item => html`<li>${item}</li>`)}</ul></section>`]
  const skills = (title: string, items: readonly string[]) =>
    items.length > 0 &&
    html`<h3>${title}</h3><ul class="skills"${lang}>${items.map(item => html`<li class="tag">${item}</li>`)}</ul>`
  return [
    ...list(words.responsibilities, job.responsibilities),
    ...list(words.requirements, job.requirements),
    ...list(words.niceToHave, job.nice_to_have),
    ...(job.skills_required.length + job.skills_preferred.length === 0
      ? []
      : [
          html`<section><h2>${words.skills}</h2>${skills(words.skillsRequired, job.skills_required)}${skills(words.skillsPreferred, job.skills_preferred)}</section>`,
        ]),
    ...list(words.benefits, job.benefits),
  ]
}

/** The way to an offer. One step is not a process. */
const process = ({ stages }: PublicJob, { job: words }: Texts): Html | undefined =>
  stages.length < 2
    ? undefined
    : html`<section><h2>${words.process}</h2><ol class="steps">${stages.map(stage => html`<li>${wordFor(words.stages, stage)}</li>`)}</ol></section>`

const others = (visit: JobVisit, jobs: JobPageRow['others']): Html | undefined =>
  jobs.length === 0
    ? undefined
    : html`<section class="wide others"><h2>${visit.texts.job.others}</h2>
${jobRows(visit, jobs)}
<p><a href="${siteLink(visit)}">${visit.texts.job.all}</a></p></section>`
