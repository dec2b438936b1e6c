import type { ApplicationStatus } from '../../src/contract/application-status.ts'
import type { Tone } from '../ui/tag.tsx'

/** The color of each status of an application, the same on every page. */
export const STATUS_TONES: Readonly<Record<ApplicationStatus, Tone>> = {
  new: 'info',
  in_review: 'plain',
  advanced: 'accent',
  rejected: 'bad',
  withdrawn: 'warn',
  hired: 'good',
}
