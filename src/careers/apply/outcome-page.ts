import { DETAIL_LENGTHS } from '../../contract/limits.ts'
import { DatastoreUnavailable } from '../../kernel/db/database.ts'
import { ApiError } from '../../kernel/errors/api-error.ts'
import { type InputFault, RefusedInput } from '../../kernel/http/faults.ts'
import { clock } from '../../kernel/time/clock.ts'
import type { Html } from '../../pages/html.ts'
import type { Shown } from '../../programs/page.ts'
import { uploadById } from '../../resources/uploads/index.ts'
import type { Outcome } from './create.ts'
import { cutFaults, faultText, fileFaultList } from './fault-texts.ts'
import { dropUpload } from './files.ts'
import { formPage, type UploadedFile } from './form-page.ts'
import { closedFormPage, donePath, elsewherePage, waitText } from './pages.ts'
import { questionsIn, RESUME } from './questions.ts'
import type { SentForm } from './sent-form.ts'
import { findFaults } from './store-application.ts'
import { issueToken, uploadTicket } from './token.ts'

/**
 * The response to a form, by what became of it. Whatever is wrong with it, the page comes back with everything that was
 * typed: a browser without scripts has no other copy.
 */
export async function outcomePage(sent: SentForm, outcome: Outcome): Promise<Shown<Html>> {
  const { visit } = sent
  const { apply: t } = visit.texts
  if (typeof outcome === 'object')
    return 'wait' in outcome ? waitPage(sent, outcome.wait) : failedPage(sent, outcome.error)
  switch (outcome) {
    case 'created':
    case 'repeated':
    // what fills in every field is not a person; the response does not say so
    case 'trapped':
      return donePage(sent)
    case 'consumed':
      return formAgain(sent, { notice: t.alreadySent })
    case 'cut':
      return formAgain(sent, { notice: t.formTooLarge, faults: cutFaults(sent.cut), status: 413 })
    case 'expired':
      return formAgain(sent, { notice: t.expired, isExpired: true })
    case 'too fast':
      return formAgain(sent, { notice: t.tooFast, faults: await findFaults(sent) })
    case 'external':
      return { show: elsewherePage(visit, sent, sent.externalUrl ?? ''), status: 409 }
  }
}

const donePage = ({ visit, job, entries }: SentForm): Shown<Html> => ({
  to: donePath(visit, job, entries.first('candidate.email').trim().slice(0, DETAIL_LENGTHS.email)),
})

const waitPage = (sent: SentForm, seconds: number): Promise<Shown<Html>> =>
  formAgain(sent, {
    notice: waitText(sent.visit.texts.apply, seconds),
    status: 429,
    headers: { 'Retry-After': String(seconds) },
  })

/** The page for an application that was not created. Nothing that was typed may be lost, whatever fails. */
function failedPage(sent: SentForm, error: unknown): Promise<Shown<Html>> | Shown<Html> {
  const { visit, uploads } = sent
  const { log } = visit.services
  if (error instanceof RefusedInput) {
    // a file that can no longer be used has to be chosen again
    for (const { param } of error.faults) uploads.delete(param)
    return formAgain(sent, { faults: error.faults })
  }
  const code = error instanceof ApiError ? error.code : undefined
  if (code === 'not_found') throw error
  if (code === 'job_not_accepting_applications') return { show: closedFormPage(visit, sent), status: 409 }
  if (code !== undefined) log.warn({ code }, 'an application of the careers site could not be stored')
  else if (!(error instanceof DatastoreUnavailable))
    log.error({ err: error }, 'an application of the careers site failed')
  return formAgain(sent, { notice: visit.texts.apply.unavailable, status: 503 })
}

interface Back {
  isExpired?: boolean
  notice?: string
  faults?: readonly InputFault[]
  status?: number
  headers?: Record<string, string>
}

/** The form again, with everything that was typed, the files that arrived, and a token of its own. */
async function formAgain(sent: SentForm, back: Back): Promise<Shown<Html>> {
  const { notice, faults = [], status = 422, headers = {}, isExpired = false } = back
  const { visit, job, form, parts, entries, uploads, isPasted } = sent
  // a file that was dropped with the form has to be chosen again, whatever else the page says
  const all = [...fileFaultList(sent.fileFaults), ...faults]
  const { services, texts } = visit
  const shown = new Map<string, string>()
  for (const question of questionsIn(parts)) {
    const fault = all.find(({ param }) => param === question.name)
    if (fault) shown.set(question.name, faultText(question, fault.reason, entries, texts))
  }
  const pasted = isPasted ? uploads.get(RESUME) : undefined
  if (pasted !== undefined) {
    // stored again with the next form
    uploads.delete(RESUME)
    await dropUpload(visit, pasted).catch(() => {})
  }
  const files = new Map<string, UploadedFile>()
  for (const [name, uploadId] of uploads) {
    const upload = await services.db.one(uploadById(form.workspace, uploadId)).catch(() => undefined)
    if (!upload || upload.expired || upload.consumed) continue
    files.set(name, { ticket: uploadTicket(services.keyring, form, name, uploadId), filename: upload.filename })
  }
  // the database may be what is unavailable; a form that was just sent is not old
  const now = await services.db.now().catch(() => clock.now())
  const token = issueToken(services.keyring, form, now)
  const fileWait = sent.fileWait === undefined ? undefined : waitText(texts.apply, sent.fileWait)
  const text = notice ?? fileWait ?? (shown.size === 0 ? texts.apply.unavailable : undefined)
  const show = formPage({ visit, job, parts, token, entries, faults: shown, notice: text, files, isExpired })
  return { show, status, headers, connectTargets: [services.blobs.addressOrigin()] }
}
