import { all, allButOne, any, type Condition, type FieldCode, term } from './conditions.ts'
import {
  ANYWHERE,
  type Frequencies,
  frequencyOf,
  type ParsedQuery,
  type Part,
  stemmed,
  written,
} from './query-parser.ts'
import { phraseKey } from './tokenize.ts'

/*
 * From the parts of a search are made the conditions by which candidates are taken, from the strictest to the loosest,
 * and the features by which they are ranked. A candidate's score is the weighted mean over what was asked for: the best
 * title, the skills, a place, a company, the free text. Within a title or text a rare word weighs more than a common one.
 */

const partIn = (part: Part, fields: readonly FieldCode[]) =>
  any(part.alternatives.map(way => all(way.map(word => any(fields.map(field => term(field, word)))))))

const skillListed = (part: Part) => any(part.alternatives.map(way => term('s', phraseKey(way))))
/** A word that is a skill by itself is written down as such only. */
const MENTIONS: readonly FieldCode[] = ['w', 's']
const skillMentioned = (part: Part) => partIn(part, ['t', ...MENTIONS])

/** In what a profile is about, or anywhere. */
const queryPart = (part: Part, anywhere: boolean) =>
  any(
    part.alternatives.map(way => {
      const words = way.map(word =>
        any([
          term('t', stemmed(word)),
          term('l', written(word)),
          term('c', written(word)),
          ...(way.length === 1 ? [term('s', stemmed(word))] : []),
          ...(anywhere ? [term('w', stemmed(word))] : []),
        ]),
      )
      return way.length === 1 ? all(words) : any([all(words), term('s', phraseKey(way.map(stemmed)))])
    }),
  )

/** One thing that is looked at in each candidate. */
export interface RankingPlan {
  features: Condition[]
  /** conditions, from the strictest to the loosest; each lets in all that those before let in */
  levels: Condition[]
  score: (matched: readonly boolean[]) => number
  /** words of the shortest title that was asked for; 0: none was */
  titleWords: number
}

/** Of more words than this the most telling are taken: an answer must not take longer the longer the question is. */
const MOST_TITLE_PARTS = 8
const MOST_QUERY_PARTS = 16

const WEIGHTS = { titles: 3, skills: 3, locations: 2, companies: 2, query: 4 } as const
/** What a title is worth in other words than those asked for, and what a word is worth that is only mentioned. */
const OTHER_WORDS = 0.9
const MENTIONED = 0.5
const NO_OCCURRENCE_WEIGHT = 0

