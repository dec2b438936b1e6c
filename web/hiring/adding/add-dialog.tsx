import { useRef, useState } from 'preact/hooks'
import '../css/adding.css'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { Form, TextField, useSubmit } from '../../ui/form.tsx'
import { navigate } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { t } from '../texts/index.ts'
import { addCandidates, faultWords, filled, isStored, type Line, type Source } from './add.ts'
import { useCheck } from './check.ts'
import { LineState } from './line-state.tsx'
import { ResumeField } from './resume-field.tsx'
import { type ReadFile, readResume } from './resume-file.ts'
import { type JobStage, openStages, StageAndSource } from './stage-and-source.tsx'
import { useTelling } from './tell.tsx'

export interface AddProps {
  job: { id: string }
  stages: readonly JobStage[]
  onClose: () => void
  /** someone was added: their applications */
  onAdded: (ids: string[]) => void
}

const NO_ONE = { first_name: '', last_name: '', email: '', phone: '', linkedin_url: '' }
type Person = typeof NO_ONE

const tagsIn = (text: string): string[] => text.split(',').flatMap(tag => tag.trim() || [])

/** A file of the form: what it is called, and what was read of it. */
interface Attached {
  file: File
  read: ReadFile | undefined
}

/** The résumé of the form; what is empty is filled in from it. */
function useAttached(job: string, fill: (contact: Partial<Record<keyof Person, string | null>>) => void) {
  const [attached, setAttached] = useState<Attached>()
  const current = useRef<File>(undefined)
  const attach = async (file: File | undefined) => {
    current.current = file
    setAttached(file && { file, read: undefined })
    if (!file) return
    const read = await readResume(job, file)
    // another file was chosen, or the dialog was closed
    if (current.current !== file) return
    setAttached({ file, read })
    if (read.contact) fill(read.contact)
  }
  return { attached, attach }
}

/** Puts one person into a job. Several files that are dropped become lines of another dialog. */
export function AddDialog({ job, stages, onClose, onAdded, onFiles }: AddProps & { onFiles: (files: File[]) => void }) {
  const [person, setPerson] = useState(NO_ONE)
  const [stage, setStage] = useState(openStages(stages)[0]?.id ?? '')
  const [source, setSource] = useState<Source>('team:manual')
  const [note, setNote] = useState('')
  const [tags, setTags] = useState('')
  const [refused, setRefused] = useState<{ line: Line; person: Person }>()
  const { busy, error, submit } = useSubmit()
  const fill = (contact: Partial<Record<keyof Person, string | null>>) =>
    setPerson(now => {
      const missing = (name: keyof Person) => now[name] || (contact[name] ?? '')
      const names = Object.keys(now) as (keyof Person)[]
      return Object.fromEntries(names.map(name => [name, missing(name)])) as Person
    })
  const { attached, attach } = useAttached(job.id, fill)
  const recognized = filled(person)
  const [checked] = useCheck(job.id, [recognized])
  const telling = useTelling(person.email.trim() === '' ? 0 : 1)
  // what the service said is about what was sent: it goes when that is changed
  const now = refused && JSON.stringify(refused.person) === JSON.stringify(person) ? refused.line : undefined
  const fault = (param: string) => {
    const found = refused?.line.faults.find(one => one.param === param)
    return found && (now || isOther(param)) ? faultWords(found) : undefined
  }
  const isReading = attached !== undefined && attached.read === undefined
  const add = () =>
    submit(async () => {
      if (isReading) return
      const upload_id = attached?.read?.uploadId
      const candidate = {
        ...recognized,
        source,
        ...(stage === '' ? {} : { stage_id: stage }),
        ...(note.trim() === '' ? {} : { note }),
        ...(tagsIn(tags).length === 0 ? {} : { tags: tagsIn(tags) }),
        ...(upload_id === undefined ? {} : { upload_id }),
      }
      setRefused(undefined)
      const [line] = (await addCandidates(job.id, [candidate], telling.notice)).lines
      if (!line) return
      if (!isStored(line) || line.application_id === null) return setRefused({ line, person })
      const { application_id: id } = line
      onAdded([id])
      onClose()
      toast(t.adding.added([person.first_name, person.last_name].filter(Boolean).join(' ')), 'good', {
        title: t.adding.openCandidate,
        run: () => navigate(`/applications/${id}`),
      })
    })
  const field = (name: keyof Person, more: { type?: 'email' | 'url'; autofocus?: boolean } = {}) => ({
    value: person[name],
    onInput: (text: string) => setPerson({ ...person, [name]: text }),
    fault: fault(name),
    autoComplete: 'off',
    ...more,
  })
  return (
    <Dialog title={t.adding.add} onClose={onClose} middle>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button of the résumé does the same */}
      <div
        onDragOver={event => event.preventDefault()}
        onDrop={event => {
          event.preventDefault()
          const files = [...(event.dataTransfer?.files ?? [])]
          if (files.length > 1) onFiles(files)
          else if (files[0]) void attach(files[0])
        }}
      >
        <Form
          class="add-form"
          noValidate
          onSubmit={add}
          onKeyDown={event => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) add()
          }}
        >
          <div class="field-row">
            <TextField label={t.adding.firstName} {...field('first_name', { autofocus: true })} />
            <TextField label={t.adding.lastName} {...field('last_name')} />
            <TextField label={t.adding.email} {...field('email')} />
            <TextField label={t.adding.phone} {...field('phone')} />
          </div>
          <TextField label={t.adding.linkedin} hint={t.adding.oneIsEnough} {...field('linkedin_url')} />
          <div role="status" class="add-state">
            <LineState line={now ?? checked} />
          </div>
          <ResumeField
            file={attached?.file}
            state={attached && (attached.read?.state ?? 'reading')}
            fault={fault('upload_id') ?? fault('resume_upload_id')}
            onChoose={file => void attach(file)}
          />
          <StageAndSource
            stages={stages}
            stage={stage}
            onStage={setStage}
            stageFault={fault('stage_id')}
            source={source}
            onSource={setSource}
          />
          <TextField
            label={t.adding.tags}
            hint={t.adding.tagsHint}
            value={tags}
            onInput={setTags}
            fault={fault('tags')}
            autoComplete="off"
          />
          <TextField
            label={t.adding.note}
            hint={t.adding.noteHint}
            value={note}
            onInput={setNote}
            rows={2}
            fault={fault('note')}
          />
          {telling.line}
          <FormError error={error} />
          <DialogActions>
            <Button onClick={onClose}>{t.common.cancel}</Button>
            <Button kind="primary" type="submit" busy={busy || isReading}>
              {t.adding.add}
            </Button>
          </DialogActions>
        </Form>
      </div>
    </Dialog>
  )
}

/** Faults of what is not the person's own stay until the next attempt. */
const isOther = (param: string): boolean => !(param in NO_ONE)
