import type { Vendor } from '../../kernel/access/vendor.ts'
import type { PackageKind } from '../packages/shape.ts'

/** The vendor that the service plays in test workspaces. No key has this handle. */
export const TEST_VENDOR: Vendor = { id: 'pk_0000000000testvend0r', name: 'Test vendor' }

/** Nothing is there: what a candidate would open is not part of a test. */
export const TEST_VENDOR_HOST = 'tests.example.com'

interface TestPackage {
  kind: PackageKind
  name: string
  description: string
  completion_days?: number
}

/** What happens to an order of each package of the vendor, by the `external_id` of the package. */
export const TEST_PACKAGES = {
  passes: {
    kind: 'skills_test',
    name: 'Test that is passed',
    description: 'The vendor accepts the order and completes it as recommended, with a score of 84 of 100.',
  },
  fails: {
    kind: 'skills_test',
    name: 'Test that is failed',
    description: 'The vendor accepts the order and completes it as not recommended, with a score of 31 of 100.',
  },
  expires: {
    kind: 'work_sample',
    name: 'Test that is not taken',
    description: 'The vendor accepts the order; the candidate does nothing, so it expires after a day.',
    completion_days: 1,
  },
  never_answers: {
    kind: 'reference_check',
    name: 'Test without a response',
    description: 'The vendor never responds, so the order fails after 7 days.',
  },
  needs_candidate: {
    kind: 'video_interview',
    name: 'Test that waits for the candidate',
    description: 'The vendor accepts the order and waits for the candidate, who has begun and does not finish.',
  },
} as const satisfies Record<string, TestPackage>

export type TestPackageName = keyof typeof TEST_PACKAGES

type Result = 'recommended' | 'not_recommended'

/** What the vendor finds, for the packages that it completes. */
export const TEST_RESULTS: Readonly<
  Partial<Record<TestPackageName, { outcome: Result; score: number; summary: string }>>
> = {
  passes: { outcome: 'recommended', score: 84, summary: 'The candidate solved most of the tasks.' },
  fails: { outcome: 'not_recommended', score: 31, summary: 'The candidate solved few of the tasks.' },
}

/** Orders that the vendor takes further, by their status: the packages for which it does. */
export const TAKEN_FURTHER = {
  requested: ['passes', 'fails', 'expires', 'needs_candidate'],
  invited: ['passes', 'fails', 'needs_candidate'],
  in_progress: ['passes', 'fails'],
} as const satisfies Record<string, readonly TestPackageName[]>

export type TestOrderStatus = keyof typeof TAKEN_FURTHER
