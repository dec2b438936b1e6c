import { parentPort } from 'node:worker_threads'
import { Marked, type Token, Tokenizer, type Tokens, walkTokens } from 'marked'
import sanitizeHtml from 'sanitize-html'

/**
 * Markdown that companies and their systems wrote, as HTML for a page, in a thread of its own: texts that no one writes by
 * hand take seconds. Everything but plain text markup goes: no attributes but the targets of links, no pictures, no
 * frames, no forms.
 */
const ALLOWED_TAGS =
  'p br hr strong em b i u s del sub sup code pre blockquote ul ol li h2 h3 h4 a table thead tbody tr th td'.split(' ')

const LINK = /^(?:https?:\/\/|mailto:|tel:)[^\s<>"]+$/i

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: ALLOWED_TAGS,
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  transformTags: {
    h1: 'h2',
    h5: 'h4',
    h6: 'h4',
    a: (tagName, { href = '' }) => ({
      tagName,
      attribs:
        LINK.test(href) && URL.canParse(href) ? { href, rel: 'noopener nofollow' } : ({} as Record<string, string>),
    }),
    ol: (tagName, { start = '' }) => ({
      tagName,
      attribs: /^\d{1,6}$/.test(start) ? { start } : ({} as Record<string, string>),
    }),
  },
  // a link that leads nowhere is not a link: its text stays
  exclusiveFilter: ({ tag, attribs }) => (tag === 'a' && attribs['href'] === undefined ? 'excludeTag' : false),
  // deeper than any text that people write
  nestingLimit: 30,
}

/** Marks before a line nest: thousands of quotes or lists take seconds and exhaust the stack. */
const MAX_LINE_MARKS = 100
/** Pairs of these are looked for in the square of their number: 15 000 take four seconds, 3 000 a seventh of one. */
const MAX_EMPHASIS_MARKS = 3000

/**
 * Signs without a blank, which links and addresses are looked for in: 30 000 take up to fifteen seconds, 2 000 a tenth of
 * one.
 */
const MAX_UNBROKEN = 2000

/** Short rows are filled to the width of the head: 600 columns and 2 000 rows of one sign would be 1.2 million cells. */
const MAX_CELLS = 20_000
/** A definition is written again wherever it is named. */
const MAX_DEFINED = 1000
/** Signs of the result: eight for each that a job's description may have. */
export const MAX_RENDERED = 250_000

/** Titles are not shown: they are not repeated either. */
class Definitions extends Tokenizer {
  override def(src: string): Tokens.Def | undefined {
    const found = super.def(src)
    if (!found || found.href.length > MAX_DEFINED) return undefined
    return { type: 'def', tag: found.tag, raw: found.raw, href: found.href, title: '' }
  }
}

const isPicture = (token: Token): boolean =>
  token.type === 'image' || (token.type === 'text' && token.raw.trim() === '')

const marked = new Marked({
  gfm: true,
  tokenizer: new Definitions(),
  renderer: {
    image: ({ text }) => text,
    // the text of a picture means nothing without the picture; false: as any other paragraph
    paragraph: ({ tokens }) => (tokens.every(isPicture) ? '' : false),
  },
})

/** The headings of the text begin at `<h2>`, whatever level it began with. Undefined for a text that is without end. */
export function render(source: string): string | undefined {
  if (isEndless(source)) return undefined
  try {
    const tokens = marked.lexer(source)
    const headings: Tokens.Heading[] = []
    let linked = 0
    walkTokens(tokens, (token: Token) => {
      if (token.type === 'heading') headings.push(token as Tokens.Heading)
      if (token.type === 'link') linked += (token as Tokens.Link).href.length
    })
    if (linked > MAX_RENDERED) return undefined
    const levels = [...new Set(headings.map(({ depth }) => depth))].toSorted((a, b) => a - b)
    for (const heading of headings) heading.depth = Math.min(4, levels.indexOf(heading.depth) + 2)
    const rendered = sanitizeHtml(marked.parser(tokens), OPTIONS)
    return rendered.length > MAX_RENDERED ? undefined : rendered
  } catch (error) {
    // the stack is exhausted
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}

const BLANK: ReadonlySet<string> = new Set(' \t\n\r')

/** Whether the text has more marks, or longer words, than any that people write. */
function isEndless(source: string): boolean {
  let emphasis = 0
  let before = 0
  let inMarks = true
  let lines = 1
  let columns = 1
  let widest = 1
  let unbroken = 0
  for (const sign of source) {
    unbroken = BLANK.has(sign) ? 0 : unbroken + 1
    if (sign === '*' || sign === '_' || sign === '~') emphasis++
    if (sign === '|') widest = Math.max(widest, ++columns)
    if (sign === '\n' || sign === '\r') {
      before = 0
      inMarks = true
      lines++
      columns = 1
    } else if (inMarks) {
      if ('>-+*.)'.includes(sign)) before++
      else if (!' \t0123456789'.includes(sign)) inMarks = false
    }
    if (before > MAX_LINE_MARKS || emphasis > MAX_EMPHASIS_MARKS || unbroken > MAX_UNBROKEN) return true
  }
  // no table has more columns than a line has signs for, nor more rows than there are lines
  return widest > 1 && widest * lines > MAX_CELLS
}

parentPort?.on('message', (source: string) => parentPort?.postMessage({ rendered: render(source) }))
parentPort?.postMessage('ready')
