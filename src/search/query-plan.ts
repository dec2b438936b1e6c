import { present } from '../kernel/errors/present.ts'
import { phraseKey } from '../kernel/text/tokenize.ts'
import { all, allButOne, any, type Condition, type FieldCode, term } from './conditions.ts'
import {
  ANY_FIELD,
  type Frequencies,
  findFrequency,
  type ParsedQuery,
  type QueryPart,
  type QueryWord,
} from './query-parser.ts'

/*
 * A plan has levels, the conditions by which candidates are selected, from the strictest to the loosest, and features,
 * the conditions by which they are ranked. Each list of the request and the free text is a criterion with a weight; the
 * score of a profile is the weighted mean of its criteria. Within a title or the free text a rare word weighs more than
 * a common one.
 */

export interface RankingPlan {
  features: readonly Condition[]
  /** each level admits all profiles of the levels before it */
  levels: Condition[]
  /** 0 to 1, from the features that a profile meets */
  score: (matched: readonly boolean[]) => number
  /** words of the shortest title searched for; 0 without titles */
  titleWords: number
}

/**
 * How a score comes about, from the conditions themselves: what the first that holds is worth, in descending order; the
 * weighted mean of others; or the highest of others.
 */
export type Formula =
  | { best: readonly { condition: Condition; position: number; worth: number }[] }
  | { mean: readonly { weight: number; of: Formula }[] }
  | { most: readonly Formula[] }

/** A plan whose score can be computed elsewhere too. */
export interface WeightedPlan extends RankingPlan {
  formula: Formula
}

interface Criterion {
  weight: number
  formula: Formula
  /** met by a full match */
  strict: Condition
  /** all but one, where the criterion allows for that before `loose` */
  nearly?: Condition
  loose: Condition
  /** the least by which a profile is found at all; undefined: this criterion alone finds no profile */
  any: Condition | undefined
}

const WEIGHTS = { titles: 3, skills: 3, locations: 2, companies: 2, query: 4 } as const

/** The worth of a title that uses a synonym, and of a title word or skill that is only mentioned elsewhere. */
const SYNONYM_WORTH = 0.9
const MENTION_WORTH = 0.5
/** The worth of a word of the free text that occurs only in a text. */
const TEXT_WORTH = 0.7

/** With more words than this, the rarest count: the time of a search must not grow with the length of the request. */
const MAX_TITLE_PARTS = 8
const MAX_QUERY_PARTS = 16

export function buildRankingPlan(query: ParsedQuery, frequencies: Frequencies, profiles: number): WeightedPlan {
  const features = new Features()
  const weigh = weigherOf(frequencies, profiles)
  const titles = query.titles.map(parts => rarestParts(parts, part => weigh(part, ['t']), MAX_TITLE_PARTS))
  const freeText = rarestParts(query.query, part => weigh(part, ANY_FIELD), MAX_QUERY_PARTS)
  const criteria = [
    titles.length > 0 && titleCriterion(titles, weigh, features),
    query.skills.length > 0 && skillCriterion(query.skills, features),
    query.locations.length > 0 && fieldCriterion('locations', query.locations, features),
    query.companies.length > 0 && fieldCriterion('companies', query.companies, features),
    freeText.length > 0 && queryCriterion(freeText, weigh, features),
  ].filter(criterion => criterion !== false)
  const formula = { mean: criteria.map(({ weight, formula }) => ({ weight, of: formula })) }
  return {
    features: features.conditions,
    levels: levelsOf(criteria),
    formula,
    score: matched => evaluate(formula, matched),
    titleWords: titles.length === 0 ? 0 : Math.min(...titles.map(wordCount)),
  }
}

/** Each level is looser than the one before, so it is the last. */
export const loosest = <L>(levels: readonly L[]): L => present(levels.at(-1), 'a level')

function levelsOf(criteria: readonly Criterion[]): Condition[] {
  const several = criteria.length > 1
  const levels = [
    all(criteria.map(c => c.strict)),
    all(criteria.map(c => c.nearly ?? c.strict)),
    all(criteria.map(c => (c.nearly ? c.loose : c.strict))),
    all(criteria.map(c => c.loose)),
    ...(several ? [allButOne(criteria.map(c => c.loose))] : []),
    any(several ? criteria.flatMap(c => c.any ?? []) : criteria.map(c => c.any ?? c.loose)),
  ]
  return [...new Map(levels.map(level => [level.text, level])).values()]
}

