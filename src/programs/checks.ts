import { rateLimit } from '../kernel/access/rate-limit.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import { isOwnLinkPost, isOwnPost } from '../kernel/http/browser-session.ts'
import { SessionError } from './errors.ts'
import type { Area, Policy, Visit } from './policy.ts'

/** Returns if the request may continue, throws what it is refused with if not. */
type Check = (visit: Visit, policy: Policy, area: Area) => Promise<void> | void

/**
 * What every call and page must pass, in this order. A call counts against the limit of the minute before anything else
 * can refuse it.
 */
const CHECKS: readonly Check[] = [
  findSession,
  countCall,
  checkArea,
  checkOrigin,
  checkRights,
  countAttempt,
  checkProof,
  checkNeed,
]

export async function runChecks(visit: Visit, policy: Policy, area: Area): Promise<void> {
  for (const check of CHECKS) await check(visit, policy, area)
}

async function findSession(visit: Visit, policy: Policy, area: Area): Promise<void> {
  const { session = 'needed' } = policy
  if (session === 'none') return
  visit.session = await area.session.find(visit)
  if (visit.session || session === 'optional') return
  if (area.originFirst) checkOrigin(visit, policy)
  throw new SessionError('sign_in_required')
}

async function countCall(visit: Visit, { tier = 'general' }: Policy, area: Area): Promise<void> {
  if (!area.counted || !visit.session || tier === 'uncounted') return
  const { subject, perMinute } = area.session.allowance!(visit.session, tier)
  visit.counted = await rateLimit(visit.services, subject, tier, perMinute)
  const { used, limit, resetSeconds } = visit.counted
  if (used > limit) tooMany(resetSeconds, `More than ${limit} requests in a minute. Wait ${resetSeconds} seconds.`)
}

function checkArea({ session }: Visit, _: Policy, area: Area): void {
  if (!session) return
  area.session.checkReady?.(session)
  area.session.checkRights?.(session, area)
}

function checkOrigin({ services, request, session, form }: Visit, { csrf }: Policy): void {
  if (request.method !== 'POST' || typeof csrf === 'object') return
  const isOwn =
    csrf === 'link'
      ? isOwnLinkPost(services, request)
      : isOwnPost(services, request, csrf === 'origin' ? undefined : session, form)
  if (!isOwn) throw new SessionError('csrf_token_invalid')
}

function checkRights({ session }: Visit, policy: Policy, area: Area): void {
  if (session) area.session.checkRights?.(session, policy)
}

async function countAttempt(visit: Visit, { limit }: Policy): Promise<void> {
  const wait = await limit?.count(visit)
  if (wait !== undefined) tooMany(wait, `Too many attempts. Wait ${wait} seconds.`)
}

async function checkProof({ services, session }: Visit, { sensitive }: Policy, area: Area): Promise<void> {
  if (sensitive && session && !(await area.session.isProved!(services.db, session)))
    throw new SessionError('confirmation_required')
}

function tooMany(retry_after_seconds: number, message: string): never {
  throw new ApiError('rate_limit_exceeded', { retry_after_seconds, message })
}

async function checkNeed(visit: Visit, { needs }: Policy): Promise<void> {
  await needs?.check(visit)
}
