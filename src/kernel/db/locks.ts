import { raw, type Sql, sql } from './sql.ts'

/**
 * Every advisory lock of the product is named here. They share one space of numbers in the database, so no two uses may
 * have the same number or the same word.
 */
export const LOCKS = {
  /** one process migrates the schema */
  migrations: 4_817_201,
  /** one process numbers the events of the feed */
  eventSequencer: 4_817_202,
  /** only one process counts rate limits in memory */
  memoryLimiter: 4_817_203,
  /** one process adds up the hiring funnel */
  funnelRollup: 4_817_204,
  /** one process loads the demo data */
  demoData: 4_817_205,
  /** one command at a time replaces or retires a secret key */
  secretRotation: 4_817_206,
  /** shared by a process that reads which secret keys it needs, exclusive for a change of the key in use */
  secretKeys: 4_817_207,
  /** shared by whatever may store a person, exclusive for a suppression */
  suppressions: 4_817_210,
  /** one import into the pool at a time */
  poolImport: 4_817_211,
  /** one transaction at a time asks the holders of a person's records */
  erasureInquiries: 4_817_212,
  /** one process at a time looks for the causes of alerts */
  alertCheck: 4_817_213,
  /** one command at a time writes or removes backups, or restores one */
  backup: 4_817_214,
  /** one process writes the index of the search cluster */
  poolIndex: 4_817_215,
  /** one command distributes the tables over a cluster */
  distribution: 4_817_216,
} as const

export type LockName = keyof typeof LOCKS

/** Locks on something that is named by a text, such as a workspace: a word for each use, which begins the text. */
export const TEXT_LOCKS = {
  /** workspace, email key: an address belongs to one applicant */
  applicantEmail: 'applicant',
  /** workspace, job, system, external id: one application for each */
  externalId: 'external id',
  /** scope of an Idempotency-Key: one request at a time */
  idempotencyKey: 'idempotency',
  /** the same for messages, which store their own records */
  messageKey: 'message',
  /** workspace: the number of its exports is exact */
  newExport: 'new export',
  /** workspace: no snapshot while an erasure commits */
  exportSnapshot: 'export snapshot',
  /** workspace, applicant: a new link of a candidate replaces the previous one */
  candidateLinks: 'candidate links',
  /** workspace, member: two candidates never choose the same time of one member */
  interviewCalendar: 'interview calendar',
  /** workspace: the number of its reserved uploads is exact */
  uploads: 'uploads',
  /** workspace, vendor: the number of its packages is exact */
  packages: 'packages',
  /** test workspace: it is reset or filled by one call at a time */
  testRun: 'test run',
} as const

/** The number of a lock on a text. */
export const textLock = (name: keyof typeof TEXT_LOCKS, ...parts: readonly string[]): Sql =>
  sql`hashtextextended(${[TEXT_LOCKS[name], ...parts].join(' ')}::text, 0)`

/**
 * How long statements of this transaction wait for a lock; then they end with `lockNotAvailable`. `set local` and not
 * `set_config`: on a cluster it holds on the node of the row as well.
 */
export const limitLockWait = (milliseconds: number): Sql => raw(`set local lock_timeout = ${milliseconds}`)
