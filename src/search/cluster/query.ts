import type { Condition } from '../conditions.ts'
import type { Formula, WeightedPlan } from '../query-plan.ts'

/*
 * A plan in the language of the cluster. Conditions become filters. The formula of the score becomes constant scores: the
 * best of several is a `dis_max`, a weighted mean a sum of parts that are multiplied by their share.
 */

export type Query = Readonly<Record<string, unknown>>

/** The cluster refuses a query of more than 1,024 clauses. */
const MAX_CLAUSES = 1_000

/** So little that it never outweighs a point of the score: titles with fewer other words come first among equals. */
const SURPLUS_WORTH = 0.004
const SURPLUS_STEPS = 3

/** Whether the cluster would take it as a filter. */
export const fitsCluster = (level: Condition): boolean => countClauses(buildFilter(level)) <= MAX_CLAUSES

/**
 * The profiles that meet a condition, best first as far as the cluster can tell. The database computes the scores of those
 * that it returns, so a request that is too long for the whole formula loses no more than some order among many candidates.
 */
export function rankedQuery(plan: WeightedPlan, level: Condition): Query {
  const filter = buildFilter(level)
  for (const worths of [Number.POSITIVE_INFINITY, 1]) {
    const should = [scoreOf(plan.formula, 1, worths), ...surplusOf(plan.titleWords)]
    if (countClauses(filter) + countClauses(should) <= MAX_CLAUSES) return { bool: { filter, should } }
  }
  return { bool: { filter } }
}

export function buildFilter(condition: Condition): Query {
  if (condition.term !== undefined) return { term: { terms: condition.term } }
  if (condition.allButOneOf) {
    const should = condition.allButOneOf.map(buildFilter)
    return { bool: { should, minimum_should_match: should.length - 1 } }
  }
  if (condition.all) return { bool: { filter: condition.all.map(buildFilter) } }
  const any = condition.any ?? []
  const terms = any.flatMap(part => part.term ?? [])
  const others = any.filter(part => part.term === undefined).map(buildFilter)
  const named = terms.length === 0 ? [] : [{ terms: { terms } }]
  const should = [...named, ...others]
  return should.length === 1 && should[0] ? should[0] : { bool: { should, minimum_should_match: 1 } }
}

/** A score of 0 to `share`. Of what may be worth something for the same part, the first `most` count. */
function scoreOf(formula: Formula, share: number, most: number): Query {
  if ('best' in formula) {
    const worths = formula.best.slice(0, most)
    return highest(worths.map(({ condition, worth }) => constant(buildFilter(condition), share * worth)))
  }
  if ('most' in formula) return highest(formula.most.map(one => scoreOf(one, share, most)))
  const total = formula.mean.reduce((sum, { weight }) => sum + weight, 0)
  return { bool: { should: formula.mean.map(({ weight, of }) => scoreOf(of, (share * weight) / total, most)) } }
}

const highest = (queries: readonly Query[]): Query =>
  queries.length === 1 && queries[0] ? queries[0] : { dis_max: { queries } }

const surplusOf = (titleWords: number): Query[] =>
  titleWords === 0
    ? []
    : Array.from({ length: SURPLUS_STEPS }, (_, surplus) => {
        const counts = [...new Set([titleWords + surplus, titleWords - surplus])].filter(count => count > 0)
        return constant({ terms: { title_words: counts } }, SURPLUS_WORTH * (1 - surplus / SURPLUS_STEPS))
      })

const constant = (filter: Query, boost: number): Query => ({ constant_score: { filter, boost } })

/** Clauses as the cluster counts them: every query that has no other inside. */
export function countClauses(query: unknown): number {
  if (Array.isArray(query)) return query.reduce((sum, one) => sum + countClauses(one), 0)
  if (typeof query !== 'object' || query === null) return 0
  if ('term' in query || 'terms' in query) return 1
  return Object.values(query).reduce((sum: number, one) => sum + countClauses(one), 0)
}
