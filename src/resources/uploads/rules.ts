import { API_LIMITS } from '../../contract/limits.ts'
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

/** What is wrong with the type and the size of a file to be sent. */
export function uploadFaults(body: unknown): InputFault[] {
  const { content_type, size_bytes } = body as { content_type?: unknown; size_bytes?: unknown }
  const faults: InputFault[] = []
  const fault = (param: string, message: string) => faults.push({ param, message, code: 'invalid_upload' })
  if (typeof content_type === 'string' && !RESUME_TYPES.includes(content_type)) {
    fault('content_type', `must be one of ${RESUME_TYPES.join(', ')}`)
  }
  if (
    Number.isInteger(size_bytes) &&
    !((size_bytes as number) >= 1 && (size_bytes as number) <= API_LIMITS.resumeFileBytes)
  ) {
    fault('size_bytes', `must be 1 to ${API_LIMITS.resumeFileBytes}`)
  }
  return faults
}

const MAX_NAME = 200

/**
 * The name under which the file is kept and downloaded: the sender's, if it is a plain file name whose ending fits the
 * type, otherwise `resume.<ext>`. A plain name has no path, no control or invisible direction marks (which make
 * `exe.pdf` out of `fdp.exe`), none of the characters that shells and file systems treat specially, and does not hide
 * behind a leading dot.
 */
export function cleanFilename(filename: string | undefined, contentType: string): string {
  const endings = EXTENSIONS[contentType]!
  const fallback = `resume.${endings[0]}`
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
