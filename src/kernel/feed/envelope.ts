import { API_PREFIX, API_VERSION } from '../../contract/version.ts'
import { type Sql, sql } from '../db/sql.ts'

/**
 * The text of an event: the one place that knows how it is put together. It is stored and sent as it is, byte for byte,
 * so it is made once, in pieces, because the time and the sequence are known only to the database:
 *
 *   head  {"object":"event","id":…,"type":…,"api_version":…,"created_at":"
 *         the time, then ","sequence":
 *         the sequence
 *   tail  ,"workspace_id":…,"data":…,"links":{…}}
 *
 * `links` comes last and holds only paths, so that a reader's text can be made from the stored one by a splice.
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
  self: string
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

/** In SQL: a head, completed with the time at which the statement runs. What follows is the sequence, then the tail. */
export const stampedHead = (head: Sql | string): Sql =>
  sql`${head} || to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","sequence":'`

/** The version that an event was written in: the first field of that name, which comes before all data. */
export const versionOf = (text: string): string => /"api_version":"([^"]*)"/.exec(text)?.[1] ?? ''

/** In SQL: the column `tail` as a whole JSON object, and such an object as a tail again. */
export const tailAsObject = sql`'{' || substr(tail, 2)`
export const objectAsTail = (text: string): Sql => sql`',' || substr(${text}::text, 2)`
