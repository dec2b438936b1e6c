import { setTimeout as delay } from 'node:timers/promises'

/** Waits, or returns at once when told to stop. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {}) // the only failure is the abort, which the caller sees itself
}
