export const JOB_STATUSES = ['draft', 'published', 'closed'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

/** The statuses as people say them. */
export const JOB_STATUS_NAMES: Readonly<Record<JobStatus, string>> = {
  draft: 'Draft',
  published: 'Published',
  closed: 'Closed',
}
