import { IMPORT_LIMITS } from '../../../src/contract/limits.ts'
import { count } from '../../ui/numbers.ts'
import { Link } from '../../ui/router.tsx'
import type { Tone } from '../../ui/tag.tsx'
import { href, type Line, type Sent, send, sendFile } from '../api.ts'
import { t } from '../texts/index.ts'
import { Import } from './import.tsx'
import { type Fate, fieldTitle, type ImportKind } from './kind.ts'

type CheckedLine = Sent<'/import/candidates/check'>['lines'][number]
type Outcome = CheckedLine['outcome']
type Result = Extract<Line<'/import/candidates'>, { result: unknown }>['result']

const TONES: readonly (readonly [Outcome, Tone])[] = [
  ['added', 'good'],
  ['known_person', 'info'],
  ['already_in_job', 'plain'],
  ['cannot_be_stored', 'warn'],
  ['invalid', 'bad'],
  ['blank', 'plain'],
]

const fates = (): (Fate & { name: Outcome })[] =>
  TONES.map(([name, tone]) => ({ name, tone, title: t.imports.outcomes[name] }))

/** Why a line is not stored as a new person: a sentence, and the text that it is about. */
function whyOf({ outcome, problem, value, same_as_line }: CheckedLine): string {
  if (same_as_line !== null) return t.imports.sameAs(same_as_line)
  if (outcome === 'blank') return t.imports.blank
  if (outcome === 'known_person') return t.imports.known
  if (outcome === 'cannot_be_stored') return problem === 'unsubscribed' ? t.imports.unsubscribed : t.imports.stopped
  if (problem === null) return ''
  const sentences: Readonly<Record<string, string>> = t.imports.problems
  const sentence = sentences[problem] ?? t.imports.problems.bad_text
  return value === null || value === '' || sentence.endsWith('.') ? sentence : `${sentence}: ${fieldTitleOf(value)}`
}

const fieldTitleOf = (value: string): string => (value in t.imports.fields ? fieldTitle(value) : value)

const doneWords = (result: Result): string =>
  TONES.flatMap(([name]) => {
    const n = result[name]
    return n === 0 ? [] : [`${count.format(n)} ${t.imports.outcomes[name]}`]
  }).join(', ')

/** A table of people becomes applications for a job. */
export function CandidateImport({ job }: { job: string }) {
  const kind: ImportKind<CheckedLine, Result> = {
    maxLines: IMPORT_LIMITS.candidates,
    hint: t.imports.severalEmails,
    emptyTable: href('/import/candidates/columns.csv'),
    check: file => send('/import/candidates/check', { job_id: job }, file),
    run: (file, onLine) => sendFile('/import/candidates', { job_id: job }, file, onLine),
    fates: fates(),
    fateOf: ({ outcome }) =>
      fates().find(({ name }) => name === outcome) ?? { name: '', title: outcome, tone: 'plain' },
    isReadable: ({ outcome }) => outcome !== 'invalid' && outcome !== 'blank',
    isStored: ({ outcome }) => outcome === 'added' || outcome === 'known_person',
    personColumn: {
      title: t.imports.person,
      grow: true,
      cell: row => (
        <div class="two-lines">
          {row.application_id ? (
            <Link to={`/applications/${row.application_id}`}>{row.name ?? '–'}</Link>
          ) : (
            <span>{row.name ?? '–'}</span>
          )}
          <span class="faint" title={whyOf(row)}>
            {whyOf(row)}
          </span>
        </div>
      ),
    },
    done: result => ({
      words: doneWords(result),
      earlier: result.earlier,
      link: <Link to={`/jobs/${job}`}>{t.imports.openBoard}</Link>,
    }),
  }
  return <Import kind={kind} />
}
