import { findSpan, type Span, yearsCovered } from './dates.ts'
import {
  countryOf,
  educationOf,
  headingOf,
  KNOWN_SKILLS,
  languageOf,
  looksLikeTitle,
  type Section,
  seniorityOf,
} from './vocabulary.ts'

/** What the rules read out of a résumé. The same text always gives the same profile. */
export interface Profile {
  current_title: string | null
  current_company: string | null
  seniority: string | null
  total_years_experience: number | null
  city: string | null
  country: string | null
  remote_ok: boolean | null
  education_level: string | null
  skills: string[]
  languages: string[]
  /** 0 to 1: how much of what a résumé usually says was found in its place, in text that reads like text */
  extraction_confidence: number
  experience: string[]
  education: string[]
  work_authorization: string | null
  visa_required: boolean | null
}

const MAX_LINES = 3_000
const MAX_LINE = 500

type Sections = Map<Section | 'top', string[]>

/** `today` as YYYY-MM: what `present` means. */
export function readProfile(text: string, today: string): Profile {
  const [year, month] = today.split('-').map(Number) as [number, number]
  const thisMonth = year * 12 + month
  const lines = text
    .split('\n', MAX_LINES)
    .map(line => line.slice(0, MAX_LINE).trim())
    .filter(line => line !== '')
  const sections = toSections(lines)
  const of = (section: Section | 'top') => sections.get(section) ?? []
  // without a heading to go by, spans of time anywhere but in the education are taken for positions
  const unmarked = sections.has('experience')
    ? []
    : [...sections].flatMap(([name, own]) => (name === 'education' ? [] : own))
  const jobs = readJobs(sections.has('experience') ? of('experience') : unmarked, thisMonth)
  const current = jobs.find(job => job.span.current) ?? jobs.toSorted((a, b) => b.span.to - a.span.to)[0]
  const years = jobs.length > 0 ? yearsCovered(jobs.map(job => job.span)) : statedYears(text)
  const title = current?.title ?? of('top').slice(1, 4).find(isTitleLine) ?? null
  const place = readPlace([...of('top').slice(0, 10), ...of('contact')])
  const languages = readLanguages(of('languages'))
  const skills = readSkills(of('skills'), languages.length === 0 ? of('languages') : [], lines)
  const education = of('education').filter(line => line.length > 3)
  const profile: Profile = {
    current_title: title,
    current_company: current?.company ?? null,
    seniority: seniorityOf(title, years),
    total_years_experience: years,
    city: place?.city ?? null,
    country: place?.country ?? null,
    remote_ok: readRemote(text),
    education_level: educationOf((education.length > 0 ? education : lines).join('\n')),
    skills,
    languages,
    extraction_confidence: 0,
    experience: jobs.map(job => job.text),
    education: education.slice(0, 30),
    ...readAuthorization(lines),
  }
  return { ...profile, extraction_confidence: confidence(profile, sections, text) }
}

