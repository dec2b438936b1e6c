import { Unreadable } from './unreadable.ts'

/** Plain text in UTF-8, in UTF-16 with its mark, or else in the Western code page. */
export function txtText(file: Buffer): string {
  const utf16 =
    file[0] === 0xff && file[1] === 0xfe ? 'utf-16le' : file[0] === 0xfe && file[1] === 0xff ? 'utf-16be' : ''
  if (utf16) return new TextDecoder(utf16).decode(file)
  if (file.includes(0)) throw new Unreadable('not a text file', 'unsupported')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    return new TextDecoder('windows-1252').decode(file)
  }
}
