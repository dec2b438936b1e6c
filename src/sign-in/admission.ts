import type { Queryable } from '../kernel/db/database.ts'
import type { Services } from '../kernel/services/services.ts'
import { beginSession, hashToken, newToken, type UserSession } from './sessions.ts'
import { deleteSession, holdMembers, insertTicket, type MemberRow, spendTicket } from './store.ts'
import type { Proof } from './tickets.ts'

/** How long a proved person may take to choose a workspace. */
export const CHOICE_SECONDS = 600

/** What a proof was turned into. */
export type Admission =
  | { session: string; member: MemberRow }
  /** one address, several workspaces: the token of a ticket with which one of them is chosen */
  | { choice: string }

/**
 * Turns a proof into a session, or into a choice among workspaces; into nothing if it does not hold any more. A new
 * password and the end of a membership take away what was proved before them, also in the moment between the proof and
 * this: the members are locked while it is checked again, and a ticket is spent with what it becomes. The session
 * that the browser had before ends.
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
    const { before, address, userAgent } = visitor
    if (before) await tx.query(deleteSession(before.workspaceId, before.userId, before.id))
    return { session: await beginSession(tx, member, { method: proof.method, address, userAgent }), member }
  })

async function stillProved(tx: Queryable, { members, by }: Proof): Promise<MemberRow[]> {
  const held = await tx.query(holdMembers(members.map(({ id }) => id)))
  if ('ticket' in by && !(await tx.one(spendTicket(by.ticket, by.kind)))) return []
  const holds = held.filter(row => !('passwordHash' in by) || row.password_hash === by.passwordHash)
  return members.filter(({ id }) => holds.some(row => row.id === id))
}
