import { fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { type PublicFormView, readPublicForm } from '../../resources/jobs/index.ts'
import type { SiteVisit } from '../visit.ts'

/** A job that the site shows; drafts do not exist. */
export async function requireFormJob({ services, site, params }: SiteVisit): Promise<PublicFormView> {
  const job = await readPublicForm(services.db, site.workspace_id, { slug: present(params['job_slug'], 'job_slug') })
  return job && job.status !== 'draft' ? job : fail('not_found')
}

export const takesApplications = ({ status, accept_applications }: PublicFormView): boolean =>
  status === 'published' && accept_applications
