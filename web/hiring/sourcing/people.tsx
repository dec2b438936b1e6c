import type { ComponentChildren } from 'preact'
import { amount } from '../../ui/numbers.ts'
import { Tag } from '../../ui/tag.tsx'
import { STOPPED, STOPPED_REASON } from '../board/words.ts'
import { capitalize } from '../candidate/words.ts'

/** What every kind of profile says about a person. */
export interface Described {
  full_name: string | null
  headline: string | null
  job_title: string | null
  company_name: string | null
  location_full: string | null
}

export const profileName = (person: Described | null): string =>
  person?.full_name ?? person?.headline ?? person?.job_title ?? 'Candidate'

/** `Welder at Acme` */
export const describeWork = ({ job_title, company_name }: Described): string =>
  job_title && company_name ? `${job_title} at ${company_name}` : (job_title ?? company_name ?? '')

export const formatYears = (months: number | null): string =>
  months === null ? '' : months < 12 ? 'under a year' : amount(Math.floor(months / 12), 'year')

/** How a profile was found. */
export const acquisitionName = (acquisition: string): string =>
  acquisition === 'xray_search' ? 'Web search' : capitalize(acquisition.replaceAll('_', ' '))

/** A name that leads somewhere, with work and place below it. */
export const PersonLines = ({ person, children }: { person: Described | null; children: ComponentChildren }) => (
  <div class="two-lines">
    <span>{children}</span>
    <span class="faint">
      {person && [describeWork(person) || person.headline, person.location_full].filter(Boolean).join(' · ')}
    </span>
  </div>
)

/** A person who asked for processing to stop. */
export const StoppedTag = () => (
  <span title={STOPPED_REASON}>
    <Tag tone="warn">{STOPPED}</Tag>
  </span>
)

/** A link out of the service. The other site does not learn where it comes from. */
export const OutLink = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <a href={href} target="_blank" rel="noreferrer noopener">
    {children}
  </a>
)
