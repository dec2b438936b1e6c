import { LOCKS } from '../../kernel/db/locks.ts'
import { containing, none, plannedEachTime, raw, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { ColumnsOf } from '../../kernel/record/field.ts'
import { columnsOf } from '../../kernel/record/record.ts'
import { LICENCE } from '../shared/provenance.ts'
import { POOL_NUMBERS, POOL_TEXTS, type PoolLine } from './rules.ts'
import { type PoolProfileRow, poolProfileRecord } from './shape.ts'

const { provider } = poolProfileRecord.stored
const shown = { ...poolProfileRecord.fields, provider }

export type StoredPoolProfile = ColumnsOf<typeof shown>

const PROFILE = columnsOf(shown, 'p')

export const toPoolProfile = (row: StoredPoolProfile): PoolProfileRow => ({
  ...row,
  workspace_id: null,
  provenance: {
    origin: 'shared_pool',
    acquisition: 'public_profile',
    provider: row.provider,
    owner_workspace_id: null,
    first_seen_at: row.first_seen_at,
    last_seen_at: row.last_seen_at,
    consent: { basis: 'public_profile', candidate_facing_notice: false, unsubscribed: false, suppressed: false },
    licence: LICENCE,
    contact_info_available: false,
  },
})

export interface PoolFilter {
  country?: string
  company?: string
  title?: string
  updated_after?: string
}

/**
 * Suppressed profiles are left out. A rare part is looked up in its index, a frequent one is found soon among the most
 * recently seen profiles; which plan is better depends on the value.
 */
export const poolProfiles = (filter: PoolFilter, page: Page): Sql<StoredPoolProfile> => {
  const { country, company, title } = filter
  const statement = sql<StoredPoolProfile>`
    select ${PROFILE} from pool_profiles p
    where p.suppressed_at is null
      ${country === undefined ? none : sql`and lower(p.location_country) = lower(${country})`}
      ${company === undefined ? none : sql`and p.company_name ilike ${containing(company)}`}
      ${title === undefined ? none : sql`and p.job_title ilike ${containing(title)}`}
      ${page.clause}`
  return company === undefined && title === undefined ? statement : plannedEachTime(statement)
}

export interface ShortPart {
  field: 'company' | 'title'
  part: string
}

/** The given parts that occur in a profile of the pool. */
export const shortPartsKnown = (parts: readonly ShortPart[]): Sql<ShortPart> =>
  sql<ShortPart>`
    select field, part from pool_short_parts
    where (field, part) in (
      select * from unnest(${parts.map(p => p.field)}::text[], ${parts.map(p => p.part)}::text[]))`

/** In order, so that two imports cannot deadlock. */
export const insertShortParts = (parts: readonly ShortPart[]) =>
  sql`
    insert into pool_short_parts (field, part)
    select * from unnest(${parts.map(p => p.field)}::text[], ${parts.map(p => p.part)}::text[]) as p (field, part)
    order by 1, 2 on conflict do nothing`

export const poolProfilesById = (ids: readonly string[]): Sql<StoredPoolProfile> =>
  sql<StoredPoolProfile>`
    select ${PROFILE} from pool_profiles p where p.id = any(${ids}::text[]) and p.suppressed_at is null`

/** What a saved profile is found by. */
export interface PoolKeys {
  id: string
  linkedin_key: string | null
}

export const selectPoolKeys = (poolIds: readonly string[]): Sql<PoolKeys> =>
  sql<PoolKeys>`select id, linkedin_key from pool_profiles where id = any(${poolIds}::text[]) order by id`

/**
 * Before a batch is stored: known profiles are looked up by index, although the planner's statistics of a growing table are
 * old, and the commit does not wait for the disk, since an interrupted import continues from what the disk has.
 */
export const importSettings = (): Sql<{ now: string }> => sql<{ now: string }>`
  select app_now() as now, set_config('enable_seqscan', 'off', true), set_config('synchronous_commit', 'off', true)`

/** Until the session ends. */
export const waitForPoolImports = () => sql`select pg_advisory_lock(${LOCKS.poolImport})`

export interface KnownPoolProfile {
  id: string
  linkedin_key: string | null
  external_id: string | null
  suppressed: boolean
}

/** In the order of their ids, so that two imports cannot deadlock. */
export const knownPoolProfiles = (
  linkedinKeys: readonly string[],
  externalIds: readonly string[],
): Sql<KnownPoolProfile> =>
  sql<KnownPoolProfile>`
    select id, linkedin_key, external_id, suppressed_at is not null as suppressed from pool_profiles
    where linkedin_key = any(${linkedinKeys}::text[]) or external_id = any(${externalIds}::text[])
    order by id for update`

const STORED = ['linkedin_key', 'external_id', 'skills', 'languages', ...POOL_TEXTS, ...POOL_NUMBERS] as const
const LINE = raw(
  [
    'id text',
    'linkedin_key text',
    'external_id text',
    'skills jsonb',
    'languages jsonb',
    ...POOL_TEXTS.map(name => `${name} text`),
    ...POOL_NUMBERS.map(name => `${name} integer`),
  ].join(', '),
)
const NAMES = raw(STORED.join(', '))
const VALUES = raw(STORED.map(name => `n.${name}`).join(', '))
/** A profile keeps its keys when a later line leaves them out. */
const KEYS: ReadonlySet<string> = new Set(['linkedin_key', 'linkedin_url', 'external_id'])
const REPLACED = raw(
  STORED.map(name => (KEYS.has(name) ? `${name} = coalesce(n.${name}, p.${name})` : `${name} = n.${name}`)).join(', '),
)

const IN_JSON = STORED.map(name => ({ name, key: `,"${name}":` }))

/** What is null is left out: reading the text is a good part of the store's work, as writing it is one of ours. */
function linesJson(lines: readonly StoredLine[]): string {
  let text = ''
  for (const line of lines) {
    text += `${text === '' ? '[' : ','}{"id":"${line.id}"`
    for (const { name, key } of IN_JSON) {
      const value = line[name]
      if (value !== null) text += key + JSON.stringify(value)
    }
    text += '}'
  }
  return `${text}]`
}

export type StoredLine = PoolLine & { id: string }

export const insertPoolProfiles = (lines: readonly StoredLine[]) => sql`
  insert into pool_profiles (id, ${NAMES})
  select n.id, ${VALUES} from json_to_recordset(${linesJson(lines)}::json) as n (${LINE})`

export const updatePoolProfiles = (lines: readonly StoredLine[]) => sql`
  update pool_profiles p set ${REPLACED}, last_seen_at = app_now()
  from json_to_recordset(${linesJson(lines)}::json) as n (${LINE}) where p.id = n.id`

/** Whether an erasure is in progress or was completed since then. */
export const profilesErasedSince = (time: string) =>
  sql`select 1 from erasures where completed_at is null or completed_at >= ${time}::timestamptz limit 1`

export const refreshStatistics = () => sql`analyze pool_terms, pool_profiles`

/** Flushes the pending lists of the indexes, which every look-up would read. */
export const placeEntries = () =>
  sql`select gin_clean_pending_list('pool_terms_search'), gin_clean_pending_list('pool_profiles_parts')`

// Erasing

const LISTS: ReadonlySet<string> = new Set(['skills', 'languages'])
const EMPTIED = raw(poolProfileRecord.erased.map(name => `${name} = ${LISTS.has(name) ? `'[]'` : 'null'}`).join(', '))

/** Only the handle and its times remain. */
export const emptyProfile = (id: string) => sql`
  update pool_profiles set ${EMPTIED}, suppressed_at = coalesce(suppressed_at, app_now())
  where id = ${id}`
