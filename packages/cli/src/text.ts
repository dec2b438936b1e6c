import { environment } from './environment.ts'

const CODES = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const
export type Style = keyof typeof CODES

/** Colours for a stream that shows them; otherwise the text as it is. */
export function styles(stream: { isTTY?: boolean }): (style: Style, text: string) => string {
  const enabled = environment.colours(stream)
  return (style, text) => (enabled ? `\x1b[${CODES[style]}m${text}\x1b[0m` : text)
}

/** Characters that move the cursor, begin a command to the terminal, or change the direction of text. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** Text of others in a terminal: on one line, without characters that move the cursor or change the direction. */
export function oneLine(text: string, limit = 160): string {
  const clean = text.replace(/\s+/g, ' ').replace(UNSAFE, '\ufffd').trim()
  const characters = [...clean]
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : clean
}

/** JSON on one line, with nothing in it that acts on a terminal: such characters are escaped, and the value is the same. */
export const asJson = (value: unknown): string =>
  JSON.stringify(value).replace(UNSAFE, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The time of day on this machine. */
export const clockTime = (date: Date): string => date.toTimeString().slice(0, 8)

export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

/** `a, b,c` */
export const listed = (text: string | undefined): string[] | undefined => {
  const names = text
    ?.split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
  return names && names.length > 0 ? names : undefined
}
