import { type DemoFile, docx, pdf, rtf, txt } from './files.ts'
import { locationOf, type Person } from './people.ts'
import type { Random } from './random.ts'

export interface Resume {
  filename: string
  file: DemoFile
  /** what a parser would make of it; it says the same as the text */
  parsed: Record<string, unknown>
  rawText: string
}

const WRITERS = [pdf, docx, rtf, txt] as const

export function writeResume(random: Random, person: Person, year: number): Resume {
  const write = random.weighted(WRITERS.map((one, i) => [one, [10, 5, 2, 2][i]!] as const))
  const text = resumeText(person, year)
  const file = write(text.lines)
  return {
    filename: `${person.first}_${person.last}_resume.${file.extension}`.normalize('NFD').replace(/[^\w.-]/g, ''),
    file,
    parsed: {
      current_title: person.title,
      current_company: person.company.name,
      seniority: person.level,
      total_years_experience: person.years,
      city: person.place.city,
      country: person.place.country,
      remote_ok: person.remoteOk,
      education_level: person.educationLevel,
      skills: person.skills,
      languages: person.languages,
      extraction_confidence: Math.round(random.between(0.72, 0.98) * 100) / 100,
      structured: { experience: text.experience, education: [text.education] },
      work_authorization: text.authorization,
      visa_required: person.visaRequired,
    },
    rawText: text.lines.join('\n'),
  }
}

/** A scanned page: a PDF that opens well and holds no text, which is why reading it fails. */
export const scannedResume = (person: Person): { filename: string; file: DemoFile } => ({
  filename: `scan_${person.slug}.pdf`,
  file: pdf([]),
})

export function resumeText(person: Person, year: number) {
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
  const lines = [
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
    ...wrapped(person.skills.join(', ')),
    '',
    'LANGUAGES',
    person.languages.join(', '),
    ...(authorization ? ['', 'WORK AUTHORIZATION', authorization] : []),
  ]
  return { lines, experience, education, authorization }
}

const LINE_LENGTH = 90

/** Broken between words, as a page demands. */
function wrapped(text: string): string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line.length + word.length >= LINE_LENGTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}
