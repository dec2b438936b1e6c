import { type Contact, extractText, type Profile, parseProfile, readContact } from '../src/index.ts'
import { FORMATS, LAYOUTS, PEOPLE, type Person, TODAY } from './resume-files.ts'
import { type LabelledResume, RENDERERS, resumeSet } from './resume-set.ts'

/** Share of what should be found that was found, and of what was found that should be: the smaller of the two. */
const overlap = (found: readonly string[], wanted: readonly string[]): number => {
  const hits = wanted.filter(w => found.some(f => f.toLowerCase() === w.toLowerCase())).length
  return Math.min(hits / wanted.length, found.length === 0 ? 0 : hits / found.length)
}

const same = (found: string | null, wanted: string) => found?.toLowerCase() === wanted.toLowerCase()
const holds = (found: string, wanted: string) => found.toLowerCase().includes(wanted.toLowerCase())

export const FIELDS: Record<string, (found: Profile, wanted: Person) => number> = {
  current_title: (f, w) => Number(f.current_title === w.title),
  current_company: (f, w) => Number(same(f.current_company, w.company)),
  seniority: (f, w) => Number(f.seniority === w.seniority),
  total_years_experience: (f, w) => Number(Math.abs((f.total_years_experience ?? -9) - w.years) <= 0.2),
  city: (f, w) => Number(f.city === w.city),
  country: (f, w) => Number(f.country === w.country),
  skills: (f, w) => overlap(f.skills, w.skills),
  languages: (f, w) => overlap(f.languages, w.languages),
  education_level: (f, w) => Number(f.education_level === w.education),
  education: (f, w) => Number(f.education.includes(w.degree)),
  experience: (f, w) =>
    Number(
      f.experience.length === w.jobs.length &&
        w.jobs.every((job, i) => holds(f.experience[i]!, job.title) && holds(f.experience[i]!, job.company)),
    ),
}

export interface Measured {
  person: string
  layout: string
  format: string
  profile: Profile
  text: string
  scores: Record<string, number>
}

/** Every person in every layout and format, read by the rules. */
export async function measureAccuracy(layouts = LAYOUTS): Promise<Measured[]> {
  const all: Measured[] = []
  for (const person of PEOPLE) {
    for (const [layout, arrange] of Object.entries(layouts)) {
      for (const [format, { mime, render }] of Object.entries(FORMATS)) {
        const text = await extractText(render(arrange(person)), mime)
        const profile = parseProfile(text, TODAY)
        const scores = Object.fromEntries(Object.entries(FIELDS).map(([name, judge]) => [name, judge(profile, person)]))
        all.push({ person: person.name, layout, format, profile, text, scores })
      }
    }
  }
  return all
}

export const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length)

/** How a field of the labelled résumés was read: of `wanted` values and `found` values, `right` agree. */
export interface Tally {
  wanted: number
  found: number
  right: number
}

export interface LabelledResult {
  id: string
  format: string
  profile: Profile
  contact: Contact
  tallies: Record<string, Tally>
  /** that reading the file took */
  milliseconds: number
}

const plain = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’]/g, "'")
    .replace(/[\s.,;]+$/, '')
    .replace(/\s+/g, ' ')
    .trim()

const digits = (text: string): string => text.replace(/\D/g, '')

const single = (wanted: string | undefined, found: string | null | undefined, same = equal): Tally | undefined =>
  wanted === undefined ? undefined : { wanted: 1, found: found ? 1 : 0, right: found && same(found, wanted) ? 1 : 0 }

const equal = (found: string, wanted: string): boolean => plain(found) === plain(wanted)

function several(
  wanted: string | undefined,
  found: readonly string[],
  same: (found: string, wanted: string) => boolean = equal,
): Tally | undefined {
  if (wanted === undefined) return undefined
  const left = [...found]
  const all = wanted.split(/;\s*/)
  const right = all.filter(want => {
    const at = left.findIndex(one => same(one, want))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
  return { wanted: all.length, found: found.length, right: right.length }
}

/** An entry `a @ b` is found when one text holds both. */
const entry = (found: string, wanted: string): boolean =>
  wanted.split(' @ ').every(part => plain(found).includes(plain(part)))

export function compareFields(labels: Readonly<Record<string, string>>, profile: Profile, contact: Contact) {
  const years = profile.total_years_experience
  const tallies: Record<string, Tally | undefined> = {
    name: single(labels['name'], contact.name),
    email: single(labels['email'], contact.emails[0]),
    phone: single(labels['phone'], contact.phones[0], (f, w) => digits(f) === digits(w)),
    current_title: single(labels['title'], profile.current_title),
    current_company: single(labels['company'], profile.current_company),
    total_years: single(
      labels['years'],
      years === null ? null : String(years),
      (f, w) => Math.abs(Number(f) - Number(w)) <= 1,
    ),
    city: single(labels['city'], profile.city),
    country: single(labels['country'], profile.country),
    skills: several(labels['skills'], profile.skills),
    languages: several(labels['languages'], profile.languages),
    education_level: single(labels['education'], profile.education_level),
    education: several(labels['degrees'], profile.education, entry),
    experience: several(labels['jobs'], profile.experience, entry),
    work_authorization: single(labels['authorization'], profile.work_authorization),
    visa_required: single(labels['visa'], profile.visa_required === null ? null : String(profile.visa_required)),
  }
  return Object.fromEntries(Object.entries(tallies).filter(([, tally]) => tally !== undefined)) as Record<string, Tally>
}

/** Every labelled résumé of a set in each of its formats. */
export async function measureSet(set: LabelledResume['set'], formats?: readonly string[]): Promise<LabelledResult[]> {
  const results: LabelledResult[] = []
  for (const resume of resumeSet(set)) {
    for (const format of resume.formats.filter(name => !formats || formats.includes(name))) {
      const { mime, render } = RENDERERS[format]!
      const file = render(resume.page)
      const start = performance.now()
      const text = await extractText(file, mime)
      const [profile, contact] = [parseProfile(text, TODAY), readContact(text)]
      const milliseconds = performance.now() - start
      const tallies = compareFields(resume.labels, profile, contact)
      results.push({ id: resume.id, format, profile, contact, tallies, milliseconds })
    }
  }
  return results
}

export interface Score {
  precision: number
  recall: number
  f1: number
  wanted: number
}

export function computeScore(results: readonly LabelledResult[], field: string): Score {
  const sum = { wanted: 0, found: 0, right: 0 }
  for (const { tallies } of results) {
    const tally = tallies[field]
    if (!tally) continue
    sum.wanted += tally.wanted
    sum.found += tally.found
    sum.right += tally.right
  }
  const precision = sum.right / Math.max(1, sum.found)
  const recall = sum.right / Math.max(1, sum.wanted)
  return { precision, recall, f1: (2 * precision * recall) / Math.max(1e-9, precision + recall), wanted: sum.wanted }
}

/** Share of a résumé's values that were read right, between 0 and 1. */
export const shareRight = ({ tallies }: LabelledResult): number =>
  mean(Object.values(tallies).map(t => (2 * t.right) / Math.max(1, t.wanted + t.found)))
