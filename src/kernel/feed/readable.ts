import { type EventType, ownTypes, readableTypes } from '../../contract/events.ts'
import type { Caller } from '../access/caller.ts'
import { vendorIdOf } from '../access/vendor.ts'
import { type Sql, sql } from '../db/sql.ts'

/** The events that a key may read. */
export interface ReadableEvents {
  /** all of these types */
  types: readonly EventType[]
  /** types of which it reads the events whose audience is the vendor */
  own: readonly EventType[]
  vendor: string
}

/** `wanted`: only of these types; every type if it is undefined. */
export function readableEvents(
  key: Pick<Caller, 'keyId' | 'installation' | 'scopes'>,
  wanted?: readonly string[],
): ReadableEvents {
  const among = (types: EventType[]) => types.filter(type => wanted?.includes(type) ?? true)
  return { types: among(readableTypes(key.scopes)), own: among(ownTypes(key.scopes)), vendor: vendorIdOf(key) }
}

/** The condition on `type` and `audience` of a row of the log. */
export const isReadable = ({ types, own, vendor }: ReadableEvents): Sql =>
  own.length === 0
    ? sql`type = any(${types}::text[])`
    : sql`(type = any(${types}::text[]) or audience = ${vendor} and type = any(${own}::text[]))`
