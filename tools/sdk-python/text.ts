/** Python source text. */
export const WIDTH = 120
export const NOTE = '# Generated from openapi.json by `npm run generate`. Do not edit.'

/** Words that cannot be names of attributes or parameters. */
const RESERVED = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
)

/** `job_status` to `JobStatus` */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[_.-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
export const attribute = (name: string): string => {
  const plain = name.replace(/[^A-Za-z0-9_]/g, '_')
  return RESERVED.has(plain) ? `${plain}_` : plain
}
export const quote = (text: string): string => JSON.stringify(text)
export const indent = (text: string, by = 4): string => text.replace(/^(?=.)/gm, ' '.repeat(by))

/** What a type checker and an editor show for a field. */
export const fieldDoc = (schema: { description?: string }): string =>
  schema.description ? `\n${docstring(schema.description)}` : ''

/** A docstring; its first paragraph is a line of its own. */
export function docstring(summary: string, description = ''): string {
  const clean = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim()
  const first = wrap(clean(summary))
  const rest =
    description.trim() === ''
      ? ''
      : `\n\n${clean(description)
          .split(/\n{2,}/)
          .map(wrap)
          .join('\n\n')}`
  const text = `${first}${rest}`
  return text.includes('\n') ? `"""${text}\n"""` : `"""${text}${text.endsWith('"') ? ' ' : ''}"""`
}

function wrap(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > WIDTH - 16) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}

export function wrapItems(items: readonly string[]): string {
  return wrap(items.map(item => `${item},`).join(' '))
}

export function braces(open: string, items: readonly string[], close: string): string {
  const oneLine = `${open}${items.join(', ')}${close}`
  return oneLine.length <= WIDTH - 12
    ? oneLine
    : `${open}\n${indent(items.map(item => `${item},`).join('\n'))}\n${close}`
}

/** The public names of a module. */
export const namesList = (names: readonly string[]): string => `__all__ = [\n${indent(wrapItems(names.map(quote)))}\n]`
