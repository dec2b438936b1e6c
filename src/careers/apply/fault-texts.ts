import type { InputFault } from '../../kernel/http/faults.ts'
import { FORM_TEXT } from '../../resources/applications/index.ts'
import type { Texts } from '../texts/en.ts'
import type { Entries } from './entries.ts'
import type { FileFault } from './files.ts'
import { type Question, RESUME, RESUME_TEXT, RESUME_TEXT_LENGTH } from './questions.ts'
import { readNumber } from './typed.ts'

/** Files that were not taken. */
export const fileFaultList = (faults: ReadonlyMap<string, FileFault>): InputFault[] =>
  [...faults].map(([param, reason]) => ({ param, message: 'was not accepted', reason }))

/** Texts that were cut off while they were read. */
export const cutFaults = (names: ReadonlySet<string>): InputFault[] =>
  [...names].map(name => ({
    param: name === RESUME_TEXT ? RESUME : name,
    message: 'is too long',
    reason: name === RESUME_TEXT ? 'pastedTooLong' : 'too_long',
  }))

type SaidFault = Exclude<FileFault, 'pastedTooLong'>
const FILE_FAULTS: ReadonlySet<string> = new Set<SaidFault>([
  'fileTooLarge',
  'fileEmpty',
  'fileType',
  'fileFailed',
  'fileWrong',
  'fileLocked',
  'fileAgain',
])

/** What the page says about a fault, in its language. Each names its question: a list of faults is read without the form. */
export function faultText(question: Question, reason: string | undefined, entries: Entries, texts: Texts): string {
  const t = texts.apply
  if (FILE_FAULTS.has(reason ?? '')) return t.faultOf(question.label, t[reason as SaidFault])
  switch (reason) {
    case 'required':
    case 'consent_required':
      return question.missing
    case 'real_mailbox':
      return t.faultOf(question.label, t.realMailbox)
    case 'too_long':
      return t.tooLong(question.label, question.maxLength ?? FORM_TEXT)
    case 'pastedTooLong':
      return t.tooLong(t.pasted, RESUME_TEXT_LENGTH)
    case 'upload_gone':
    case 'upload_used':
      return t.faultOf(question.label, t.fileGone)
    case 'file_type':
      return t.faultOf(question.label, t.fileType)
    case 'file_size':
      return t.faultOf(question.label, t.fileTooLarge)
    case 'not_a_number': {
      const typed = entries.first(question.name)
      const isAmbiguous = readNumber(typed, texts.language.locale) === 'ambiguous'
      return isAmbiguous ? t.ambiguousNumber(question.label, typed.trim()) : question.invalid
    }
  }
  return question.kind === 'file' ? t.faultOf(question.label, question.invalid) : question.invalid
}
