import { raw, type Sql, sql } from '../kernel/db/sql.ts'

/** A job of the alias `j` that the public can see: one that is due to close counts as closed before the worker comes. */
export const IS_OPEN = sql`j.status = 'published' and (j.close_at is null or j.close_at > app_now())`

/** What a row of a list shows. */
export interface ListedJob {
  slug: string
  title: string
  /** that the team chose; null: it is detected */
  language: string | null
  department: string | null
  locations: readonly string[]
  location_type: string | null
  employment_type: string | null
  salary_min: number | null
  salary_max: number | null
  salary_currency: string | null
  salary_interval: string | null
  accept_applications: boolean
  external_apply_url: string | null
}

/** A job with its texts. */
export interface DetailedJob extends ListedJob {
  id: string
  team: string | null
  experience_level: string | null
  published_at: string
  close_at: string | null
  updated_at: string
  summary: string | null
  description_md: string | null
  responsibilities: readonly string[]
  requirements: readonly string[]
  nice_to_have: readonly string[]
  skills_required: readonly string[]
  skills_preferred: readonly string[]
  benefits: readonly string[]
}

/** Every location of an open job. */
export const openLocations = (workspace: string): Sql<{ location: string }> => sql<{ location: string }>`
  select distinct l.location from jobs j, jsonb_array_elements_text(j.locations) as l (location)
  where j.workspace_id = ${workspace} and ${IS_OPEN} order by l.location`

const NAMES = [
  'slug',
  'title',
  'language',
  'department',
  'locations',
  'location_type',
  'employment_type',
  'salary_min',
  'salary_max',
  'salary_currency',
  'salary_interval',
  'accept_applications',
  'external_apply_url',
] as const satisfies readonly (keyof ListedJob)[]

/** Its columns, and the same of the alias `j`. */
export const LISTED_NAMES = raw(NAMES.join(', '))
export const LISTED_COLUMNS = raw(NAMES.map(name => `j.${name}`).join(', '))
