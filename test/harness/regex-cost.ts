/**
 * Whether a regular expression can take more than linear time, found by counting instead of timing.
 *
 * The expression is run by a backtracking matcher like that of V8, which counts its steps, on inputs made to hurt: a
 * beginning that leads to a repetition, a text that is repeated ever more often, and an end that does not match. Twice
 * the repetitions may cost twice the steps. Four times as many are a quadratic expression, and the result is the same on
 * every machine.
 */

type Node =
  | { kind: 'char'; matches: (char: string) => boolean }
  | { kind: 'sequence' | 'either'; parts: Node[] }
  | { kind: 'repeat'; node: Node; min: number; max: number; lazy: boolean }
  | { kind: 'edge'; holds: (text: readonly string[], at: number) => boolean }
  | { kind: 'look'; node: Node; behind: boolean; negated: boolean }
  | { kind: 'group'; node: Node; names: readonly string[] }
  | { kind: 'reference'; name: string }

/** Repetitions up to this often are a constant; a limit beyond it is as good as none. */
const LARGEST_CONSTANT = 300
/** How often a repetition with a limit is tried here: its cost is a constant whatever that is. */
const LIMITED_TRIES = 4

class Parser {
  readonly #source: string
  readonly #flags: string
  #at = 0
  #groups = 0

  constructor({ source, flags }: RegExp) {
    this.#source = source
    this.#flags = flags.replaceAll(/[gyd]/g, '')
  }

  parse(): Node {
    const node = this.#either()
    if (this.#at < this.#source.length) throw new Error(`cannot read ${this.#source} at ${this.#at}`)
    return node
  }

  #either(): Node {
    const parts = [this.#sequence()]
    while (this.#take('|')) parts.push(this.#sequence())
    return parts.length === 1 ? parts[0]! : { kind: 'either', parts }
  }

  #sequence(): Node {
    const parts: Node[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at]!)) parts.push(this.#repeated())
    return { kind: 'sequence', parts }
  }

