import { charactersIn } from '../../kernel/text/text.ts'
import type { PublicFormView } from '../../resources/jobs/index.ts'
import type { Visit } from '../visit.ts'
import { type ArrivingForm, fileTaker, noteReceived } from './arriving-files.ts'
import { removeOf, ticketOf } from './entries.ts'
import { receiveFile } from './files.ts'
import { jobOf } from './job.ts'
import { formParts, questionsIn, RESUME, RESUME_TEXT, RESUME_TEXT_LENGTH } from './questions.ts'
import { type Received, receiveForm } from './receive.ts'
import { type FormProof, readTicket } from './token.ts'

/** A form that was sent: what was typed, and what became of its files. */
export interface SentForm extends ArrivingForm, Received {
  job: PublicFormView
  /** where the company takes applications instead */
  externalUrl: string | null
  /** the résumé is text of the form itself, which comes back with it */
  isPasted: boolean
}

/** Reads a form. Its files go to the store while they arrive, unless it is refused anyway. */
export async function receiveSent(visit: Visit, isRefused: boolean): Promise<SentForm> {
  const { services, site, request, texts } = visit
  const job = await jobOf(visit)
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
  const received = await receiveForm(request, fileTaker(arriving))
  const sent: SentForm = { ...arriving, ...received, job, externalUrl, isPasted: false }
  findTickets(sent)
  return sent
}

/** Files that were uploaded before, unless they were replaced or removed. */
function findTickets({ visit, form, parts, entries, uploads, fileFaults }: SentForm): void {
  for (const { name, kind } of questionsIn(parts)) {
    if (kind !== 'file' || uploads.has(name) || fileFaults.has(name) || entries.first(removeOf(name)) !== '') continue
    const uploadId = readTicket(visit.services.keyring, form, name, entries.first(ticketOf(name)))
    if (uploadId !== undefined) uploads.set(name, uploadId)
  }
}

/** A résumé that was pasted is stored as a text file. A file that was sent as well comes first. */
export async function storePastedText(sent: SentForm, proof: FormProof): Promise<void> {
  const { visit, parts, entries, uploads, fileFaults } = sent
  const question = questionsIn(parts).find(({ name }) => name === RESUME)
  const text = entries.first(RESUME_TEXT)
  if (!question || text.trim() === '' || uploads.has(RESUME) || fileFaults.has(RESUME)) return
  if (charactersIn(text.trim()) > RESUME_TEXT_LENGTH) return void fileFaults.set(RESUME, 'pastedTooLong')
  const file = { filename: 'resume.txt', contentType: 'text/plain', body: Buffer.from(text) }
  sent.isPasted = true
  const received = await receiveFile(visit, proof, question, file).catch((error: unknown) => {
    visit.services.log.warn({ err: error }, 'a pasted résumé was not stored')
    return 'fileFailed' as const
  })
  noteReceived(sent, RESUME, received)
}
