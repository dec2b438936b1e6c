import type { Queryable } from '../../kernel/db/database.ts'
import { type Factors, readFactors } from '../../resources/second-factors/index.ts'
import { type UserSession, whoOf } from '../sessions.ts'

/** How long a proof of identity counts for changes that someone in an open session must not make. */
const CONFIRMED_SECONDS = 900

/**
 * Whether the person has proved lately who they are: with the second factor, or by signing in if they have none.
 */
export const isConfirmed = (session: UserSession, factors: Pick<Factors, 'any'>): boolean =>
  (factors.any ? (session.factorAgeSeconds ?? Number.POSITIVE_INFINITY) : session.authenticatedSeconds) <=
  CONFIRMED_SECONDS

/**
 * The same where people without a second factor are not asked. The factors of the member decide, not what the session
 * proved: one that began through the company's provider proved none, also of a member who has one.
 */
export async function provedLately(db: Queryable, session: UserSession): Promise<boolean> {
  if (isConfirmed(session, { any: true })) return true
  return !(await readFactors(db, whoOf(session))).any
}
