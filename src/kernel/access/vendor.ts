import { FEED_SCOPES, isVendorAlone, SCOPES, type Scope, VENDOR_SCOPES } from '../../contract/scopes.ts'
import { raw, type Sql, sql } from '../db/sql.ts'
import { isHandle } from '../ids/handles.ts'
import type { Caller } from './caller.ts'

/**
 * A vendor publishes packages and carries out orders. Packages, orders and their events belong to a vendor id, which this file
 * alone computes: for a caller, and for rows of keys in a statement.
 */
export interface Vendor {
  id: string
  name: string
}

export const vendorIdOf = ({ keyId, installation }: Pick<Caller, 'keyId' | 'installation'>): string =>
  installation?.id ?? keyId

export const vendorOf = (caller: Pick<Caller, 'keyId' | 'installation' | 'name'>): Vendor => ({
  id: vendorIdOf(caller),
  name: caller.name,
})

/** The vendor id of the rows of `api_keys` that a statement calls `alias`. */
export const vendorIdOfKey = (alias: string): Sql => raw(`coalesce(${alias}.installation_id, ${alias}.id)`)

/** The vendor that a caller is, if it has no other rights in the workspace: notices of erasures name its orders alone. */
export const vendorAlone = (caller: Caller): string | undefined =>
  isVendorAlone(caller.scopes) ? vendorIdOf(caller) : undefined

/** `isVendorAlone` for the rows of `api_keys` that a statement calls `alias`. */
export const hasVendorAlone = (alias: string): Sql =>
  sql`(${raw(alias)}.scopes && ${VENDOR_SCOPES}::text[]
    and ${raw(alias)}.scopes <@ ${[...VENDOR_SCOPES, ...FEED_SCOPES]}::text[])`

/**
 * Whether an owner or admin has to offer the packages of a vendor before they can be ordered: those of a key, which no one has
 * consented to. The consent page of an app says that its packages can be ordered.
 */
export const needsOffer = (vendorId: string): boolean => !isHandle('installation', vendorId)

/**
 * The vendor whose packages and orders are all that a caller reaches with these scopes of an endpoint; undefined if one of them
 * reaches all of the workspace.
 */
export function onlyVendor(caller: Caller, scopes: readonly Scope[]): string | undefined {
  const granted = scopes.filter(scope => caller.scopes.has(scope))
  return granted.length > 0 && granted.every(scope => SCOPES[scope].own) ? vendorIdOf(caller) : undefined
}
