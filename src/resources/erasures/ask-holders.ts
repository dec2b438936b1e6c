import { randomUUID } from 'node:crypto'
import { isTestWorkspace } from '../../kernel/access/workspace-kind.ts'
import { sha256 } from '../../kernel/crypto/signing.ts'
import type { Database, Transaction } from '../../kernel/db/database.ts'
import { lockSuppressionsShared } from '../suppressions/index.ts'
import { findHolders, findPerson } from './find-person.ts'
import { requestsCovering } from './store.ts'
import {
  alreadyRequested,
  claimInquiry,
  type Inquiry,
  insertRequest,
  lockInquiries,
  takeInquiry,
} from './store-requests.ts'

/**
 * Processes the next inquiry: creates the requests for other workspaces and the pool. Returns false when there is none.
 * Every process may run it: one transaction creates the requests and deletes the inquiry. After a failure the inquiry
 * is retried when its lease expires.
 */
export async function askNextHolders(db: Database): Promise<boolean> {
  const claimed = await db.one(claimInquiry())
  if (!claimed) return false
  await db.transaction(async tx => {
    // no erasure that would close these requests can start during this transaction; other writes continue
    await tx.query(lockSuppressionsShared())
    await tx.query(lockInquiries())
    const inquiry = await tx.one(takeInquiry(claimed.workspace, claimed.id))
    if (inquiry) await askHolders(tx, inquiry)
  })
  return true
}

/**
 * Creates a request for every other workspace that has records of the person, and one for the shared pool, which the
 * operator decides. Each of them is searched separately, starting from the identifiers of the requesting workspace, so
 * an identifier found in one never leads to a record of another. Until it is decided, a request stores only those
 * identifiers that its own workspace has.
 */
async function askHolders(tx: Transaction, inquiry: Inquiry): Promise<void> {
  const { erasureId, reason } = inquiry
  for (const workspace of await findHolders(tx, inquiry.identifiers)) {
    if (workspace === inquiry.workspace) continue
    // no one real is in it
    if (workspace !== null && (await isTestWorkspace(tx, workspace))) continue
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
    if (await tx.one(alreadyRequested(request))) continue
    // an erasure of that workspace, or of the operator, already covers it
    const covering = await tx.query(requestsCovering(hashed, reach))
    const enough = reason === 'stop_processing' ? covering : covering.filter(r => r.reason !== 'stop_processing')
    if (enough.some(r => reason === 'stop_processing' || !r.completed)) continue
    await tx.query(insertRequest(request))
  }
}
