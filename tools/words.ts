import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'

/**
 * Words that this project does not use, and what it uses instead. They are the column "Never" of the table in
 * CONTRIBUTING.md; a test compares the two. Identifiers count: `#keptBeside` is read as "kept beside". Run by
 * `npm run lint`.
 */
export interface UnusedWord {
  word: RegExp
  use: string
  /** identifiers and phrases in which the word has another meaning; they are removed from a line before the search */
  allowed?: RegExp
  /** files in which the word has another meaning */
  except?: RegExp
}

/** Names of form answers: fields, scopes, codes and columns of the API, and the identifiers that handle them. */
const ANSWER_NAMES = new RegExp(
  [
    /\w+_answers?(_\w+)?|answer_(type|field_\w+)/, // codes, objects, tables: invalid_answer_value, application_answers
    /applications:answers:read|\}\/answers|`answers`|'answers'|\banswers(?=\??: )|\banswers\[\d+\]\.|\.answers\b/,
    /\b(Form|required|missing|private)Answers?\b|\bAnswerValue\b|\bANSWER_TYPES\b|\bisAnswerable\b|\bwithAnswers\b/,
    /\b(insert|insertPrivate|select)Answers\b|\banswer(Faults|s(ById|PerApplication|Record|Shape|To))\b/,
    /contact values, answers|'answer'|Answers calls/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** Files about application forms, pre-screens and offered times, where people answer questions. */
const FORM_FILES = new RegExp(
  `^(${[
    'src/contract/(enums|errors|event-values|groups|scopes)\\.ts',
    'src/resources/applications/(actions|answer-file-routes|apply-on-form|create|files-store|index|(form-)?rules|pending-(actions|store)|(write-)?routes|shape|store|write-application)\\.ts',
    'src/hiring/(candidate|limited|routes)\\.ts|web/hiring/candidate/[a-z-]+\\.tsx?|test/(hiring|browser)/(hiring-)?candidate\\.test\\.ts',
    'src/resources/uploads/(index|rules)\\.ts',
    'src/resources/jobs/(condition-rules|sections-input|sections-store|set-sections|shape)\\.ts',
    'src/careers/(apply/[a-z-]+\\.ts|assets/apply\\.(css|js))',
    'test/(careers|browser)/(careers-)?(apply[a-z-]*|application-form)(\\.test)?\\.ts',
    'src/(careers/candidate|resources/candidates)/[a-z-]+\\.ts|src/careers/texts/[a-z]+\\.ts',
    'test/(careers|browser)/(careers-)?candidate[a-z-]*(\\.test)?\\.ts',
    'web/hiring/(setup|pages)/(form|question|job-form|job-questions|template-form)[a-z-]*\\.tsx?',
    'test/(hiring/job-setup|browser/hiring-setup)\\.test\\.ts',
    'src/docs/(catalogues|reference)\\.ts',
    'docs/erasure\\.md|docs/guides/(careers-site|erasure|moving-from-[a-z]+|personal-data|submitting-applications)\\.md',
    'demo/(occupations|activity/(answers|applications)|build/(applications|forms))\\.ts',
    'test/applications/(setup|((answers|candidate-actions|creation|form-[a-z]+|product-actions)\\.test))\\.ts|test/(erasure/planting|harness/cluster-suites)\\.ts',
    'test/pipeline/refusals\\.test\\.ts|test/contract/guarded-fields\\.test\\.ts',
    'web/hiring/(interviews/[a-z-]+\\.tsx?|texts/(de|en)/interviews\\.ts|css/interviews\\.css)',
    '(src/resources|test)/interviews/[a-z-]+(\\.test)?\\.ts|src/hiring/(interviews|tasks)\\.ts|docs/who-may-do-what\\.md',
    'src/resources/tasks/(actions|store)\\.ts|web/hiring/tasks/rows\\.ts',
    'src/resources/hiring-team/mail-actions\\.ts|src/careers/(assets/candidate\\.css|texts/[a-z-]+\\.ts)',
    'test/(careers/data-texts|hiring/(foreign-children|roles))\\.test\\.ts|web/hiring/texts/en/decisions\\.ts',
    'web/hiring/texts/(de|en)/candidate\\.ts|test/(browser/hiring-german|contract/page-texts)\\.test\\.ts',
  ].join('|')})$`,
)

export const UNUSED_WORDS: readonly UnusedWord[] = [
  { word: /rooms?/, use: 'capacity, space' },
  { word: /pieces?/, use: 'batch, chunk, part', allowed: /pieces of text/, except: /\/(doc|resume-files)\.ts$/ },
  { word: /lots?/, use: 'batch, bucket', except: /\/(analytics\/|erasure-policy\.ts|hiring-funnel\.md)/ },
  { word: /under ?way/, use: 'in flight, running, in progress' },
  { word: /beside/, use: 'next to, besides, in the background' },
  { word: /meanwhile/, use: 'in the background, during' },
  { word: /answer(s|ed|ing)?/, use: 'response, respond, return', allowed: ANSWER_NAMES, except: FORM_FILES },
  { word: /whoever|whomever/, use: 'the caller, anyone who' },
  { word: /nobody/, use: 'no user, no caller, no one' },
  { word: /somebody/, use: 'someone, a user, another process', except: /^src\/kernel\/text\/tokenize\.ts$/ },
  { word: /anybody/, use: 'anyone' },
  { word: /everybody/, use: 'everyone, all users' },
  { word: /remember(s|ed|ing)?/, use: 'cache, store', allowed: /exportRememberedDays/ },
  { word: /told/, use: 'notified, returned, emitted' },
  {
    word: /announce(s|d|ments?)?|announcing/,
    use: 'emit',
    except: /^(web\/|test\/browser\/|src\/pages\/page\.ts$|CHANGELOG\.md$)/, // to users of screen readers
  },
  { word: /once more/, use: 'again; retry' },
  { word: /anew/, use: 'again; rebuild' },
  { word: /(cannot|could not) be asked/, use: 'unavailable' },
  { word: /(is|are|was|were|be|being) away/, use: 'unavailable' },
  { word: /mend(s|ed|ing)?/, use: 'fix' },
  { word: /at once/, use: 'immediately; at the same time, concurrently' },
  { word: /for good/, use: 'permanently' },
  { word: /(spent|used up) (budget|quota)|(budget|quota) (is |was )?(spent|used up)/, use: 'exhausted' },
  { word: /stands|stood/, use: 'is, is written, means' },
  { word: /patiently|patience|impatient/, use: 'without a timeout; timeout' },
  { word: /doomed/, use: 'to be deleted' },
  { word: /stranded/, use: 'orphaned' },
  { word: /fellows?|boarding|worn/, use: 'another word: see CONTRIBUTING.md' },
  { word: /works on for/, use: 'stays valid for' },
  { word: /kept nowhere/, use: 'not stored' },
  {
    word: /e mails?/,
    use: 'email',
    except:
      /(^|\/)resumes?(\/|-)|^test\/(applications|jobs|pages|erasure|careers|browser)\/|jobs\/defaults\.ts$|careers\/texts\/de(-[a-z]+)?\.ts$|hiring\/texts\/de\/|^web\/ui\/texts\/de\.ts$/,
  },
  { word: /thereby|thereof|wherein|herein|hitherto|lest|thrice/, use: 'a shorter sentence' },
]

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['src', 'web', 'test', 'bench', 'tools', 'demo', 'docs', 'packages', '.ci', '.github']
const KINDS = new Set(['.ts', '.tsx', '.js', '.sql', '.md', '.css', '.html', '.yml', '.yaml', ''])
/** Data, which has the words that people write, and this list itself. */
const DATA =
  /^bench\/datasets\/|^packages\/resume-parser\/bench\/resumes\/|\/vocabulary\/|^tools\/words\.ts$|^web\/dist|^packages\/[^/]+\/(dist|src\/generated|LICENSE)|\/node_modules\//

export interface Find {
  path: string
  line: number
  word: string
  use: string
}

/** `#keptBeside` to `kept beside`, `MAX_TOLD` to `most told`; one space wherever something else was. */
const plainText = (line: string): string =>
  line
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-zÀ-ÿ]+/g, ' ')
    .toLowerCase()

