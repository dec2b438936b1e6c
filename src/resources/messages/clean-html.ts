import sanitizeHtml from 'sanitize-html'

const KEPT = 'a b strong i em u p br hr div span ul ol li blockquote h1 h2 h3 h4 code pre'.split(' ')

const REMOVED_WITH_CONTENT = `script style iframe object embed svg math
  form button input select option optgroup textarea datalist output meter progress keygen`.split(/\s+/)

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: KEPT,
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
  // a link that leads nowhere is no link: its text stays
  exclusiveFilter: ({ tag, attribs }) => (tag === 'a' && attribs['href'] === undefined ? 'excludeTag' : false),
}

/** As browsers read it: blanks around it and line breaks inside it are not there. */
function linkTarget(href: string): string | undefined {
  const target = href.replace(/^[\0- ]+|[\0- ]+$|[\t\n\r]/g, '')
  return /^(?:https?:\/\/|mailto:)\S/i.test(target) && URL.canParse(target) ? target : undefined
}

// A tag that goes may bring two together that HTML does not nest, which a reader would then take apart: one more round
// settles that. What is still unsettled after some rounds was made to be.
const ROUNDS = 4

/**
 * What is sent of a partner's HTML: the tags above, no attribute but the target of a link, everything closed that was
 * opened. Cleaning what is clean changes nothing. Empty where nothing would be seen.
 */
export function cleanHtml(html: string): string {
  let clean = html
  for (let round = 0; round < ROUNDS; round++) {
    const before = clean
    clean = sanitizeHtml(before, OPTIONS).trim()
    if (!isVisible(clean)) return ''
    if (clean === before) return clean
  }
  return ''
}

const isVisible = (html: string): boolean => /[^\s\u00a0\u200b-\u200d\u2060\ufeff]/.test(html.replace(/<[^>]*>/g, ''))
