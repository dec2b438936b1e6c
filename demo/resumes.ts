import { normalizeText } from '../packages/resume-parser/src/index.ts'
import { type DemoFile, docx, pdf, rtf, txt } from './files.ts'
import { locationOf, type Person } from './people.ts'
import type { Random } from './random.ts'

export interface Resume {
  filename: string
  file: DemoFile
  /** the text of the file, as the reader returns it */
  text: string
}

const WRITERS = [pdf, docx, rtf, txt] as const

export function writeResume(random: Random, person: Person, year: number): Resume {
  const write = random.weighted(WRITERS.map((one, i) => [one, [10, 5, 2, 2][i]!] as const))
  const lines = resumeText(person, year)
  const file = write(lines)
  return {
    filename: `${person.first}_${person.last}_resume.${file.extension}`.normalize('NFD').replace(/[^\w.-]/g, ''),
    file,
    text: normalizeText(lines.join('\n')),
  }
}

/** A scanned page: a PDF that opens well and holds no text, which is why reading it fails. */
export const scannedResume = (person: Person): { filename: string; file: DemoFile } => ({
  filename: `scan_${person.slug}.pdf`,
  file: pdf([]),
})

export function resumeText(person: Person, year: number): string[] {
  const { previous } = person
  const started = year - (person.years - (previous?.years ?? 0))
  const experience = [`${person.title}, ${person.company.name}, ${started} - present`]
  if (previous) experience.push(`${previous.title}, ${previous.company.name}, ${started - previous.years} - ${started}`)
  const education = `${person.degree}, ${person.school}, ${year - person.years - 1}`
  const authorization =
    person.visaRequired === null
      ? null
      : person.visaRequired
        ? 'Needs visa sponsorship'
        : `Authorized to work in ${person.place.country}`
  return [
    person.full,
    person.title,
    `${locationOf(person)} | ${person.email} | ${person.phone}`,
    '',
    'SUMMARY',
    `${person.title} with ${person.years} years of experience.${person.remoteOk ? ' Open to remote work.' : ''}`,
    '',
    'EXPERIENCE',
    experience[0]!,
    `- ${person.occupation.achievements[0]}`,
    ...(previous ? [experience[1]!, `- ${person.occupation.achievements[1]}`] : []),
    '',
    'EDUCATION',
    education,
    '',
    'SKILLS',
    ...wrapped(person.skills),
    '',
    'LANGUAGES',
    person.languages.join(', '),
    ...(authorization ? ['', 'WORK AUTHORIZATION', authorization] : []),
  ]
}

const LINE_LENGTH = 90

/** Several to a line, as many as the page is wide; never broken inside one. */
function wrapped(items: readonly string[]): string[] {
  const lines: string[] = []
  for (const item of items) {
    const line = lines.at(-1)
    if (line === undefined || line.length + item.length >= LINE_LENGTH) lines.push(item)
    else lines[lines.length - 1] = `${line}, ${item}`
  }
  return lines
}
