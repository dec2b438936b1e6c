import { stem } from '../../kernel/text/stemmer.ts'
import { foldCase } from '../../kernel/text/tokenize.ts'

/** A run of text that is one word for the search: `webhooks`, `next_cursor`, `application.created`, `Retry-After`. */
export interface Word {
  start: number
  end: number
  /** the stems under which it is found: one for each part, and all parts joined where it has several */
  terms: string[]
  /** the parts as written, without case and accents, and all joined; spelling is corrected with these */
  spellings: string[]
}

const RUN = /[\p{L}\p{N}]+(?:[_.:’'-][\p{L}\p{N}]+)*/gu

type Forms = Pick<Word, 'terms' | 'spellings'>

/**
 * The words of a text of the documentation. `next_cursor`, `next-cursor`, `nextCursor` and `NEXT_CURSOR` have the same
 * terms: next, cursor and nextcursor.
 */
export const splitWords = (text: string): Generator<Word> => split(text, cachedFormsOf)

/** The words of what a reader typed. They are not cached: there is no end of them. */
export const splitQueryWords = (text: string): Generator<Word> => split(text, formsOf)

function* split(text: string, forms: (run: string) => Forms): Generator<Word> {
  for (const match of text.matchAll(RUN)) {
    yield { start: match.index, end: match.index + match[0].length, ...forms(match[0]) }
  }
}

/** The documentation has a few thousand different words. */
const cachedForms = new Map<string, Forms>()

function cachedFormsOf(run: string): Forms {
  let forms = cachedForms.get(run)
  if (!forms) {
    forms = formsOf(run)
    cachedForms.set(run, forms)
  }
  return forms
}

function formsOf(run: string): Forms {
  const parts = foldCase(run.replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1_'))
    .replace(/[’']s?(?![\p{L}\p{N}])|[’']/gu, '')
    .split(/[_.:-]/)
    .filter(part => part !== '')
  const joined = parts.length > 1 ? [parts.join('')] : []
  return { terms: [...parts.map(stem), ...joined], spellings: [...parts, ...joined] }
}

/** A text as one term, however its words are separated and end: `Retry after` and `Retry-After`, `Webhook` and `Webhooks`. */
export const joinedName = (text: string): string =>
  foldCase(text.replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 '))
    .split(/[^\p{L}\p{N}]+/u)
    .map(stem)
    .join('')

/** A text without case and punctuation: `Moving-and-hiring` and `moving and hiring`. */
export const asWritten = (text: string): string =>
  foldCase(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Words that say nothing about what is looked for. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and any are as at be by can could do does for from get got give gives has have how i if in into is it its me my of
  on or our shall should that the their them there they this to want was we what when where which who why will with you
  your`.split(/\s+/),
)
