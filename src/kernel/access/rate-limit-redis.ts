import { Redis } from 'ioredis'
import { API_LIMITS } from '../../contract/limits.ts'
import type { Tier } from '../../contract/plans.ts'
import type { Log } from '../telemetry/log.ts'
import { type Counted, type Limiter, wholeSeconds } from './rate-limit.ts'

const WINDOW_MS = API_LIMITS.rateWindowSeconds * 1000

/** Increments the count and sets the end of the window atomically, by the clock of Redis. */
const COUNT = `
local used = redis.call('INCR', KEYS[1])
if used == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { used, redis.call('PTTL', KEYS[1]) }`

/** For several nodes. While Redis is unavailable, calls are rejected, since they could not be counted. */
export class RedisLimiter implements Limiter {
  readonly #redis: Redis

  constructor(url: string, log: Log) {
    this.#redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: 1_000,
      // a connection that was lost without a word is closed, and another one opened
      socketTimeout: 1_500,
      connectTimeout: 2_000,
      retryStrategy: attempt => Math.min(1_000, attempt * 50),
    })
    this.#redis.on('error', error => log.warn({ err: error }, 'Redis connection error'))
  }

  async count(keyId: string, tier: Tier): Promise<Counted> {
    const [used, left] = (await this.#redis.eval(COUNT, 1, `hiring:rate:${tier}:${keyId}`, WINDOW_MS)) as [
      number,
      number,
    ]
    return { used, resetSeconds: wholeSeconds(left) }
  }

  /** Waits for the first connection, or fails. */
  async ready(): Promise<void> {
    if (this.#redis.status !== 'ready') {
      await new Promise<void>((resolve, reject) => {
        this.#redis.once('ready', resolve)
        this.#redis.once('error', reject)
      })
    }
    await this.check()
  }

  async check(): Promise<void> {
    await this.#redis.ping()
  }

  async close(): Promise<void> {
    this.#redis.disconnect()
  }
}
