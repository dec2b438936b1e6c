/** The allowances of a workspace's plan. A workspace without one gets the lowest. */
export type PlanCode = 'starter' | 'growth' | 'enterprise'

export type Tier = 'general' | 'expensive' | 'download'

export interface Allowances {
  perMinute: Readonly<Record<Tier, number>>
  personalDataReadsPerDay: number
  /** null: unlimited */
  requestsPerMonth: number | null
}

export interface Plan extends Allowances {
  code: PlanCode
  name: string
}

export const NO_PLAN: Allowances = {
  perMinute: { general: 60, expensive: 6, download: 3 },
  personalDataReadsPerDay: 500,
  requestsPerMonth: 10_000,
}

export const PLANS: Readonly<Record<PlanCode, Plan>> = {
  starter: {
    code: 'starter',
    name: 'Starter',
    perMinute: { general: 600, expensive: 60, download: 30 },
    personalDataReadsPerDay: 5_000,
    requestsPerMonth: 1_000_000,
  },
  growth: {
    code: 'growth',
    name: 'Growth',
    perMinute: { general: 1_200, expensive: 120, download: 60 },
    personalDataReadsPerDay: 20_000,
    requestsPerMonth: 10_000_000,
  },
  enterprise: {
    code: 'enterprise',
    name: 'Enterprise',
    perMinute: { general: 6_000, expensive: 600, download: 300 },
    personalDataReadsPerDay: 100_000,
    requestsPerMonth: null,
  },
}

/**
 * A person in front of our pages, whatever the plan. A person opens one candidate after another, but does not copy the
 * workspace: a day's budget is more than anyone reads and less than most workspaces hold.
 */
export const PERSON_ALLOWANCES: Allowances = {
  perMinute: { general: 1_200, expensive: 120, download: 120 },
  personalDataReadsPerDay: 2_000,
  requestsPerMonth: null,
}

/**
 * Credits for newly revealing the contact details of a sourced profile. Unlocking a résumé costs the same on every plan
 * (`resumeUnlockCredits` in limits.ts).
 */
const REVEAL_CREDITS: Readonly<Record<PlanCode | 'none', number>> = { none: 20, starter: 10, growth: 8, enterprise: 5 }

export const revealCreditsOf = (plan: PlanCode | null): number => REVEAL_CREDITS[plan ?? 'none']

export const PLAN_CODES = Object.keys(PLANS) as PlanCode[]

/** The allowances returned before the key is known: the defaults of the specification, which are the starter plan's. */
export const DEFAULT_ALLOWANCES: Allowances = PLANS.starter

/** Limits that an operator can set for one workspace, over those of its plan. */
export const OWN_LIMITS = {
  general_per_minute: { least: 1, most: 100_000, nullable: false, description: 'requests of a key in a minute' },
  expensive_per_minute: {
    least: 1,
    most: 100_000,
    nullable: false,
    description: 'expensive requests of a key in a minute',
  },
  download_per_minute: { least: 1, most: 100_000, nullable: false, description: 'downloads of a key in a minute' },
  personal_data_reads_per_day: {
    least: 0,
    most: 10_000_000,
    nullable: false,
    description: 'personal values that a key reads in a day',
  },
  requests_per_month: {
    least: 0,
    most: 1_000_000_000,
    nullable: true,
    description: 'requests of the workspace in a month',
  },
} as const

export type LimitName = keyof typeof OWN_LIMITS

export const LIMIT_NAMES = Object.keys(OWN_LIMITS) as LimitName[]

/** null: unlimited. A limit that is not there is the plan's. */
export type OwnLimits = Readonly<Partial<Record<LimitName, number | null>>>

const NO_OWN_LIMITS: OwnLimits = {}

/** What holds: the limits of the plan, and over them those that the operator set. */
export function resolveAllowances(plan: PlanCode | null, own: OwnLimits = NO_OWN_LIMITS): Allowances {
  const given = plan === null ? NO_PLAN : PLANS[plan]
  // the same object for all workspaces of a plan, by which texts of headers are cached
  if (LIMIT_NAMES.every(name => own[name] === undefined)) return given
  return {
    perMinute: {
      general: own.general_per_minute ?? given.perMinute.general,
      expensive: own.expensive_per_minute ?? given.perMinute.expensive,
      download: own.download_per_minute ?? given.perMinute.download,
    },
    personalDataReadsPerDay: own.personal_data_reads_per_day ?? given.personalDataReadsPerDay,
    requestsPerMonth: own.requests_per_month === undefined ? given.requestsPerMonth : own.requests_per_month,
  }
}

/** By the names of the limits, as `GET /me` has them. */
export const limitsByName = (allowances: Allowances): Readonly<Record<LimitName, number | null>> => ({
  general_per_minute: allowances.perMinute.general,
  expensive_per_minute: allowances.perMinute.expensive,
  download_per_minute: allowances.perMinute.download,
  personal_data_reads_per_day: allowances.personalDataReadsPerDay,
  requests_per_month: allowances.requestsPerMonth,
})

/** The name of each tier in the RateLimit-Policy header. */
export const TIER_POLICY_NAMES: Readonly<Record<Tier, string>> = {
  general: 'sustained',
  expensive: 'expensive',
  download: 'download',
}

export const TIERS = Object.keys(TIER_POLICY_NAMES) as Tier[]
