import { linkedinKey } from '../src/kernel/text/person-keys.ts'
import { COMPANIES, type Company, FIRST_NAMES, LAST_NAMES, PLACES, type Place, placeName, SCHOOLS } from './names.ts'
import {
  EXPERIENCE,
  LEVELS,
  type Level,
  OCCUPATIONS,
  type Occupation,
  occupationNamed,
  titleAt,
} from './occupations.ts'
import { type Random, seeded } from './random.ts'

/** One invented human being, who may appear as applicant, as sourced profile and in the pool. */
export interface Person {
  first: string
  last: string
  full: string
  email: string
  phone: string
  linkedinUrl: string
  linkedinKey: string
  slug: string
  place: Place
  occupation: Occupation
  level: Level
  title: string
  company: Company
  years: number
  previous: { title: string; company: Company; years: number } | null
  degree: string
  educationLevel: string
  school: string
  skills: string[]
  languages: string[]
  remoteOk: boolean
  visaRequired: boolean | null
}

export interface Wanted {
  occupation?: string
  level?: Level
}

/** Hands out people, no two with the same name: with the name, address and LinkedIn slug are unique among them. */
export interface People {
  next(wanted?: Wanted): Person
}

const MAIL_DOMAINS = ['mailbox.example', 'inbox.example', 'letterbox.example', 'post.example']
const AREA_CODES = [206, 212, 303, 312, 404, 415, 503, 512, 617, 702, 713, 919]
const DEGREES = [
  ['BSc', 'bachelor'],
  ['MSc', 'master'],
  ['PhD', 'doctorate'],
  ['Diploma', 'vocational'],
] as const

export function createPeople(subject = 'people'): People {
  const random = seeded(subject)
  const names = random.shuffled(FIRST_NAMES.flatMap(first => LAST_NAMES.map(last => ({ first, last }))))
  let used = 0
  return {
    next(wanted = {}) {
      const name = names[used++]
      if (!name) throw new Error('no names are left')
      return describe(random, name, wanted)
    },
  }
}

function describe(random: Random, { first, last }: { first: string; last: string }, wanted: Wanted): Person {
  const occupation = wanted.occupation ? occupationNamed(wanted.occupation) : random.pick([...OCCUPATIONS.values()])
  const level = wanted.level ?? random.weighted(LEVELS.map((one, i) => [one, [1, 3, 5, 5, 2, 1][i]!] as const))
  const [company, before] = random.shuffled(COMPANIES)
  const place = random.pick(PLACES)
  const years = random.int(...EXPERIENCE[level])
  const [degree, educationLevel] = random.weighted(DEGREES.map((one, i) => [one, [5, 5, 1, 1][i]!] as const))
  const slug = `${plain(first)}-${plain(last)}-${random.letters(5)}`
  const skills = random.sample(
    occupation.skills,
    random.int(Math.ceil(occupation.skills.length / 2), occupation.skills.length),
  )
  return {
    first,
    last,
    full: `${first} ${last}`,
    email: `${plain(first)}.${plain(last)}@${random.pick(MAIL_DOMAINS)}`,
    // the numbers 555-0100 to 555-0199 of every area are set aside for fiction
    phone: `+1 ${random.pick(AREA_CODES)} 555 01${String(random.int(0, 99)).padStart(2, '0')}`,
    linkedinUrl: writtenUrl(random, slug),
    linkedinKey: linkedinKey(`linkedin.com/in/${slug}`)!,
    slug,
    place,
    occupation,
    level,
    title: titleAt(level, occupation.title),
    company: company!,
    years,
    previous: years >= 4 ? formerPost(occupation, level, before!, Math.ceil(years / 2)) : null,
    degree: `${degree} ${occupation.degree}`,
    educationLevel,
    school: random.pick(SCHOOLS),
    skills: random.chance(0.3)
      ? [...skills, random.pick(['Mentoring', 'Technical writing', 'Public speaking'])]
      : skills,
    languages: [...place.languages, ...(random.chance(0.2) ? ['Italian'] : [])],
    remoteOk: random.chance(0.5),
    visaRequired: random.weighted([
      [false, 6],
      [true, 2],
      [null, 2],
    ]),
  }
}

const formerPost = (occupation: Occupation, level: Level, company: Company, years: number) => {
  const below = LEVELS[Math.max(1, LEVELS.indexOf(level) - 1)]!
  return { title: titleAt(below, occupation.title), company, years }
}

/** People write their address in different ways; all of them mean the same slug. */
function writtenUrl(random: Random, slug: string): string {
  const capitals = slug.replace(/(^|-)([a-z])/g, (_, dash, letter) => dash + letter.toUpperCase())
  return random.weighted([
    [`https://www.linkedin.com/in/${slug}`, 6],
    [`https://www.linkedin.com/in/${slug}/`, 2],
    [`https://linkedin.com/in/${slug}`, 1],
    [`https://www.linkedin.com/in/${capitals}/`, 1],
  ])
}

/** Lower case a to z and hyphens, as in addresses. */
export const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')

export const locationOf = (person: Person): string => placeName(person.place)
