import { jobBelow } from '../../resources/careers/index.ts'
import { titleLanguage } from '../language.ts'
import { companyOf } from '../shell.ts'
import { type SiteVisit, sitePath } from '../visit.ts'
import { factsLine, salaryLine, wordFor } from '../wording.ts'
import type { ListedRow } from './store.ts'

/** A list that a page of another site shows is no longer than this; the site itself has them all. */
export const JSON_JOBS = 1000

/** Everything before the first job. */
export function jsonHead({ services, site, texts }: SiteVisit, total: number): string {
  const { language, feeds } = texts
  const head = {
    company: companyOf(site),
    url: services.publicUrl + sitePath(site),
    language: language.code,
    total,
    texts: feeds.embed,
  }
  return `${JSON.stringify(head).slice(0, -1)},"jobs":[`
}

export const JSON_END = '\n]}\n'

/** What everyone can see of a job, values as in the API and in the words of the language. */
export function jsonJob({ services, site, texts }: SiteVisit, job: ListedRow): object {
  return {
    id: job.id,
    title: job.title,
    language: titleLanguage(job) ?? null,
    url: services.publicUrl + sitePath(site, jobBelow(job.slug)),
    department: job.department,
    locations: job.locations,
    location_type: job.location_type,
    employment_type: job.employment_type,
    published_at: job.published_at,
    facts: factsLine(job, texts),
    salary: salaryLine(job, texts) ?? null,
    type: wordFor(texts.job.types, job.employment_type) ?? null,
    workplace: wordFor(texts.job.workplaces, job.location_type) ?? null,
  }
}
