import { hasDate, withoutDates } from './dates.ts'
import { isPlace } from './header.ts'
import { type TextLine, trimMarks } from './lines.ts'
import { findDegreeLevel, namesSchool } from './vocabulary/degrees.ts'
import { isCity } from './vocabulary/places.ts'

const MAX_ENTRIES = 30
const MAX_TEXT = 300

/** `Title of qualification awarded`, `Abschluss:` and the like, before what they name. */
const LABEL =
  /^(?:dates?|title of qualification(?: awarded)?|qualification|degree|principal subjects.{0,40}|name and type of organi[sz]ation.{0,60}|level in national.{0,40}|abschluss|schule|hochschule|diplôme|établissement|título|centro|titolo.{0,40}|nome e tipo.{0,60}|conclusão|tytuł)\s?[:\t]\s{0,3}/iu

/** `I hold a degree: …` */
const SENTENCE_START = /^i (?:hold|have|received|obtained|earned)(?: an?| my)? (?:degree|diploma)\s?[:,]\s/i

interface Entry {
  lines: string[]
  dated: boolean
  degree: boolean
  school: boolean
}

/**
 * Lines without those after the last date that name neither degree, school nor place: that text (a page footer,
 * remains of contact details) is not about education.
 */
export function withoutTrailingUnknown(lines: readonly TextLine[], thisMonth: number): TextLine[] {
  const lastDate = lines.findLastIndex(line => hasDate(line.text))
  if (lastDate < 0) return [...lines]
  return lines.filter(({ parts, text }, i) => {
    if (i <= lastDate) return true
    const bare = withoutDates(parts.join('\t'), thisMonth)
    return findDegreeLevel(bare) !== null || namesSchool(bare) || isPlace(text) || bare.split(/[\s,]/).some(isCity)
  })
}

/**
 * Entries of the education: lines belong together until one of date, degree or school comes a second time. Lines that
 * name none of them (grades, courses, places) are left out, and so is an entry without degree and school.
 */
export function readEducation(lines: readonly TextLine[], thisMonth: number): string[] {
  const entries: Entry[] = []
  let entry: Entry | undefined
  let degreeBefore = false
  for (const line of withoutTrailingUnknown(lines, thisMonth)) {
    const text = line.parts.join('\t').replace(LABEL, '').replace(SENTENCE_START, '')
    const bare = withoutDates(text, thisMonth)
    const found = { dated: hasDate(text), degree: findDegreeLevel(bare) !== null, school: namesSchool(bare) }
    if (line.bullet && !(found.degree && (found.school || found.dated)) && !found.school) {
      // dates at the right margin may share a line with the first detail
      if (entry && !entry.dated && found.dated && line.parts.length > 1) {
        entry.lines.push(line.parts.filter(hasDate).join(' '))
        entry.dated = true
      }
      continue
    }
    const says = found.degree || found.school
    // the name of a subject may continue in the next line
    const afterDegree = degreeBefore && text.length <= 30
    degreeBefore = found.degree
    const again =
      entry && ((found.degree && entry.degree) || (found.school && entry.school) || (found.dated && entry.dated))
    if (!entry || (again && (says || (found.dated && !/\p{L}{4}/u.test(bare))))) {
      entry = { lines: [], dated: false, degree: false, school: false }
      entries.push(entry)
    } else if (
      !says &&
      !found.dated &&
      (isPlace(text) || entry.lines.length > 3 || (entry.degree && entry.school && !afterDegree))
    )
      continue
    if (!says && !found.dated && text.length > 80) continue
    if (afterDegree && !says && !found.dated && entry.lines.length > 0) entry.lines.push(`${entry.lines.pop()} ${text}`)
    else entry.lines.push(text)
    entry.dated ||= found.dated
    entry.degree ||= found.degree
    entry.school ||= found.school
  }
  return entries
    .filter(({ degree, school }) => degree || school)
    .map(({ lines: own }) =>
      trimMarks(own.map(text => text.replaceAll('\t', ' · ')).join(' · '))
        .replace(/(?<=\d)\.$/, '')
        .slice(0, MAX_TEXT),
    )
    .slice(0, MAX_ENTRIES)
}