// Criteria

/** The best of the titles, each by its words. */
function titleCriterion(titles: readonly (readonly QueryPart[])[], weigh: Weigh, features: Features): Criterion {
  const weight = (part: QueryPart) => weigh(part, ['t'])
  const worths = (part: QueryPart): Worths => [
    [partIn({ ...part, alternatives: [part.alternatives[0]] }, ['t']), 1],
    ...(part.alternatives.length > 1 ? [[partIn(part, ['t']), SYNONYM_WORTH] as const] : []),
    [partIn(part, MENTIONS), MENTION_WORTH],
  ]
  const means = titles.map(parts =>
    weightedMean(
      parts.map(part => ({ weight: weight(part), worths: worths(part) })),
      features,
    ),
  )
  const anyTitleIn = (fields: readonly FieldCode[]) =>
    any(titles.map(parts => all(parts.map(part => partIn(part, fields)))))
  return {
    weight: WEIGHTS.titles,
    formula: { most: means },
    strict: anyTitleIn(['t']),
    loose: anyTitleIn(['t', ...MENTIONS]),
    any: any(titles.map(parts => partIn(rarestPart(parts, weight), ['t']))),
  }
}

/** All skills weigh the same. */
function skillCriterion(parts: readonly QueryPart[], features: Features): Criterion {
  const skills = parts.map(part => ({ listed: skillListed(part), mentioned: partIn(part, ['t', ...MENTIONS]) }))
  const either = skills.map(s => any([s.listed, s.mentioned]))
  const worths = skills.map(({ listed, mentioned }) => ({
    weight: 1,
    worths: [
      [listed, 1],
      [mentioned, MENTION_WORTH],
    ] as const,
  }))
  return {
    weight: WEIGHTS.skills,
    formula: weightedMean(worths, features),
    strict: all(either),
    nearly: allButOne(either),
    loose: any(either),
    any: any(skills.map(s => s.listed)),
  }
}

/** One of the places, or one of the companies: met or not. The place alone finds no profile. */
function fieldCriterion(
  name: 'locations' | 'companies',
  values: readonly (readonly QueryPart[])[],
  features: Features,
): Criterion {
  const field = name === 'locations' ? 'l' : 'c'
  const conditions = values.map(parts => all(parts.map(part => partIn(part, [field]))))
  const condition = any(conditions)
  return {
    weight: WEIGHTS[name],
    formula: { best: conditions.map(condition => ({ condition, position: features.position(condition), worth: 1 })) },
    strict: condition,
    loose: condition,
    any: name === 'locations' ? undefined : condition,
  }
}

/** The words of the free text, in any field. */
function queryCriterion(parts: readonly QueryPart[], weigh: Weigh, features: Features): Criterion {
  const weight = (part: QueryPart) => weigh(part, ANY_FIELD)
  const found = parts.map(part => ({ part, named: queryPart(part, false), anywhere: queryPart(part, true) }))
  const anywhere = found.map(one => one.anywhere)
  const worths = found.map(({ part, named, anywhere }) => ({
    weight: weight(part),
    worths: [
      [named, 1],
      [anywhere, TEXT_WORTH],
    ] as const,
  }))
  return {
    weight: WEIGHTS.query,
    formula: weightedMean(worths, features),
    strict: all(anywhere),
    loose: allButOne(anywhere),
    any: queryPart(rarestPart(parts, weight), true),
  }
}

// Conditions of parts

const AS_WRITTEN: ReadonlySet<FieldCode> = new Set(['c', 'l'])

const wordIn = (field: FieldCode, word: QueryWord) => term(field, AS_WRITTEN.has(field) ? word.written : word.stem)

const partIn = (part: QueryPart, fields: readonly FieldCode[]) =>
  any(part.alternatives.map(words => all(words.map(word => any(fields.map(field => wordIn(field, word)))))))

const skillTerm = (words: readonly QueryWord[]) => term('s', phraseKey(words.map(word => word.stem)))

const skillListed = (part: QueryPart) => any(part.alternatives.map(skillTerm))

