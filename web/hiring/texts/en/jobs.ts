import type { JobStatus } from '../../../../src/contract/job-status.ts'

export const jobs = {
  title: 'Jobs',
  pages: 'Pages of this job',
  details: 'Details',
  stages: 'Stages',
  form: 'Form',
  questions: 'Questions',
  scorecards: 'Scorecards',
  careersPage: 'Careers page',
  statuses: { published: 'Published', draft: 'Draft', closed: 'Closed' } satisfies Record<JobStatus, string>,
}
