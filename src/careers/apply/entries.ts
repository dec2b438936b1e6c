import type { AnswerValue } from '../../resources/applications/index.ts'
import { OPT_OUT, type Question, SCREENING_PHONE } from './questions.ts'

/** What was typed and chosen, by the name of the input. */
export class Entries {
  readonly #values: ReadonlyMap<string, readonly string[]>

  constructor(values: ReadonlyMap<string, readonly string[]> = new Map()) {
    this.#values = values
  }

  /** Line ends as they are counted and stored: browsers send two characters for each. */
  all(name: string): readonly string[] {
    return (this.#values.get(name) ?? []).map(value => value.replaceAll('\r\n', '\n'))
  }

  first(name: string): string {
    return this.all(name)[0] ?? ''
  }

  /** Every value in one text, for comparison. */
  text(): string {
    return JSON.stringify([...this.#values].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** The name of the field that holds the ticket of an uploaded file. */
export const ticketOf = (name: string): string => `ticket.${name}`
/** The name of the box that removes an uploaded file. */
export const removeOf = (name: string): string => `remove.${name}`

/** The answer to a question in the form of the API; undefined if there is none. */
export function answerOf({ kind, name }: Question, entries: Entries): AnswerValue | undefined {
  if (kind === 'checkboxes') {
    const chosen = entries.all(name).filter(value => value !== '')
    return chosen.length > 0 ? chosen : undefined
  }
  const text = entries.first(name)
  if (text.trim() === '') return undefined
  switch (kind) {
    case 'yesno':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'number':
      return plainNumber(text)
    case 'date':
      return isoDate(text)
    case 'url':
      return webUrl(text)
    case 'phone':
      return phoneNumber(text)
    case 'email':
      return text.trim()
    case 'select':
    case 'radios':
      return text
    default:
      return text.trim()
  }
}

/** `3,5` and `1 200` are numbers to their writers. */
const plainNumber = (text: string): string =>
  text
    .trim()
    .replace(/(?<=\d)[\s\u00a0](?=\d{3}\b)/g, '')
    .replace(/^(-?\d+),(\d+)$/, '$1.$2')

/** A browser without a calendar sends what was typed: `31.12.2026` or `31/12/2026`. */
const isoDate = (text: string): string =>
  text
    .trim()
    .replace(/^(\d{1,2})[./](\d{1,2})[./](\d{4})$/, (_, day: string, month: string, year: string) =>
      [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
    )

/** People leave out the scheme; LinkedIn is asked for with https. */
function webUrl(text: string): string {
  const url = text.trim()
  if (/^http:\/\/([a-z0-9-]+\.)*linkedin\.com(\/|$)/i.test(url)) return url.replace(/^http/i, 'https')
  return /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(url) ? `https://${url}` : url
}

/** `030/123 45 67` and numbers that were copied with other dashes and spaces. */
const phoneNumber = (text: string): string =>
  text
    .trim()
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/[\s\u00a0/]+/g, ' ')

/** The part of a name after its prefix; undefined where the name has another prefix. */
const below = (name: string, prefix: string): string | undefined =>
  name.startsWith(prefix) ? name.slice(prefix.length) : undefined

/** The answers of one kind, by field or question. */
export function answersBelow(
  prefix: string,
  questions: readonly Question[],
  entries: Entries,
): Record<string, AnswerValue> {
  const found: [string, AnswerValue][] = []
  for (const question of questions) {
    const id = below(question.name, prefix)
    const answer = id === undefined ? undefined : answerOf(question, entries)
    if (id !== undefined && answer !== undefined) found.push([id, answer])
  }
  return Object.fromEntries(found)
}

/** Ticked boxes, with the version of the text that was shown with them. */
export function consentsIn(questions: readonly Question[], entries: Entries): Record<string, number> {
  const ticked = questions.flatMap(({ name, kind }) => {
    const id = kind === 'consent' ? below(name, 'consents.') : undefined
    const version = entries.first(name)
    return id !== undefined && /^\d{1,9}$/.test(version) ? [[id, Number(version)] as const] : []
  })
  return Object.fromEntries(ticked)
}

/** Text answers of a person's details; a blank one is left out. */
export function detailOf(name: string, questions: readonly Question[], entries: Entries): string | undefined {
  const question = questions.find(each => each.name === `candidate.${name}`)
  const answer = question && answerOf(question, entries)
  return typeof answer === 'string' ? answer : undefined
}

export function callChoices(questions: readonly Question[], entries: Entries) {
  const phone = questions.find(({ name }) => name === SCREENING_PHONE)
  const number = phone && answerOf(phone, entries)
  return {
    voiceScreeningOptedOut: phone !== undefined && entries.first(OPT_OUT) !== '',
    screeningPhone: typeof number === 'string' ? number : undefined,
  }
}
