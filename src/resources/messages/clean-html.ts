import type sanitizeHtml from 'sanitize-html'
import { lazyPackage } from '../../kernel/async/lazy.ts'
import { DEEPEST_HTML, isSeen, MAX_HTML_PARTS } from './rules.ts'

const sanitizer = lazyPackage<typeof sanitizeHtml>('sanitize-html')

const ALLOWED_TAGS = 'a b strong i em u p br hr div span ul ol li blockquote h1 h2 h3 h4 code pre'.split(' ')

const REMOVED_WITH_CONTENT = `script style iframe object embed svg math
  form button input select option optgroup textarea datalist output meter progress keygen`.split(/\s+/)

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: ALLOWED_TAGS,
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  nonTextTags: REMOVED_WITH_CONTENT,
  transformTags: {
    a: (tagName, { href = '' }) => {
      const target = linkTarget(href)
      const attribs: sanitizeHtml.Attributes = target ? { href: target, rel: 'noopener noreferrer nofollow' } : {}
      return { tagName, attribs }
    },
  },
  // a link that leads nowhere is not a link: its text stays
  exclusiveFilter: ({ tag, attribs }) => (tag === 'a' && attribs['href'] === undefined ? 'excludeTag' : false),
}

const BLANK = 0x20

/** As browsers read it: blanks around it and line breaks inside it are not there. */
function linkTarget(href: string): string | undefined {
  const oneLine = href.replace(/[\t\n\r]/g, '')
  let start = 0
  let end = oneLine.length
  while (start < end && oneLine.charCodeAt(start) <= BLANK) start++
  // not by an expression: one that looks for the end tries every blank inside, in the square of their number
  while (end > start && oneLine.charCodeAt(end - 1) <= BLANK) end--
  const target = oneLine.slice(start, end)
  return /^(?:https?:\/\/|mailto:)\S/i.test(target) && URL.canParse(target) ? target : undefined
}

class TooMuch extends Error {}

function sanitize(html: string): string {
  let depth = 0
  let parts = 0
  const count = (text = '') => {
    if (++parts > MAX_HTML_PARTS || depth > DEEPEST_HTML) throw new TooMuch()
    return text
  }
  const onOpenTag = () => {
    depth++
    count()
  }
  return sanitizer()(html, { ...OPTIONS, onOpenTag, onCloseTag: () => void depth--, textFilter: count })
}

// A tag that goes may bring two together that HTML does not nest, which a reader would then take apart: one more round
// settles that. What is still unsettled after some rounds was made to be.
const ROUNDS = 4

/**
 * What is sent of a partner's HTML: the tags above, no attribute but the target of a link, everything closed that was
 * opened. Idempotent. Empty if nothing would be visible, or if the markup still changes after ROUNDS passes.
 */
export function cleanHtml(html: string): string {
  let clean = html
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const before = clean
      clean = sanitize(before).trim()
      if (!isSeen(clean.replace(/<[^<>]*>/g, ''))) return ''
      if (clean === before) return clean
    }
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error
  }
  return ''
}
