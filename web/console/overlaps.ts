import { API_LIMITS } from '../../src/contract/limits.ts'

/** How long the old secret of a key or an app works on after a rotation: hours, and the label. */
export const OVERLAPS = [
  ['0', 'None: the old secret stops working now'],
  ['1', '1 hour'],
  [String(API_LIMITS.keyRotationOverlapHours), '24 hours'],
  ['72', '3 days'],
  [String(API_LIMITS.keyRotationMaxOverlapHours), '7 days'],
] as const
