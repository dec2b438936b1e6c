import { Marked, type Tokens, walkTokens } from 'marked'
import type sanitizeHtml from 'sanitize-html'
import { lazyPackage } from '../kernel/async/lazy.ts'
import { type Html, html, trusted } from '../pages/html.ts'

/**
 * Markdown that companies and their systems wrote, as HTML for a page. Everything but plain text markup goes: no
 * attributes but the targets of links, no pictures, no frames, no forms. A text that cannot be rendered, because it is
 * nested without end, is shown as it was written.
 */
const sanitizer = lazyPackage<typeof sanitizeHtml>('sanitize-html')

const KEPT =
  'p br hr strong em b i u s del sub sup code pre blockquote ul ol li h2 h3 h4 a table thead tbody tr th td'.split(' ')

const LINK = /^(?:https?:\/\/|mailto:|tel:)[^\s<>"]+$/i

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: KEPT,
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
  // a link that leads nowhere is no link: its text stays
  exclusiveFilter: ({ tag, attribs }) => (tag === 'a' && attribs['href'] === undefined ? 'excludeTag' : false),
  // deeper than any text that people write
  nestingLimit: 30,
}

/** Marks before a line nest: thousands of quotes or lists take seconds and exhaust the stack. */
const MOST_LINE_MARKS = 100
/** Pairs of these are looked for in the square of their number: 15 000 take four seconds, 3 000 a seventh of one. */
const MOST_EMPHASIS_MARKS = 3000

const marked = new Marked({ gfm: true, renderer: { image: ({ text }) => text } })

/** Rendered texts that were shown lately, by their source. Rendering takes milliseconds, a page is made in less than one. */
const KEPT_LENGTH = 4_000_000
const rendered = new Map<string, Html>()
let length = 0

/** The headings of the text begin at `<h2>`, whatever level it began with. */
export function renderMarkdown(source: string): Html {
  const known = rendered.get(source)
  if (known) return known
  const made = render(source)
  for (const [old, value] of rendered) {
    if (length + source.length < KEPT_LENGTH) break
    rendered.delete(old)
    length -= old.length + value.text.length
  }
  rendered.set(source, made)
  length += source.length + made.text.length
  return made
}

function render(source: string): Html {
  if (isEndless(source)) return asWritten(source)
  try {
    const tokens = marked.lexer(source)
    const headings: Tokens.Heading[] = []
    walkTokens(tokens, token => {
      if (token.type === 'heading') headings.push(token as Tokens.Heading)
    })
    const levels = [...new Set(headings.map(({ depth }) => depth))].toSorted((a, b) => a - b)
    for (const heading of headings) heading.depth = Math.min(4, levels.indexOf(heading.depth) + 2)
    return trusted(sanitizer()(marked.parser(tokens), OPTIONS))
  } catch (error) {
    // the stack is exhausted
    if (!(error instanceof RangeError)) throw error
    return asWritten(source)
  }
}

const asWritten = (source: string): Html => html`<p>${source}</p>`

/** Whether the text has more marks than any that people write. */
function isEndless(source: string): boolean {
  let emphasis = 0
  let before = 0
  let inMarks = true
  for (const sign of source) {
    if (sign === '*' || sign === '_' || sign === '~') emphasis++
    if (sign === '\n') {
      before = 0
      inMarks = true
    } else if (inMarks) {
      if ('>-+*.)'.includes(sign)) before++
      else if (!' \t0123456789'.includes(sign)) inMarks = false
    }
    if (before > MOST_LINE_MARKS || emphasis > MOST_EMPHASIS_MARKS) return true
  }
  return false
}

const NAMED: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

/** The first words of a rendered text, for search engines and link previews. */
export function excerpt(text: Html, longest = 200): string {
  let plain = ''
  let inTag = false
  for (const sign of text.text) {
    if (sign === '<') inTag = true
    else if (sign === '>') {
      inTag = false
      plain += ' '
    } else if (!inTag) plain += sign
  }
  const words = plain.replace(/&(?:amp|lt|gt|quot|#39);/g, entity => NAMED[entity]!).split(/\s+/)
  return shortened(words.filter(Boolean).join(' '), longest)
}

export function shortened(text: string, longest = 200): string {
  if (text.length <= longest) return text
  const cut = text.slice(0, longest - 1)
  const end = cut.lastIndexOf(' ')
  return `${end > longest / 2 ? cut.slice(0, end) : cut}…`
}
