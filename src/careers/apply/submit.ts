import { DETAIL_LENGTHS } from '../../contract/limits.ts'
import { networkKey } from '../../kernel/access/attempts.ts'
import { type Keyring, sha256 } from '../../kernel/crypto/signing.ts'
import { DatastoreUnavailable } from '../../kernel/db/database.ts'
import { ApiError } from '../../kernel/errors/api-error.ts'
import { isOwnPost } from '../../kernel/http/browser-session.ts'
import { type InputFault, RefusedInput } from '../../kernel/http/faults.ts'
import { mailboxKey } from '../../kernel/text/person-keys.ts'
import { charactersIn } from '../../kernel/text/text.ts'
import { clock } from '../../kernel/time/clock.ts'
import { sendRedirect } from '../../pages/send.ts'
import { applyOnForm, findFormFaults, type Submission } from '../../resources/applications/index.ts'
import { queueMail } from '../../resources/candidates/index.ts'
import type { PublicFormView } from '../../resources/jobs/index.ts'
import { uploadById } from '../../resources/uploads/index.ts'
import { sessionIn } from '../candidate/session.ts'
import { sendSitePage } from '../send.ts'
import type { Visit } from '../visit.ts'
import { answersBelow, callChoices, consentsIn, detailOf, type Entries, removeOf, ticketOf } from './entries.ts'
import { cutFaults, faultText } from './fault-texts.ts'
import {
  attemptOn,
  checkUploads,
  dropUpload,
  type FileFault,
  receiveFile,
  releaseUploads,
  typeOfFile,
} from './files.ts'
import { formPage, type KeptFile, TRAP } from './form-page.ts'
import { type CountedAttempt, countAllAllowed, countAttemptOf, uncountAll } from './limits.ts'
import { closedFormPage, donePath, elsewherePage, refusedFormPage, waitText } from './pages.ts'
import { type FormPart, formParts, questionsIn, RESUME, RESUME_TEXT, RESUME_TEXT_LENGTH } from './questions.ts'
import { type ArrivingFile, receiveForm } from './receive.ts'
import { isSpent, spendForm } from './store.ts'
import {
  type FormOf,
  type FormProof,
  type FormToken,
  issueToken,
  proofOf,
  readTicket,
  readToken,
  uploadTicket,
} from './token.ts'

/** Longer than a form can be used. */
const SPENT_SECONDS = 2 * 86_400

interface Files {
  /** uploads by the name of their question */
  uploads: Map<string, string>
  fileFaults: Map<string, FileFault>
  /** there were too many: the seconds after which they can be sent again */
  fileWait?: number
}

/** A form that was sent: what was typed, and what became of its files. */
interface SentForm extends Files {
  visit: Visit
  job: PublicFormView
  form: FormOf
  parts: readonly FormPart[]
  entries: Entries
  /** the résumé is text of the form itself, which comes back with it */
  isPasted: boolean
}

/**
 * An application from the page. Counted before anything is read; then the form is read, its files go to the store while
 * they arrive, and one transaction marks the form as sent, creates the application and queues the email. Whatever is
 * wrong with it, the page comes back with everything that was typed: a browser without scripts has no other copy. Beyond
 * the limit nothing is stored, and the form is only read to be shown again.
 */
