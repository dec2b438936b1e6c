import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { count } from '../../ui/numbers.ts'
import { useLeaveGuard } from '../../ui/router.tsx'
import { t } from '../texts/index.ts'
import { type ChosenColumns, ColumnMap, chooseField, withColumns } from './columns.tsx'
import { FileChoice, isTooLarge } from './file-choice.tsx'
import { type Checked, type ImportKind, linesOf, type Progress } from './kind.ts'
import { LineTable } from './line-table.tsx'

interface CheckedFile<L> {
  file: File
  columns: ChosenColumns
  /** the check without a choice of the reader */
  first: Checked<L>
  check: Checked<L>
  /** the columns that `check` is about: others were chosen since, unless they are the same */
  checkedColumns: ChosenColumns
}

/** The steps of an import: a file, the check, other columns and their check, the import. */
function useImport<L extends { line: number }, R>(kind: ImportKind<L, R>) {
  const [file, setFile] = useState<File>()
  const [checked, setChecked] = useState<CheckedFile<L>>()
  const [progress, setProgress] = useState<Progress>()
  const [result, setResult] = useState<R>()
  const { busy, error, submit } = useSubmit()
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    setChecked(undefined)
    setProgress(undefined)
    setResult(undefined)
    if (!chosen || isTooLarge(chosen)) return submit(async () => {})
    return submit(async () => {
      const check = await kind.check(chosen)
      const columns = check.columns.map(column => ({ ...column, field: column.field ?? '' }))
      setChecked({ file: chosen, columns, first: check, check, checkedColumns: columns })
    })
  }
  const map = (at: number, field: string) =>
    setChecked(now => now && { ...now, columns: chooseField(now.columns, at, field) })
  // a choice during a check is checked after it
  const isStale = checked !== undefined && checked.columns !== checked.checkedColumns
  const tried = useRef<ChosenColumns | undefined>(undefined)
  useEffect(() => {
    if (!isStale || busy || tried.current === checked.columns) return
    const { file: same, columns, first } = checked
    tried.current = columns
    submit(async () => {
      const check = await kind.check(withColumns(same, columns, first))
      setChecked(now => now && { ...now, check, checkedColumns: columns })
    })
  }, [checked, busy])
  const run = () =>
    checked &&
    submit(async () => {
      const { file: same, columns, first, check } = checked
      setProgress({ done: 0, total: check.lines.filter(kind.isReadable).length })
      await kind.run(withColumns(same, columns, first), line =>
        'result' in line ? setResult(() => line.result) : setProgress(line),
      )
    })
  return { file, checked, progress, result, busy, error, isStale, choose, map, run }
}

export function Import<L extends { line: number }, R>({ kind }: { kind: ImportKind<L, R> }) {
  const { file, checked, progress, result, busy, error, isStale, choose, map, run } = useImport(kind)
  const running = progress !== undefined && result === undefined && error === undefined
  useLeaveGuard(running && t.imports.leave)
  const { maxLines, hint, emptyTable } = kind
  const storable = checked?.check.lines.filter(kind.isStored).length ?? 0
  const shown = progress && (result === undefined ? progress : { ...progress, done: progress.total })
  return (
    <>
      <FileChoice
        {...{ file, maxLines, hint, emptyTable }}
        disabled={running}
        onChoose={chosen => void (busy || choose(chosen))}
      />
      <FormError error={error} />
      {error && checked && progress && result === undefined && (
        <Notice tone="warn">
          <p>{t.imports.unfinished}</p>
          <p>
            <Button small onClick={run}>
              {t.imports.continue}
            </Button>
          </p>
        </Notice>
      )}
      {busy && !checked && <p role="status">{t.imports.checking}</p>}
      {shown && <ProgressBar {...shown} />}
      {result !== undefined && <Done {...kind.done(result)} onAgain={() => choose(undefined)} />}
      {checked && !progress && (
        <>
          <ColumnMap columns={checked.columns} fields={checked.first.fields} onMap={map} busy={busy} />
          <LineTable check={checked.check} kind={kind} />
          <div class="import-actions">
            {kind.target}
            <Button kind="primary" busy={busy} disabled={storable === 0 || isStale} onClick={run}>
              {storable === 0 ? t.imports.nothing : t.imports.importLines(linesOf(storable))}
            </Button>
          </div>
        </>
      )}
    </>
  )
}

const ProgressBar = ({ done, total }: Progress) => (
  <div class="import-progress">
    <progress value={done} max={Math.max(total, 1)} aria-label={t.imports.import} />
    <span role="status">{t.imports.progress(count.format(done), linesOf(total))}</span>
  </div>
)

const Done = ({
  words,
  earlier,
  link,
  onAgain,
}: ReturnType<ImportKind<never, never>['done']> & { onAgain: () => void }) => (
  <Notice tone="good">
    <p>
      {t.imports.done(words)}
      {earlier > 0 && ` ${t.imports.earlier(linesOf(earlier))}`}
    </p>
    <p class="links">
      {link}
      <Button small onClick={onAgain}>
        {t.imports.again}
      </Button>
    </p>
  </Notice>
)
