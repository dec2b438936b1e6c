import type { Factors } from '../../resources/second-factors/index.ts'
import type { UserSession } from '../sessions.ts'

/** How long a proof of identity counts for changes that someone in an open session must not make. */
const CONFIRMED_SECONDS = 900

/**
 * Whether the person has proved lately who they are: with the second factor, or by signing in if they have none.
 */
export const isConfirmed = (session: UserSession, factors: Pick<Factors, 'any'>): boolean =>
  (factors.any ? (session.factorAgeSeconds ?? Number.POSITIVE_INFINITY) : session.ageSeconds) <= CONFIRMED_SECONDS

/** The same where people without a second factor are not asked: every session of those who have one has proved it. */
export const provedLately = ({ factor, factorAgeSeconds }: UserSession): boolean =>
  factor === null || (factorAgeSeconds ?? Number.POSITIVE_INFINITY) <= CONFIRMED_SECONDS
