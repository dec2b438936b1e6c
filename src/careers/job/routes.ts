import { fail } from '../../kernel/errors/api-error.ts'
import { renderMarkdown } from '../../pages/markdown.ts'
import { page } from '../area.ts'
import { closedJobPage, jobPage } from './page.ts'
import { jobPageRow } from './store.ts'

export const jobRoute = page({
  path: '/jobs/{job_slug}',
  session: 'none',
  cache: 'public',
  row: (workspace, { job_slug }) => jobPageRow(workspace, job_slug),
  show: async visit => {
    const { job, others } = visit.row ?? fail('not_found')
    if (job === null) return fail('not_found')
    if (job.open) {
      const { workspace_id: workspace } = visit.site
      const description = job.description_md === null ? undefined : await renderMarkdown(workspace, job.description_md)
      return { show: jobPage({ ...visit, others }, job, description) }
    }
    // Google: an expired posting is removed, not indexed, and has no structured data
    const headers = { 'X-Robots-Tag': 'noindex' }
    return { show: closedJobPage({ ...visit, others }, job), status: 410, headers }
  },
})
