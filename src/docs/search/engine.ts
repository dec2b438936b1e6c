import type { Cooperative } from '../../kernel/async/cooperative.ts'
import { editDistance } from '../../kernel/text/edit-distance.ts'
import { stem } from '../../kernel/text/stemmer.ts'
import { buildExcerpt, type Marked, mark } from './excerpt.ts'
import { SYNONYMS } from './synonyms.ts'
import { asWritten, joinedName, STOP_WORDS, splitQueryWords, splitWords, type Word } from './words.ts'

/** Something that the search can lead to: a section of a guide, an endpoint, a field, a header, an error code. */
export interface DocsDocument {
  kind: DocumentKind
  /** with its anchor */
  path: string
  title: string
  /** where it is: the page, and what on the page; empty for a page */
  where: string
  text: string
  /** other names under which it is exactly meant */
  names?: readonly string[]
  /** words that lead here and are not shown, such as code */
  hidden?: string
  /** below 1 for what is rarely meant */
  weight?: number
}

export type DocumentKind =
  | 'Guide'
  | 'Page'
  | 'Endpoint'
  | 'Field'
  | 'Parameter'
  | 'Header'
  | 'Error'
  | 'Event'
  | 'Scope'
  | 'Limit'
  | 'Setting'

export interface SearchResult {
  kind: DocumentKind
  path: string
  where: string
  title: Marked
  excerpt: Marked
}

export interface SearchResponse {
  query: string
  /** the query as it was understood, if a word of it was misspelt */
  corrected: string | null
  results: SearchResult[]
}

/** What a word weighs in each part of a document. */
const WEIGHTS = { title: 6, names: 3, where: 1.5, text: 1, hidden: 0.25 } as const
type Part = keyof typeof WEIGHTS
const PARTS = Object.keys(WEIGHTS) as Part[]

/** Sections of guides explain; fields of responses are many, and most searches that match one mean something else. */
const KIND_WEIGHTS: Readonly<Record<DocumentKind, number>> = {
  Guide: 1.25,
  Page: 1.15,
  Endpoint: 1,
  Header: 1,
  Error: 1,
  Event: 0.95,
  Scope: 0.9,
  Limit: 1,
  Setting: 0.95,
  Parameter: 0.7,
  Field: 0.65,
}

const SYNONYM_WEIGHT = 0.85
const PREFIX_WEIGHT = 0.75
/** A word that is whole already counts less: `id` is rarely the beginning of `idempotency`. */
const PREFIX_OF_WORD_WEIGHT = 0.25
/** an identifier that was written as separate words: `retry after` */
const JOINED_BONUS = 0.8
const EXACT_NAME = 3
/** a page is meant before a section or a field of the same name */
const EXACT_PAGE = 4.5
/** a guide whose title or slug was typed comes first; word for word, because `source` is not `sourcing` */
const EXACT_GUIDE = 50
/** words with spaces between them rarely mean a field, even if they are its name */
const EXACT_FIELD_IN_WORDS = 1.2

const MAX_QUERY_LENGTH = 200
const MAX_QUERY_WORDS = 12
const MAX_RESULTS_PER_PAGE = 3
const MAX_CORRECTIONS = 3
/** no word of the documentation is longer, and time grows with the length */
const MAX_CORRECTED_LENGTH = 40
const MAX_PREFIX_WORDS = 24
const SHORTEST_PREFIX = 2

/** Edits that a misspelt word may have: short words have too many neighbours. */
const editsAllowed = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

/** One of the ways to satisfy a part of the query: every term must occur. */
interface Alternative {
  terms: readonly string[]
  weight: number
}

/** A part of the query: a word, or a phrase with synonyms. */
interface QueryPart {
  alternatives: Alternative[]
  /** words of the query that it covers */
  length: number
  /** adds to the score; a document without it does not miss a word */
  bonus?: true
}

interface Hit {
  document: number
  score: number
}

