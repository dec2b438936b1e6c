import { Marked, type Token, type Tokens } from 'marked'
import { API_PREFIX } from '../contract/version.ts'
import { escapeHtml, type Html, html, trusted } from '../pages/html.ts'
import { codeBlock, LANGUAGE_NAMES } from './highlight.ts'
import { isSampleLanguage, type Sample, sampleTabs } from './sample-tabs.ts'

export interface Heading {
  level: number
  id: string
  text: string
}

export interface Guide {
  title: string
  /** the paragraph under the title */
  summary: string
  body: Html
  headings: Heading[]
}

export const slug = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[`'’]/g, '')
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '')

/** Markdown of a line without its marks. Underscores belong to identifiers. */
export const plain = (text: string): string => text.replace(/[`*]/g, '').replace(/\[([^[\]]+)\]\([^()]*\)/g, '$1')

/** Ids of the headings of one page: a repeated heading gets a number. */
export function headingIds(): (text: string) => string {
  const used = new Map<string, number>()
  return text => {
    const id = slug(text)
    const times = (used.get(id) ?? 0) + 1
    used.set(id, times)
    return times === 1 ? id : `${id}-${times}`
  }
}

/** Short identifiers of a cell do not continue on a second line; long ones may, so that a table fits a phone. */
const unbroken = (cell: string): string => cell.replaceAll(/<code>(?=\w{1,24}<)/g, '<code class="word">')

/**
 * A guide from its Markdown, which is ours: nothing of it comes from strangers. `> **Note**` paragraphs become notices; a
 * fence can have a title: `js title=receiver.mjs`. Fences in curl, TypeScript and Python that follow each other are one
 * sample, of which the reader chooses the language. A text that is part of a page has a prefix for the ids of its headings.
 */
export function renderGuide(source: string, idPrefix = ''): Guide {
  const headings: Heading[] = []
  const idOf = headingIds()
  let title = ''
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const words = this.parser.parseInline(tokens)
        if (depth === 1) {
          title = plain(text)
          return `<h1>${words}</h1>`
        }
        const id = idPrefix + idOf(text)
        headings.push({ level: depth, id, text: plain(text) })
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}" aria-label="Link to this section"></a>${words}</h${depth}>`
      },
      code({ text, lang }) {
        const { language, title } = fenceOf(lang)
        return codeBlock(text, language, title).text
      },
      table(token) {
        const row = (cells: typeof token.header, tag: 'td' | 'th') =>
          `<tr>${cells.map(cell => `<${tag}>${unbroken(this.parser.parseInline(cell.tokens))}</${tag}>`).join('')}</tr>`
        return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows.map(cells => row(cells, 'td')).join('')}</tbody></table></div>`
      },
      blockquote({ tokens, text }) {
        const kind = /^\*\*(Careful|Warning)/.test(text) ? 'warn' : 'info'
        return `<div class="notice ${kind}">${this.parser.parse(tokens)}</div>`
      },
      checkbox() {
        return '<span class="todo" aria-hidden="true"></span>'
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(href)}">${this.parser.parseInline(tokens)}</a>`
      },
    },
  })
  const body = marked.parser(withTabs(marked.lexer(source), idPrefix))
  const summary = /^#[^\n]*\n+([^\n]+(?:\n[^\n]+)*)/.exec(source)?.[1] ?? ''
  return { title, summary: plain(summary.replaceAll('\n', ' ')), body: trusted(body), headings }
}

function fenceOf(lang: string | undefined): { language: string; title: string | undefined } {
  const [language = '', ...words] = (lang ?? '').split(' ')
  const options = Object.fromEntries(words.map(word => word.split('=') as [string, string]))
  return { language, title: options['title'] }
}

/** Blocks of code that follow each other in different languages of the samples become one, with tabs. */
function withTabs(tokens: readonly Token[], idPrefix: string): Token[] {
  const result: Token[] = []
  let samples: Sample[] = []
  let blocks: Token[] = []
  let groups = 0
  const close = () => {
    if (samples.length > 1) {
      const { text } = sampleTabs(`${idPrefix}${++groups}`, samples, html` data-fill="${API_PREFIX}"`)
      result.push({ type: 'html', raw: text, text, pre: false, block: true })
    } else result.push(...blocks)
    samples = []
    blocks = []
  }
  for (const token of tokens) {
    if (token.type === 'space' && samples.length > 0) {
      blocks.push(token)
      continue
    }
    const { lang, text: code = '' } = (token.type === 'code' ? token : {}) as Partial<Tokens.Code>
    const { language, title } = fenceOf(lang)
    if (isSampleLanguage(language)) {
      if (samples.some(sample => sample.language === language)) close()
      samples.push({ language, code, title: title ?? LANGUAGE_NAMES[language] ?? language })
      blocks.push(token)
    } else {
      close()
      result.push(token)
    }
  }
  close()
  return result
}
