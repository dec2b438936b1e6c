import type { Role } from '../../contract/scopes.ts'
import { needsSecondFactor, type SecondFactorPolicy } from '../../contract/second-factor.ts'
import type { Factor } from '../../resources/second-factors/index.ts'
import type { Method } from '../store.ts'

/**
 * Sign-ins for which no second factor is asked: a company's provider has its own rules for its people. A passkey is two
 * factors as well; its session has `factor` until the passkey is removed.
 */
const STRONG_METHODS: readonly Method[] = ['company']

export const isStrong = (method: Method): boolean => STRONG_METHODS.includes(method)

/** Decides whether a session satisfies the policy of its workspace. Every session is checked here, with every request. */
export const satisfiesPolicy = (session: {
  second_factor: SecondFactorPolicy
  role: Role
  method: Method
  factor: Factor | null
}): boolean =>
  !needsSecondFactor(session.second_factor, session.role) || session.factor !== null || isStrong(session.method)

/** How people authenticated, in the words of RFC 8176; `email` and `fed` are not among them, but true. */
const METHOD_AMR: Readonly<Record<Method, readonly string[]>> = {
  password: ['pwd'],
  link: ['email'],
  passkey: ['pop', 'user'],
  company: ['fed'],
}
const FACTOR_AMR: Readonly<Record<Factor, readonly string[]>> = {
  totp: ['otp', 'mfa'],
  recovery: ['otp', 'mfa'],
  passkey: ['pop', 'user', 'mfa'],
}

/** The claims `amr` and `acr` of a session: what apps are allowed to conclude from a sign-in. */
export function describeAuthentication({ method, factor }: { method: Method; factor: Factor | null }): {
  amr: string[]
  acr: string
} {
  const amr = [...new Set([...METHOD_AMR[method], ...(factor ? FACTOR_AMR[factor] : [])])]
  return { amr, acr: factor === null ? ACR.one : ACR.two }
}

/** One factor, or two. */
export const ACR = { one: 'urn:hiring:one-factor', two: 'urn:hiring:two-factors' } as const