export async function submit(visit: Visit, findJob: () => Promise<PublicFormView>): Promise<void> {
  const { services, site, request, texts } = visit
  const { db, keyring } = services
  if (!isOwnPost(services, request)) return sendSitePage(visit, refusedFormPage(visit), { status: 403 })
  const source = attemptOn(visit)
  const wait = await countAttemptOf(services, 'sent form', source)
  const job = await findJob()
  const elsewhere = job.status === 'published' ? job.external_apply_url : null
  const form: FormOf = { workspace: site.workspace_id, job: job.id }
  const parts = formParts(job, texts)
  const now = await db.now()
  const files: Files = { uploads: new Map(), fileFaults: new Map() }
  const taken = new Set<string>()
  const { entries, isCut, cut } = await receiveForm(request, (file, before) => {
    const proof = wait === undefined && elsewhere === null ? proofBefore(keyring, form, before, now) : 'none'
    return takeFile(visit, parts, file, proof, taken, files)
  })
  const sent: SentForm = { visit, job, form, parts, entries, ...files, isPasted: false }
  if (elsewhere !== null) return sendSitePage(visit, elsewherePage(visit, sent, elsewhere), { status: 409 })
  if (wait !== undefined) {
    findTickets(sent, keyring)
    return sendWait(sent, wait)
  }
  // what fills in every field is no person; the response does not say so
  if (entries.first(TRAP) !== '') return sendDone(sent)

  findTickets(sent, keyring)
  if (isCut) return sendBack(sent, { notice: texts.apply.formTooLarge, faults: cutFaults(cut), status: 413 })
  const token = readToken(keyring, form, entries.first('token'), now)
  if (token === 'expired') return sendBack(sent, { notice: texts.apply.expired, isExpired: true })
  const proof = proofOf(token, entries.first('work'), now)
  if (proof === 'none') return sendBack(sent, { notice: texts.apply.tooFast, faults: await findFaults(sent) })
  const counted: CountedAttempt[] = [
    ['application', source],
    ...(proof === 'solved' ? [] : [['plain application', source] as const]),
  ]
  const longWait = await countAllAllowed(services, counted)
  if (longWait !== undefined) return sendWait(sent, longWait)
  const uncount = () => uncountAll(services, counted.splice(0))
  try {
    await storePastedText(sent, proof)
    await checkFiles(sent, token)
    await finish(sent, token, uncount)
  } catch (error) {
    // nothing that was typed may be lost, whatever fails
    if (visit.response.headersSent || (error instanceof ApiError && error.code === 'not_found')) throw error
    services.log.error({ err: error }, 'an application of the careers site failed')
    await uncount().catch(() => undefined)
    await sendBack(sent, { notice: texts.apply.unavailable, status: 503 })
  }
}

/** What the form's own rules find wrong with it. */
const findFaults = (sent: SentForm): Promise<InputFault[]> => {
  const { db, blobs } = sent.visit.services
  return db.transaction(tx =>
    findFormFaults(tx, blobs, sent.form.workspace, sent.form.job, submissionOf(sent, undefined)),
  )
}

/**
 * What speaks for a form whose files arrive, by the fields that its page has before them. Nothing does without a valid
 * token, or where the trap is filled.
 */
function proofBefore(keyring: Keyring, form: FormOf, before: Entries, now: number): FormProof {
  const token = readToken(keyring, form, before.first('token'), now)
  return token === 'expired' || before.first(TRAP) !== '' ? 'none' : proofOf(token, before.first('work'), now)
}

/**
 * A file of the form. It is dropped without a valid form before it, for a question that the form does not have, and where
 * its question has one: each name is taken before anything is awaited, so that one form stores one file for a question.
 */
async function takeFile(
  visit: Visit,
  parts: readonly FormPart[],
  file: ArrivingFile,
  proof: FormProof,
  taken: Set<string>,
  files: Files,
): Promise<void> {
  const { name, filename, body } = file
  const question = questionsIn(parts).find(each => each.kind === 'file' && each.name === name)
  // an empty name: no file was chosen
  if (!question || filename === '' || taken.has(name)) return void body.resume()
  taken.add(name)
  const contentType = proof === 'none' ? undefined : typeOfFile(question, filename, file.contentType)
  if (contentType === undefined) {
    files.fileFaults.set(name, proof === 'none' ? 'fileAgain' : 'fileType')
    return void body.resume()
  }
  try {
    noteReceived(files, name, await receiveFile(visit, proof, question, { filename, contentType, body }))
  } catch (error) {
    // the request was cut off, or its form was refused: there is nothing to go on with
    if (body.destroyed && !body.readableEnded) throw error
    body.resume()
    visit.services.log.warn({ err: error }, 'a file of an application form was not stored')
    files.fileFaults.set(name, 'fileFailed')
  }
}

function noteReceived(files: Files, name: string, received: Awaited<ReturnType<typeof receiveFile>>): void {
  if (typeof received === 'string') return void files.fileFaults.set(name, received)
  if ('uploadId' in received) return void files.uploads.set(name, received.uploadId)
  files.fileFaults.set(name, 'fileFailed')
  files.fileWait = Math.max(files.fileWait ?? 0, received.wait)
}

/** Files that were uploaded before, unless they were replaced or removed. */
function findTickets({ form, parts, entries, uploads, fileFaults }: SentForm, keyring: Keyring): void {
  for (const { name, kind } of questionsIn(parts)) {
    if (kind !== 'file' || uploads.has(name) || fileFaults.has(name) || entries.first(removeOf(name)) !== '') continue
    const uploadId = readTicket(keyring, form, name, entries.first(ticketOf(name)))
    if (uploadId !== undefined) uploads.set(name, uploadId)
  }
}

