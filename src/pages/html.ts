/** Text that is HTML already. Only the tag below and `trusted` make it, so that what is not marked is escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

/** What a template may hold: text is escaped, HTML stays, lists are joined, nothing is left out. */
export type Part = Html | string | number | null | undefined | false | readonly Part[]

/** html`<p>${name}</p>` */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, literal, i) => text + written(parts[i - 1]) + literal))
}

/** Markup that this product wrote itself, such as a rendered guide; never what came from a request or the store. */
export const trusted = (text: string): Html => new Html(text)

function written(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === null || part === undefined || part === false) return ''
  return typeof part === 'object' ? part.map(written).join('') : escapeHtml(String(part))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Safe between tags and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, sign => ENTITIES[sign] ?? '')

/** Text with `code` in backticks. */
export const prose = (text: string): Html => new Html(escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>'))
