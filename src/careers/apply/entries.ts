import type { AnswerValue } from '../../resources/applications/index.ts'
import { phoneNumber } from '../phone.ts'
import { OPT_OUT, type Question, SCREENING_PHONE } from './questions.ts'
import { readDate, readNumber } from './typed.ts'

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

/** What is sent to be checked for a text that is no number or date: refused as an answer, ignored where it is hidden. */
const UNREADABLE = 'unreadable'

/** The answer to a question in the form of the API; undefined if there is none. */
function answerOf({ kind, name }: Question, entries: Entries, locale: string): AnswerValue | undefined {
  if (kind === 'checkboxes') {
    const chosen = entries.all(name).filter(value => value !== '')
    return chosen.length > 0 ? chosen : undefined
  }
  const text = entries.first(name)
  if (text.trim() === '') return undefined
  switch (kind) {
    case 'yesno':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'number': {
      const read = readNumber(text, locale)
      return typeof read === 'string' ? UNREADABLE : read.number
    }
    case 'date':
      return readDate(text, locale) ?? UNREADABLE
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

/** People leave out the scheme; LinkedIn is asked for with https. */
function webUrl(text: string): string {
  const url = text.trim()
  if (/^http:\/\/([a-z0-9-]+\.)*linkedin\.com(\/|$)/i.test(url)) return url.replace(/^http/i, 'https')
  return /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(url) ? `https://${url}` : url
}

/** The part of a name after its prefix; undefined where the name has another prefix. */
const below = (name: string, prefix: string): string | undefined =>
  name.startsWith(prefix) ? name.slice(prefix.length) : undefined

/** The answers of one kind, by field or question. */
export function answersBelow(
  prefix: string,
  questions: readonly Question[],
  entries: Entries,
  locale: string,
): Record<string, AnswerValue> {
  const found: [string, AnswerValue][] = []
  for (const question of questions) {
    const id = below(question.name, prefix)
    const answer = id === undefined ? undefined : answerOf(question, entries, locale)
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
export function readDetail(
  name: string,
  questions: readonly Question[],
  entries: Entries,
  locale: string,
): string | undefined {
  const question = questions.find(each => each.name === `candidate.${name}`)
  const answer = question && answerOf(question, entries, locale)
  return typeof answer === 'string' ? answer : undefined
}

export function callChoices(questions: readonly Question[], entries: Entries, locale: string) {
  const phone = questions.find(({ name }) => name === SCREENING_PHONE)
  const number = phone && answerOf(phone, entries, locale)
  return {
    voiceScreeningOptedOut: phone !== undefined && entries.first(OPT_OUT) !== '',
    screeningPhone: typeof number === 'string' ? number : undefined,
  }
}
