import { slugOf } from '../../kernel/text/slug.ts'

/** A slug of the careers site: what the table accepts. */
export const SITE_SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
export const SITE_SLUG_LENGTH = 60

/** Numbers and slugs that were taken leave this many characters for the name. */
const NAME_LENGTH = 48

/** The slug of a company's name in plain letters; a name in another script gets a neutral one. */
export function siteSlug(name: string): string {
  const plain = slugOf(name, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_LENGTH)
    .replaceAll(/^-|-$/g, '')
  return plain || 'company'
}

/** The path of a job's page. The slug of a job may have letters of any script. */
export const publicJobPath = (siteSlug: string, jobSlug: string): string =>
  `/careers/${siteSlug}/jobs/${encodeURIComponent(jobSlug)}`