  #repeated(): Node {
    const node = this.#atom()
    const found = this.#match(/(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/y)
    if (!found) return node
    const [, sign, from, comma, to, lazy] = found
    const min = sign ? (sign === '+' ? 1 : 0) : Number(from)
    const max = sign ? (sign === '?' ? 1 : Infinity) : to ? Number(to) : comma ? Infinity : min
    return { kind: 'repeat', node, min, max, lazy: lazy === '?' }
  }

  #atom(): Node {
    const { multiline } = new RegExp('', this.#flags)
    if (this.#take('^')) return edge((text, at) => at === 0 || (multiline && text[at - 1] === '\n'))
    if (this.#take('$')) return edge((text, at) => at === text.length || (multiline && text[at] === '\n'))
    if (this.#take('\\b')) return edge(isWordEdge)
    if (this.#take('\\B')) return edge((text, at) => !isWordEdge(text, at))
    const look = this.#match(/\(\?(<?)([=!])/y)
    if (look) return { kind: 'look', node: this.#closed(), behind: look[1] === '<', negated: look[2] === '!' }
    if (this.#take('(?:')) return this.#closed()
    const group = this.#match(/\((?:\?<(\w+)>)?(?!\?)/y)
    if (group) {
      const names = [String(++this.#groups), ...(group[1] ? [group[1]] : [])]
      return { kind: 'group', names, node: this.#closed() }
    }
    const reference = this.#match(/\\(?:([1-9]\d*)|k<(\w+)>)/y)
    if (reference) return { kind: 'reference', name: (reference[1] ?? reference[2])! }
    // whatever is left matches one character: the engine itself says for which
    const [char] =
      this.#match(
        /\[(?:\\.|[^\]\\])*\]|\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|c[A-Za-z]|.)|[^()|*+?\\[]/suy,
      ) ?? []
    if (!char) throw new Error(`cannot read ${this.#source} at ${this.#at}`)
    const one = new RegExp(`^(?:${char})$`, this.#flags.replace('m', ''))
    return { kind: 'char', matches: cached(char => one.test(char)) }
  }

  #closed(): Node {
    const node = this.#either()
    if (!this.#take(')')) throw new Error(`cannot read ${this.#source} at ${this.#at}`)
    return node
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)
    if (found) this.#at += found[0].length
    return found
  }
}

/** Most characters are below 256, where an array is several times as fast as a map. */
function cached(test: (char: string) => boolean): (char: string) => boolean {
  const low: (boolean | undefined)[] = new Array(256).fill(undefined)
  const high = new Map<string, boolean>()
  return char => {
    const code = char.charCodeAt(0)
    let result = code < 256 ? low[code] : high.get(char)
    if (result === undefined) {
      result = test(char)
      if (code < 256) low[code] = result
      else high.set(char, result)
    }
    return result
  }
}

const edge = (holds: (text: readonly string[], at: number) => boolean): Node => ({ kind: 'edge', holds })
const isWordChar = cached(char => /^\w$/.test(char))
const isWord = (char: string | undefined) => char !== undefined && isWordChar(char)
const isWordEdge = (text: readonly string[], at: number) => isWord(text[at - 1]) !== isWord(text[at])

/** More than any expression may need on an input of a few hundred characters. */
const MAX_STEPS = 2_000_000
class TooManySteps extends Error {}

type Next = (at: number) => boolean
type Matcher = (at: number, next: Next) => boolean

type Search = (text: readonly string[]) => { steps: number; found: boolean }

/** Counts the steps of finding every match, over every place to begin, as `replace` and `split` do. */
function searchWith(root: Node): Search {
  let text: readonly string[] = []
  let steps = 0
  const step = () => {
    if (++steps > MAX_STEPS) throw new TooManySteps()
  }
  const groups = new Map<string, [number, number]>()
  const compile = (node: Node): Matcher => {
    switch (node.kind) {
      case 'char':
        return (at, next) => {
          step()
          return at < text.length && node.matches(text[at]!) && next(at + 1)
        }
      case 'sequence': {
        const parts = node.parts.map(compile)
        const from = (i: number, at: number, next: Next): boolean =>
          i === parts.length ? next(at) : parts[i]!(at, to => from(i + 1, to, next))
        return (at, next) => from(0, at, next)
      }
      case 'either': {
        const parts = node.parts.map(compile)
        return (at, next) => parts.some(part => part(at, next))
      }
      case 'repeat': {
        const inner = compile(node.node)
        const max = node.max > LARGEST_CONSTANT ? Infinity : Math.min(node.max, node.min + LIMITED_TRIES)
        const loop = (count: number, at: number, next: Next): boolean => {
          step()
          const more = () => count < max && inner(at, to => (to > at || count < node.min) && loop(count + 1, to, next))
          if (count < node.min) return more()
          return node.lazy ? next(at) || more() : more() || next(at)
        }
        return (at, next) => loop(0, at, next)
      }
      case 'edge':
        return (at, next) => {
          step()
          return node.holds(text, at) && next(at)
        }
      case 'look': {
        const inner = compile(node.node)
        const lengths = node.behind ? lengthsOf(node.node) : []
        return (at, next) => {
          const found = node.behind
            ? lengths.some(length => at >= length && inner(at - length, to => to === at))
            : inner(at, () => true)
          return found !== node.negated && next(at)
        }
      }
      case 'group': {
        const inner = compile(node.node)
        return (at, next) =>
          inner(at, to => {
            const before = node.names.map(name => groups.get(name))
            for (const name of node.names) groups.set(name, [at, to])
            if (next(to)) return true
            for (const [i, name] of node.names.entries()) {
              if (before[i]) groups.set(name, before[i])
              else groups.delete(name)
            }
            return false
          })
      }
      case 'reference':
        return (at, next) => {
          const [from, to] = groups.get(node.name) ?? [0, 0]
          for (let i = 0; i < to - from; i++) {
            step()
            if (text[from + i] !== text[at + i]) return false
          }
          return next(at + to - from)
        }
    }
  }
  const matcher = compile(root)
  return input => {
    text = input
    steps = 0
    groups.clear()
    let found = false
    let at = 0
    const end: Next = to => {
      at = Math.max(at, to - 1)
      found = true
      return true
    }
    for (; at <= text.length; at++) matcher(at, end)
    return { steps, found }
  }
}

/** The lengths that a look behind can have. One without a limit is not allowed: it cannot be counted here. */
function lengthsOf(node: Node): number[] {
  const sums = (a: number[], b: number[]) => [...new Set(a.flatMap(x => b.map(y => x + y)))]
  switch (node.kind) {
    case 'char':
      return [1]
    case 'sequence':
      return node.parts.map(lengthsOf).reduce(sums, [0])
    case 'either':
      return [...new Set(node.parts.flatMap(lengthsOf))]
    case 'group':
      return lengthsOf(node.node)
    case 'repeat': {
      if (node.max > 20) throw new Error('a look behind without a limit')
      const once = lengthsOf(node.node)
      const all: number[] = []
      let now = [0]
      for (let count = 0; count <= node.max; count++, now = sums(now, once)) if (count >= node.min) all.push(...now)
      return [...new Set(all)]
    }
    default:
      return [0]
  }
}

const SAMPLE = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...['é', 'İ', 'ß', 'Ω', '\u00a0', '\u00ad', '–', '’', '•', '\u2028', '漢', '\ue000', '😀'],
]
const NOTHING = '\0'

/** One character for each way in which the characters of an expression can be distinguished. */
function alphabetOf(root: Node): string[] {
  const chars: ((char: string) => boolean)[] = []
  const visit = (node: Node): void => {
    if (node.kind === 'char') chars.push(node.matches)
    else if ('parts' in node) node.parts.forEach(visit)
    else if ('node' in node) visit(node.node)
  }
  visit(root)
  const kinds = new Map<string, string>()
  // letters before signs: they are in more classes of characters, and make failures easier to read
  for (const char of SAMPLE.toSorted((a, b) => Number(isWord(b)) - Number(isWord(a)))) {
    const kind = chars.map(matches => Number(matches(char))).join('')
    if (!kinds.has(kind)) kinds.set(kind, char)
  }
  return [...kinds.values()]
}

/** A short text that a part matches. */
function textFor(node: Node, alphabet: readonly string[], least = 0): string {
  switch (node.kind) {
    case 'char':
      return alphabet.find(node.matches) ?? ''
    case 'sequence':
      return node.parts.map(part => textFor(part, alphabet)).join('')
    case 'either':
      return textFor(node.parts[0]!, alphabet)
    case 'group':
      return textFor(node.node, alphabet)
    case 'repeat':
      return textFor(node.node, alphabet).repeat(Math.max(node.min, least))
    default:
      return ''
  }
}

/** What leads to each repetition without a limit, and what it repeats. */
function attacksOf(root: Node, alphabet: readonly string[]): { leads: Set<string>; pumps: Set<string> } {
  const leads = new Set(['', NOTHING])
  const pumps = new Set(alphabet)
  const visit = (node: Node, lead: string): void => {
    if (node.kind === 'sequence') {
      let before = lead
      let filled = lead
      for (const part of node.parts) {
        visit(part, before)
        visit(part, filled)
        before += textFor(part, alphabet)
        filled += textFor(part, alphabet, 1)
      }
    } else if (node.kind === 'either') {
      for (const part of node.parts) {
        visit(part, lead)
        pumps.add(textFor(part, alphabet, 1))
      }
    } else if (node.kind === 'repeat') {
      if (node.max > LARGEST_CONSTANT) {
        leads.add(lead)
        if (lead !== '') pumps.add(lead)
        pumps.add(textFor(node.node, alphabet, 1))
        pumps.add(lead + textFor(node.node, alphabet, 1))
      }
      visit(node.node, lead)
    } else if ('node' in node) visit(node.node, lead)
  }
  visit(root, '')
  pumps.delete('')
  return { leads, pumps }
}

const hasUnlimited = (node: Node): boolean =>
  node.kind === 'repeat'
    ? node.max > LARGEST_CONSTANT || hasUnlimited(node.node)
    : 'parts' in node
      ? node.parts.some(hasUnlimited)
      : 'node' in node && hasUnlimited(node.node)

const SIZES = [24, 48, 96] as const
/** Twice the text: 2 if the cost is linear, 4 if it is quadratic. */
const MAX_GROWTH = 3
/** Fewer steps more than this are no growth at all. */
const NOISE = 50

/** Whether this finds what the engine finds, for expressions without limits beyond LIMITED_TRIES. */
function check(pattern: RegExp, search: Search, text: string): void {
  const real = new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, '')).test(text)
  if (search([...text]).found !== real) throw new Error(`${pattern} is read wrongly: ${JSON.stringify(text)}`)
}

const hasLimited = (node: Node): boolean =>
  node.kind === 'repeat'
    ? (node.max <= LARGEST_CONSTANT && node.max > node.min + LIMITED_TRIES) || hasLimited(node.node)
    : 'parts' in node
      ? node.parts.some(hasLimited)
      : 'node' in node && hasLimited(node.node)

/** An input on which the expression takes more than linear time, in words; undefined if none was found. */
export function superlinearOn(pattern: RegExp): string | undefined {
  const root = new Parser(pattern).parse()
  const alphabet = alphabetOf(root)
  const search = searchWith(root)
  if (!hasLimited(root)) {
    for (const text of ['', textFor(root, alphabet), textFor(root, alphabet, 1), ...alphabet])
      check(pattern, search, text)
  }
  if (!hasUnlimited(root)) return undefined
  const { leads, pumps } = attacksOf(root, alphabet)
  const ends = ['', NOTHING, ...alphabet.slice(0, 6)]
  for (const lead of leads) {
    for (const pump of pumps) {
      for (const end of ends) {
        const cost = (n: number) => search([...(lead + pump.repeat(n) + end)]).steps
        try {
          const [small, middle, large] = SIZES.map(cost) as [number, number, number]
          if (large - middle > Math.max(NOISE, MAX_GROWTH * (middle - small))) return said(lead, pump, end)
        } catch (error) {
          if (!(error instanceof TooManySteps)) throw error
          return said(lead, pump, end)
        }
      }
    }
  }
  return undefined
}

const said = (lead: string, pump: string, end: string) =>
  `${JSON.stringify(lead)}, ${JSON.stringify(pump)} again and again, ${JSON.stringify(end)}`