/** `8+ years of experience`, for a résumé without dates */
function statedYears(text: string): number | null {
  const stated = /\b(\d{1,2})\+?\s+years?['’]?\s+(?:of\s+)?(?:\p{L}+\s+){0,3}experience\b/iu.exec(text)
  return stated ? Number(stated[1]) : null
}

/** Lines under the heading they follow; `Skills: a, b` is a heading with its content. */
function toSections(lines: readonly string[]): Sections {
  const sections: Sections = new Map()
  let here: Section | 'top' = 'top'
  const add = (section: Section | 'top', line: string) => {
    const list = sections.get(section) ?? []
    list.push(line)
    sections.set(section, list)
  }
  for (const line of lines) {
    const heading = headingOf(line)
    if (heading) {
      here = heading
      continue
    }
    const inline = /^([\p{L} &]{4,30})\s?[:\t]\s?(.+)$/u.exec(line)
    const named = inline ? headingOf(inline[1]!) : undefined
    // `Languages: Go, SQL` among the skills is one of their groups
    const group = here === 'skills' && named === 'languages' && languageOf(inline![2]!) === undefined
    if (inline && named && named !== 'experience' && !group) add(named, inline[2]!)
    else add(here, line)
  }
  return sections
}

interface Job {
  title: string | null
  company: string | null
  span: Span
  text: string
}

const BULLET = /^[•·*‣▪◦–-]\s+/

/**
 * Each span of time is one position. Its title and company stand on the same line, or on the lines just before the
 * span that belong to no position yet, or just after it.
 */
function readJobs(lines: readonly string[], thisMonth: number): Job[] {
  const spans = lines.map(line => (BULLET.test(line) ? undefined : findSpan(line, thisMonth)))
  const jobs: Job[] = []
  for (const [i, line] of lines.entries()) {
    const span = spans[i]
    if (!span) continue
    const rest = trimMarks(`${line.slice(0, span.start)} \t ${line.slice(span.end)}`)
    const near = (from: number, step: 1 | -1) => {
      const found: string[] = []
      for (let at = from; found.length < 2 && lines[at] !== undefined && !spans[at]; at += step) {
        if (!isHeaderLine(lines[at]!)) break
        if (step < 0) found.unshift(lines[at]!)
        else found.push(lines[at]!)
      }
      return found
    }
    const [before, after] = [near(i - 1, -1), near(i + 1, 1)]
    const beside = rest !== '' ? lineBeside(before, after, rest) : before.length > 0 ? before : after
    const named = splitHeader(rest !== '' ? [rest, ...beside] : beside)
    jobs.push({ ...named, span, text: [...beside, line].join(' · ').slice(0, MAX_LINE) })
  }
  return jobs.slice(0, 50)
}

/** A line that names a title without a company, or the other way round, has its other half beside it. */
function lineBeside(before: string[], after: string[], rest: string): string[] {
  if (parts(rest).length > 1) return []
  const wantsTitle = !looksLikeTitle(rest)
  const fits = (line: string | undefined): line is string =>
    line !== undefined && looksLikeTitle(line) === wantsTitle && line.length < 80
  const found = [before.at(-1), after[0]].find(fits)
  return found === undefined ? [] : [found]
}

const isHeaderLine = (line: string): boolean => !BULLET.test(line) && line.length <= 120 && !/[.;!?]$/.test(line)

const trimMarks = (text: string): string =>
  text
    .replace(/^[\s,|•·:()\-–—]+|[\s,|•·:(\-–—]+$/g, '')
    .replace(/\s*\t\s*/g, '\t')
    .replace(/\(\s*\)/g, '')
    .trim()

const SEPARATORS = /\s+(?:at|@|bei|chez)\s+|\s*[|•·\t]\s*|\s+[–—-]\s+|,\s+/i

/** `I was Engineer at Acme. I built …`: the sentence around a title is not part of it. */
const phrase = (line: string): string =>
  line
    .replace(/[.;]\s.*$/, '')
    .replace(/^(?:from\s+)?(?:i\s+)?(?:was|am|worked|working)\s+(?:as\s+)?(?:an?\s+|the\s+)?/i, '')

const parts = (line: string): string[] =>
  phrase(line)
    .split(SEPARATORS)
    .map(trimMarks)
    .filter(part => part !== '')

/** The title is the part that names an occupation; the company is the first other part that is no place. */
function splitHeader(header: readonly string[]): { title: string | null; company: string | null } {
  const all = header.flatMap(parts)
  const title = all.find(isTitle) ?? null
  const others = all.filter(part => part !== title && /\p{L}/u.test(part) && part.length <= 80)
  const company = others.find(part => countryOf(part) === undefined && !/^remote$/i.test(part)) ?? null
  return {
    title: title ?? (all.length > 1 && all[0]!.length <= 70 ? all[0]! : null),
    company: company === title ? null : company,
  }
}

/** A title names an occupation in a few words; a sentence that mentions one is none. */
const isTitle = (text: string): boolean => looksLikeTitle(text) && text.length <= 70 && text.split(' ').length <= 8

const isTitleLine = (line: string): boolean => isTitle(line) && !/[@\d]/.test(line)

/** `City, Country` in the head of the document or among the contact details. */
function readPlace(lines: readonly string[]): { city: string | null; country: string } | undefined {
  for (const line of lines) {
    for (const piece of line.split(/[|•·\t;]|\s[–—-]\s/)) {
      const text = piece.replace(/^(?:location|address|city|based in|lives in|wohnort)\s?:?\s+/i, '').trim()
      const names = text.split(/,\s*/)
      const last = names.at(-1)!.replace(/\b[\d-]{3,10}\b/g, '')
      const country = countryOf(last)
      if (country === undefined) continue
      // an address may stand before the city: the part next to the country is it, without its postal code
      const before = names.length > 1 ? names.at(-2)! : ''
      const city = (US_STATE.test(before) && names.length > 2 ? names.at(-3)! : before)
        .replace(/[\d-]{3,10}/g, '')
        .trim()
      if (names.length > 1 && (/\d|@/.test(city) || city.length > 40)) continue
      return { city: city === '' ? null : city, country }
    }
  }
  return undefined
}

const US_STATE = /^[A-Z]{2}$/

const items = (lines: readonly string[]): string[] =>
  lines.flatMap(line =>
    line
      .replace(BULLET, '')
      .replace(/^[\p{L} &/]{3,30}:\s+/u, '')
      .split(/[,;|•·\t]|\s[–—/-]\s/)
      .map(item => item.replace(/^[\s\-–]+|[\s.]+$/g, '')),
  )

function readLanguages(lines: readonly string[]): string[] {
  return unique(
    lines
      .flatMap(line => line.split(/[,;|•·\t/]/))
      .flatMap(item => languageOf(item.replace(BULLET, '').replace(/^[\s\-–]+/, '')) ?? []),
  )
}

function readSkills(listed: readonly string[], more: readonly string[], lines: readonly string[]): string[] {
  const named = items([...listed, ...more]).filter(item => item.length >= 1 && item.length <= 50 && /\p{L}/u.test(item))
  if (named.length > 0) return unique(named).slice(0, 100)
  const text = lines.join('\n').toLowerCase()
  return KNOWN_SKILLS.filter(skill => skill.length > 2 && mentions(text, skill))
}

/** Whether a text, in lower case, names a skill as a word of its own. */
export function mentions(text: string, skill: string): boolean {
  const wanted = skill.toLowerCase()
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text[at + wanted.length] ?? ' '
    if (!/[\p{L}\p{N}+#]/u.test(before) && !/[\p{L}\p{N}+#]/u.test(after)) return true
  }
  return false
}

function unique(list: readonly string[]): string[] {
  const seen = new Set<string>()
  return list.filter(item => !seen.has(item.toLowerCase()) && seen.add(item.toLowerCase()))
}

function readRemote(text: string): boolean | null {
  if (/\b(?:no remote|not remote|on-?site only|office only)\b/i.test(text)) return false
  return /\b(?:open to remote|remote (?:work|only|ok|preferred|friendly)|willing to work remotely|work remotely)\b/i.test(
    text,
  )
    ? true
    : null
}

function readAuthorization(lines: readonly string[]): Pick<Profile, 'work_authorization' | 'visa_required'> {
  const line = lines.find(l =>
    /\b(?:work(?:ing)? (?:authori[sz]ation|permit)|(?:eligible|authori[sz]ed|right|permitted) to work|visa|sponsorship)\b/i.test(
      l,
    ),
  )
  if (line === undefined) return { work_authorization: null, visa_required: null }
  const negated = /\b(?:no|not|without|don['’]t|does not)\b[^.]{0,30}\b(?:visa|sponsorship)|visa not required/i.test(
    line,
  )
  const needed =
    /\b(?:requires?|needs?)\b[^.]{0,20}\b(?:visa|sponsorship)|(?:visa|sponsorship)[^.]{0,12}required/i.test(line)
  return { work_authorization: line.slice(0, 200), visa_required: negated ? false : needed ? true : null }
}

const WEIGHTS: readonly (readonly [number, (p: Profile, s: Sections) => boolean])[] = [
  [0.2, p => p.experience.length > 0],
  [0.15, p => p.current_title !== null && looksLikeTitle(p.current_title)],
  [0.15, p => p.current_company !== null],
  [0.1, (_, s) => (s.get('skills')?.length ?? 0) > 0],
  [0.1, p => p.skills.length >= 3],
  [0.1, p => p.education_level !== null],
  [0.05, (_, s) => (s.get('education')?.length ?? 0) > 0],
  [0.1, p => p.country !== null],
  [0.05, p => p.languages.length > 0],
]

function confidence(profile: Profile, sections: Sections, text: string): number {
  const found = WEIGHTS.reduce((sum, [weight, holds]) => sum + (holds(profile, sections) ? weight : 0), 0)
  // text that was put together wrongly shows as marks, single letters and endless words
  const tokens = text.split(/\s+/).slice(0, 5_000)
  const wordlike = tokens.filter(token => /^[\p{L}\p{N}][\p{L}\p{N}\p{P}+#]{1,24}$/u.test(token)).length
  const quality = Math.min(1, wordlike / Math.max(1, tokens.length) / 0.75)
  return Math.round(found * quality * 100) / 100
}
