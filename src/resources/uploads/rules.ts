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
    name.length <= MAX_NAME &&
    !name.startsWith('.') &&
    !name.includes('..') &&
    !/[/\\:*?"<>|$`;&\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)
  return plain && endings.includes(name.slice(dot + 1).toLowerCase()) ? name : fallback
}