/** Where a word is only mentioned. A one-word skill is indexed as a skill and not again as text. */
const MENTIONS: readonly FieldCode[] = ['w', 's']

const IDENTIFYING: readonly FieldCode[] = ['t', 'l', 'c']

/** In title, place, company and skills; with `inText` in any text too. */
const queryPart = (part: QueryPart, inText: boolean) =>
  any(
    part.alternatives.map(words => {
      const single = words.length === 1
      const fields: readonly FieldCode[] = [
        ...IDENTIFYING,
        ...(single ? ['s' as const] : []),
        ...(inText ? ['w' as const] : []),
      ]
      const everyWord = all(words.map(word => any(fields.map(field => wordIn(field, word)))))
      return single ? everyWord : any([everyWord, skillTerm(words)])
    }),
  )

// Weights and scores

/** The conditions that are evaluated for every candidate, each once. */
class Features {
  readonly #positions = new Map<string, number>()
  readonly conditions: Condition[] = []

  position(condition: Condition): number {
    let position = this.#positions.get(condition.text)
    if (position === undefined) {
      position = this.conditions.push(condition) - 1
      this.#positions.set(condition.text, position)
    }
    return position
  }
}

type Weigh = (part: QueryPart, fields: readonly FieldCode[]) => number

/** The weight of a part that no profile has: see `weightedMean`. */
const NO_OCCURRENCE_WEIGHT = 0
/** The weight of a part that occurs only as a synonym: that of a word which about every hundredth profile has. */
const SYNONYM_ONLY_WEIGHT = Math.log(100)

/** The rarer its rarest word, the more a part weighs. */
const weigherOf =
  (frequencies: Frequencies, profiles: number): Weigh =>
  (part, fields) => {
    const counts = part.alternatives[0].map(({ stem }) => findFrequency(frequencies, { word: stem, fields }))
    const fewest = Math.min(...counts)
    if (fewest > 0) return Math.log(2 + profiles / (1 + fewest))
    return part.alternatives.length > 1 ? SYNONYM_ONLY_WEIGHT : NO_OCCURRENCE_WEIGHT
  }

/** Conditions with what they are worth; the first that holds counts. */
type Worths = readonly (readonly [Condition, number])[]

/** A part that no profile has weighs as much as the others do on average: it was searched for, and is missing. */
function weightedMean(parts: readonly { weight: number; worths: Worths }[], features: Features): Formula {
  const occurring = parts.filter(p => p.weight !== NO_OCCURRENCE_WEIGHT)
  const average = occurring.length === 0 ? 1 : occurring.reduce((sum, p) => sum + p.weight, 0) / occurring.length
  return {
    mean: parts.map(p => ({
      weight: p.weight === NO_OCCURRENCE_WEIGHT ? average : p.weight,
      of: {
        best: p.worths.map(([condition, worth]) => ({ condition, position: features.position(condition), worth })),
      },
    })),
  }
}

/** 0 to 1, from the features that a profile meets. It runs for every pattern of features that occurs, hence the loops. */
function evaluate(formula: Formula, matched: readonly boolean[]): number {
  if ('best' in formula) {
    for (const { position, worth } of formula.best) if (matched[position]) return worth
    return 0
  }
  if ('most' in formula) {
    let most = 0
    for (const one of formula.most) most = Math.max(most, evaluate(one, matched))
    return most
  }
  let [sum, total] = [0, 0]
  for (const { weight, of } of formula.mean) {
    sum += weight * evaluate(of, matched)
    total += weight
  }
  return sum / total
}

const rarestParts = (
  parts: readonly QueryPart[],
  weight: (part: QueryPart) => number,
  max: number,
): readonly QueryPart[] => (parts.length <= max ? parts : parts.toSorted((a, b) => weight(b) - weight(a)).slice(0, max))

/** Chooses the last of equally rare parts, which in an English title is the noun. */
const rarestPart = (parts: readonly QueryPart[], weight: (part: QueryPart) => number): QueryPart =>
  parts.reduce((found, part) => (weight(part) >= weight(found) ? part : found))

const wordCount = (parts: readonly QueryPart[]) => parts.reduce((sum, part) => sum + part.alternatives[0].length, 0)
