import type { Visit } from '../visit.ts'
import type { Entries } from './entries.ts'
import { type FileFault, receiveFile, typeOfFile } from './files.ts'
import { HONEYPOT } from './form-page.ts'
import { type FormPart, questionsIn } from './questions.ts'
import type { ArrivingFile } from './receive.ts'
import { type FormOf, type FormProof, proofOf, readToken } from './token.ts'

/** A form whose files arrive, and what became of them. */
export interface ArrivingForm {
  visit: Visit
  form: FormOf
  parts: readonly FormPart[]
  /** the database's time before the form was read */
  now: number
  /** nothing of this form is stored */
  isRefused: boolean
  /** uploads by the name of their question */
  uploads: Map<string, string>
  fileFaults: Map<string, FileFault>
  /** there were too many: the seconds after which they can be sent again */
  fileWait?: number
}

/** Takes the files of one form into the store while they arrive. */
export function fileTaker(arriving: ArrivingForm): (file: ArrivingFile, before: Entries) => Promise<void> {
  const taken = new Set<string>()
  return (file, before) => takeFile(arriving, taken, file, arriving.isRefused ? 'none' : proofBefore(arriving, before))
}

/**
 * What speaks for a form whose files arrive, by the fields that its page has before them. Nothing does without a valid
 * token, or where the trap is filled.
 */
function proofBefore({ visit, form, now }: ArrivingForm, before: Entries): FormProof {
  const token = readToken(visit.services.keyring, form, before.first('token'), now)
  return token === 'expired' || before.first(HONEYPOT) !== '' ? 'none' : proofOf(token, before.first('work'), now)
}

/**
 * A file of the form. It is dropped without a valid form before it, for a question that the form does not have, and where
 * its question has one: each name is taken before anything is awaited, so that one form stores one file for a question.
 */
async function takeFile(
  arriving: ArrivingForm,
  taken: Set<string>,
  file: ArrivingFile,
  proof: FormProof,
): Promise<void> {
  const { visit, parts, fileFaults } = arriving
  const { name, filename, body } = file
  const question = questionsIn(parts).find(each => each.kind === 'file' && each.name === name)
  // an empty name: no file was chosen
  if (!question || filename === '' || taken.has(name)) return void body.resume()
  taken.add(name)
  const contentType = proof === 'none' ? undefined : typeOfFile(question, filename, file.contentType)
  if (contentType === undefined) {
    fileFaults.set(name, proof === 'none' ? 'fileAgain' : 'fileType')
    return void body.resume()
  }
  try {
    noteReceived(arriving, name, await receiveFile(visit, proof, question, { filename, contentType, body }))
  } catch (error) {
    // the request was cut off, or its form was refused: there is nothing to go on with
    if (body.destroyed && !body.readableEnded) throw error
    body.resume()
    visit.services.log.warn({ err: error }, 'a file of an application form was not stored')
    fileFaults.set(name, 'fileFailed')
  }
}

export function noteReceived(
  files: ArrivingForm,
  name: string,
  received: Awaited<ReturnType<typeof receiveFile>>,
): void {
  if (typeof received === 'string') return void files.fileFaults.set(name, received)
  if ('uploadId' in received) return void files.uploads.set(name, received.uploadId)
  files.fileFaults.set(name, 'fileFailed')
  files.fileWait = Math.max(files.fileWait ?? 0, received.wait)
}
