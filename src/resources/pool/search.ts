import { all, allButOne, any, type Condition, type FieldCode, term } from './conditions.ts'
import type { MatchTier } from './shape.ts'
import { SYNONYMS, type Synonyms } from './synonyms.ts'
import { editDistance, joined, LEGAL_FORMS, STOP_WORDS, slipsAllowed, stemsOf, wordsOf } from './words.ts'

/*
 * A search is read into parts: words, or phrases that have synonyms. From the parts are made the conditions by which
 * candidates are taken from the index, from the strictest to the loosest, and the features by which they are ranked.
 *
 * A candidate's score is the weighted mean over what was asked for: the best title, the skills, a place, a company, the
 * free text. Within a title or text a rare word weighs more than a common one.
 */

export interface PoolSearch {
  query?: string
  titles: readonly string[]
  skills: readonly string[]
  companies: readonly string[]
  locations: readonly string[]
}

/** Words that must all be there, in each of several ways to say the same. The first way is the one that was asked. */
interface Part {
  ways: string[][]
  /** whether it is a phrase that the synonyms know: then it is spelt right */
  known: boolean
}

export interface ReadSearch {
  titles: Part[][]
  skills: Part[]
  companies: Part[][]
  locations: Part[][]
  query: Part[]
}

/** Cuts words into the longest phrases that have synonyms, and single words. */
function partsOf(words: readonly string[], tables: readonly Synonyms[]): Part[] {
  const longest = Math.max(...tables.map(t => t.longest))
  const parts: Part[] = []
  for (let at = 0; at < words.length; ) {
    let length = Math.min(longest, words.length - at)
    let ways: (readonly string[])[] = []
    for (; length > 0; length--) {
      const phrase = words.slice(at, at + length)
      ways = tables.flatMap(t => t.of(phrase) ?? [])
      if (ways.length > 0) break
    }
    const taken = Math.max(length, 1)
    const own = words.slice(at, at + taken)
    const others = ways.filter(way => way.join(' ') !== own.join(' ')).map(way => [...way])
    parts.push({ ways: [[...own], ...others], known: ways.length > 0 })
    at += taken
  }
  return parts
}

/** Of a word order other than the usual one the synonyms are found all the same. */
function phrasePart(words: readonly string[], table: Synonyms): Part {
  const ways = table.of(words) ?? table.of(words.toSorted()) ?? table.of(words.toReversed())
  const own = words.join(' ')
  return {
    ways: [[...words], ...(ways ?? []).filter(way => way.join(' ') !== own).map(way => [...way])],
    known: ways !== undefined,
  }
}

const { titles: TITLES, skills: SKILLS, places: PLACES } = SYNONYMS

/** Words that were misspelt, with what they are taken for. */
export type Corrections = ReadonlyMap<string, string>

const NO_CORRECTIONS: Corrections = new Map()

export function readSearch(search: PoolSearch, corrections = NO_CORRECTIONS): ReadSearch {
  const filled = <T>(lists: T[][]) => lists.filter(list => list.length > 0)
  const without = (left: ReadonlySet<string>) => (words: string[]) => {
    const kept = words.filter(word => !left.has(word))
    return kept.length > 0 ? kept : words
  }
  const meant = without(STOP_WORDS)
  const company = without(LEGAL_FORMS)
  /** A corrected word finds its synonyms; the way it was written remains one way to say it. */
  const corrected = (words: string[], read: (words: string[]) => Part[]): Part[] => {
    const right = words.map(word => corrections.get(word) ?? word)
    const parts = read(right)
    if (right.every((word, at) => word === words[at])) return parts
    let at = 0
    for (const part of parts) {
      const own = words.slice(at, at + part.ways[0]!.length)
      at += own.length
      if (own.join(' ') !== part.ways[0]!.join(' ')) part.ways.push(own)
    }
    return parts
  }
  const single = (words: string[]): Part[] => words.map(word => ({ ways: [[word]], known: false }))
  return {
    titles: filled(search.titles.map(text => corrected(meant(stemsOf(text)), w => partsOf(w, [TITLES, SKILLS])))),
    skills: filled(search.skills.map(stemsOf)).flatMap(words => corrected(words, w => [phrasePart(w, SKILLS)])),
    companies: filled(search.companies.map(text => corrected(company(wordsOf(text)), single))),
    locations: filled(search.locations.map(text => corrected(meant(wordsOf(text)), w => partsOf(w, [PLACES])))),
    query: corrected(meant(wordsOf(search.query ?? '')).map(both), w => partsOf(w, [BOTH])),
  }
}

