import type { PublicFormView } from '../../resources/jobs/index.ts'
import type { SiteVisit } from '../visit.ts'
import { type ArrivingForm, takeFiles } from './arriving-files.ts'
import { requireFormJob } from './job.ts'
import { formParts, questionsIn } from './questions.ts'
import { type Received, receiveForm } from './receive.ts'
import { type OpenedForm, readOpened, readTickets } from './token.ts'

/** A form that was sent: what was typed, and what became of its files. */
export interface SentForm extends ArrivingForm, Received {
  job: PublicFormView
  /** where the company takes applications instead */
  externalUrl: string | null
  opened: OpenedForm | 'expired'
  /** the résumé is text of the form itself, which comes back with it */
  isPasted: boolean
}

/** Reads a form. Its files go to the store while they arrive, unless it is refused anyway. */
export async function receiveSent(visit: SiteVisit, isRefused: boolean): Promise<SentForm> {
  const { services, site, request, texts } = visit
  const job = await requireFormJob(visit)
  const externalUrl = job.status === 'published' ? job.external_apply_url : null
  const arriving: ArrivingForm = {
    visit,
    form: { workspace: site.workspace_id, job: job.id },
    parts: formParts(job, texts),
    now: await services.db.now(),
    isRefused: isRefused || externalUrl !== null,
    uploads: new Map(),
    fileFaults: new Map(),
  }
  const { form, now, parts, uploads, fileFaults } = arriving
  const received = await receiveForm(request, takeFiles(arriving))
  // files that were uploaded before, unless they were replaced
  const names = questionsIn(parts).flatMap(({ name, kind }) =>
    kind === 'file' && !uploads.has(name) && !fileFaults.has(name) ? [name] : [],
  )
  for (const { name, uploadId } of readTickets(services.keyring, form, names, received.entries))
    uploads.set(name, uploadId)
  const opened = readOpened(services.keyring, form, received.entries, now)
  return { ...arriving, ...received, job, externalUrl, opened, isPasted: false }
}
