import type { SiteVisit } from '../visit.ts'
import type { Entries } from './entries.ts'
import { noteReceived, type ReceivedFiles, receiveFile, typeOfFile } from './files.ts'
import { HONEYPOT } from './form-page.ts'
import { type FormPart, questionsIn } from './questions.ts'
import type { ArrivingFile } from './receive.ts'
import { type FormProof, type FormTarget, readOpened } from './token.ts'

/** A form whose files arrive, and what became of them. */
export interface ArrivingForm extends ReceivedFiles {
  visit: SiteVisit
  form: FormTarget
  parts: readonly FormPart[]
  /** the database's time before the form was read */
  now: number
  /** nothing of this form is stored */
  isRefused: boolean
}

/**
 * Takes the files of one form into the store while they arrive. What speaks for the form is in the fields that its page has
 * before them. Without a valid token, or where the honeypot is filled, nothing does.
 */
export function takeFiles(arriving: ArrivingForm): (file: ArrivingFile, before: Entries) => Promise<void> {
  const { visit, form, now, isRefused } = arriving
  const taken = new Set<string>()
  return (file, before) => {
    const isDropped = isRefused || before.first(HONEYPOT) !== ''
    const opened = isDropped ? 'expired' : readOpened(visit.services.keyring, form, before, now)
    return takeFile(arriving, taken, file, opened === 'expired' ? 'none' : opened.proof)
  }
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