/**
 * Files are checked as they are stored: the page's script is not believed. A form that was sent before or is refused
 * anyway costs no reading; its files are checked when it is corrected.
 */
async function checkFiles(sent: SentForm, token: FormToken): Promise<void> {
  const { visit, form, uploads, fileFaults } = sent
  if (uploads.size === 0 || fileFaults.size > 0) return
  if (await visit.services.db.one(isSpent(form.workspace, hashOf(token)))) return
  if ((await findFaults(sent)).length > 0) return
  for (const [name, fault] of await checkUploads(visit, uploads)) {
    uploads.delete(name)
    fileFaults.set(name, fault)
  }
}

/** What a form is marked as sent by. */
const hashOf = (token: FormToken): string => sha256(`form ${token.id}`).toString('hex')

/** A résumé that was pasted is stored as a text file. A file that was sent as well comes first. */
async function storePastedText(sent: SentForm, proof: FormProof): Promise<void> {
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

/**
 * Creates the application, once for each form that was opened. `uncount`: it was counted, and there is none; corrections
 * of a form use up the limit of sent forms alone.
 */
async function finish(sent: SentForm, token: FormToken, uncount: () => Promise<void>): Promise<void> {
  const { visit, form, entries, fileFaults } = sent
  const { services, texts } = visit
  const { db, blobs, keyring } = services
  // the same form with the same content is a double click or a repeated request
  const same = keyring.sign('application form', `sent ${token.id} ${entries.text()}`).toString('hex')
  const spend = (name: string) => spendForm(form.workspace, name, SPENT_SECONDS)
  const submission = submissionOf(sent, (await sessionIn(services, visit.site, visit.request))?.applicantId)
  // counted for everyone, before the person is looked up; beyond the limit the application is stored without an email
  const mailbox = `${form.workspace} ${mailboxKey(submission.candidate.email)}`
  const mails: CountedAttempt[] = [
    ['application mail', { account: mailbox, address: visit.address }],
    ['job mail', { account: `${mailbox} ${form.job}`, address: visit.address }],
  ]
  const isMailed = (await countAllAllowed(services, mails)) === undefined
  const uncountMail = async () => {
    if (isMailed) await uncountAll(services, mails)
  }
  try {
    const pending = await countUnspent(sent)
    const outcome = await db.transaction(async tx => {
      if (!(await tx.one(spend(hashOf(token))))) return 'spent'
      await tx.query(spend(same))
      const made = await applyOnForm(tx, blobs, form.workspace, form.job, submission).catch((error: unknown) => {
        // a file that was refused is a fault for every person; a fault of the form is reported with it
        throw fileFaults.size > 0 && !(error instanceof RefusedInput) ? refusedFiles(sent) : error
      })
      if (fileFaults.size > 0) throw refusedFiles(sent)
      // indistinguishable from success, and committed: the form and its files are spent
      if (made instanceof ApiError && made.code === 'applicant_suppressed') return 'done'
      if (made instanceof ApiError) throw made
      if (!isMailed) return 'done'
      await queueMail(tx, {
        workspace: form.workspace,
        kind: made.isUnused ? 'already_applied' : 'confirmation',
        address: submission.candidate.email,
        applicantId: made.application.applicant_id ?? undefined,
        applicationId: made.application.id,
        language: texts.language.code,
      })
      return 'done'
    })
    if (outcome === 'spent') await uncountMail()
    if (outcome === 'spent' && !(await db.one(isSpent(form.workspace, same)))) {
      await uncount()
      return sendBack(sent, { notice: texts.apply.alreadySent })
    }
    if (outcome === 'done') await releaseUploads(visit, pending - (await countUnspent(sent)))
    return sendDone(sent)
  } catch (error) {
    // the database may be what is unavailable
    await Promise.allSettled([uncount(), uncountMail()])
    return sendRefused(sent, error)
  }
}

/** How many uploads of the form are not spent. */
async function countUnspent({ visit, form, uploads }: SentForm): Promise<number> {
  const found = await Promise.all(
    [...uploads.values()].map(id => visit.services.db.one(uploadById(form.workspace, id))),
  )
  return found.filter(upload => upload?.spent === false).length
}

const refusedFiles = (sent: SentForm): RefusedInput => new RefusedInput(fileFaultList(sent))

const fileFaultList = ({ fileFaults }: SentForm): InputFault[] =>
  [...fileFaults].map(([param, reason]) => ({ param, message: 'was not accepted', reason }))

/** The page for an application that was not created. */
async function sendRefused(sent: SentForm, error: unknown): Promise<void> {
  const { visit, uploads } = sent
  const { services, texts } = visit
  if (error instanceof DatastoreUnavailable) return sendBack(sent, { notice: texts.apply.unavailable, status: 503 })
  if (!(error instanceof ApiError) || error.code === 'not_found') throw error
  if (error.code === 'job_not_accepting_applications')
    return sendSitePage(visit, closedFormPage(visit, sent), { status: 409 })
  if (!(error instanceof RefusedInput)) {
    services.log.warn({ code: error.code }, 'an application of the careers site could not be stored')
    return sendBack(sent, { notice: texts.apply.unavailable, status: 503 })
  }
  // a file that can no longer be used has to be chosen again
  for (const { param } of error.faults) uploads.delete(param)
  return sendBack(sent, { faults: error.faults })
}

/** What the API is given. */
function submissionOf({ visit, parts, entries, uploads }: SentForm, provedBy: string | undefined): Submission {
  const questions = questionsIn(parts)
  const { code: language, locale } = visit.texts.language
  const detail = (name: string) => detailOf(name, questions, entries, locale)
  const phone = detail('phone')
  const linkedin_url = detail('linkedin_url')
  const files = [...uploads].filter(([name]) => name !== RESUME)
  return {
    candidate: {
      first_name: detail('first_name') ?? '',
      last_name: detail('last_name') ?? '',
      email: detail('email') ?? '',
      ...(phone === undefined ? {} : { phone }),
      ...(linkedin_url === undefined ? {} : { linkedin_url }),
    },
    form: {
      language,
      consents: consentsIn(questions, entries),
      equalOpportunity: answersBelow('equal_opportunity.', questions, entries, locale),
      prescreen: answersBelow('prescreen.', questions, entries, locale),
      files: Object.fromEntries(files.map(([name, uploadId]) => [name.slice('files.'.length), uploadId])),
      ...callChoices(questions, entries, locale),
    },
    provedBy,
    network: networkKey(visit.services, visit.address),
    resumeUploadId: uploads.get(RESUME),
    answers: Object.entries(answersBelow('answers.', questions, entries, locale)).map(([field_id, value]) => ({
      field_id,
      value,
    })),
  }
}

interface Back {
  isExpired?: boolean
  notice?: string
  faults?: readonly InputFault[]
  status?: number
  headers?: Record<string, string>
}

/** The form again, with everything that was typed, the files that arrived, and a token of its own. */
async function sendBack(sent: SentForm, back: Back): Promise<void> {
  const { notice, faults = [], status = 422, headers = {}, isExpired = false } = back
  const { visit, job, form, parts, entries, uploads, isPasted } = sent
  // a file that was dropped with the form has to be chosen again, whatever else the page says
  const all = [...fileFaultList(sent), ...faults]
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
  const files = new Map<string, KeptFile>()
  for (const [name, uploadId] of uploads) {
    const upload = await services.db.one(uploadById(form.workspace, uploadId)).catch(() => undefined)
    if (!upload || upload.expired || upload.spent) continue
    files.set(name, { ticket: uploadTicket(services.keyring, form, name, uploadId), filename: upload.filename })
  }
  // the database may be what is unavailable; a form that was just sent is not old
  const now = await services.db.now().catch(() => clock.now())
  const token = issueToken(services.keyring, form, now)
  const fileWait = sent.fileWait === undefined ? undefined : waitText(texts.apply, sent.fileWait)
  const text = notice ?? fileWait ?? (shown.size === 0 ? texts.apply.unavailable : undefined)
  sendSitePage(visit, formPage({ visit, job, parts, token, entries, faults: shown, notice: text, files, isExpired }), {
    status,
    headers,
    connectTargets: [services.blobs.addressOrigin()],
  })
}

const sendDone = ({ visit, job, entries }: Pick<SentForm, 'visit' | 'job' | 'entries'>): void =>
  sendRedirect(
    visit.response,
    donePath(visit, job, entries.first('candidate.email').trim().slice(0, DETAIL_LENGTHS.email)),
  )

const sendWait = (sent: SentForm, seconds: number): Promise<void> =>
  sendBack(sent, {
    notice: waitText(sent.visit.texts.apply, seconds),
    status: 429,
    headers: { 'Retry-After': String(seconds) },
  })
