import { jobBelow } from '../../resources/careers/index.ts'
import { findCountries, findPlace, type Place } from '../../resources/shared/places.ts'
import { descriptionHtml, type Rendered } from '../description.ts'
import { companyOf } from '../shell.ts'
import { type SiteVisit, sitePath } from '../visit.ts'
import type { FeedJob } from './store.ts'
import { cdata, XML, xmlText } from './xml.ts'

/**
 * The list of all jobs that Indeed and LinkedIn read: elements of both in one document. Each takes those that it knows, by
 * their names in upper and lower case.
 */
type Words = Readonly<Record<string, string>>

const JOB_TYPES: Words = {
  full_time: 'fulltime',
  part_time: 'parttime',
  contract: 'contract',
  intern: 'internship',
  temp: 'temporary',
}
const REMOTE_TYPES: Words = { remote: 'Fully remote', hybrid: 'Hybrid remote' }
const WORKPLACES: Words = { remote: 'Remote', hybrid: 'Hybrid', onsite: 'On-site' }
const LEVELS: Words = {
  intern: 'INTERNSHIP',
  junior: 'ENTRY_LEVEL',
  mid: 'ASSOCIATE',
  senior: 'MID_SENIOR_LEVEL',
  lead: 'MID_SENIOR_LEVEL',
  principal: 'DIRECTOR',
}
const PERIODS: Words = { hourly: 'hour', monthly: 'month', annual: 'year' }

export const xmlHead = ({ services, site }: SiteVisit, changed: string, entries: number): string => `${XML}<source>
<publisher>${xmlText(companyOf(site))}</publisher>
<publisherurl>${xmlText(services.publicUrl + sitePath(site))}</publisherurl>
<publisherURL>${xmlText(services.publicUrl + sitePath(site))}</publisherURL>
<lastBuildDate>${new Date(changed).toUTCString()}</lastBuildDate>
<expectedJobCount>${entries}</expectedJobCount>
`

export const XML_END = '</source>\n'

/** One entry of a job: a place whose country is known. */
interface Entry {
  /** never another one for a place that stays: a job's first has the handle alone */
  suffix: string
  location: string | null
  place: Place & { country: string }
}

/**
 * A job with several locations is one entry for each: both readers ask for that, with a number of its own. They refuse
 * entries without a country, so a place whose country is not certain has none, and a remote job without any place has the
 * countries in which its people can live.
 */
export function xmlEntries(
  { locations, location_type }: Pick<FeedJob, 'locations' | 'location_type'>,
  home: string | null,
): Entry[] {
  const suffixOf = (i: number) => (i === 0 ? '' : `-${i + 1}`)
  const placed = locations.flatMap((location, i) => {
    const { country, ...place } = findPlace(location, home) ?? {}
    return country === undefined ? [] : [{ suffix: suffixOf(i), location, place: { ...place, country } }]
  })
  if (placed.length > 0 || location_type !== 'remote') return placed
  return findCountries(locations, home).map((country, i) => ({
    suffix: suffixOf(i),
    location: null,
    place: { country },
  }))
}

export function xmlJob(visit: SiteVisit, job: Rendered<FeedJob>): string {
  const { services, site, texts } = visit
  const page = services.publicUrl + sitePath(site, jobBelow(job.slug))
  const common = [
    ['title', job.title],
    ['date', job.published_at],
    ['requisitionid', job.id],
    ['url', page],
    ['applyUrl', job.external_apply_url ?? `${page}/apply`],
    ['company', companyOf(site)],
    ['sourcename', companyOf(site)],
    ['description', descriptionHtml(job, texts).text],
    ['salary', salaryText(job)],
    ['jobtype', named(JOB_TYPES, job.employment_type)],
    ['category', job.department],
    ['experience', named(texts.job.levels, job.experience_level)],
    ['experienceLevel', named(LEVELS, job.experience_level)],
    ['remotetype', named(REMOTE_TYPES, job.location_type)],
    ['workplaceTypes', named(WORKPLACES, job.location_type)],
    ['expirationdate', job.close_at],
  ] as const
  const shared = common.map(([name, value]) => element(name, value)).join('')
  return xmlEntries(job, site.country)
    .map(({ suffix, location, place }) => {
      const number = job.id + suffix
      const own = [
        ['referencenumber', number],
        ['partnerJobId', number],
        ['location', location ?? place.country],
        ['city', place.locality ?? null],
        ['state', place.region ?? null],
        ['country', place.country],
        // jobs have no postal code; the element is there because readers look for it
        ['postalcode', ''],
      ] as const
      return `<job>\n${own.map(([name, value]) => element(name, value)).join('')}${shared}</job>\n`
    })
    .join('')
}

const named = (words: Words, value: string | null): string | null => (value === null ? null : (words[value] ?? value))

const element = (name: string, value: string | null): string =>
  value === null ? '' : `<${name}>${cdata(value)}</${name}>\n`

/** `EUR 60000 - 80000 per year` */
function salaryText({ salary_min, salary_max, salary_currency, salary_interval }: FeedJob): string | null {
  const amounts = [...new Set([salary_min, salary_max].filter(amount => amount !== null))]
  if (amounts.length === 0 || salary_currency === null) return null
  const period = PERIODS[salary_interval ?? '']
  return `${salary_currency} ${amounts.join(' - ')}${period ? ` per ${period}` : ''}`
}
