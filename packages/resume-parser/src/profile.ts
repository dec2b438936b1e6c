import { readAuthorization } from './authorization.ts'
import { cleanTexts, joinedContactsCut, withoutContacts } from './cut-contacts.ts'
import { type Span, yearsCovered } from './dates.ts'
import { readEducation, withoutTrailingUnknown } from './education.ts'
import { type TextLine, toLine, toLines, trimMarks } from './lines.ts'
import { readPlace } from './place.ts'
import { readPositions } from './positions.ts'
import { readContact } from './read-contact.ts'
import { type Sections, splitSections } from './sections.ts'
import { listedSkills, mentionedSkills, readLanguages, spokenLanguages } from './skills.ts'
import { findDegreeLevel, highestLevel, namesSchool } from './vocabulary/degrees.ts'
import { namesOrganization } from './vocabulary/organizations.ts'
import { estimateSeniority, looksLikeTitle } from './vocabulary/titles.ts'
import type { WorkPosition } from './work-position.ts'

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

/** `today` as YYYY-MM: what `present` means. Ways to reach the person are cut out before anything is read. */
export function parseProfile(text: string, today: string): Profile {
  const [year, month] = today.split('-').map(Number) as [number, number]
  const thisMonth = year * 12 + month
  const all = toLines(text)
  const { name } = readContact(text)
  const lines = joinedContactsCut(
    all.filter(line => !isFooter(line, name)).map(line => line.text),
    name,
  )
    .flatMap(line => withoutContacts(line, name) ?? [])
    .filter(line => /[\p{L}\p{N}]/u.test(line))
    .map(toLine)
  const sections = splitSections(lines)
  const of = (section: Parameters<Sections['get']>[0]) => sections.get(section) ?? []
  // without a heading to go by, spans of time anywhere but in the education are taken for positions
  const marked = of('experience').length > 0
  const where = marked ? of('experience') : [...sections].flatMap(([part, own]) => (part === 'education' ? [] : own))
  const positions = readPositions(where, thisMonth)
  const current = currentOf(positions)
  const years = positions.length > 0 ? yearsCovered(positions.map(p => p.span)) : statedYears(text)
  const headline = of('top').slice(0, 8).flatMap(headlines).find(isHeadline)
  const title = current?.title ?? headline ?? null
  const place = readPlace([
    ...of('top').slice(0, 14),
    ...of('contact'),
    ...of('summary').slice(0, 3),
    ...belowName(all, name),
  ])
  const studies =
    of('education').length > 0
      ? of('education')
      : lines.filter(line => !where.includes(line) || !marked).filter(describesStudies)
  const education = readEducation(studies, thisMonth)
  const listed = listedSkills(of('skills').filter(line => !studies.includes(line)))
  const profile: Profile = {
    current_title: title,
    current_company: current?.company ?? null,
    seniority: estimateSeniority(title, years),
    total_years_experience: years,
    city: place.city,
    country: place.country,
    remote_ok: readRemote(text),
    education_level: highestLevel([...education, ...studies.map(line => line.text)]),
    skills: listed.length > 0 ? listed : mentionedSkills(lines.map(line => line.text).join('\n')),
    languages: sections.has('languages') ? readLanguages(of('languages')) : spokenLanguages(lines),
    extraction_confidence: 0,
    experience: positions.map(position => position.text),
    education:
      education.length > 0
        ? education
        : withoutTrailingUnknown(studies, thisMonth)
            .slice(0, 30)
            .map(line => trimMarks(line.parts.join(' · '))),
    ...readAuthorization(sections),
  }
  return cleanTexts(
    { ...profile, extraction_confidence: confidence(profile, positions, marked, listed.length, text) },
    name,
  )
}

/** The name again at the edge of a page, with the kind of the paper: `Ada Byron · Résumé   2` */
const isFooter = (line: TextLine, name: string | null): boolean =>
  name !== null &&
  line.text.includes(name) &&
  /(?:résumé|resume|curriculum|lebenslauf|\bcv\b)/i.test(line.text) &&
  line.text !== name

