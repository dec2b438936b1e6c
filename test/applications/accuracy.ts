import { extractText } from '../../src/resources/resumes/parse/extract.ts'
import { type Profile, readProfile } from '../../src/resources/resumes/parse/profile.ts'
import { FORMATS, LAYOUTS, PEOPLE, type Person, TODAY } from './resume-files.ts'

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
export async function measure(layouts = LAYOUTS): Promise<Measured[]> {
  const all: Measured[] = []
  for (const person of PEOPLE) {
    for (const [layout, arrange] of Object.entries(layouts)) {
      for (const [format, { mime, render }] of Object.entries(FORMATS)) {
        const text = await extractText(render(arrange(person)), mime)
        const profile = readProfile(text, TODAY)
        const scores = Object.fromEntries(Object.entries(FIELDS).map(([name, judge]) => [name, judge(profile, person)]))
        all.push({ person: person.name, layout, format, profile, text, scores })
      }
    }
  }
  return all
}

export const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length)
