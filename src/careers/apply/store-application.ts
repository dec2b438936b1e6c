import { networkKey } from '../../kernel/access/attempts.ts'
import { sha256 } from '../../kernel/crypto/signing.ts'
import type { Transaction } from '../../kernel/db/database.ts'
import { ApiError } from '../../kernel/errors/api-error.ts'
import { type InputFault, RefusedInput } from '../../kernel/http/faults.ts'
import { charactersIn } from '../../kernel/text/text.ts'
import { applyOnForm, findFormFaults, type Submission } from '../../resources/applications/index.ts'
import { queueMail } from '../../resources/candidates/index.ts'
import { uploadById } from '../../resources/uploads/index.ts'
import { answersBelow, callChoices, consentsIn, readDetail } from './entries.ts'
import { fileFaultList } from './fault-texts.ts'
import { checkUploads, noteReceived, receiveFile } from './files.ts'
import { questionsIn, RESUME, RESUME_TEXT, RESUME_TEXT_LENGTH } from './questions.ts'
import type { SentForm } from './sent-form.ts'
import { consumeForm, isConsumed } from './store.ts'
import type { FormProof, FormToken } from './token.ts'

/** Longer than a form can be used. */
const FORM_RETENTION_SECONDS = 2 * 86_400

/** What a form is marked as sent by. */
const hashOf = (token: FormToken): string => sha256(`form ${token.id}`).toString('hex')

/**
 * Files are checked as they are stored: the page's script is not believed. A form that was sent before or is refused
 * anyway costs no reading; its files are checked when it is corrected.
 */
export async function checkFiles(sent: SentForm, token: FormToken): Promise<void> {
  const { visit, form, uploads, fileFaults } = sent
  if (uploads.size === 0 || fileFaults.size > 0) return
  if (await visit.services.db.one(isConsumed(form.workspace, hashOf(token)))) return
  if ((await findFaults(sent)).length > 0) return
  for (const [name, fault] of await checkUploads(visit, uploads)) {
    uploads.delete(name)
    fileFaults.set(name, fault)
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

/** How many uploads of the form are not consumed. */
export async function countUnconsumed({ visit, form, uploads }: SentForm): Promise<number> {
  const found = await Promise.all(
    [...uploads.values()].map(id => visit.services.db.one(uploadById(form.workspace, id))),
  )
  return found.filter(upload => upload?.consumed === false).length
}

/** One transaction marks the form as sent, creates the application and queues the email. */
export async function createOnce(
  sent: SentForm,
  token: FormToken,
  submission: Submission,
  isMailed: boolean,
): Promise<'created' | 'repeated' | 'consumed'> {
  const { visit, form, entries } = sent
  const { db, keyring } = visit.services
  // the same form with the same content is a double click or a repeated request
  const same = keyring.sign('application form', `sent ${token.id} ${entries.text()}`).toString('hex')
  const consume = (name: string) => consumeForm(form.workspace, name, FORM_RETENTION_SECONDS)
  const isCreated = await db.transaction(async tx => {
    if (!(await tx.one(consume(hashOf(token))))) return false
    await tx.query(consume(same))
    await create(tx, sent, submission, isMailed)
    return true
  })
  if (isCreated) return 'created'
  return (await db.one(isConsumed(form.workspace, same))) ? 'repeated' : 'consumed'
}

async function create(tx: Transaction, sent: SentForm, submission: Submission, isMailed: boolean): Promise<void> {
  const { visit, form, fileFaults } = sent
  const made = await applyOnForm(tx, visit.services.blobs, form.workspace, form.job, submission).catch(
    (error: unknown) => {
      // a file that was refused is a fault for every person; a fault of the form is reported with it
      throw fileFaults.size > 0 && !(error instanceof RefusedInput)
        ? new RefusedInput(fileFaultList(fileFaults))
        : error
    },
  )
  if (fileFaults.size > 0) throw new RefusedInput(fileFaultList(fileFaults))
  // indistinguishable from success, and committed: the form and its files are consumed
  if (made instanceof ApiError && made.code === 'applicant_suppressed') return
  if (made instanceof ApiError) throw made
  if (!isMailed) return
  await queueMail(tx, {
    workspace: form.workspace,
    kind: made.isUnused ? 'already_applied' : 'confirmation',
    address: submission.candidate.email,
    applicantId: made.application.applicant_id ?? undefined,
    applicationId: made.application.id,
    language: visit.texts.language.code,
  })
}

/** What the form's own rules find wrong with it. */
export const findFaults = (sent: SentForm): Promise<InputFault[]> => {
  const { db, blobs } = sent.visit.services
  return db.transaction(tx =>
    findFormFaults(tx, blobs, sent.form.workspace, sent.form.job, buildSubmission(sent, undefined)),
  )
}

/** The application that a form is. */
export function buildSubmission(
  { visit, parts, entries, uploads }: SentForm,
  provedBy: string | undefined,
): Submission {
  const questions = questionsIn(parts)
  const { code: language, locale } = visit.texts.language
  const detail = (name: string) => readDetail(name, questions, entries, locale)
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
