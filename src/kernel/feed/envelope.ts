import { API_PREFIX, API_VERSION } from '../../contract/version.ts'
import { type Sql, sql } from '../db/sql.ts'

/**
 * Builds the text of an event. It is stored and sent byte for byte, so it is built once. Only the database knows the
 * time and the sequence, so the text is built in parts:
 *
 *   head  {"object":"event","id":…,"type":…,"api_version":…,"created_at":"
 *         the time, then ","sequence":
 *         the sequence
 *   tail  ,"workspace_id":…,"data":…,"links":{…}}
 *
 * `links` is last and contains only paths, so that a splice can add the workspace to the links for a reader who needs
 * it.
 */
export interface EventText {
  head: string
  tail: string
}

export interface EventContent {
  id: string
  type: string
  workspaceId: string | null
  data: object
  links: EventLinks
}

/** Paths without the prefix of the API. */
export interface EventLinks {
  self?: string | undefined
  record?: string | undefined
}

export function eventText({ id, type, workspaceId, data, links }: EventContent): EventText {
  const opening = { object: 'event', id, type, api_version: API_VERSION, created_at: '' }
  const paths = Object.entries(links).filter(([, path]) => path !== undefined)
  const closing = {
    workspace_id: workspaceId,
    data,
    links: Object.fromEntries(paths.map(([name, path]) => [name, API_PREFIX + path])),
  }
  return { head: JSON.stringify(opening).slice(0, -2), tail: `,${JSON.stringify(closing).slice(1)}` }
}

/** In SQL: a head with the time of the statement. The sequence and the tail follow. */
export const stampedHead = (head: Sql | string): Sql =>
  sql`${head} || to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","sequence":'`

/** The API version of an event: the first field of that name, which is before all data. */
export const apiVersionIn = (text: string): string => /"api_version":"([^"]*)"/.exec(text)?.[1] ?? ''

/** In SQL: the column `tail` as a whole JSON object, and such an object as a tail again. */
export const tailAsObject = sql`'{' || substr(tail, 2)`
export const objectAsTail = (text: string): Sql => sql`',' || substr(${text}::text, 2)`
