/** The length of a text in characters, as every limit counts: code points, not UTF-16 units. */
export function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Text that holds nothing but white space counts as missing. */
export const isBlankText = (text: string): boolean => text.trim() === ''

/** An optional text as it is stored: blank is none. */
export const noneIfBlank = <T extends string | null | undefined>(text: T): T | null =>
  typeof text === 'string' && isBlankText(text) ? null : text

/** Whether a text has control characters, such as NUL, which no text column can hold. */
export const hasControls = (text: string): boolean => /\p{Cc}/u.test(text)
