import { fail } from '../../kernel/errors/api-error.ts'
import type { RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import { renderMarkdown } from '../../pages/markdown.ts'
import { sendSitePage } from '../send.ts'
import { siteRead } from '../visit.ts'
import { closedJobPage, jobPage } from './page.ts'
import { jobPageRow } from './store.ts'

export const jobRoutes = (services: Services): RawRoute[] => [
  siteRead(
    services,
    '/jobs/{job_slug}',
    (workspace, { job_slug }) => jobPageRow(workspace, job_slug!),
    async visit => {
      const { job, others } = visit.shown ?? fail('not_found')
      if (job === null) return fail('not_found')
      if (job.open) {
        const { workspace_id: workspace } = visit.site
        const description =
          job.description_md === null ? undefined : await renderMarkdown(workspace, job.description_md)
        return sendSitePage(visit, jobPage({ ...visit, others }, job, description), { cache: 'public' })
      }
      // Google: an expired posting is removed, not indexed, and has no structured data
      sendSitePage(visit, closedJobPage({ ...visit, others }, job), {
        status: 410,
        cache: 'public',
        headers: { 'X-Robots-Tag': 'noindex' },
      })
    },
  ),
]
