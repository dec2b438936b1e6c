import { type TextLine, toLine } from './lines.ts'
import { findHeading, type ResumeSection } from './vocabulary/headings.ts'
import { findLanguage } from './vocabulary/places.ts'
import { SKILL_GROUPS } from './vocabulary/skills.ts'
import { fold } from './vocabulary/words.ts'

export type Sections = ReadonlyMap<ResumeSection | 'top', readonly TextLine[]>

const INLINE = /^([\p{L}\s&/()'’-]{3,44}?)\s?[:：]\s{0,3}(\S.{0,480})$/u
/** Groups of tools, which languages of programming are too. */
const startsWithLanguage = (text: string): boolean => {
  const first = /^\p{L}+(?:\s\p{L}+)?/u.exec(text.trim())?.[0] ?? ''
  return findLanguage(first) !== undefined || findLanguage(first.replace(/\s.*/s, '')) !== undefined
}

/** A line such as `Skills: Go, SQL`, or a row of a table whose first cell is a heading. */
function inlineHeading(line: TextLine): { section: ResumeSection; name: string; rest: string } | undefined {
  const [first = '', ...others] = line.parts
  if (others.length > 0) {
    const section = findHeading(first)
    return section && { section, name: first, rest: others.join('\t') }
  }
  const [, name = '', rest = ''] = INLINE.exec(first) ?? []
  const section = name === '' ? undefined : findHeading(name)
  return section && { section, name, rest }
}

/** Lines below the heading they follow, in the order of the document; what comes before any heading is the top. */
export function splitSections(lines: readonly TextLine[]): Sections {
  const sections = new Map<ResumeSection | 'top', TextLine[]>()
  let here: ResumeSection | 'top' = 'top'
  // a table whose left column holds the headings: rows without a first cell belong to the last one
  let inTable = false
  const add = (section: ResumeSection | 'top', line: TextLine) => {
    const list = sections.get(section)
    if (list) list.push(line)
    else sections.set(section, [line])
  }
  for (const line of lines) {
    const heading = line.parts.length === 1 ? findHeading(line.text) : undefined
    if (heading) {
      here = heading
      inTable = false
      if (!sections.has(here)) sections.set(here, [])
      continue
    }
    const inline = line.bullet && here !== 'skills' ? undefined : inlineHeading(line)
    const label = inline !== undefined && line.parts.length > 1
    if (!inline || (here === 'experience' && inline.section !== 'education' && !(inTable && label))) {
      add(here, line)
      continue
    }
    // `Languages: Go, SQL` among the skills is one of their groups, and so is `Tools: Git`
    const group =
      here === 'skills' &&
      (inline.section === 'skills' ||
        (inline.section === 'languages' ? !startsWithLanguage(inline.rest) : SKILL_GROUPS.has(fold(inline.name))))
    if (group) add('skills', line)
    else {
      add(inline.section, toLine(inline.rest))
      // the cell of a table continues in the rows below; a label with its value does not
      if (label && (inTable || inline.section === 'experience' || inline.section === 'education')) {
        here = inline.section
        inTable = true
      }
    }
  }
  return sections
}