/** A comment is a sentence with a subject and a verb: one that begins with "Of" has neither. */
const OF_COMMENT = /^\s*(?:\/\*+|\/\/|\*|--) *Of\b/
/** In lower case it counts only where a comment begins, because a further line may continue a sentence. */
const OF_BEGINNING = /^\s*(\/\*+|\/\/|--) *of\b/

/** Folders whose comments begin with no relative clause, which would have no main clause either. */
const SENTENCE_FOLDERS = /^src\/kernel\//
const RELATIVE_COMMENT = /^\s*(?:\/\*+|\/\/|\*) *(What|Whatever|Which|Who|Whoever)\b/

function beginsWithOf(line: string, before: string): boolean {
  const marker = OF_BEGINNING.exec(line)?.[1]
  return (
    OF_COMMENT.test(line) ||
    (marker !== undefined && (marker.startsWith('/*') || !before.trimStart().startsWith(marker)))
  )
}

/** The table of CONTRIBUTING.md names the words, so its rows are not searched. */
const isWordTable = (path: string, line: string): boolean => path === 'CONTRIBUTING.md' && line.startsWith('|')

export function findUnusedWords(path: string, text: string): Find[] {
  const wanted = UNUSED_WORDS.filter(({ except }) => !except?.test(path)).map(({ word, ...rest }) => ({
    ...rest,
    pattern: new RegExp(`(?<![a-zà-ÿ])(?:${word.source})(?![a-zà-ÿ])`),
  }))
  return text.split('\n').flatMap((line, at, lines) => {
    if (isWordTable(path, line)) return []
    const plain = plainText(line)
    const words = wanted.flatMap(({ pattern, use, allowed }) => {
      const found = pattern.exec(plain) && pattern.exec(allowed ? plainText(line.replace(allowed, ' ')) : plain)
      return found ? [{ path, line: at + 1, word: found[0], use }] : []
    })
    const first = path.endsWith('.md')
      ? undefined
      : beginsWithOf(line, lines[at - 1] ?? '')
        ? 'Of'
        : SENTENCE_FOLDERS.test(path)
          ? RELATIVE_COMMENT.exec(line)?.[1]
          : undefined
    return first ? [...words, { path, line: at + 1, word: first, use: 'a sentence that says what it is' }] : words
  })
}

/** The source of the documentation and of the product; names of files count as text. */
export function checkedFiles(): string[] {
  const inside = FOLDERS.flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => relative(ROOT, join(entry.parentPath, entry.name))),
  )
  const top = readdirSync(ROOT, { withFileTypes: true }).filter(entry => entry.isFile() && entry.name.endsWith('.md'))
  return [...inside, ...top.map(entry => entry.name)]
    .filter(path => KINDS.has(extname(path)) && !DATA.test(path))
    .sort()
}

if (import.meta.main) {
  const finds = checkedFiles().flatMap(path => [
    ...findUnusedWords(path, path).map(find => ({ ...find, line: 0 })),
    ...findUnusedWords(path, readFileSync(join(ROOT, path), 'utf8')),
  ])
  for (const { path, line, word, use } of finds) console.error(`${path}:${line} "${word}": use ${use}`)
  if (finds.length > 0) {
    console.error(`${finds.length} words that this project does not use; tools/words.ts lists them`)
    process.exitCode = 1
  }
}
