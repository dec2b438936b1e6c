import { Unreadable } from './unreadable.ts'

const MAX_DEPTH = 500
/** Groups that hold no text of the document. */
const SILENT = new Set(
  `fonttbl colortbl stylesheet info pict object themedata colorschememapping latentstyles datastore listtable
  listoverridetable rsidtbl generator header footer headerl headerr headerf footerl footerr footerf footnote annotation
  fldinst xmlnstbl filetbl revtbl bkmkstart bkmkend nonshppict`.split(/\s+/),
)
const BREAKS: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  tab: '\t',
  cell: '\t',
  nestcell: '\t',
  nestrow: '\n',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
}

interface Group {
  silent: boolean
  /** characters that stand for readers without Unicode, after each \u */
  skip: number
}

/** Text of an RTF document in one pass: control words, groups, and bytes in the document's code page. */
export function rtfText(file: Buffer): string {
  const source = file.toString('latin1')
  if (!source.startsWith('{\\rtf')) throw new Unreadable('not an RTF document')
  const page = /\\ansicpg(\d{3,5})/.exec(source.slice(0, 2_000))?.[1]
  const decoder = decoderFor(page)
  let group: Group = { silent: false, skip: 1 }
  const outer: Group[] = []
  let out = ''
  let toSkip = 0
  const put = (text: string) => {
    if (!group.silent) out += text
  }
  const token = /\\([a-z]{1,32})(-?\d{1,9})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}]+)/giy
  for (let match = token.exec(source); match; match = token.exec(source)) {
    const [, word, number, hex, symbol, brace, plain] = match
    if (brace === '{') {
      if (outer.length >= MAX_DEPTH) throw new Unreadable('the document is nested too deeply')
      outer.push(group)
      group = { ...group }
      toSkip = 0
    } else if (brace === '}') {
      group = outer.pop() ?? group
      toSkip = 0
    } else if (word !== undefined) {
      const name = word.toLowerCase()
      if (name === 'bin') token.lastIndex += Math.max(0, Number(number ?? 0))
      else if (name === 'uc') group.skip = Math.max(0, Number(number ?? 1))
      else if (name === 'u') {
        put(String.fromCharCode(Number(number) & 0xffff))
        toSkip = group.skip
      } else if (SILENT.has(name)) group.silent = true
      else if (BREAKS[name]) put(BREAKS[name])
    } else if (hex !== undefined) {
      if (toSkip > 0) toSkip--
      else put(decoder.decode(Uint8Array.of(Number.parseInt(hex, 16))))
    } else if (symbol !== undefined) {
      if (symbol === '*') group.silent = true
      else if (symbol === '~') put(' ')
      else if (symbol === '_') put('-')
      else if (symbol === '\n' || symbol === '\r') put('\n')
      else if ('\\{}'.includes(symbol)) put(symbol)
    } else if (plain !== undefined) {
      // line ends of the file itself mean nothing
      const text = plain.replace(/[\r\n]/g, '')
      put(text.slice(toSkip))
      toSkip = Math.max(0, toSkip - text.length)
    }
  }
  if (outer.length > 0) throw new Unreadable('the document is truncated')
  return out
}

function decoderFor(page: string | undefined) {
  try {
    return new TextDecoder(`windows-${page ?? '1252'}`)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
