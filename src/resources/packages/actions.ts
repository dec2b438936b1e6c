import { isDeepStrictEqual } from 'node:util'
import { API_LIMITS } from '../../contract/limits.ts'
import { needsOffer, type Vendor } from '../../kernel/access/vendor.ts'
import type { Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { requireUnchanged } from '../shared/unchanged.ts'
import { addToLog } from '../workspaces/index.ts'
import type { PackageInput } from './fields.ts'
import { hostFaults, invitationFaults, kindFaults, needsNewConsent } from './rules.ts'
import { packageRecord } from './shape.ts'
import {
  countPackages,
  insertPackage,
  lockDomains,
  lockPackage,
  lockVendor,
  type PackageFields,
  packageByExternalId,
  packageById,
  type StoredPackage,
  setPackageStatus,
  toPackage,
  updatePackage,
  withdrawVendorPackages,
} from './store.ts'

/**
 * Creates or changes the package that a vendor knows by its own id. What a vendor may read of candidates, where it leads them and
 * what they are shown is what an owner or admin agreed to: a change of it makes the package wait for them again. One that was withdrawn stays so.
 */
export async function publishPackage(
  tx: Transaction,
  workspace: string,
  vendor: Vendor,
  input: PackageInput,
): Promise<{ package: StoredPackage; isNew: boolean }> {
  const domains = await domainsOf(tx, workspace, vendor)
  await tx.query(lockVendor(workspace, vendor.id))
  const found = await tx.one(packageByExternalId(workspace, vendor.id, input.external_id))
  const fields = packageRecord.merge(found, input)
  const isAsked = needsOffer(vendor.id)
  refuseIfAny([
    ...invitationFaults(fields),
    ...hostFaults(fields, domains),
    ...(found && !isAsked ? kindFaults(found, fields) : []),
  ])
  if (!found) {
    const { packages } = await tx.only(countPackages(workspace, vendor.id))
    if (packages >= API_LIMITS.packagesPerVendor)
      fail('order_limit_reached', { message: `A vendor can have ${API_LIMITS.packagesPerVendor} packages.` })
    const status = isAsked ? 'pending' : 'active'
    const id = newHandle('package')
    return { package: toPackage(await tx.only(insertPackage({ workspace, id, vendor, status, fields }))), isNew: true }
  }
  if (isUnchanged(found, fields)) return { package: toPackage(found), isNew: false }
  const isOffered = found.status === 'active' && !(isAsked && needsNewConsent(found, fields))
  const status = found.status === 'active' && !isOffered ? 'pending' : found.status
  const { id } = found
  return { package: toPackage(await tx.only(updatePackage({ workspace, id, vendor, status, fields }))), isNew: false }
}

/**
 * The domains that the app of a vendor has proved; undefined for a key. An installation that has just ended publishes nothing:
 * its packages were withdrawn.
 */
async function domainsOf(tx: Transaction, workspace: string, vendor: Vendor): Promise<readonly string[] | undefined> {
  if (needsOffer(vendor.id)) return undefined
  return ((await tx.one(lockDomains(workspace, vendor.id))) ?? fail('unauthenticated')).domains
}

const isUnchanged = (before: PackageFields, after: PackageFields): boolean =>
  packageRecord.written.every(name => isDeepStrictEqual(before[name], after[name]))

interface PackageChange {
  workspace: string
  id: string
  /** only if it is a package of this vendor, which makes the change itself */
  vendor?: string | undefined
  /** the person who makes it; none: the vendor, the operator or the service */
  userId?: string | undefined
  /** the version that was read: another one is refused */
  expectedUpdatedAt?: string | undefined
}

/**
 * Lets recruiters and rules order a package, whatever it was before, unless its app was uninstalled. The log of the workspace
 * says who offered what.
 */
export async function offerPackage(tx: Transaction, change: PackageChange): Promise<StoredPackage | undefined> {
  const found = await tx.one(packageById(change.workspace, change.id, change.vendor))
  if (found && !needsOffer(found.vendor_id) && !(await tx.one(lockDomains(change.workspace, found.vendor_id))))
    fail('package_not_available', { message: 'The app that published the package was uninstalled.' })
  return changeStatus(tx, change, 'active')
}

/** No one can order it from now on; open orders go on. */
export const withdrawPackage = (tx: Transaction, change: PackageChange): Promise<StoredPackage | undefined> =>
  changeStatus(tx, change, 'withdrawn')

const LOGGED = { active: 'package_offered', withdrawn: 'package_withdrawn' } as const

async function changeStatus(
  tx: Transaction,
  { workspace, id, vendor, userId, expectedUpdatedAt }: PackageChange,
  to: 'active' | 'withdrawn',
): Promise<StoredPackage | undefined> {
  const found = await tx.one(lockPackage(workspace, id, vendor))
  if (!found) return undefined
  requireUnchanged(expectedUpdatedAt, found.updated_at)
  if (found.status === to) return toPackage(found)
  const details = { package: id, vendor: found.vendor_id, shares: found.shares, ...(vendor && { by: vendor }) }
  await tx.query(addToLog(workspace, LOGGED[to], userId ?? null, details))
  return toPackage(await tx.only(setPackageStatus(workspace, id, to)))
}

/** Withdraws the packages of a vendor that is no longer connected with the workspace; returns how many they were. */
export const withdrawPackagesOfVendor = async (tx: Transaction, workspace: string, vendor: string): Promise<number> =>
  (await tx.query(withdrawVendorPackages(workspace, vendor))).length
