import { API_LIMITS } from '../contract/limits.ts'
import { invalid } from '../kernel/errors/api-error.ts'
import type { CursorPosition } from '../kernel/http/cursor.ts'
import { cutPage, makePage, type Order, type Page } from '../kernel/http/list.ts'
import { booleanParam, textParam } from '../kernel/http/params.ts'
import { csvLine } from '../kernel/text/csv.ts'
import { csvFile } from '../programs/endpoint.ts'
import { shownList, shownMembers } from '../resources/lists/index.ts'
import { poolFor } from '../resources/pool/index.ts'
import { allProfiles, TABLE_COLUMNS } from '../resources/sourced-profiles/index.ts'
import type { UserSession } from '../sign-in/sessions.ts'
import { get } from './program.ts'

/**
 * Tables for spreadsheets. None has a contact value: these are read one by one, and each read is audited. People who asked
 * that processing stop are in them as in every list, and say so in a column: a reader of the table must leave them alone.
 */
const STOPPED = 'processing_stopped'

const PROFILE_COLUMNS = [
  'id',
  'full_name',
  'headline',
  'job_title',
  'company_name',
  'company_industry',
  'department',
  'management_level',
  'location_full',
  'location_country',
  'linkedin_url',
  'summary',
  'total_experience_months',
  'match_score',
  'match_tier',
  'has_contact_info',
  STOPPED,
  'created_at',
  'updated_at',
] as const

const MEMBER_COLUMNS = [
  'sourced_profile_id',
  'full_name',
  'headline',
  'job_title',
  'company_name',
  'location_full',
  'linkedin_url',
  'stage',
  STOPPED,
  'added_at',
] as const

const POOL_COLUMNS = [
  'id',
  'match_score',
  'match_tier',
  'full_name',
  'headline',
  'job_title',
  'company_name',
  'company_industry',
  'location_full',
  'location_country',
  'linkedin_url',
  'github_url',
  'skills',
  'total_experience_months',
  'summary',
] as const

type Row = Readonly<Record<string, unknown>>

const cellOf = (value: unknown): string | number | null =>
  value === null || value === undefined
    ? null
    : typeof value === 'string' || typeof value === 'number'
      ? value
      : Array.isArray(value)
        ? value.join(', ')
        : String(value)

const lineOf = (columns: readonly string[], row: Row) => csvLine(columns.map(name => cellOf(row[name])))

const BATCH = 500

/** Page after page, as the client reads them. */
async function* linesOf<R extends { suppressed: boolean }>(
  columns: readonly string[],
  order: Order,
  read: (page: Page) => Promise<R[]>,
): AsyncGenerator<string> {
  let text = csvLine(columns)
  let position: CursorPosition | undefined
  do {
    const page = makePage(order, { limit: BATCH }, position)
    const { rows, next } = cutPage(order, page, await read(page), undefined)
    for (const row of rows) text += lineOf(columns, { ...row, [STOPPED]: row.suppressed })
    yield text
    text = ''
    // a table has no last page that a reader could not reach
    position = next && { ...next, rows: 0 }
  } while (position)
}

const file = (session: UserSession, name: string, now: number, chunks: AsyncIterable<string>) =>
  csvFile(session, `${name}-${new Date(now).toISOString().slice(0, 10)}`, chunks)

const words = (param: string, text: string | undefined, max: number): string[] => {
  const given = (text ?? '').split(',').flatMap(word => (word.trim() === '' ? [] : [word.trim()]))
  return given.length > max ? invalid(param, `must be at most ${max} words, separated by commas`) : given
}

export const sourcingExportEndpoints = [
  get({
    path: '/sourcing/lists/{list_id}/members.csv',
    limited: 'closed',
    scope: 'sourced_profiles:read',
    tier: 'expensive',
    handler: async ({ db, session, params, now }) => {
      const { workspaceId } = session
      const list = await db.one(shownList(workspaceId, params.list_id))
      if (!list) return undefined
      const order: Order = { by: 'added_at', tiebreaker: 'id', direction: 'asc', table: 'm' }
      return file(
        session,
        'list',
        now,
        linesOf(MEMBER_COLUMNS, order, page => db.query(shownMembers(workspaceId, list.id, {}, page))),
      )
    },
  }),
  get({
    path: '/sourcing/profiles.csv',
    limited: 'closed',
    scope: 'sourced_profiles:read',
    tier: 'expensive',
    query: {
      origin: textParam('The source of the profile.', 100),
      has_contact_info: booleanParam('Only profiles with, or without, revealed contact details.'),
      q: textParam('A part of the name, title or company.'),
    },
    handler: async ({ db, session, query, now }) => {
      const order: Order = { by: 'updated_at', tiebreaker: 'id', direction: 'desc' }
      const read = (page: Page) => db.query(allProfiles(session.workspaceId, query, page))
      return file(session, 'profiles', now, linesOf(PROFILE_COLUMNS, order, read))
    },
  }),
  get({
    path: '/sourcing/pool.csv',
    limited: 'closed',
    scope: 'pool:search',
    tier: 'expensive',
    query: {
      q: textParam('Free text that describes the person.', 500),
      titles: textParam('Words of the title.', 2_500),
      skills: textParam('Skills.', 5_000),
      companies: textParam('Companies.', 2_500),
      locations: textParam('Locations.', 2_500),
    },
    handler: async ({ db, session, query, now }) => {
      const search = {
        titles: words('titles', query.titles, 10),
        skills: words('skills', query.skills, 20),
        companies: words('companies', query.companies, 10),
        locations: words('locations', query.locations, 10),
        ...(query.q === undefined ? {} : { query: query.q }),
      }
      const found = await poolFor(session.environment).search(db, search, API_LIMITS.maxPageSize)
      const toLine = (row: object) => {
        const { skills } = row as { skills: unknown }
        return lineOf(POOL_COLUMNS, { ...row, skills: typeof skills === 'string' ? JSON.parse(skills) : skills })
      }
      async function* lines() {
        yield csvLine(POOL_COLUMNS) + found.map(toLine).join('')
      }
      return file(session, 'pool-search', now, lines())
    },
  }),
  get({
    path: '/sourcing/import/columns.csv',
    limited: 'closed',
    scope: 'lists:write',
    tier: 'expensive',
    handler: async ({ session }) => {
      async function* lines() {
        yield csvLine(TABLE_COLUMNS)
      }
      return csvFile(session, 'columns', lines())
    },
  }),
]
