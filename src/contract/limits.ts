/** Limits of the specification that no plan changes; those a plan changes are in plans.ts. */
export const API_LIMITS = {
  defaultPageSize: 25,
  maxPageSize: 100,
  maxResultWindow: 10_000,
  cursorLifetimeSeconds: 3_600,
  requestBodyBytes: 262_144,
  resumeFileBytes: 5_242_880,
  uploadUrlSeconds: 900,
  uploadLifetimeSeconds: 3_600,
  pendingUploadsPerWorkspace: 500,
  /** The public application forms are counted apart, so that strangers cannot use up the uploads of partners. */
  pendingFormUploadsPerWorkspace: 500,
  /** Reports of vendors are counted apart, so that no vendor can use up the uploads of partners or of another vendor. */
  pendingReportsPerOrder: 10,
  pendingReportsPerVendor: 100,
  pendingUploadsRetryAfterSeconds: 600,
  downloadUrlSeconds: 300,
  answersPerApplication: 100,
  resolveBatchKeys: 100,
  listMembersPerCall: 50,
  eventTypesPerEndpoint: 40,
  messagesPerDay: 200,
  webhookEndpointsEnabledPerKey: 10,
  webhookEndpointsEnabledPerWorkspace: 20,
  webhookEndpointsPerKey: 100,
  webhookTimeoutSeconds: 10,
  webhookAttempts: 10,
  webhookUrlLength: 2_048,
  webhookSignatureToleranceSeconds: 300,
  eventRetentionDays: 30,
  idempotencyLifetimeSeconds: 86_400,
  idempotencyKeyPattern: /^[A-Za-z0-9._:~-]{8,255}$/,
  rateWindowSeconds: 60,
  resumeOpenDays: 90,
  resumeViewDays: 120,
  resumeUnlockCredits: 50,
  suppressionDeleteDays: 7,
  /**
   * Erasure requests of a workspace's console in a day, repeats included. Each may email the owners of other
   * workspaces, and a workspace rarely receives more in a day. The CLI has no such limit.
   */
  erasureRequestsPerDay: 50,
  ordersPerApplication: 50,
  packagesPerVendor: 200,
  reportsPerOrder: 5,
  sectionsPerResult: 30,
  packagesPerStage: 3,
  /** how long a vendor may leave an order without a response */
  vendorResponseDays: 7,
  /** how long after its due date an order can still be completed */
  lateCompletionDays: 30,
  orderDueMaxDays: 90,
  orderDueMinSeconds: 3_600,
  remindersPerOrder: 2,
  exportLifetimeSeconds: 86_400,
  /** how long an expired export is still listed as expired */
  exportRememberedDays: 7,
  exportsUnfinishedPerWorkspace: 3,
  exportsKeptPerWorkspace: 50,
  funnelDays: 366,
  funnelDefaultDays: 90,
  funnelGroups: 500,
  /** how long an API call can be looked up by its request id */
  requestLogDays: 7,
  keyRotationOverlapHours: 24,
  keyRotationMaxOverlapHours: 168,
} as const

/** Characters that a candidate can enter for a pre-screen question; only the public form takes them. */
export const PRESCREEN_TEXT_LENGTH = 5_000

/** Characters of the details that people give about themselves, in the API and on the careers site. */
export const DETAIL_LENGTHS = { name: 100, email: 254, phone: 50, location: 200, url: 500 } as const

/** Characters of what a candidate writes to the company on their own page. */
export const REPLY_LENGTH = 5_000

/** Changes of applications in one request of the hiring pages; more are sent in several, which the page shows as progress. */
export const MAX_CHANGES = 50

/** A table that is imported is at most this large. `hiring import sourced-profiles` has no such limits. */
export const IMPORT_LIMITS = { bytes: 10_485_760, lines: 20_000, candidates: 5_000 } as const

/** What the log of personal-data reads names. */
export const AUDITED_FIELDS = ['email', 'phone', 'resume_text', 'resume_file', 'report_file'] as const

/**
 * How often a workspace can ask for webhook deliveries in a minute, in the console and by all of its keys. A key can test
 * each of its enabled endpoints once.
 */
export const ON_DEMAND_PER_MINUTE = {
  test: API_LIMITS.webhookEndpointsEnabledPerKey,
  redelivery: 20,
  /** Each may queue thousands of deliveries; what was missed in a month takes several calls. */
  recovery: 30,
} as const
