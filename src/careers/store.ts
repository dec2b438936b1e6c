import { raw, sql } from '../kernel/db/sql.ts'

/** A job of the alias `j` that the public can see: one that is due to close counts as closed before the worker comes. */
export const IS_OPEN = sql`j.status = 'published' and (j.close_at is null or j.close_at > app_now())`

/** What a row of a list shows. */
export interface ListedJob {
  slug: string
  title: string
  department: string | null
  locations: readonly string[]
  location_type: string | null
  employment_type: string | null
  salary_min: number | null
  salary_max: number | null
  salary_currency: string | null
  salary_interval: string | null
}

const NAMES = [
  'slug',
  'title',
  'department',
  'locations',
  'location_type',
  'employment_type',
  'salary_min',
  'salary_max',
  'salary_currency',
  'salary_interval',
] as const satisfies readonly (keyof ListedJob)[]

/** Its columns, and the same of the alias `j`. */
export const LISTED_NAMES = raw(NAMES.join(', '))
export const LISTED_COLUMNS = raw(NAMES.map(name => `j.${name}`).join(', '))
