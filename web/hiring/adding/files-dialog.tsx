import { useEffect, useRef, useState } from 'preact/hooks'
import '../css/adding.css'
import { MAX_ADDED } from '../../../src/contract/added-sources.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { Form, useSubmit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { onlyOf } from '../../ui/only-of.ts'
import { navigate } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { t } from '../texts/index.ts'
import { addCandidates, filled, isStored, type Line, refusalWords, type Source } from './add.ts'
import type { AddProps } from './add-dialog.tsx'
import { useCheck } from './check.ts'
import { FileRow, fileRowName } from './file-row.tsx'
import { type FileLine, useFileLines } from './read-files.ts'
import { isLeftOut } from './resume-file.ts'
import { openStages, StageAndSource } from './stage-and-source.tsx'
import { useTelling } from './tell.tsx'

const recognizedBy = ({ person }: FileLine) => filled(person)

/** Whether Enter sends it: a file that is left out, or someone who would be refused, is not. */
const isSent = (line: FileLine, checked: Line | undefined): boolean =>
  !isLeftOut(line.state) && line.state !== 'failed' && !(checked && refusalWords(checked))

/** People whose résumés were dropped: a line for each file, to be checked before Enter adds them. */
export function FilesDialog({ job, stages, files, onClose, onAdded }: AddProps & { files: readonly File[] }) {
  const { lines, addFiles, edit, retry, remove, settle } = useFileLines(job.id, files)
  const [stage, setStage] = useState(openStages(stages)[0]?.id ?? '')
  const [source, setSource] = useState<Source>('team:manual')
  const [left, setLeft] = useState(Math.max(0, files.length - MAX_ADDED))
  const [done, setDone] = useState(0)
  const { busy, error, submit } = useSubmit()
  const list = useRef<HTMLUListElement>(null)
  const checked = useCheck(job.id, lines.map(recognizedBy))
  const wanted = lines.filter((line, i) => isSent(line, checked[i]))
  const telling = useTelling(wanted.filter(({ person }) => person.email.trim() !== '').length)
  const isReading = lines.some(({ state }) => state === 'reading')
  const refused = lines.filter(line => line.refused).length
  // who was refused is the next to look at
  useEffect(() => {
    const field =
      list.current?.querySelector<HTMLElement>('input[aria-invalid=true]') ??
      list.current?.querySelector<HTMLElement>('.refused input')
    if (refused > 0) field?.focus()
  }, [refused])

  const add = () =>
    submit(async () => {
      if (isReading || wanted.length === 0) return
      const people = wanted.map(line => ({
        ...recognizedBy(line),
        source,
        ...(stage === '' ? {} : { stage_id: stage }),
        ...(line.uploadId === undefined ? {} : { upload_id: line.uploadId }),
      }))
      const { lines: results, error: failure } = await addCandidates(job.id, people, telling.notice)
      const added = results.flatMap(line => (isStored(line) && line.application_id ? [line.application_id] : []))
      settle(new Map(results.map((line, i) => [wanted[i]?.key ?? 0, isStored(line) ? 'added' : line])))
      setDone(n => n + added.length)
      if (added.length > 0) onAdded(added)
      if (failure) throw failure
      if (added.length < wanted.length || lines.length > wanted.length) return
      onClose()
      sayAdded(wanted, added)
    })
  return (
    <Dialog title={t.adding.add} onClose={onClose} wide>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: files are also chosen in the form of one candidate */}
      <div
        onDragOver={event => event.preventDefault()}
        onDrop={event => {
          event.preventDefault()
          setLeft(addFiles([...(event.dataTransfer?.files ?? [])]))
        }}
      >
        <Form class="add-form" noValidate onSubmit={add}>
          {left > 0 && <Notice tone="warn">{t.adding.tooMany(MAX_ADDED)}</Notice>}
          <div role="status">
            {done > 0 && (
              <Notice tone="good">
                {t.adding.addedMany(done)} {refused > 0 && t.adding.leftOver(refused)}
              </Notice>
            )}
          </div>
          <ul ref={list} class="file-rows" aria-label={t.adding.readingFiles}>
            {lines.map((line, i) => (
              <FileRow
                key={line.key}
                line={line}
                checked={checked[i]}
                onEdit={(field, text) => edit(line.key, field, text)}
                onRetry={() => retry(line)}
                onRemove={() => remove(line.key)}
              />
            ))}
          </ul>
          <StageAndSource stages={stages} stage={stage} onStage={setStage} source={source} onSource={setSource} />
          {telling.line}
          <FormError error={error} />
          <DialogActions>
            <Button onClick={onClose}>{done > 0 ? t.common.close : t.common.cancel}</Button>
            <AddButton n={wanted.length} isReading={isReading} busy={busy} />
          </DialogActions>
        </Form>
      </div>
    </Dialog>
  )
}

function sayAdded(wanted: readonly FileLine[], ids: readonly string[]): void {
  const only = onlyOf(wanted)
  const [id] = ids
  if (only && id !== undefined)
    toast(t.adding.added(fileRowName(only)), 'good', {
      title: t.adding.openCandidate,
      run: () => navigate(`/applications/${id}`),
    })
  else toast(t.adding.addedMany(ids.length))
}

/** Has the focus from the beginning: after the files are dropped, Enter adds the people. */
const AddButton = ({ n, isReading, busy }: { n: number; isReading: boolean; busy: boolean }) => (
  <button
    type="submit"
    class={busy || isReading ? 'button busy' : 'button'}
    data-autofocus
    // not `disabled`, which would take the focus away while files are read
    aria-disabled={busy || isReading || n === 0 || undefined}
    aria-busy={busy || isReading}
  >
    {isReading ? t.adding.state.reading : t.adding.addMany(n)}
  </button>
)
