import { IMPORT_LIMITS } from '../../../src/contract/limits.ts'
import { SelectField } from '../../ui/form.tsx'
import { count } from '../../ui/numbers.ts'
import { Link } from '../../ui/router.tsx'
import type { Tone } from '../../ui/tag.tsx'
import { href, type Line, type Sent, send, sendFile, useData } from '../api.ts'
import { t } from '../texts/index.ts'
import { Import } from './import.tsx'
import { type Fate, fieldTitle, type ImportKind } from './kind.ts'

type CheckedLine = Sent<'/sourcing/import/check'>['lines'][number]
type Result = Extract<Line<'/sourcing/import'>, { result: unknown }>['result']

const TONES: Readonly<Record<CheckedLine['fate'], Tone>> = {
  created: 'good',
  updated: 'info',
  unchanged: 'plain',
  suppressed: 'warn',
  invalid: 'bad',
  blank: 'plain',
}

/** What becomes of a line, in four words; why one is skipped is said with it. */
const fates = (): Fate[] => [
  { name: 'created', title: t.imports.outcomes.added, tone: TONES.created },
  { name: 'updated', title: t.imports.updated, tone: TONES.updated },
  { name: 'unchanged', title: t.imports.unchanged, tone: TONES.unchanged },
  { name: 'skipped', title: t.imports.skipped, tone: TONES.blank },
]

function fateOf({ fate }: CheckedLine): Fate {
  const found = fates().find(({ name }) => name === fate)
  return found ?? { name: 'skipped', title: t.imports.skipped, tone: TONES[fate] }
}

function whyOf({ fate, reason, changed, same_as_line, repeats_line }: CheckedLine): string {
  // fields have the names that the page gives their columns
  if (reason) return reason.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, fieldTitle)
  if (fate === 'blank') return t.imports.blank
  if (fate === 'suppressed') return t.imports.stopped
  if (repeats_line !== null) return t.imports.repeats(repeats_line)
  const same = same_as_line === null ? '' : `${t.imports.sameAs(same_as_line)} `
  return changed.length > 0 ? same + t.imports.changes(changed.map(fieldTitle).join(', ')) : same
}

function doneWords({ created, updated, unchanged, suppressed, invalid, blank }: Result): string {
  const { doneWords, doneWhy } = t.imports
  const skipped = suppressed + invalid + blank
  const why = (
    [
      [suppressed, doneWhy.suppressed],
      [invalid, doneWhy.invalid],
      [blank, doneWhy.blank],
    ] as const
  ).flatMap(([n, text]) => (n === 0 ? [] : `${count.format(n)} ${text}`))
  const words = [
    `${count.format(created)} ${doneWords.created}`,
    `${count.format(updated)} ${doneWords.updated}`,
    `${count.format(unchanged)} ${doneWords.unchanged}`,
    `${count.format(skipped)} ${doneWords.skipped}`,
  ].join(', ')
  return why.length === 0 ? words : `${words} (${why.join(', ')})`
}

interface ProfileImportProps {
  /** the list that everyone is added to; '' is none */
  list: string
  onList: (id: string) => void
}

/** A table of people becomes profiles of the workspace. */
export function ProfileImport({ list, onList }: ProfileImportProps) {
  const kind: ImportKind<CheckedLine, Result> = {
    maxLines: IMPORT_LIMITS.lines,
    emptyTable: href('/sourcing/import/columns.csv'),
    check: file => send('/sourcing/import/check', file),
    run: (file, onLine) =>
      list
        ? sendFile('/sourcing/lists/{list_id}/import', { list_id: list }, file, onLine)
        : sendFile('/sourcing/import', file, onLine),
    fates: fates(),
    fateOf,
    isReadable: ({ fate }) => fate !== 'invalid' && fate !== 'blank',
    // people who are stored as they are in the file are only added to the list
    isStored: ({ fate }) => fate === 'created' || fate === 'updated' || (list !== '' && fate === 'unchanged'),
    personColumn: {
      title: t.imports.person,
      grow: true,
      cell: row => (
        <div class="two-lines">
          {row.profile_id ? <Link to={`/profiles/${row.profile_id}`}>{row.name}</Link> : <span>{row.name ?? '–'}</span>}
          <span class="faint" title={whyOf(row)}>
            {whyOf(row)}
          </span>
        </div>
      ),
    },
    target: <IntoList value={list} onInput={onList} />,
    done: result => ({
      words: doneWords(result),
      earlier: result.earlier,
      link: list ? (
        <Link to={`/lists/${list}`}>{t.imports.openList}</Link>
      ) : (
        <Link to="/profiles">{t.imports.openProfiles}</Link>
      ),
    }),
  }
  return <Import kind={kind} />
}

function IntoList({ value, onInput }: { value: string; onInput: (id: string) => void }) {
  const { data } = useData('/sourcing/lists', { limit: 200 })
  const lists = data?.data ?? []
  const known = value === '' || lists.some(({ id }) => id === value)
  return (
    <SelectField
      label={t.imports.addToList}
      value={value}
      onInput={onInput}
      options={[
        ['', t.imports.noList],
        ...lists.map(({ id, name, project }) => [id, project ? `${name} · ${project.name}` : name] as const),
        ...(known ? [] : [[value, t.imports.cameFrom] as const]),
      ]}
    />
  )
}
