import { ON_DEMAND_PER_MINUTE } from '../../contract/limits.ts'
import { rateLimit } from '../../kernel/access/rate-limit.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import type { Services } from '../../kernel/services/services.ts'

const NAMES = { test: 'webhook tests', redelivery: 'redeliveries', recovery: 'recoveries' } as const

/**
 * Each causes requests from this installation to a host that a person or a partner chose, at the moment they chose. They are
 * counted for the whole workspace, in the console and by all of its keys, so that no number of keys makes a flood of them.
 */
export async function countOnDemand(
  services: Pick<Services, 'limiter' | 'log'>,
  workspace: string,
  kind: keyof typeof ON_DEMAND_PER_MINUTE,
): Promise<void> {
  const limit = ON_DEMAND_PER_MINUTE[kind]
  const { used, resetSeconds } = await rateLimit(services, `${kind} ${workspace}`, 'general', limit)
  if (used <= limit) return
  const message = `More than ${limit} ${NAMES[kind]} in a minute for this workspace. Wait ${resetSeconds} seconds.`
  fail('rate_limit_exceeded', { retry_after_seconds: resetSeconds, message })
}
