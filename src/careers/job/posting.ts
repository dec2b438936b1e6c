import { type Html, html, trusted } from '../../pages/html.ts'
import { companyOf, logoPath, webAddress } from '../shell.ts'
import { en } from '../texts/en.ts'
import { jobBelow, sitePath, type Visit } from '../visit.ts'
import { countriesOf, placeOf } from './places.ts'
import type { PublicJob } from './store.ts'

const TYPES: Readonly<Record<string, string>> = {
  full_time: 'FULL_TIME',
  part_time: 'PART_TIME',
  contract: 'CONTRACTOR',
  intern: 'INTERN',
  temp: 'TEMPORARY',
}
const UNITS: Readonly<Record<string, string>> = { hourly: 'HOUR', monthly: 'MONTH', annual: 'YEAR' }

/** The job as search engines read it: schema.org's JobPosting with the properties of Google's guidelines. */
export function jobPosting(
  { services, site }: Pick<Visit, 'services' | 'site'>,
  job: PublicJob,
  description: Html | undefined,
): object {
  const company = companyOf(site)
  const logo = logoPath(site)
  const website = webAddress(site.website_url)
  const remote = job.location_type === 'remote'
  const places = job.locations.flatMap(location => {
    const place = placeOf(location)
    return place ? [place] : []
  })
  const addresses = places.map(({ locality, region, country }) => ({
    '@type': 'Place',
    address: {
      '@type': 'PostalAddress',
      ...(locality && { addressLocality: locality }),
      ...(region && { addressRegion: region }),
      ...(country && { addressCountry: country }),
    },
  }))
  return {
    '@context': 'https://schema.org',
    '@type': 'JobPosting',
    title: job.title,
    description: descriptionOf(job, description).text,
    identifier: { '@type': 'PropertyValue', name: company, value: job.id },
    url: services.publicUrl + sitePath(site, jobBelow(job.slug)),
    datePosted: new Date(job.published_at).toISOString(),
    ...(job.close_at !== null && { validThrough: new Date(job.close_at).toISOString() }),
    ...(job.employment_type !== null && { employmentType: TYPES[job.employment_type] ?? 'OTHER' }),
    hiringOrganization: {
      '@type': 'Organization',
      name: company,
      ...(website && { sameAs: website }),
      ...(logo && { logo: services.publicUrl + logo }),
    },
    // a remote job has no place of work: where its people may live is a requirement
    ...(remote
      ? { jobLocationType: 'TELECOMMUTE', ...oneOrMany('applicantLocationRequirements', countriesIn(job.locations)) }
      : oneOrMany('jobLocation', addresses)),
    ...salaryOf(job),
    ...(job.years_min !== null &&
      job.years_min > 0 && {
        experienceRequirements: {
          '@type': 'OccupationalExperienceRequirements',
          monthsOfExperience: Math.round(job.years_min * 12),
        },
      }),
    directApply: job.accept_applications && webAddress(job.external_apply_url) === undefined,
  }
}

const countriesIn = (locations: readonly string[]): object[] =>
  countriesOf(locations).map(name => ({ '@type': 'Country', name }))

const oneOrMany = (name: string, values: readonly object[]): object =>
  values.length === 0 ? {} : { [name]: values.length === 1 ? values[0] : values }

function salaryOf({ salary_min, salary_max, salary_currency, salary_interval }: PublicJob): object {
  const unitText = UNITS[salary_interval ?? '']
  if ((salary_min === null && salary_max === null) || salary_currency === null || unitText === undefined) return {}
  const amount =
    salary_min === salary_max
      ? { value: salary_min }
      : { ...(salary_min !== null && { minValue: salary_min }), ...(salary_max !== null && { maxValue: salary_max }) }
  return {
    baseSalary: {
      '@type': 'MonetaryAmount',
      currency: salary_currency,
      value: { '@type': 'QuantitativeValue', ...amount, unitText },
    },
  }
}

/** The whole text of the job, which Google wants as HTML. */
function descriptionOf(job: PublicJob, description: Html | undefined): Html {
  const list = (title: string, items: readonly string[]) =>
    items.length > 0 && html`<p>${title}</p><ul>${items.map(item => html`<li>${item}</li>`)}</ul>`
  return html`${job.summary !== null && html`<p>${job.summary}</p>`}${description}${list(
    en.job.responsibilities,
    job.responsibilities,
  )}${list(en.job.requirements, job.requirements)}${list(en.job.niceToHave, job.nice_to_have)}${list(en.job.skills, [
    ...job.skills_required,
    ...job.skills_preferred,
  ])}${list(en.job.benefits, job.benefits)}`
}

const ESCAPED = /[<>&\u2028\u2029]/g

/** Data inside a page: nothing of it can end the element or be taken for markup. It is not run, so the policy allows it. */
export const structuredData = (data: object): Html =>
  html`<script type="application/ld+json">${trusted(
    JSON.stringify(data).replace(ESCAPED, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )}</script>`
