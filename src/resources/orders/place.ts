import { API_LIMITS } from '../../contract/limits.ts'
import type { Transaction } from '../../kernel/db/database.ts'
import { limitLockWait } from '../../kernel/db/locks.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import { isHandle, newHandle } from '../../kernel/ids/handles.ts'
import { type StoredPackage, sharePackage, sharePackages, toPackage } from '../packages/index.ts'
import { lockSuppressionsShared, tryLockSuppressionsShared } from '../suppressions/index.ts'
import { createdEvent, type OrderChange, unlessLocked, whileOrderLocked } from './change.ts'
import { dueFaults, isOrderableStatus, nextCheck, requireStatus } from './rules.ts'
import { isOpenOrder, type PLACED_BY } from './shape.ts'
import {
  insertOrder,
  lockOrderedApplication,
  type OrderedApplication,
  orderById,
  orderBySource,
  ordersOfApplication,
  type PersonState,
  personState,
  type StoredOrder,
  toOrder,
} from './store.ts'

export interface PlacedBy {
  object: (typeof PLACED_BY)[number]
  id: string
}

export interface PlaceOrder {
  workspace: string
  applicationId: string
  packageId: string
  dueAt?: string | undefined
  /** what the caller calls it: the same again finds the order */
  source?: { system: string; external_id: string } | undefined
  placedBy: PlacedBy
  /** whether a person decided it, in our pages: only then does the service invite */
  byPerson: boolean
  originKeyId: string | null
}

export interface PlacedOrder {
  order: StoredOrder
  /** false: it had been placed before */
  isNew: boolean
}

const LOCK_WAIT_MS = 3_000

/**
 * Orders a package for an application. Orders for one application take turns by the lock of its row; the lock of the package
 * keeps it from being withdrawn before the end, so that an app that is uninstalled leaves no open order. The same source, or a
 * package that is open for the application, finds the order that exists. undefined: there is no such application or package.
 */
export async function placeOrder(tx: Transaction, input: PlaceOrder): Promise<PlacedOrder | undefined> {
  const { workspace, applicationId, packageId, source } = input
  if (!isHandle('application', applicationId) || !isHandle('package', packageId)) return undefined
  const [, , application, found] = await Promise.all([
    tx.query(lockSuppressionsShared()),
    tx.query(limitLockWait(LOCK_WAIT_MS)),
    tx.one(lockOrderedApplication(workspace, applicationId)),
    tx.one(sharePackage(workspace, packageId)),
  ]).catch(unlessLocked)
  const known = source && (await tx.one(orderBySource(workspace, source.system, source.external_id)))
  if (known) return { order: toOrder(known), isNew: false }
  if (!application || !found) return undefined
  const earlier = (await tx.query(ordersOfApplication(workspace, applicationId))).map(toOrder)
  const open = earlier.find(order => order.package_id === packageId && isOpenOrder(order))
  if (open) return { order: open, isNew: false }
  refuseIfAny(dueFaults(input.dueAt, Date.parse(application.now)))
  const offered = toPackage(found)
  await refuseOrder(tx, workspace, application, offered, earlier.length)
  return insertNew(tx, input, application, offered, earlier)
}

/** Why nothing can be asked of the candidate of an application. */
export async function refuseCandidate(
  tx: Transaction,
  workspace: string,
  { status, applicant_id }: OrderedApplication,
): Promise<PersonState | undefined> {
  if (!isOrderableStatus(status)) fail('invalid_application_state', { message: `The application is ${status}.` })
  const person = applicant_id === null ? undefined : await tx.one(personState(workspace, applicant_id))
  if (person?.suppressed) fail('applicant_suppressed')
  return person
}

/** The application, locked in the order of every placing: suppressions, the application, its orders. */
export async function lockForOrders(
  tx: Transaction,
  workspace: string,
  applicationId: string,
): Promise<OrderedApplication | undefined> {
  const [, , application] = await Promise.all([
    tx.query(lockSuppressionsShared()),
    tx.query(limitLockWait(LOCK_WAIT_MS)),
    tx.one(lockOrderedApplication(workspace, applicationId)),
  ]).catch(unlessLocked)
  return application
}

/** Why a package cannot be ordered for an application. */
async function refuseOrder(
  tx: Transaction,
  workspace: string,
  application: OrderedApplication,
  offered: StoredPackage,
  count: number,
): Promise<void> {
  const person = await refuseCandidate(tx, workspace, application)
  if (offered.status !== 'active') fail('package_not_available', { message: `The package is ${offered.status}.` })
  if (count >= API_LIMITS.ordersPerApplication)
    fail('order_limit_reached', { message: `An application can have ${API_LIMITS.ordersPerApplication} orders.` })
  if (offered.invitation === 'vendor' && person?.unsubscribed) fail('applicant_unsubscribed')
}

