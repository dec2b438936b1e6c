import { headingIds, plain } from '../markdown.ts'

/** The part of a guide under one heading. */
export interface Section {
  /** empty for the text before the first heading */
  heading: string
  id: string
  text: string
  code: string
}

/** The sections of a guide from its Markdown, by the headings below its title. */
export function splitMarkdown(source: string): Section[] {
  const sections = [{ heading: '', id: '', lines: [] as string[], code: [] as string[] }]
  const idOf = headingIds()
  let inCode = false
  for (const line of source.split('\n')) {
    if (line.startsWith('```')) {
      inCode = !inCode
      continue
    }
    const [, marks, title] = inCode ? [] : (/^(#{1,4}) (.+)$/.exec(line) ?? [])
    if (marks === '#') continue
    if (marks && title) sections.push({ heading: plain(title), id: idOf(title), lines: [], code: [] })
    else sections.at(-1)?.[inCode ? 'code' : 'lines'].push(line)
  }
  return sections.map(({ heading, id, lines, code }) => ({ heading, id, text: textOf(lines), code: code.join(' ') }))
}

/** Paragraphs, lists and rows of tables as one line of text. */
const textOf = (lines: readonly string[]): string =>
  plain(
    lines
      .filter(line => !/^\|[-| :]+\|$/.test(line))
      .map(line =>
        line
          .replace(/^\s*(?:[-*>]|\d+\.)\s+/, '')
          .replace(/^\||\|$/g, '')
          .replaceAll(' | ', ' · '),
      )
      .join(' '),
  )
    .replace(/\s+/g, ' ')
    .trim()
