import type { Queryable } from '../kernel/db/database.ts'
import type { Services } from '../kernel/services/services.ts'
import { passkeyOf, readFactors } from '../resources/second-factors/index.ts'
import { isStrong } from './second-factor/policy.ts'
import { beginSession, hashToken, newToken, type UserSession } from './sessions.ts'
import { consumeTicket, deleteSession, insertTicket, lockMembers, type MemberRow } from './store.ts'
import type { Proof } from './tickets.ts'

/** How long a user may take to choose a workspace after authentication. */
export const CHOICE_SECONDS = 600
/** How long a user may take to prove the second factor after the first. */
export const FACTOR_SECONDS = 600

/** The result of a proof. */
export type Admission =
  | { session: string; member: MemberRow }
  /** several workspaces with one email address: the token of a ticket for choosing one of them */
  | { choice: string }
  /** the member has a second factor: the token of a ticket for proving it */
  | { factor: string }

/**
 * Turns a proof into a session, into a choice among workspaces, or into the question for a second factor. Returns
 * undefined if the proof is no longer valid: a new password and the end of a membership invalidate earlier proofs. So the
 * members are locked and the proof is checked again, and a ticket is used in the same transaction. The session that the
 * browser had before ends.
 */
export const admit = (
  { db }: Pick<Services, 'db'>,
  proof: Proof,
  visitor: { before: UserSession | undefined; address: string; userAgent: string | undefined },
): Promise<Admission | undefined> =>
  db.transaction(async tx => {
    const members = await stillProved(tx, proof)
    const [member] = members
    if (!member) return undefined
    if (members.length > 1) {
      const token = newToken()
      const userIds = members.map(({ id }) => id)
      const ticket = { tokenHash: hashToken(token), kind: 'choice', userIds, method: proof.method } as const
      await tx.query(insertTicket({ ...ticket, seconds: CHOICE_SECONDS }))
      return { choice: token }
    }
    const { method, factor } = proof
    const who = { workspace: member.workspace_id, user: member.id }
    if (factor === undefined && !isStrong(method) && (await readFactors(tx, who)).any) {
      const token = newToken()
      const ticket = { tokenHash: hashToken(token), kind: 'factor', userIds: [member.id], method } as const
      await tx.query(insertTicket({ ...ticket, seconds: FACTOR_SECONDS }))
      return { factor: token }
    }
    const { before, address, userAgent } = visitor
    if (before) await tx.query(deleteSession(before.workspaceId, before.userId, before.id))
    // the factor says when; the provider's own time is not needed any more
    const company = method === 'company' ? { authenticatedAt: null, session: proof.providerSession ?? null } : undefined
    return { session: await beginSession(tx, member, { method, factor, company, address, userAgent }), member }
  })

async function stillProved(tx: Queryable, { members, by, method }: Proof): Promise<MemberRow[]> {
  const locked = await tx.query(lockMembers(members.map(({ id }) => id)))
  if ('ticket' in by && !(await tx.one(consumeTicket(by.ticket, by.kind)))) return []
  if ('passkey' in by && !(await tx.one(passkeyOf(by, by.passkey)))) return []
  const holds = locked.filter(
    // who is refused by the provider has no ticket left
    row =>
      (method === 'company' || !row.companyOnly) && (!('passwordHash' in by) || row.password_hash === by.passwordHash),
  )
  return members.filter(({ id }) => holds.some(row => row.id === id))
}