const BELOW_NAME = 4

/** Lines below the name. Where a column precedes the name, they are not the top of the text. */
function belowName(lines: readonly TextLine[], name: string | null): TextLine[] {
  const at = name === null ? -1 : lines.findIndex(line => line.text.includes(name))
  return at < 0 ? [] : lines.slice(at + 1, at + 1 + BELOW_NAME)
}

const currentOf = (positions: readonly WorkPosition[]): WorkPosition | undefined =>
  positions.find(p => p.span.current && p.title !== null) ??
  positions.find(p => p.span.current) ??
  positions.toSorted((a, b) => b.span.to - a.span.to)[0]

/** `8+ years of experience`, for a résumé without dates */
function statedYears(text: string): number | null {
  const stated = /\b(\d{1,2})\+?\s+years?['’]?\s+(?:of\s+)?(?:\p{L}{1,20}\s+){0,3}experience\b/iu.exec(text)
  return stated ? Number(stated[1]) : null
}

const headlines = (line: TextLine): string[] =>
  line.parts.flatMap(part => part.split(/\s{0,3}[|•·]\s{0,3}|\s{1,3}(?:at|bei|chez)\s{1,3}/))

/** A short line below the name that names an occupation. */
const isHeadline = (text: string): boolean =>
  looksLikeTitle(text) && text.length <= 60 && text.split(' ').length <= 7 && !/[@\d.!?]/.test(text)

/** Without a heading, a line with a degree and a school tells of studies. */
const describesStudies = (line: TextLine): boolean =>
  line.text.length <= 200 &&
  findDegreeLevel(line.text) !== null &&
  (namesSchool(line.text) || /\bdegree\b/i.test(line.text))

function readRemote(text: string): boolean | null {
  if (/\b(?:no remote|not remote|on-?site only|office only)\b/i.test(text)) return false
  return /\b(?:open to remote|remote (?:work|only|ok|preferred|friendly)|willing to work remotely|work remotely)\b/i.test(
    text,
  )
    ? true
    : null
}

const share = <T>(list: readonly T[], holds: (item: T) => boolean): number =>
  list.length === 0 ? 0 : list.filter(holds).length / list.length

const PLAUSIBLE_MONTHS = 60 * 12
const isPlausible = ({ from, to }: Span): boolean => to > from && to - from < PLAUSIBLE_MONTHS

/**
 * How much was found, and how surely. What matters most to a reader of the profile limits the whole: without a title
 * whose words are known, and an employer, it is never high.
 */
function confidence(
  profile: Profile,
  positions: readonly WorkPosition[],
  marked: boolean,
  listed: number,
  text: string,
): number {
  const whole = share(positions, p => p.title !== null && p.company !== null && p.certain && isPlausible(p.span))
  const titled = profile.current_title !== null && looksLikeTitle(profile.current_title)
  const placed =
    profile.current_company !== null &&
    (!looksLikeTitle(profile.current_company) || namesOrganization(profile.current_company))
  const found =
    0.25 * whole +
    (titled ? 0.15 : 0) +
    (placed ? 0.15 : 0) +
    (marked ? 0.05 : 0) +
    (listed >= 3 ? 0.15 : listed > 0 ? 0.08 : 0) +
    (profile.education_level !== null ? 0.1 : 0) +
    (profile.education.length > 0 ? 0.05 : 0) +
    (profile.city !== null || profile.country !== null ? 0.05 : 0) +
    (profile.languages.length > 0 ? 0.05 : 0)
  const limit = !titled || !placed ? 0.55 : whole < 0.5 ? 0.65 : 1
  // text that was put together wrongly shows as marks, single letters and endless words
  const tokens = text.split(/\s+/).slice(0, 5_000)
  const wordlike = tokens.filter(token => /^[\p{L}\p{N}][\p{L}\p{N}\p{P}+#]{1,24}$/u.test(token)).length
  const quality = Math.min(1, wordlike / Math.max(1, tokens.length) / 0.75)
  return Math.round(Math.min(found, limit) * quality * 100) / 100
}
