/**
 * How well a résumé matches a job, by fixed rules: the same résumé and job always give the same score, every point is
 * explained, and a résumé that shows more never scores less.
 *
 * Four parts, each from 0 to 1: required skills (60), preferred skills (15), years of experience (15), seniority (10).
 * A part that the job does not ask for does not count; the others share its weight.
 */
export const MODEL_VERSION = 'rules-2026-11-01'

export interface WantedByJob {
  skillsRequired: readonly string[]
  skillsPreferred: readonly string[]
  experienceLevel: string | null
  yearsMin: number | null
}

export interface FoundInResume {
  skills: readonly string[]
  /** the full text: a skill that is named anywhere counts */
  text: string
  seniority: string | null
  years: number | null
}

export interface MatchScore {
  match_pct: number
  gaps: string[]
  rationale: string
}

const LADDER = ['intern', 'junior', 'mid', 'senior', 'lead', 'principal']

interface Part {
  weight: number
  value: number
  gaps: string[]
  says: string
}

/** undefined where the job asks for nothing that could be matched */
export function scoreMatch(job: WantedByJob, resume: FoundInResume): MatchScore | undefined {
  const shows = skillFinder(resume)
  const parts = [
    skillPart(60, 'required', job.skillsRequired, shows),
    skillPart(15, 'preferred', job.skillsPreferred, shows),
    yearsPart(15, job.yearsMin, resume.years),
    levelPart(10, job.experienceLevel, resume.seniority),
  ].filter(part => part !== undefined)
  const total = parts.reduce((sum, part) => sum + part.weight, 0)
  if (total === 0) return undefined
  const earned = parts.reduce((sum, part) => sum + part.weight * part.value, 0)
  return {
    match_pct: Math.round((earned / total) * 100),
    gaps: parts.flatMap(part => part.gaps),
    rationale: parts.map(part => part.says).join(' '),
  }
}

const normal = (skill: string): string =>
  skill
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}+#.]+/gu, ' ')
    .trim()

function skillFinder({ skills, text }: FoundInResume): (skill: string) => boolean {
  const listed = new Set(skills.map(normal))
  const words = ` ${normal(text)} `
  const bare = words.replace(/\.(?=\s)/g, '')
  return skill => {
    const wanted = normal(skill)
    return wanted !== '' && (listed.has(wanted) || words.includes(` ${wanted} `) || bare.includes(` ${wanted} `))
  }
}

function skillPart(
  weight: number,
  kind: 'required' | 'preferred',
  wanted: readonly string[],
  shows: (skill: string) => boolean,
): Part | undefined {
  const skills = [...new Map(wanted.map(skill => [normal(skill), skill.trim()])).values()].filter(s => s !== '')
  if (skills.length === 0) return undefined
  const missing = skills.filter(skill => !shows(skill))
  const found = skills.length - missing.length
  return {
    weight,
    value: found / skills.length,
    gaps: missing.map(skill => `${kind} skill not found: ${skill}`),
    says: `${found} of ${skills.length} ${kind} skills found${missing.length > 0 ? ` (not ${missing.join(', ')})` : ''}.`,
  }
}

function yearsPart(weight: number, wanted: number | null, years: number | null): Part | undefined {
  if (wanted === null || wanted <= 0) return undefined
  if (years === null) {
    const gap = `years of experience not stated (${wanted} required)`
    return { weight, value: 0, gaps: [gap], says: `Years of experience: not stated (${wanted} required).` }
  }
  const value = Math.min(1, years / wanted)
  return {
    weight,
    value,
    gaps: value < 1 ? [`${years} years of experience (${wanted} required)`] : [],
    says: `${years} years of experience (${wanted} required).`,
  }
}

function levelPart(weight: number, wanted: string | null, level: string | null): Part | undefined {
  const asked = wanted === null ? -1 : LADDER.indexOf(wanted)
  if (asked < 0) return undefined
  const has = level === null ? -1 : LADDER.indexOf(level)
  const short = asked - has
  const value = has < 0 ? 0 : short <= 0 ? 1 : short === 1 ? 0.5 : 0
  return {
    weight,
    value,
    gaps: value < 1 ? [`level ${level ?? 'not stated'} (${wanted} required)`] : [],
    says: `Level: ${level ?? 'not stated'} (${level === wanted ? 'as' : wanted} required).`,
  }
}