export function buildRankingPlan(search: ParsedQuery, frequencies: Frequencies, profiles: number): RankingPlan {
  const features: Condition[] = []
  const feature = (condition: Condition) => features.push(condition) - 1
  const weigh = (part: Part, fields: readonly FieldCode[]) => {
    const counts = part.alternatives[0]!.map(word => frequencyOf(frequencies, { word: stemmed(word), fields: fields }))
    const fewest = Math.min(...counts)
    if (fewest > 0) return Math.log(2 + profiles / (1 + fewest))
    // nobody says it so: nobody is found by it, unless it is said in other ways
    return part.alternatives.length > 1 ? Math.log(100) : NO_OCCURRENCE_WEIGHT
  }
  const telling = (parts: readonly Part[], fields: readonly FieldCode[], most: number) =>
    parts.length <= most ? parts : parts.toSorted((a, b) => weigh(b, fields) - weigh(a, fields)).slice(0, most)
  const titles = search.titles.map(parts => telling(parts, ['t'], MOST_TITLE_PARTS))
  const query = telling(search.query, ANYWHERE, MOST_QUERY_PARTS)
  type Scorer = (matched: readonly boolean[]) => number
  const groups: {
    weight: number
    score: Scorer
    strict: Condition
    loose: Condition
    any: Condition
    nearly?: Condition
    place?: boolean
  }[] = []

  /**
   * A weighted mean over parts, each worth what the first of its conditions that holds is worth. What nobody says was
   * asked for nevertheless, as much as the rest: nobody has all of it.
   */
  const mean = (parts: readonly { weight: number; worth: readonly (readonly [Condition, number])[] }[]): Scorer => {
    const said = parts.filter(p => p.weight !== NO_OCCURRENCE_WEIGHT)
    const usual = said.length === 0 ? 1 : said.reduce((sum, p) => sum + p.weight, 0) / said.length
    const numbered = parts.map(p => ({
      weight: p.weight === NO_OCCURRENCE_WEIGHT ? usual : p.weight,
      worth: p.worth.map(([condition, worth]) => [feature(condition), worth]),
    }))
    const total = numbered.reduce((sum, p) => sum + p.weight, 0)
    return matched =>
      numbered.reduce((sum, p) => sum + p.weight * (p.worth.find(([at]) => matched[at!])?.[1] ?? 0), 0) / total
  }
  const best =
    (scorers: readonly Scorer[]): Scorer =>
    matched =>
      Math.max(...scorers.map(score => score(matched)))

  if (titles.length > 0) {
    const scorers = titles.map(parts =>
      mean(
        parts.map(part => ({
          weight: weigh(part, ['t']),
          worth: [
            [partIn({ ...part, alternatives: part.alternatives.slice(0, 1) }, ['t']), 1],
            ...(part.alternatives.length > 1 ? [[partIn(part, ['t']), OTHER_WORDS] as const] : []),
            [partIn(part, MENTIONS), MENTIONED],
          ],
        })),
      ),
    )
    const every = (fields: readonly FieldCode[]) =>
      any(titles.map(parts => all(parts.map(part => partIn(part, fields)))))
    groups.push({
      weight: WEIGHTS.titles,
      score: best(scorers),
      strict: every(['t']),
      loose: every(['t', ...MENTIONS]),
      any: any(
        titles.map(parts =>
          partIn(
            rarest(parts, part => weigh(part, ['t'])),
            ['t'],
          ),
        ),
      ),
    })
  }
  if (search.skills.length > 0) {
    const skills = search.skills.map(part => ({ listed: skillListed(part), mentioned: skillMentioned(part) }))
    const either = skills.map(s => any([s.listed, s.mentioned]))
    groups.push({
      weight: WEIGHTS.skills,
      score: mean(
        skills.map(s => ({
          weight: 1,
          worth: [
            [s.listed, 1],
            [s.mentioned, MENTIONED],
          ],
        })),
      ),
      strict: all(either),
      nearly: allButOne(either),
      loose: any(either),
      any: any(skills.map(s => s.listed)),
    })
  }
  for (const [name, field] of [
    ['locations', 'l'],
    ['companies', 'c'],
  ] as const) {
    if (search[name].length === 0) continue
    const conditions = search[name].map(parts => all(parts.map(part => partIn(part, [field]))))
    const found = conditions.map(feature)
    const condition = any(conditions)
    groups.push({
      weight: WEIGHTS[name],
      score: matched => (found.some(at => matched[at]) ? 1 : 0),
      strict: condition,
      loose: condition,
      any: condition,
      // who merely lives there was not looked for
      place: field === 'l',
    })
  }
  if (query.length > 0) {
    const anywhere = query.map(part => queryPart(part, true))
    const weight = (part: Part) => weigh(part, ANYWHERE)
    groups.push({
      weight: WEIGHTS.query,
      score: mean(
        query.map((part, i) => ({
          weight: weight(part),
          worth: [
            [queryPart(part, false), 1],
            [anywhere[i]!, 0.7],
          ],
        })),
      ),
      strict: all(anywhere),
      loose: allButOne(anywhere),
      any: queryPart(rarest(query, weight), true),
    })
  }

  const total = groups.reduce((sum, g) => sum + g.weight, 0)
  const levels = [
    all(groups.map(g => g.strict)),
    all(groups.map(g => g.nearly ?? g.strict)),
    all(groups.map(g => (g.nearly ? g.loose : g.strict))),
    all(groups.map(g => g.loose)),
    ...(groups.length > 1 ? [allButOne(groups.map(g => g.loose))] : []),
    any((groups.length > 1 ? groups.filter(g => !g.place) : groups).map(g => g.any)),
  ]
  return {
    features,
    levels: [...new Map(levels.map(level => [level.text, level])).values()],
    score: matched => groups.reduce((sum, g) => sum + g.weight * g.score(matched), 0) / total,
    titleWords: titles.length === 0 ? 0 : Math.min(...titles.map(wordCount)),
  }
}

const wordCount = (parts: readonly Part[]) => parts.reduce((sum, part) => sum + part.alternatives[0]!.length, 0)

/** The part that tells most; ties go to the last, which in English is what the thing is. */
const rarest = (parts: readonly Part[], weight: (part: Part) => number): Part =>
  parts.reduce((found, part) => (weight(part) >= weight(found) ? part : found))

export const MATCH_TIERS = ['strong', 'good', 'fair', 'weak'] as const
export type MatchTier = (typeof MATCH_TIERS)[number]

export interface Ranked {
  id: string
  score: number
  tier: MatchTier
}

export const tierOf = (score: number): MatchTier =>
  score >= 80 ? 'strong' : score >= 60 ? 'good' : score >= 40 ? 'fair' : 'weak'

export interface RankingCandidate {
  profile_id: string
  title_words: number
  matched: readonly boolean[]
}

export const matchScore = (plan: RankingPlan, matched: readonly boolean[]): number =>
  Math.max(1, Math.round(100 * plan.score(matched)))

/** Best first; of equals the one whose title says least beyond what was asked. */
export function rank(plan: RankingPlan, candidates: readonly RankingCandidate[], limit: number): Ranked[] {
  const surplus = (c: RankingCandidate) => (plan.titleWords === 0 ? 0 : Math.abs(c.title_words - plan.titleWords))
  return candidates
    .map(c => ({ c, score: matchScore(plan, c.matched) }))
    .sort((a, b) => b.score - a.score || surplus(a.c) - surplus(b.c) || (a.c.profile_id < b.c.profile_id ? -1 : 1))
    .slice(0, limit)
    .map(({ c, score }) => ({ id: c.profile_id, score, tier: tierOf(score) }))
}
