import { codeFigure } from '../pages/code-figure.ts'
import { escapeHtml, type Html, html, trusted } from '../pages/html.ts'

type Token = 'key' | 'string' | 'number' | 'comment'

const QUOTED = `"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'`

/** What is worth a colour in each language, tried in order; the rest stays as it is. */
const GRAMMARS: Readonly<Record<string, readonly (readonly [Token, string])[]>> = {
  json: [
    ['key', '"(?:[^"\\\\]|\\\\.)*"(?=\\s*:)'],
    ['string', '"(?:[^"\\\\]|\\\\.)*"'],
    ['number', '-?\\b\\d+(?:\\.\\d+)?\\b|\\b(?:true|false|null)\\b'],
  ],
  sh: [
    ['comment', '(?<=^|\\s)#[^\\n]*'],
    ['string', QUOTED],
    ['key', '\\b(?:curl|jq|npx|npm|export|echo|while|do|done|if|then|fi|test)\\b'],
  ],
  hash: [
    ['comment', '#[^\\n]*'],
    ['string', QUOTED],
    [
      'key',
      '\\b(?:def|class|import|from|return|if|elif|else|end|require|for|in|do|while|with|as|not|and|or|True|False|None|nil|true|false|raise|rescue|except|try|self|unless|next|lambda)\\b',
    ],
  ],
  slash: [
    ['comment', '//[^\\n]*|/\\*[\\s\\S]*?\\*/'],
    ['string', `${QUOTED}|\`[^\`]*\``],
    [
      'key',
      '\\b(?:import|from|export|const|let|function|return|if|else|for|of|new|await|async|func|package|var|type|struct|range|go|defer|nil|true|false|null|throw|class|switch|case)\\b',
    ],
  ],
}

const LANGUAGES: Readonly<Record<string, string>> = {
  json: 'json',
  sh: 'sh',
  console: 'sh',
  python: 'hash',
  ruby: 'hash',
  js: 'slash',
  ts: 'slash',
  go: 'slash',
}

/** Code as HTML, its words marked for the style sheet. */
export function highlight(code: string, language = ''): Html {
  const grammar = GRAMMARS[LANGUAGES[language] ?? '']
  if (!grammar) return html`${code}`
  const pattern = new RegExp(grammar.map(([, source]) => `(${source})`).join('|'), 'gm')
  let text = ''
  let end = 0
  for (const match of code.matchAll(pattern)) {
    const token = grammar[match.slice(1).findIndex(group => group !== undefined)]![0]
    text += `${escapeHtml(code.slice(end, match.index))}<span class="tok-${token}">${escapeHtml(match[0])}</span>`
    end = match.index + match[0].length
  }
  return trusted(text + escapeHtml(code.slice(end)))
}

export const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  console: 'Terminal',
  json: 'JSON',
  js: 'Node',
  ts: 'TypeScript',
  python: 'Python',
  go: 'Go',
  ruby: 'Ruby',
}

export const codeBlock = (code: string, language: string, title?: string): Html =>
  codeFigure(title ?? LANGUAGE_NAMES[language] ?? 'Text', highlight(code.trimEnd(), language))
