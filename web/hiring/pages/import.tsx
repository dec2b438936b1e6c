import { useEffect, useRef, useState } from 'preact/hooks'
import { IMPORT_LIMITS } from '../../../src/contract/limits.ts'
import '../css/sourcing.css'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Segments, SelectField, useSubmit } from '../../ui/form.tsx'
import { Empty, Notice } from '../../ui/notice.tsx'
import { amount, count } from '../../ui/numbers.ts'
import { PageHead, Section } from '../../ui/page.tsx'
import { buildHref, Link, useFilters, useLeaveGuard } from '../../ui/router.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { State, type Tone } from '../../ui/tag.tsx'
import { type Line, type Sent, send, sendFile, useData } from '../api.ts'
import { NotAllowed } from '../not-allowed.tsx'
import { useMay } from '../session.ts'

type Checked = Sent<'/sourcing/import/check'>
type CheckedLine = Checked['lines'][number]
type Result = Extract<Line<'/sourcing/import'>, { result: unknown }>['result']
type Fate = CheckedLine['fate']

/** What becomes of a line, in four words; why one is skipped is said with it. */
const KINDS = [
  { name: 'created', title: 'New', fates: ['created'] },
  { name: 'updated', title: 'Updated', fates: ['updated'] },
  { name: 'unchanged', title: 'Unchanged', fates: ['unchanged'] },
  { name: 'skipped', title: 'Skipped', fates: ['suppressed', 'invalid', 'blank'] },
] as const satisfies readonly { name: string; title: string; fates: readonly Fate[] }[]

type Kind = (typeof KINDS)[number]

const TONES: Readonly<Record<Fate, Tone>> = {
  created: 'good',
  updated: 'info',
  unchanged: 'plain',
  suppressed: 'warn',
  invalid: 'bad',
  blank: 'plain',
}

/** Lines whose fate has no word of its own are skipped. */
const kindOf = (fate: Fate): Kind => KINDS.find(({ fates }) => fates.some(one => one === fate)) ?? KINDS[3]
const sumOf = ({ fates }: Kind, counts: Readonly<Record<Fate, number>>): number =>
  fates.reduce((sum, fate) => sum + counts[fate], 0)

/** `linkedin_url`: LinkedIn URL */
const fieldTitle = (field: string) =>
  field
    .replaceAll('_', ' ')
    .replace(/\b(url|id)\b/g, word => word.toUpperCase())
    .replace('linkedin', 'LinkedIn')
    .replace(/^./, letter => letter.toUpperCase())

const BACK = { to: '/profiles', title: 'Profiles' }

