import { API_LIMITS } from '../../contract/limits.ts'
import { present } from '../../kernel/errors/present.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { charactersIn } from '../../kernel/text/text.ts'

/** The types a résumé may have, and the file name endings that fit each; the first is used for a name of our own. */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  'application/pdf': ['pdf'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/msword': ['doc'],
  'application/rtf': ['rtf'],
  'text/rtf': ['rtf'],
  'text/plain': ['txt'],
}

export const RESUME_TYPES = Object.keys(EXTENSIONS)

/** The type of a résumé by the ending of its name; undefined: it is no file of such a type. */
export function resumeTypeOf(filename: string): string | undefined {
  const ending = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()
  return RESUME_TYPES.find(type => EXTENSIONS[type]?.includes(ending))
}

/** Candidates also photograph what a question asks for, such as a certificate. */
const IMAGE_EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
}
const ANSWER_EXTENSIONS = { ...EXTENSIONS, ...IMAGE_EXTENSIONS }

/** The types that the answer to a question of type `file` may have. */
export const ANSWER_FILE_TYPES = Object.keys(ANSWER_EXTENSIONS)

/** What a file is for: a résumé, which is read, the answer to another question of the public form, or the report of an order. */
export type UploadPurpose = 'resume' | 'answer' | 'report'

const TYPES: Readonly<Record<UploadPurpose, readonly string[]>> = {
  resume: RESUME_TYPES,
  answer: ANSWER_FILE_TYPES,
  report: ['application/pdf'],
}

export const typesFor = (purpose: UploadPurpose): readonly string[] => TYPES[purpose]

/** The folder of the file store. */
export const folderFor = (purpose: UploadPurpose): string => `${purpose}s`

/** The name of a file whose sender gave none that can be used. */
const FALLBACK_NAMES: Readonly<Record<UploadPurpose, string>> = { resume: 'resume', answer: 'file', report: 'report' }

/** What is wrong with the type and the size of a file to be sent. */
export function uploadFaults(body: unknown, purpose: UploadPurpose = 'resume'): InputFault[] {
  const { content_type, size_bytes } = body as { content_type?: unknown; size_bytes?: unknown }
  const faults: InputFault[] = []
  const types = typesFor(purpose)
  const fault = (param: string, reason: string, message: string) =>
    faults.push({ param, message, code: 'invalid_upload', reason })
  if (typeof content_type === 'string' && !types.includes(content_type)) {
    fault('content_type', 'file_type', `must be one of ${types.join(', ')}`)
  }
  if (
    Number.isInteger(size_bytes) &&
    !((size_bytes as number) >= 1 && (size_bytes as number) <= API_LIMITS.resumeFileBytes)
  ) {
    fault('size_bytes', 'file_size', `must be 1 to ${API_LIMITS.resumeFileBytes}`)
  }
  return faults
}

const MAX_NAME = 200

/**
 * The name under which the file is kept and downloaded: the sender's, if it is a plain file name whose ending fits the
 * type, otherwise `resume.<ext>`, `file.<ext>` or `report.<ext>`. A plain name has no path, no control or invisible direction marks (which make
 * `exe.pdf` out of `fdp.exe`), none of the characters that shells and file systems treat specially, and does not hide
 * behind a leading dot.
 */
export function cleanFilename(
  filename: string | undefined,
  contentType: string,
  purpose: UploadPurpose = 'resume',
): string {
  const endings = present((ANSWER_EXTENSIONS as typeof EXTENSIONS)[contentType], contentType)
  const fallback = `${FALLBACK_NAMES[purpose]}.${endings[0]}`
  if (filename === undefined) return fallback
  const name = filename.normalize('NFC').trim()
  const dot = name.lastIndexOf('.')
  const plain =
    dot > 0 &&
    charactersIn(name) <= MAX_NAME &&
    !name.startsWith('.') &&
    !name.includes('..') &&
    !/[/\\:*?"<>|$`;&\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)
  return plain && endings.includes(name.slice(dot + 1).toLowerCase()) ? name : fallback
}