/** Words of free text are looked for as places and companies too, which are not stemmed: `as written|stem`. */
const both = (word: string) => `${word}|${stemsOf(word)[0] ?? word}`
const written = (word: string) => word.split('|')[0]!
const stemmed = (word: string) => word.split('|')[1] ?? written(word)
const BOTH: Synonyms = {
  longest: Math.max(TITLES.longest, SKILLS.longest, PLACES.longest),
  of: words => {
    const ways = [
      ...(TITLES.of(words.map(stemmed)) ?? []),
      ...(SKILLS.of(words.map(stemmed)) ?? []),
      ...(PLACES.of(words.map(written)) ?? []),
    ]
    return ways.length === 0 ? undefined : ways
  },
}

/** A word in the vocabulary; `in` are the fields where it would be looked for. */
export interface Asked {
  word: string
  in: readonly FieldCode[]
  /** of free text: the word as it stands in its part */
  written?: string
}

const ANYWHERE: readonly FieldCode[] = ['t', 'w', 'c', 'l', 's']

/** Every word whose frequency matters or that may be misspelt, with the part that it belongs to. */
function eachWord(search: ReadSearch): { part: Part; asked: Asked }[] {
  const of = (parts: readonly Part[], fields: readonly FieldCode[], form = (word: string) => word) =>
    parts.flatMap(part => part.ways[0]!.map(word => ({ part, asked: { word: form(word), in: fields, written: word } })))
  return [
    ...search.titles.flatMap(parts => of(parts, ['t', 'w'])),
    ...of(search.skills, ['s', 'w']),
    ...search.companies.flatMap(parts => of(parts, ['c'])),
    ...search.locations.flatMap(parts => of(parts, ['l'])),
    ...of(search.query, ANYWHERE, stemmed),
  ]
}

export const askedOf = (search: ReadSearch): Asked[] => [
  ...new Map(eachWord(search).map(({ asked }) => [`${asked.in.join('')} ${asked.word}`, asked])).values(),
]

/** How many profiles have a word, by `field:word`. */
export type Frequencies = ReadonlyMap<string, number>

export const frequencyOf = (frequencies: Frequencies, { word, in: fields }: Asked): number =>
  Math.max(...fields.map(field => frequencies.get(`${field}:${word}`) ?? 0))

/** One in so many profiles: a word that is rarer is as likely a slip that somebody made as one that means something. */
const RARE_SHARE = 50_000
const RARE = 3

export function suspicious(search: ReadSearch, frequencies: Frequencies, profiles: number): Asked[] {
  const rare = Math.max(RARE, profiles / RARE_SHARE)
  const words = eachWord(search)
    .filter(({ part, asked }) => !part.known && slipsAllowed(asked.word) > 0)
    .filter(({ asked }) => frequencyOf(frequencies, asked) < rare)
  return [...new Map(words.map(({ asked }) => [asked.word, asked] as const)).values()]
}

export interface Similar {
  asked: string
  field: FieldCode
  word: string
  profiles: number
}

/** A word is taken for another only where that is used this many times as often. */
const CLEARLY_MORE = 20

/** What doubtful words may have meant: the nearest word of the same field, of equals the most used. */
export function correctionsOf(
  doubtful: readonly Asked[],
  frequencies: Frequencies,
  similar: readonly Similar[],
): Corrections {
  const corrections = new Map<string, string>()
  for (const asked of doubtful) {
    const slips = slipsAllowed(asked.word)
    const least = CLEARLY_MORE * frequencyOf(frequencies, asked)
    const [nearest] = similar
      .filter(s => s.asked === asked.word && asked.in.includes(s.field) && s.word !== asked.word && s.profiles > least)
      .map(s => ({ ...s, distance: editDistance(asked.word, s.word, slips) }))
      .filter(s => s.distance <= slips)
      .sort((a, b) => a.distance - b.distance || b.profiles - a.profiles)
    if (!nearest) continue
    corrections.set(asked.word, nearest.word)
    if (asked.in === ANYWHERE) corrections.set(asked.written!, `${nearest.word}|${nearest.word}`)
  }
  return corrections
}

const partIn = (part: Part, fields: readonly FieldCode[]) =>
  any(part.ways.map(way => all(way.map(word => any(fields.map(field => term(field, word)))))))

const skillListed = (part: Part) => any(part.ways.map(way => term('s', joined(way))))
/** A word that is a skill by itself is written down as such only. */
const MENTIONS: readonly FieldCode[] = ['w', 's']
const skillMentioned = (part: Part) => partIn(part, ['t', ...MENTIONS])

/** In what a profile is about, or anywhere. */
const queryPart = (part: Part, anywhere: boolean) =>
  any(
    part.ways.map(way => {
      const words = way.map(word =>
        any([
          term('t', stemmed(word)),
          term('l', written(word)),
          term('c', written(word)),
          ...(way.length === 1 ? [term('s', stemmed(word))] : []),
          ...(anywhere ? [term('w', stemmed(word))] : []),
        ]),
      )
      return way.length === 1 ? all(words) : any([all(words), term('s', joined(way.map(stemmed)))])
    }),
  )

