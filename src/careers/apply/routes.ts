import type { Html } from '../../pages/html.ts'
import type { Shown } from '../../programs/page.ts'
import { jobBelow } from '../../resources/careers/index.ts'
import { page } from '../area.ts'
import { type SiteVisit, siteLink } from '../visit.ts'
import { attemptOn } from './files.ts'
import { formPage } from './form-page.ts'
import { requireFormJob, takesApplications } from './job.ts'
import { attempt } from './limits.ts'
import { donePage, refusedFormPage } from './pages.ts'
import { formParts } from './questions.ts'
import { scriptCalls } from './script-calls.ts'
import { submit } from './submit.ts'
import { issueToken } from './token.ts'

/** The application form of a job, and what its script calls. */
export const applyPages = [
  page({
    path: '/jobs/{job_slug}/apply',
    session: 'none',
    csrf: 'origin',
    form: 'files',
    limit: attempt('sent form', attemptOn),
    show: showForm,
    submit: visit => submit(visit),
    // beyond the limit the form is read all the same, to be shown again
    refuse: (visit, { wait }) => (wait > 0 ? submit(visit, wait) : { show: refusedFormPage(visit), status: 403 }),
  }),
  page({
    path: '/jobs/{job_slug}/apply/done',
    session: 'none',
    show: async visit => ({ show: donePage(visit, await requireFormJob(visit)) }),
  }),
  ...scriptCalls,
]

async function showForm(visit: SiteVisit): Promise<Shown<Html>> {
  const { services, site, texts } = visit
  const job = await requireFormJob(visit)
  // its page says so and leads to others
  if (!takesApplications(job)) return { to: siteLink(visit, jobBelow(job.slug)) }
  if (job.external_apply_url !== null) return { to: job.external_apply_url }
  const form = { workspace: site.workspace_id, job: job.id }
  const token = issueToken(services.keyring, form, await services.db.now())
  return {
    // its token is another one each time, and nothing of a person is in it
    show: formPage({ visit, job, parts: formParts(job, texts), token }),
    zipped: true,
    connectTargets: [services.blobs.addressOrigin()],
  }
}
