import type { jobs as english } from '../en/jobs.ts'

export const jobs: typeof english = {
  title: 'Stellen',
}
