import type { Queryable } from '../kernel/db/database.ts'
import { hashToken, newToken } from '../kernel/http/browser-session.ts'
import type { Services } from '../kernel/services/services.ts'
import { type Factor, readFactors, selectPasskey } from '../resources/second-factors/index.ts'
import { beginSession, type UserSession } from './sessions.ts'
import {
  type CompanyProof,
  consumeTicket,
  deleteSession,
  insertTicket,
  lockMembers,
  type MemberRow,
  type Method,
} from './store.ts'
import type { Proof } from './tickets.ts'

/** How long a user may take to choose a workspace after authentication. */
export const CHOICE_SECONDS = 600
/** How long a user may take to prove the second factor after the first. */
export const FACTOR_SECONDS = 600

/** A member who proved who they are. */
export type Admitted =
  | { session: string; member: MemberRow }
  /** the member has a second factor: the token of a ticket for proving it */
  | { factor: string; member: MemberRow }

/** The result of a proof. */
export type Admission =
  | Admitted
  /** several workspaces with one email address: the token of a ticket for choosing one of them */
  | { choice: string }

export interface Visitor {
  /** the session that the browser had before, which ends */
  before: UserSession | undefined
  address: string
  userAgent: string | undefined
}

/**
 * Turns a proof into a session, into a choice among workspaces, or into the question for a second factor. Returns
 * undefined if the proof is no longer valid: a new password and the end of a membership invalidate earlier proofs. So the
 * members are locked and the proof is checked again, and a ticket is used in the same transaction. The session that the
 * browser had before ends.
 */
export const admit = ({ db }: Pick<Services, 'db'>, proof: Proof, visitor: Visitor): Promise<Admission | undefined> =>
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
    const { method, factor, providerSession = null } = proof
    // the factor says when; the provider's own time is not needed any more
    const company = method === 'company' ? { authenticatedAt: null, session: providerSession } : undefined
    return admitMember(tx, member, { method, factor, company }, visitor)
  })

/**
 * The one door into a session, in the transaction that found the member: a session, or a ticket for the second factor. A
 * factor that the member has set up is theirs, so no company's provider can stand in for it. `refusal` has the last word
 * where there is none to prove.
 */
export async function admitMember<R = never>(
  tx: Queryable,
  member: MemberRow,
  proof: { method: Method; factor?: Factor | undefined; company?: CompanyProof | undefined },
  { before, address, userAgent }: Visitor,
  refusal?: () => R | undefined,
): Promise<Admitted | R> {
  const { method, factor, company } = proof
  const who = { workspace: member.workspace_id, user: member.id }
  if (factor === undefined && (await readFactors(tx, who)).any) {
    const token = newToken()
    const ticket = { tokenHash: hashToken(token), kind: 'factor', userIds: [member.id], method } as const
    await tx.query(insertTicket({ ...ticket, providerSession: company?.session ?? null, seconds: FACTOR_SECONDS }))
    return { factor: token, member }
  }
  const refused = refusal?.()
  if (refused !== undefined) return refused
  if (before) await tx.query(deleteSession(before.workspaceId, before.userId, before.id))
  return { session: await beginSession(tx, member, { method, factor, company, address, userAgent }), member }
}

async function stillProved(tx: Queryable, { members, by, method }: Proof): Promise<MemberRow[]> {
  const locked = await tx.query(lockMembers(members.map(({ id }) => id)))
  if ('ticket' in by && !(await tx.one(consumeTicket(by.ticket, by.kind)))) return []
  if ('passkey' in by && !(await tx.one(selectPasskey(by, by.passkey)))) return []
  const holds = locked.filter(
    // who is refused by the provider has no ticket left
    row =>
      (method === 'company' || !row.companyOnly) && (!('passwordHash' in by) || row.password_hash === by.passwordHash),
  )
  return members.filter(({ id }) => holds.some(row => row.id === id))
}