/** A table of people becomes profiles: first a check of every line, then the import. */
export function ImportPage() {
  const may = useMay()('lists:write')
  return (
    <>
      <PageHead
        title="Import people"
        description="A CSV file becomes profiles of your workspace. Nothing is stored before you have seen what it does."
        back={BACK}
      />
      {may ? <Import /> : <NotAllowed title="Importing is not for your role" />}
    </>
  )
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`

interface CheckedFile {
  file: File
  /** its columns with their titles in the file, and the field that each becomes; '' is not imported */
  columns: readonly (Omit<Checked['columns'][number], 'field'> & { field: string })[]
  /** the check without a choice of the reader */
  first: Checked
  check: Checked
  /** the columns that `check` is about: others were chosen since, unless they are the same */
  checkedColumns: CheckedFile['columns']
}

/**
 * The file with other titles: those that the reader chose for its columns. They take as many lines as before, so that every
 * line keeps its number.
 */
function withColumns({ file, columns, first }: CheckedFile): Blob {
  const { delimiter, rows_begin_at, rows_begin_at_line } = first
  const breaks = '\n'.repeat(Math.max(0, rows_begin_at_line - 2))
  const titles = columns.map(({ field }, i) => `"${field}${i === 0 ? breaks : ''}"`).join(delimiter)
  return new Blob([titles, '\n', file.slice(rows_begin_at)])
}

function Import() {
  const [{ list }, setFilters] = useFilters(['list'])
  const [file, setFile] = useState<File>()
  const [checked, setChecked] = useState<CheckedFile>()
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const [result, setResult] = useState<Result>()
  const { busy, error, submit } = useSubmit()
  const running = progress !== undefined && result === undefined && error === undefined
  useLeaveGuard(running && 'The import goes on, but you will not see its result.')

  const tooLarge = file !== undefined && file.size > IMPORT_LIMITS.bytes
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    setChecked(undefined)
    setProgress(undefined)
    setResult(undefined)
    if (!chosen || chosen.size > IMPORT_LIMITS.bytes) return submit(async () => {})
    return submit(async () => {
      const check = await send('/sourcing/import/check', chosen)
      const columns = check.columns.map(column => ({ ...column, field: column.field ?? '' }))
      setChecked({ file: chosen, columns, first: check, check, checkedColumns: columns })
    })
  }
  const map = (before: CheckedFile, at: number, field: string) => {
    // a field has one column
    const columns = before.columns.map((column, i) =>
      i === at ? { ...column, field } : column.field === field ? { ...column, field: '' } : column,
    )
    setChecked({ ...before, columns })
  }
  // a choice during a check is checked after it
  const isStale = checked !== undefined && checked.columns !== checked.checkedColumns
  const tried = useRef<CheckedFile['columns'] | undefined>(undefined)
  useEffect(() => {
    if (!isStale || busy || tried.current === checked.columns) return
    tried.current = checked.columns
    submit(async () => {
      const check = await send('/sourcing/import/check', withColumns(checked))
      setChecked(now => now && { ...now, check, checkedColumns: checked.columns })
    })
  }, [checked, busy])
  const run = (chosen: CheckedFile) =>
    submit(async () => {
      const { lines, counts: found } = chosen.check
      setProgress({ done: 0, total: lines.length - found.invalid - found.blank })
      const table = withColumns(chosen)
      const onLine = (line: Line<'/sourcing/import'>) => ('result' in line ? setResult(line.result) : setProgress(line))
      if (list) await sendFile('/sourcing/lists/{list_id}/import', { list_id: list }, table, onLine)
      else await sendFile('/sourcing/import', table, onLine)
    })
  // people who are stored as they are in the file are only added to the list
  const counts = checked?.check.counts
  const storable = counts ? counts.created + counts.updated + (list ? counts.unchanged : 0) : 0
  return (
    <>
      <FileChoice file={file} disabled={running} onChoose={chosen => void (busy || choose(chosen))} />
      {tooLarge && (
        <Notice tone="bad">
          This file has {megabytes(file.size)}; the limit is {megabytes(IMPORT_LIMITS.bytes)}. Split it into several
          files.
        </Notice>
      )}
      <FormError error={error} />
      {error && checked && progress && !result && (
        <Notice tone="warn">
          <p>
            The import did not finish. What was stored stays; importing the same file again continues where it ended.
          </p>
          <p>
            <Button small onClick={() => run(checked)}>
              Continue
            </Button>
          </p>
        </Notice>
      )}
      {busy && !checked && <p role="status">Checking…</p>}
      {progress && <Progress {...progress} done={result ? progress.total : progress.done} />}
      {result && <Done result={result} list={list} onAgain={() => choose(undefined)} />}
      {checked && !progress && (
        <>
          <Columns {...checked} onMap={(at, field) => map(checked, at, field)} busy={busy} />
          <Lines check={checked.check} />
          <div class="import-actions">
            <IntoList value={list} onInput={id => setFilters({ list: id })} />
            <Button kind="primary" busy={busy} disabled={storable === 0 || isStale} onClick={() => run(checked)}>
              {storable === 0 ? 'Nothing to import' : `Import ${amount(storable, 'line')}`}
            </Button>
          </div>
        </>
      )}
    </>
  )
}

interface FileChoiceProps {
  file: File | undefined
  disabled: boolean
  onChoose: (file: File | undefined) => void
}

const FileChoice = ({ file, disabled, onChoose }: FileChoiceProps) => (
  <div class="panel import-file">
    {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same */}
    <div
      class="drop"
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault()
        if (!disabled) onChoose(event.dataTransfer?.files[0])
      }}
    >
      {!disabled && (
        <label class="button secondary" for="import-file">
          {file ? 'Choose another file' : 'Choose a CSV file'}
        </label>
      )}
      <input
        id="import-file"
        class="visually-hidden"
        type="file"
        accept=".csv,text/csv"
        disabled={disabled}
        onChange={event => {
          onChoose(event.currentTarget.files?.[0])
          // the same file can be chosen again after it was changed
          event.currentTarget.value = ''
        }}
      />
      <span class="soft">{file ? file.name : 'or drop it here'}</span>
    </div>
    <p class="hint-line">
      UTF-8, a header row, then one person in each line. At most {megabytes(IMPORT_LIMITS.bytes)} and{' '}
      {count.format(IMPORT_LIMITS.lines)} lines: split a larger file. Email addresses and phone numbers are not
      imported: reveal them on the profile.{' '}
      <a href={buildHref('/api/sourcing/import/columns.csv')} download>
        Download an empty table
      </a>
    </p>
  </div>
)

function Progress({ done, total }: { done: number; total: number }) {
  return (
    <div class="import-progress">
      <progress value={done} max={Math.max(total, 1)} aria-label="Import" />
      <span role="status">
        {count.format(done)} of {amount(total, 'line')}
      </span>
    </div>
  )
}

function Done({ result, list, onAgain }: { result: Result; list: string; onAgain: () => void }) {
  const words = KINDS.map(kind => `${count.format(sumOf(kind, result))} ${kind.name}`)
  const why = [
    [result.suppressed, 'must not be stored'],
    [result.invalid, 'could not be read'],
    [result.blank, 'without text'],
  ] as const
  const skipped = why.flatMap(([n, text]) => (n === 0 ? [] : `${count.format(n)} ${text}`))
  return (
    <Notice tone="good">
      <p>
        Lines: {words.join(', ')}
        {skipped.length > 0 && ` (${skipped.join(', ')})`}.
        {result.earlier > 0 && ` ${amount(result.earlier, 'line')} had been stored before the interruption.`}
      </p>
      <p class="links">
        {list ? <Link to={`/lists/${list}`}>Open the list</Link> : <Link to="/profiles">Open profiles</Link>}
        <Button small onClick={onAgain}>
          Import another file
        </Button>
      </p>
    </Notice>
  )
}

interface ColumnsProps extends Pick<CheckedFile, 'columns' | 'first'> {
  onMap: (at: number, field: string) => void
  busy: boolean
}

function Columns({ columns, first, onMap, busy }: ColumnsProps) {
  const options = [['', 'Not imported'], ...first.fields.map(field => [field, fieldTitle(field)])] as [string, string][]
  return (
    <Section title="Columns" description="What each column of the file becomes.">
      <ul class={busy ? 'column-map stale' : 'column-map'}>
        {columns.map(({ title, sample, field: chosen }, i) => (
          <li key={i}>
            <SelectField
              label={title || `Column ${i + 1}`}
              value={chosen}
              options={options}
              onInput={field => onMap(i, field)}
            />
            <span class="hint-line clip">{sample || '–'}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const LINE_COLUMNS: readonly Column<CheckedLine>[] = [
  { title: 'Line', align: 'end', cell: ({ line }) => count.format(line) },
  {
    title: 'What happens',
    cell: ({ fate }) => <State tone={TONES[fate]}>{kindOf(fate).title}</State>,
  },
  {
    title: 'Person',
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
]

function whyOf({ fate, reason, changed, same_as_line, repeats_line }: CheckedLine): string {
  // fields have the names that the page gives their columns
  if (reason) return reason.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, fieldTitle)
  if (fate === 'blank') return 'The line has no text.'
  if (fate === 'suppressed') return 'This person was erased or asked for processing to stop.'
  if (repeats_line !== null)
    return `Same text as line ${repeats_line}, and another profile: without a LinkedIn URL or ID, each line is a person.`
  const same = same_as_line === null ? '' : `Same person as line ${same_as_line}. `
  return changed.length > 0 ? `${same}Changes ${changed.map(fieldTitle).join(', ')}` : same
}

function Lines({ check }: { check: Checked }) {
  const [chosen, setChosen] = useState('')
  const rows = chosen === '' ? check.lines : check.lines.filter(({ fate }) => kindOf(fate).name === chosen)
  return (
    <Section
      title={amount(check.lines.length, 'line')}
      actions={
        <Segments
          label="Which lines"
          value={chosen}
          options={[
            ['', 'All'],
            ...KINDS.filter(kind => sumOf(kind, check.counts) > 0).map(
              kind => [kind.name, `${kind.title} ${count.format(sumOf(kind, check.counts))}`] as const,
            ),
          ]}
          onInput={setChosen}
        />
      }
    >
      <DataTable
        name="Lines"
        columns={LINE_COLUMNS}
        rows={rows}
        rowKey={({ line }) => String(line)}
        empty={<Empty title="The file has no lines after the titles" />}
      />
    </Section>
  )
}

function IntoList({ value, onInput }: { value: string; onInput: (id: string) => void }) {
  const { data } = useData('/sourcing/lists', { limit: 200 })
  const lists = data?.data ?? []
  const known = value === '' || lists.some(({ id }) => id === value)
  return (
    <SelectField
      label="Add everyone to a list"
      value={value}
      onInput={onInput}
      options={[
        ['', 'No list'],
        ...lists.map(({ id, name, project }) => [id, project ? `${name} · ${project.name}` : name] as const),
        ...(known ? [] : [[value, 'The list you came from'] as const]),
      ]}
    />
  )
}
