import { ApiError } from '../kernel/errors/api-error.ts'
import type { Services } from '../kernel/services/services.ts'
import { countAttemptOf } from '../sign-in/attempts.ts'

/** A test is a request from this installation to any host: a few in a minute for each workspace. */
export async function countWebhookTest(services: Services, workspace: string): Promise<void> {
  const wait = await countAttemptOf(services, 'webhook test', { account: workspace, address: workspace })
  if (wait === undefined) return
  const message = `Webhooks were tested often. Wait ${wait} seconds.`
  throw new ApiError('rate_limit_exceeded', { retry_after_seconds: wait, message })
}
