import { createHash } from 'node:crypto'
import { getOrCreate } from '../async/get-or-create.ts'

/**
 * A statement: SQL text with $n in place of values, and a name by which every connection prepares it once. Written with
 * the `sql` tag; a value in the template is always a parameter, never text, and a nested `sql` becomes part of the text.
 */
export interface Sql<Row = unknown> {
  readonly text: string
  readonly values: readonly unknown[]
  readonly name: string
  /** never set; carries the type of a row */
  readonly row?: Row
}

/** A text that was put together once. Texts are made of literals in the source alone, so there are few of them. */
interface Form {
  readonly id: number
  readonly text: string
  readonly name: string
}

class Statement<Row> implements Sql<Row> {
  readonly form: Form
  readonly values: readonly unknown[]
  constructor(form: Form, values: readonly unknown[]) {
    this.form = form
    this.values = values
  }
  get text(): string {
    return this.form.text
  }
  get name(): string {
    return this.form.name
  }
}

const forms = new Map<string, Form>()

const formOf = (text: string): Form =>
  getOrCreate(forms, text, () => ({
    id: forms.size,
    text,
    name: `s_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`,
  }))

/** For each template, the forms it took so far, by what was nested in it. */
const templates = new WeakMap<TemplateStringsArray, Map<string, Form>>()

export function sql<Row = Record<string, unknown>>(strings: TemplateStringsArray, ...parts: unknown[]): Sql<Row> {
  let nesting = ''
  let values: unknown[] = parts
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]
    if (!(part instanceof Statement)) {
      if (nesting !== '') values.push(part)
      continue
    }
    if (nesting === '') values = parts.slice(0, i)
    nesting += `${i}:${part.form.id} `
    values.push(...part.values)
  }
  const known = getOrCreate(templates, strings, () => new Map<string, Form>())
  return new Statement<Row>(
    getOrCreate(known, nesting, () => formOf(join(strings, parts))),
    values,
  )
}

/** The text of a template; numbers of parameters in nested texts are moved behind those before them. */
function join(strings: readonly string[], parts: readonly unknown[]): string {
  let [text = ''] = strings
  let count = 0
  for (const [i, part] of parts.entries()) {
    if (part instanceof Statement) {
      const shift = count
      text += part.text.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + shift}`)
      count += part.values.length
    } else {
      text += `$${++count}`
    }
    text += strings[i + 1]
  }
  return text
}

/** These values as parameters, with commas between them. */
export const params = (values: readonly unknown[]): Sql =>
  new Statement(formOf(values.map((_, i) => `$${i + 1}`).join(', ')), values)

/** For lists of these forms, the form they have together. */
const lists = new Map<string, Form>()

/** These parts with commas between them. Each number of them makes a text of its own. */
export function joinWithCommas(parts: readonly Sql[]): Sql {
  const forms = parts.map(part => (part as Statement<unknown>).form.id).join(' ')
  const between = parts.map((_, i) => (i === 0 ? '' : ', '))
  return new Statement(
    getOrCreate(lists, forms, () => formOf(join([...between, ''], parts))),
    parts.flatMap(part => part.values),
  )
}

/** Nothing: for the parts of a statement that a request leaves out. */
export const none = sql``

/** Text of the program's own, such as a column's name. Never for anything that came from outside. */
export const raw = (text: string): Sql => new Statement(formOf(text), [])

/** A list of the program's own words: `status in ${wordList(OPEN_STATUSES)}`. */
export const wordList = (words: readonly string[]): Sql => raw(`(${words.map(word => `'${word}'`).join(', ')})`)

/**
 * The same statement without a name, so that the server plans it for its values each time. For statements whose good
 * plan depends on the values so much that a generic plan, which the server may choose, would be a bad one.
 */
export const plannedEachTime = <Row>({ text, values }: Sql<Row>): Sql<Row> => ({ text, values, name: '' })

/** A pattern for `like`: `%` and `_` of a caller mean themselves. Case is left to the store, which has its own small letters (İ, Σ). */
export const asPattern = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** The same for texts that have it in them. */
export const containing = (text: string) => `%${asPattern(text)}%`

/**
 * The next value of an `updated_at`: always later than the previous one, also for two changes in one millisecond and for a
 * transaction that started earlier and waited for a lock, so that `expected_updated_at` detects every change. The function
 * `app_touch` in words that are immutable but for the clock: a cluster reads the clock where the statement
 * arrives and refuses a function that reads both a clock and a column. Adding to a time in UTC is immutable, adding to a
 * time of the session's zone is not. In `do update set`, which may read no clock, `now` is a column of `excluded`.
 */
export const touched = (column = 'updated_at', now = 'app_now()'): Sql =>
  raw(`greatest(${now}, (${column} at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')`)