export class DocsSearch {
  readonly #documents: readonly DocsDocument[]
  /** for each term the documents that have it, and how much it says about them */
  readonly #postings: ReadonlyMap<string, ReadonlyMap<number, number>>
  /** spellings in alphabetical order, each with its term */
  readonly #spellings: readonly (readonly [spelling: string, term: string])[]
  readonly #spellingsByLength: ReadonlyMap<number, readonly (readonly [spelling: string, term: string])[]>
  readonly #names: readonly ReadonlySet<string>[]

  private constructor(
    documents: readonly DocsDocument[],
    postings: ReadonlyMap<string, ReadonlyMap<number, number>>,
    spellings: ReadonlyMap<string, string>,
    names: readonly ReadonlySet<string>[],
  ) {
    this.#documents = documents
    this.#postings = postings
    this.#spellings = [...spellings].sort(([a], [b]) => (a < b ? -1 : 1))
    this.#spellingsByLength = Map.groupBy(this.#spellings, ([spelling]) => spelling.length)
    this.#names = names
  }

  /** Reads the documents one by one: all of them together take a few hundred milliseconds. */
  static *build(given: Iterable<DocsDocument>): Cooperative<DocsSearch> {
    const documents: DocsDocument[] = []
    for (const document of given) {
      documents.push(document)
      yield
    }
    const postings = new Map<string, Map<number, number>>()
    const spellings = new Map<string, string>()
    const names: ReadonlySet<string>[] = []
    const average = documents.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, documents.length)
    for (const [id, document] of documents.entries()) {
      for (const part of PARTS) {
        const counts = new Map<string, number>()
        const content = part === 'names' ? (document.names ?? []).join(' ') : (document[part] ?? '')
        for (const { terms, spellings: written } of splitWords(content)) {
          for (const [i, term] of terms.entries()) {
            counts.set(term, (counts.get(term) ?? 0) + 1)
            spellings.set(written[i]!, term)
          }
        }
        const saturation = part === 'text' ? 0.4 + (0.8 * document.text.length) / average : 0.6
        for (const [term, count] of counts) {
          const ids = postings.get(term) ?? new Map<number, number>()
          ids.set(id, (ids.get(id) ?? 0) + (WEIGHTS[part] * count) / (count + saturation))
          postings.set(term, ids)
        }
      }
      names.push(new Set([document.title, ...(document.names ?? [])].map(joinedName)))
      yield
    }
    return new DocsSearch(documents, postings, spellings, names)
  }

  search(given: string, limit = 12): SearchResponse {
    const query = given.slice(0, MAX_QUERY_LENGTH).replace(/\s+/g, ' ').trim()
    const { words, corrected } = this.#correct(query)
    const parts = this.#partsOf(words, corrected ?? query)
    const hits = this.#rank(parts, corrected ?? query)
    const terms = parts.flatMap(part => part.alternatives.flatMap(({ terms }) => terms))
    const matched = new Set(terms.filter(term => !STOP_WORDS.has(term)))
    return {
      query,
      corrected,
      results: this.#spread(hits, limit).map(document => ({
        kind: document.kind,
        path: document.path,
        where: document.where,
        title: mark(document.title, matched),
        excerpt: buildExcerpt(document.text, matched),
      })),
    }
  }

  /** Replaces words that occur nowhere by the nearest word that does. The word being typed may still become one. */
  #correct(query: string): { words: Word[]; corrected: string | null } {
    const words = [...splitQueryWords(query)].slice(0, MAX_QUERY_WORDS)
    let text = query
    let shift = 0
    let corrections = 0
    for (const [i, word] of words.entries()) {
      const { spellings, terms, start, end } = word
      const isKnown = terms.every(term => this.#postings.has(term)) || SYNONYMS.has(spellings.slice(0, 1))
      const joined = spellings.at(-1) ?? ''
      if (isKnown || this.#postings.has(joined) || STOP_WORDS.has(spellings[0] ?? '')) continue
      if (i === words.length - 1 && this.#startingWith(joined).length > 0) continue
      // looking for similar words is the dearest part of a search
      if (corrections++ === MAX_CORRECTIONS) break
      const nearest = this.#nearest(joined)
      if (!nearest) continue
      text = text.slice(0, start + shift) + nearest + text.slice(end + shift)
      shift += nearest.length - (end - start)
    }
    return text === query ? { words, corrected: null } : { words: [...splitQueryWords(text)], corrected: text }
  }

  #nearest(word: string): string | undefined {
    const limit = editsAllowed(word)
    let best: { spelling: string; edits: number; documents: number } | undefined
    const consider = (spelling: string, documents: number) => {
      const edits = editDistance(word, spelling, limit) + (spelling[0] === word[0] ? 0 : 0.5)
      if (edits > limit) return
      if (!best || edits < best.edits || (edits === best.edits && documents > best.documents))
        best = { spelling, edits, documents }
    }
    if (limit === 0 || word.length > MAX_CORRECTED_LENGTH) return undefined
    for (let length = word.length - limit; length <= word.length + limit; length++) {
      for (const [spelling, term] of this.#spellingsByLength.get(length) ?? []) {
        consider(spelling, this.#postings.get(term)?.size ?? 0)
      }
    }
    for (const spelling of SYNONYMS.singleWords) consider(spelling, 1)
    return best?.spelling
  }

  #startingWith(prefix: string): string[] {
    if (prefix.length < SHORTEST_PREFIX) return []
    let low = 0
    let high = this.#spellings.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#spellings[middle]?.[0] ?? '') < prefix) low = middle + 1
      else high = middle
    }
    const found: string[] = []
    for (let i = low; found.length < MAX_PREFIX_WORDS; i++) {
      const [spelling, term] = this.#spellings[i] ?? []
      if (term === undefined || !spelling?.startsWith(prefix)) break
      found.push(term)
    }
    return [...new Set(found)]
  }

  #partsOf(words: readonly Word[], query: string): QueryPart[] {
    const content = words.filter(({ spellings }) => !STOP_WORDS.has(spellings[0] ?? ''))
    const used = content.length > 0 ? content : words
    const parts: QueryPart[] = []
    for (let i = 0; i < used.length; ) {
      const phrase = SYNONYMS.longestAt(used.slice(i).map(({ spellings }) => spellings))
      const length = phrase?.length ?? 1
      const own = used.slice(i, i + length)
      // what is being typed may go on
      const typing = i + length === used.length && used.at(-1)?.end === query.length
      parts.push({ length, alternatives: this.#alternatives(own, phrase?.synonyms ?? [], typing) })
      i += length
    }
    // `retry after` is also looked for as one identifier
    for (let i = 0; i < used.length; i++) {
      for (const length of [2, 3]) {
        const joined = used.slice(i, i + length)
        if (joined.length < length) continue
        const term = joined.map(({ spellings }) => spellings.at(-1)).join('')
        if (this.#postings.has(term))
          parts.push({ length: 0, bonus: true, alternatives: [{ terms: [term], weight: JOINED_BONUS }] })
      }
    }
    return parts
  }

  #alternatives(words: readonly Word[], synonyms: readonly string[], typing: boolean): Alternative[] {
    const written = words.flatMap(({ terms }) => (terms.length > 1 ? terms.slice(0, -1) : terms))
    const alternatives: Alternative[] = [{ terms: written, weight: 1 }]
    for (const { terms } of words) if (terms.length > 1) alternatives.push({ terms: terms.slice(-1), weight: 1.5 })
    for (const synonym of synonyms) {
      const found = [...splitWords(synonym)]
      // an identifier by its joined name, a phrase by all of its words
      const terms =
        found.length === 1
          ? found.flatMap(word => word.terms.slice(-1))
          : found
              .flatMap(word => (word.terms.length > 1 ? word.terms.slice(0, -1) : word.terms))
              .filter(term => !STOP_WORDS.has(term))
      alternatives.push({ terms, weight: SYNONYM_WEIGHT })
    }
    if (typing) {
      const last = words.at(-1)?.spellings.at(-1) ?? ''
      for (const term of this.#startingWith(last)) {
        if (term === stem(last)) continue
        const weight = this.#postings.has(stem(last)) ? PREFIX_OF_WORD_WEIGHT : PREFIX_WEIGHT
        alternatives.push({ terms: [...written.slice(0, -1), term], weight })
      }
    }
    return alternatives
  }

  #rank(parts: readonly QueryPart[], query: string): Hit[] {
    const whole = joinedName(query)
    const written = asWritten(query)
    const isIdentifier = !query.includes(' ')
    const wanted = parts.reduce((sum, { length }) => sum + length, 0)
    const scores = new Map<number, { score: number; covered: number }>()
    for (const { alternatives, length } of parts) {
      const best = new Map<number, number>()
      for (const { terms, weight } of alternatives) {
        for (const [id, score] of this.#withAll(terms)) best.set(id, Math.max(best.get(id) ?? 0, score * weight))
      }
      for (const [id, score] of best) {
        const entry = scores.get(id) ?? { score: 0, covered: 0 }
        scores.set(id, { score: entry.score + score, covered: entry.covered + length })
      }
    }
    const hits: Hit[] = []
    for (const [document, { score, covered }] of scores) {
      if (covered === 0) continue
      const share = covered / wanted
      const { kind, path, weight = 1 } = this.#documents[document]!
      const exact = this.#isGuide(document, written)
        ? EXACT_GUIDE
        : !this.#names[document]!.has(whole)
          ? 1
          : !path.includes('#')
            ? EXACT_PAGE
            : isIdentifier || (kind !== 'Field' && kind !== 'Parameter')
              ? EXACT_NAME
              : EXACT_FIELD_IN_WORDS
      hits.push({ document, score: score * share * share * exact * weight * KIND_WEIGHTS[kind] })
    }
    return hits.sort((a, b) => b.score - a.score || a.document - b.document)
  }

  #isGuide(document: number, written: string): boolean {
    const { kind, path, title } = this.#documents[document]!
    if (kind !== 'Guide' || path.includes('#')) return false
    return asWritten(title) === written || asWritten(path.split('/').at(-1) ?? '') === written
  }

  /** Documents with every term. Rare terms say more. */
  *#withAll(terms: readonly string[]): Generator<[document: number, score: number]> {
    const lists = terms.map(term => this.#postings.get(term))
    if (lists.length === 0 || lists.some(list => list === undefined)) return
    const [shortest] = (lists as ReadonlyMap<number, number>[]).toSorted((a, b) => a.size - b.size)
    for (const id of shortest?.keys() ?? []) {
      let sum = 0
      let has = 0
      for (const list of lists as ReadonlyMap<number, number>[]) {
        const weight = list.get(id)
        if (weight === undefined) break
        const rarity = Math.log(1 + (this.#documents.length - list.size + 0.5) / (list.size + 0.5))
        sum += weight * rarity
        has += 1
      }
      if (has === lists.length) yield [id, sum]
    }
  }

  /** The best documents, but not ten of one page, and a field of the same name once: `updated_at` is in every object. */
  #spread(hits: readonly Hit[], limit: number): DocsDocument[] {
    const perPage = new Map<string, number>()
    const names = new Set<string>()
    const chosen: DocsDocument[] = []
    for (const { document: id } of hits) {
      const document = this.#documents[id]
      if (!document) continue
      const [page = ''] = document.path.split('#')
      const onPage = perPage.get(page) ?? 0
      if (onPage >= MAX_RESULTS_PER_PAGE) continue
      if (document.kind === 'Field' || document.kind === 'Parameter') {
        if (names.has(document.title)) continue
        names.add(document.title)
      }
      perPage.set(page, onPage + 1)
      chosen.push(document)
      if (chosen.length === limit) break
    }
    return chosen
  }
}