/** One thing that is looked at in each candidate. */
export interface Plan {
  features: Condition[]
  /** conditions, from the strictest to the loosest; each lets in all that those before let in */
  levels: Condition[]
  score: (matched: readonly boolean[]) => number
  /** words of the shortest title that was asked for; 0: none was */
  titleWords: number
}

const WEIGHTS = { titles: 3, skills: 3, locations: 2, companies: 2, query: 4 } as const
/** What a title is worth in other words than those asked for, and what a word is worth that is only mentioned. */
const OTHER_WORDS = 0.9
const MENTIONED = 0.5

export function planOf(search: ReadSearch, frequencies: Frequencies, profiles: number): Plan {
  const features: Condition[] = []
  const feature = (condition: Condition) => features.push(condition) - 1
  const weigh = (part: Part, fields: readonly FieldCode[]) => {
    const counts = part.ways[0]!.map(word => frequencyOf(frequencies, { word: stemmed(word), in: fields }))
    return Math.log(2 + profiles / (1 + Math.min(...counts)))
  }
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

  /** A weighted mean over parts, each worth what the first of its conditions that holds is worth. */
  const mean = (parts: readonly { weight: number; worth: readonly (readonly [Condition, number])[] }[]): Scorer => {
    const total = parts.reduce((sum, p) => sum + p.weight, 0)
    const numbered = parts.map(p => ({ ...p, worth: p.worth.map(([condition, worth]) => [feature(condition), worth]) }))
    return matched =>
      numbered.reduce((sum, p) => sum + p.weight * (p.worth.find(([at]) => matched[at!])?.[1] ?? 0), 0) / total
  }
  const best =
    (scorers: readonly Scorer[]): Scorer =>
    matched =>
      Math.max(...scorers.map(score => score(matched)))

  if (search.titles.length > 0) {
    const scorers = search.titles.map(parts =>
      mean(
        parts.map(part => ({
          weight: weigh(part, ['t']),
          worth: [
            [partIn({ ...part, ways: part.ways.slice(0, 1) }, ['t']), 1],
            ...(part.ways.length > 1 ? [[partIn(part, ['t']), OTHER_WORDS] as const] : []),
            [partIn(part, MENTIONS), MENTIONED],
          ],
        })),
      ),
    )
    const every = (fields: readonly FieldCode[]) =>
      any(search.titles.map(parts => all(parts.map(part => partIn(part, fields)))))
    groups.push({
      weight: WEIGHTS.titles,
      score: best(scorers),
      strict: every(['t']),
      loose: every(['t', ...MENTIONS]),
      any: any(
        search.titles.map(parts =>
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
  if (search.query.length > 0) {
    const anywhere = search.query.map(part => queryPart(part, true))
    const weight = (part: Part) => weigh(part, ANYWHERE)
    groups.push({
      weight: WEIGHTS.query,
      score: mean(
        search.query.map((part, i) => ({
          weight: weight(part),
          worth: [
            [queryPart(part, false), 1],
            [anywhere[i]!, 0.7],
          ],
        })),
      ),
      strict: all(anywhere),
      loose: allButOne(anywhere),
      any: queryPart(rarest(search.query, weight), true),
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
    titleWords: search.titles.length === 0 ? 0 : Math.min(...search.titles.map(wordCount)),
  }
}

const wordCount = (parts: readonly Part[]) => parts.reduce((sum, part) => sum + part.ways[0]!.length, 0)

/** The part that tells most; ties go to the last, which in English is what the thing is. */
const rarest = (parts: readonly Part[], weight: (part: Part) => number): Part =>
  parts.reduce((found, part) => (weight(part) >= weight(found) ? part : found))

export interface Ranked {
  id: string
  score: number
  tier: MatchTier
}

export const tierOf = (score: number): MatchTier =>
  score >= 80 ? 'strong' : score >= 60 ? 'good' : score >= 40 ? 'fair' : 'weak'

export interface Candidate {
  profile_id: string
  title_words: number
  matched: readonly boolean[]
}

export const scoreOf = (plan: Plan, matched: readonly boolean[]): number =>
  Math.max(1, Math.round(100 * plan.score(matched)))

/** Best first; of equals the one whose title says least beyond what was asked. */
export function rank(plan: Plan, candidates: readonly Candidate[], limit: number): Ranked[] {
  const surplus = (c: Candidate) => (plan.titleWords === 0 ? 0 : Math.abs(c.title_words - plan.titleWords))
  return candidates
    .map(c => ({ c, score: scoreOf(plan, c.matched) }))
    .sort((a, b) => b.score - a.score || surplus(a.c) - surplus(b.c) || (a.c.profile_id < b.c.profile_id ? -1 : 1))
    .slice(0, limit)
    .map(({ c, score }) => ({ id: c.profile_id, score, tier: tierOf(score) }))
}
