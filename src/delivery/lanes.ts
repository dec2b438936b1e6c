import type { EndpointLimits } from './lease-store.ts'

/**
 * Receivers that fail repeatedly or are slow have a separate lane: however many of them take the full ten seconds, the
 * capacity for the others stays free. A receiver that is not yet known to be slow uses capacity of the fast lane for two
 * seconds at most; after that its attempt counts only towards the total.
 */
export const FAST_LANE = { slow: false, capacity: 512, perEndpoint: 16, perFastEndpoint: 32, everyMs: 0 } as const
export const SLOW_LANE = { slow: true, capacity: 128, perEndpoint: 2, perFastEndpoint: 2, everyMs: 200 } as const
export type Lane = typeof FAST_LANE | typeof SLOW_LANE

/** How many attempts a claim, or a round of those that were handed over, begins at most. */
export const CLAIM_LIMIT = 256

/**
 * How many attempts one endpoint may have in flight: the fuller the lane, the fewer. When very many receivers begin to
 * hang at the same time, before their failures move them to the slow lane, each uses a little of the capacity, not all.
 */
export function perEndpointLimits(lane: Lane, free: number): Pick<EndpointLimits, 'perEndpoint' | 'perFastEndpoint'> {
  const { capacity, perEndpoint, perFastEndpoint } = lane
  if (!isCrowded(lane, free)) return { perEndpoint, perFastEndpoint }
  const few = free > capacity / 4 ? Math.min(perEndpoint, 4) : 1
  return { perEndpoint: few, perFastEndpoint: few }
}

export const isCrowded = ({ capacity }: Lane, free: number): boolean => free <= capacity / 2
