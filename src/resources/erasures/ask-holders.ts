import { randomUUID } from 'node:crypto'
import { sha256 } from '../../kernel/crypto/signing.ts'
import type { Database, Transaction } from '../../kernel/db/database.ts'
import { lockSuppressionsShared } from '../suppressions/index.ts'
import { findPerson, holdersOf } from './find-person.ts'
import { requestsCovering } from './store.ts'
import { alreadyAsked, claimInquiry, type Inquiry, insertRequest, lockAsking, takeInquiry } from './store-requests.ts'

/**
 * Asks the holders for the next request that noted it; false when there is none. Any number of processes may do it: what
 * is asked and the end of the note are one transaction. After a failure it is tried again when the lease is over.
 */
export async function askNextHolders(db: Database): Promise<boolean> {
  const claimed = await db.one(claimInquiry())
  if (!claimed) return false
  await db.transaction(async tx => {
    // no erasure that would settle these requests begins during this transaction; other writes continue
    await tx.query(lockSuppressionsShared())
    await tx.query(lockAsking())
    const inquiry = await tx.one(takeInquiry(claimed.workspace, claimed.id))
    if (inquiry) await askHolders(tx, inquiry)
  })
  return true
}

/**
 * Asks the other workspaces that hold the person, and the operator for the shared pool. Each is looked at by itself, from
 * the identifiers that the asking workspace knows: what one holder knows leads to no record of another. Of the identifiers
 * a request keeps those that its own holder has, until it is decided.
 */
async function askHolders(tx: Transaction, inquiry: Inquiry): Promise<void> {
  const { erasureId, reason } = inquiry
  for (const workspace of await holdersOf(tx, inquiry.identifiers)) {
    if (workspace === inquiry.workspace) continue
    const reach = workspace ?? 'pool'
    const theirs = await findPerson(tx, inquiry.identifiers, reach)
    if (theirs.targets.length === 0) continue
    const names = new Map(theirs.carried.map(({ identifier }) => [`${identifier.kind} ${identifier.key}`, identifier]))
    const identifiers = [...names.values()]
    const hashed = identifiers.map(({ kind, key }) => ({ kind, sha256: sha256(key) }))
    const request = {
      id: randomUUID(),
      workspace,
      erasureId,
      reason,
      identifiers,
      digests: hashed.map(i => i.sha256.toString('hex')).sort(),
    }
    if (await tx.one(alreadyAsked(request))) continue
    // it is on the way there: by a request of their own, or by the operator's
    const covering = await tx.query(requestsCovering(hashed, reach))
    const enough = reason === 'stop_processing' ? covering : covering.filter(r => r.reason !== 'stop_processing')
    if (enough.some(r => reason === 'stop_processing' || !r.completed)) continue
    await tx.query(insertRequest(request))
  }
}
