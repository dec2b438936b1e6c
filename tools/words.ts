import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'

/**
 * Words that this project does not use, and what it uses instead; CONTRIBUTING.md has the terms. Identifiers count:
 * `#keptBeside` is read as "kept beside". Run by `npm run lint`.
 */
export interface UnusedWord {
  word: RegExp
  use: string
  /** paths in which the word has its usual meaning */
  except?: RegExp
}

/** Where people answer questions: application forms and pre-screens. */
const FORMS =
  /(^|\/)(applications?|applicants?|jobs|forms?|demo|careers|resumes|screening|answers?)(\/|\.|-)|contract\/(errors|scopes|events|limits)|^web\/console\/scopes|docs\/|erasure|exports|field-notes|samples|^migrations|^CHANGELOG|^openapi|^test\/(pipeline\/refusals|contract\/catalogues|harness\/evidence)\./

export const UNUSED_WORDS: readonly UnusedWord[] = [
  { word: /anew/, use: 'again; rebuild' },
  { word: /mend(s|ed|ing)?/, use: 'fix' },
  { word: /whoever|whomever/, use: 'the caller, anyone who' },
  { word: /nobody/, use: 'no user, no caller, no one' },
  { word: /somebody/, use: 'someone, a user, another process', except: /^src\/search\/tokenize\.ts$/ },
  { word: /anybody/, use: 'anyone' },
  { word: /everybody/, use: 'everyone, all users' },
  { word: /under ?way/, use: 'in flight, running, in progress' },
  { word: /told/, use: 'notified, returned, emitted' },
  { word: /beside/, use: 'next to, besides, in the background' },
  { word: /meanwhile/, use: 'in the background, during' },
  { word: /stands|stood/, use: 'is, is written, means' },
  { word: /(cannot|could not) be asked/, use: 'unavailable' },
  { word: /(is|are|was|were|be|being) away/, use: 'unavailable' },
  { word: /patiently|patience|impatient/, use: 'without a timeout; timeout' },
  { word: /once more/, use: 'again; retry' },
  { word: /doomed/, use: 'to be deleted' },
  { word: /fellows?|boarding|stranded|worn/, use: 'another word: see CONTRIBUTING.md' },
  {
    word: /e mails?/,
    use: 'email',
    except: /(^|\/)resumes?(\/|-)|^test\/(applications|jobs|pages|erasure)\/|jobs\/defaults\.ts$/,
  },
  {
    word: /at once/,
    use: 'immediately; at the same time, concurrently',
    except: /^(CHANGELOG\.md|bench\/RESULTS\.md)$/,
  },
  { word: /for good/, use: 'permanently', except: /^CHANGELOG\.md$/ },
  { word: /thereby|thereof|wherein|herein|hitherto|lest|thrice/, use: 'a shorter sentence' },
  { word: /answer(s|ed|ing)?/, use: 'response, respond, return', except: FORMS },
]

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['src', 'web', 'test', 'bench', 'tools', 'demo', 'docs', 'migrations', 'packages', '.ci', '.github']
const KINDS = new Set(['.ts', '.tsx', '.js', '.sql', '.md', '.css', '.html', '.yml', '.yaml', ''])
/** Data, which has the words that people write. */
const DATA =
  /^bench\/resumes\/|\/vocabulary\/|^bench\/datasets\/|^tools\/words\.ts$|^migrations\/|^CONTRIBUTING\.md$|^test\/tools\/words|node_modules|^web\/dist/

export interface Find {
  path: string
  line: number
  word: string
  use: string
}

/** `#keptBeside` to `kept beside`, `MOST_TOLD` to `most told`; one space wherever something else was. */
const plainText = (line: string): string =>
  line
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-zÀ-ÿ]+/g, ' ')
    .toLowerCase()

export function findUnusedWords(path: string, text: string): Find[] {
  const wanted = UNUSED_WORDS.filter(({ except }) => !except?.test(path))
  return text.split('\n').flatMap((line, at) => {
    const plain = plainText(line)
    return wanted.flatMap(({ word, use }) => {
      const found = new RegExp(`(?<![a-zà-ÿ])(?:${word.source})(?![a-zà-ÿ])`).exec(plain)
      return found ? [{ path, line: at + 1, word: found[0], use }] : []
    })
  })
}

export function checkedFiles(): string[] {
  const inside = FOLDERS.flatMap(folder => {
    try {
      return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => relative(ROOT, join(entry.parentPath, entry.name)))
    } catch {
      return [] // a folder that is not there
    }
  })
  const top = readdirSync(ROOT, { withFileTypes: true }).filter(entry => entry.isFile() && entry.name.endsWith('.md'))
  return [...inside, ...top.map(entry => entry.name)]
    .filter(path => KINDS.has(extname(path)) && !DATA.test(path))
    .sort()
}

if (import.meta.main) {
  const finds = checkedFiles().flatMap(path => findUnusedWords(path, readFileSync(join(ROOT, path), 'utf8')))
  for (const { path, line, word, use } of finds) console.error(`${path}:${line} "${word}": use ${use}`)
  if (finds.length > 0) {
    console.error(`${finds.length} words that this project does not use; tools/words.ts lists them`)
    process.exitCode = 1
  }
}
