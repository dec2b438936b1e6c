import { type Html, html, trusted } from '../../pages/html.ts'
import { jobBelow } from '../../resources/careers/index.ts'
import { findCountries, findPlace } from '../../resources/shared/places.ts'
import { descriptionHtml, type Rendered } from '../description.ts'
import { companyOf, logoPath, webAddress } from '../shell.ts'
import { type SiteVisit, sitePath } from '../visit.ts'
import type { PublicJob } from './store.ts'

const TYPES: Readonly<Record<string, string>> = {
  full_time: 'FULL_TIME',
  part_time: 'PART_TIME',
  contract: 'CONTRACTOR',
  intern: 'INTERN',
  temp: 'TEMPORARY',
}
const UNITS: Readonly<Record<string, string>> = { hourly: 'HOUR', monthly: 'MONTH', annual: 'YEAR' }

/**
 * The job as search engines read it: schema.org's JobPosting with the properties of Google's guidelines. undefined if one
 * that they require is not known, or if no one can apply.
 */
export function jobPosting(
  { services, site, texts }: Pick<SiteVisit, 'services' | 'site' | 'texts'>,
  job: Rendered<PublicJob>,
): object | undefined {
  const isExternal = webAddress(job.external_apply_url) !== undefined
  const place = placeIn(job, site.country)
  const description = descriptionHtml(job, texts).text
  if (place === undefined || description === '' || !(job.accept_applications || isExternal)) return undefined
  const company = companyOf(site)
  const logo = logoPath(site)
  const website = webAddress(site.website_url)
  return {
    '@context': 'https://schema.org',
    '@type': 'JobPosting',
    title: job.title,
    description,
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
    ...place,
    ...baseSalary(job),
    ...(job.years_min !== null &&
      job.years_min > 0 && {
        experienceRequirements: {
          '@type': 'OccupationalExperienceRequirements',
          monthsOfExperience: Math.round(job.years_min * 12),
        },
      }),
    directApply: !isExternal,
  }
}

/** A remote job has no place of work: where its people may live is a requirement. Each must name a country. */
function placeIn({ location_type, locations }: PublicJob, home: string | null): object | undefined {
  if (location_type === 'remote') {
    const countries = findCountries(locations, home).map(name => ({ '@type': 'Country', name }))
    if (countries.length === 0) return undefined
    return { jobLocationType: 'TELECOMMUTE', applicantLocationRequirements: oneOrMany(countries) }
  }
  const places = locations.flatMap(location => {
    const { locality, region, country } = findPlace(location, home) ?? {}
    if (country === undefined) return []
    const address = {
      '@type': 'PostalAddress',
      ...(locality && { addressLocality: locality }),
      ...(region && { addressRegion: region }),
      addressCountry: country,
    }
    return [{ '@type': 'Place', address }]
  })
  return places.length === 0 ? undefined : { jobLocation: oneOrMany(places) }
}

const oneOrMany = (values: readonly object[]): object | undefined => (values.length === 1 ? values[0] : values)

function baseSalary({ salary_min, salary_max, salary_currency, salary_interval }: PublicJob): object {
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

const ESCAPED = /[<>&\u2028\u2029]/g

/** Data inside a page: nothing of it can end the element or be taken for markup. It is not run, so the policy allows it. */
export const structuredData = (data: object): Html =>
  html`<script type="application/ld+json">${trusted(
    JSON.stringify(data).replace(ESCAPED, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )}</script>`
