import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../kernel/db/database.ts'
import { sha256 } from '../../kernel/signing.ts'
import type { Reason } from '../suppressions/shape.ts'
import { findPerson, holdersOf, type Person, subjectsOf } from './find-person.ts'
import { requestsCovering } from './store.ts'
import { alreadyAsked, insertRequest } from './store-requests.ts'

/**
 * Asks the other workspaces that hold the person, and the operator for the shared pool. Each is looked at by itself, from
 * the identifiers that the asking workspace knows: what one holder knows leads to no record of another. Of the identifiers
 * a request keeps those that its own holder has, until it is decided.
 */
export async function askHolders(
  tx: Transaction,
  asking: { erasureId: string; from: string; person: Person; reason: Reason },
): Promise<void> {
  const { erasureId, from, person, reason } = asking
  for (const workspace of await holdersOf(tx, person.identifiers)) {
    if (workspace === from) continue
    const reach = workspace ?? 'pool'
    const theirs = await findPerson(tx, person.identifiers, reach)
    if (subjectsOf(theirs).length === 0) continue
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