async function insertNew(
  tx: Transaction,
  input: PlaceOrder,
  application: OrderedApplication,
  offered: StoredPackage,
  earlier: readonly StoredOrder[],
): Promise<PlacedOrder> {
  const { workspace, source, placedBy, byPerson, originKeyId } = input
  const previous = earlier.find(order => order.package_id === offered.id)
  const invitationBy = offered.invitation === 'vendor' ? 'vendor' : byPerson ? 'service' : 'caller'
  const inserted = await tx.one(
    insertOrder({
      workspace,
      id: newHandle('order'),
      application,
      package: offered,
      placedBy,
      source,
      invitationBy,
      attempt: (previous?.attempt ?? 0) + 1,
      previousOrderId: previous?.id ?? null,
      requestedAt: application.now,
      dueAt: input.dueAt ?? null,
      nextCheckAt: nextCheck({
        status: 'requested',
        requested_at: application.now,
        accepted_at: null,
        due_at: null,
        invitation_by: invitationBy,
        invitation_sent_at: null,
        reminders: 0,
        last_reminded_at: null,
      }),
    }),
  )
  if (!inserted) {
    // placed with the same source for another application in the meantime, or an expired order was extended
    const known = source && (await tx.one(orderBySource(workspace, source.system, source.external_id)))
    if (!known) fail('invalid_order_state', { message: 'Another order of this package has just been opened.' })
    return { order: toOrder(known), isNew: false }
  }
  const order = toOrder(inserted)
  await appendEvents(tx, [createdEvent(order, originKeyId)])
  return { order, isNew: true }
}

/** Orders the same package again, after the order has ended. */
export async function repeatOrder(
  tx: Transaction,
  change: OrderChange & { placedBy: PlacedBy; byPerson: boolean },
): Promise<StoredOrder | undefined> {
  const { workspace, originKeyId, placedBy, byPerson } = change
  const last = await tx.one(orderById(workspace, change.id))
  if (!last) return undefined
  const { application_id: applicationId, package_id: packageId } = last
  await lockForOrders(tx, workspace, applicationId)
  await whileOrderLocked(tx, change, async order => requireStatus('repeat', order))
  const placed = await placeOrder(tx, { workspace, applicationId, packageId, placedBy, byPerson, originKeyId })
  if (!placed) return undefined
  if (!placed.isNew) fail('invalid_order_state', { message: `Order ${placed.order.id} of the same package is open.` })
  return placed.order
}

export interface StageEntry {
  workspace: string
  applicationId: string
  stageId: string
  /** the rules of the stage */
  packageIds: readonly string[]
  byPerson: boolean
  /** It came with a public form whose sender has not proved the address: no vendor is to write to it. */
  isUnproved?: boolean
  originKeyId: string | null
}

/**
 * Orders what the rules of a stage name for a candidate who entered it: each package once for an application, and nothing that
 * cannot be ordered. The application is locked already, or new in this transaction, so a suppression is not waited for: the move
 * is refused and can be repeated.
 */
export async function placeOrdersOfStage(tx: Transaction, entered: StageEntry): Promise<void> {
  const { workspace, applicationId, stageId, packageIds, byPerson, isUnproved = false, originKeyId } = entered
  if (packageIds.length === 0) return
  if (!(await tx.only(tryLockSuppressionsShared())).locked) fail('application_modified_concurrently')
  const application = await tx.only(lockOrderedApplication(workspace, applicationId))
  const earlier = (await tx.query(ordersOfApplication(workspace, applicationId))).map(toOrder)
  const packages = (await tx.query(sharePackages(workspace, packageIds))).map(toPackage)
  const person =
    application.applicant_id === null ? undefined : await tx.one(personState(workspace, application.applicant_id))
  if (!isOrderableStatus(application.status) || person?.suppressed) return
  const wanted = packages.filter(
    ({ id, status, invitation }) =>
      status === 'active' &&
      !(invitation === 'vendor' && (isUnproved || person?.unsubscribed)) &&
      !earlier.some(order => order.package_id === id),
  )
  const placedBy = { object: 'stage_rule', id: stageId } as const
  for (const offered of wanted.slice(0, API_LIMITS.ordersPerApplication - earlier.length)) {
    const input = { workspace, applicationId, packageId: offered.id, placedBy, byPerson, originKeyId }
    await insertNew(tx, input, application, offered, earlier)
  }
}
