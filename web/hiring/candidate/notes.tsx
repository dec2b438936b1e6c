import '../css/decisions.css'
import { useRef, useState } from 'preact/hooks'
import type { NoteVisibility } from '../../../src/contract/note-visibility.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, Segments, useSubmit } from '../../ui/form.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty, ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Row, send, useData, usePages } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { useLive } from '../live.ts'
import { useSession } from '../session.ts'
import { t } from '../texts/index.ts'
import { holderOf, readDraft, useDraft, writeDraft } from './drafts.ts'
import { type Member, MentionField } from './mention-field.tsx'
import { NoteText } from './note-text.tsx'
import type { PanelProps } from './panel-props.ts'
import { toastWithUndo } from './undo.ts'

type Note = Row<'/applications/{application}/notes'>
type Named = Pick<Member, 'id' | 'name'>

/** Notes of the team about a candidate, and private ones. */
export function NotesPanel({ application, candidate }: PanelProps) {
  const notes = usePages('/applications/{application}/notes', { application: application.id })
  const { data } = useData('/members', { application_id: application.id })
  const members = data?.members ?? []
  useLive(({ data: { object } }) => {
    if (object.id === application.id && object.changed?.includes('notes')) notes.reload()
  })
  return (
    <div class="stack-panel">
      <NoteForm applicationId={application.id} members={members} onWritten={notes.reload} />
      {!candidate.may.includes('discuss') && <HiddenNotes applicationId={application.id} />}
      {notes.error && <ErrorNote error={notes.error} retry={notes.retry} />}
      {!notes.rows && !notes.error && <Skeleton lines={3} />}
      {notes.rows?.length === 0 && <Empty title={t.notes.none} />}
      {notes.rows && notes.rows.length > 0 && (
        <ol class="entries" aria-label={t.notes.title}>
          {notes.rows.map(note => (
            <NoteEntry
              key={note.id}
              note={note}
              applicationId={application.id}
              members={members}
              onChanged={notes.reload}
            />
          ))}
        </ol>
      )}
      {notes.more && (
        <p>
          <Button small busy={notes.loading} onClick={notes.loadMore}>
            {t.notes.older}
          </Button>
        </p>
      )}
    </div>
  )
}

/** How many notes of the team an interviewer reads after their scorecard. */
function HiddenNotes({ applicationId }: { applicationId: string }) {
  const { data, reload } = useData('/applications/{application}/hidden-notes', { application: applicationId })
  useLive(({ data: { object } }) => {
    if (object.id === applicationId) reload()
  })
  return data && data.hidden > 0 ? <p class="small soft">{t.notes.hidden(data.hidden)}</p> : null
}

interface EntryProps {
  note: Note
  applicationId: string
  members: readonly Member[]
  onChanged: () => void
}

/** A note; its author can change it for a while, and delete it. */
function NoteEntry({ note, applicationId, members, onChanged }: EntryProps) {
  const session = useSession()
  const [isEdited, setEdited] = useState(false)
  const removal = useSubmit()
  const path = { application: applicationId, note: note.id }
  const isOwn = note.author?.id === session.user.id
  const remove = () =>
    removal.submit(async () => {
      await send('/applications/{application}/notes/{note}/delete', path)
      onChanged()
      toastWithUndo(t.notes.removed, async () => {
        // no one is mentioned twice: the author decides whether it is written again
        const holder = holderOf(session)
        const begun = readDraft(holder, 'note', applicationId, NO_NOTE)
        const body = [note.body, begun.body].filter(Boolean).join('\n')
        const chosen = [...note.mentions, ...begun.chosen]
        writeDraft(holder, 'note', applicationId, { body, chosen, visibility: note.visibility })
        return t.notes.backInForm
      })
    })
  return (
    <li class="entry">
      <div class="entry-head">
        <b>{note.author?.name ?? t.notes.former}</b>
        <Time at={note.created_at} />
        {note.visibility === 'private' && <Tag>{t.notes.visibilities.private}</Tag>}
        {note.edited_at && <span>{t.notes.edited}</span>}
        {isOwn && !isEdited && (
          <span class="entry-tools">
            {note.editable && (
              <button type="button" class="text-button" onClick={() => setEdited(true)}>
                {t.notes.edit}
              </button>
            )}
            <button type="button" class="text-button" aria-disabled={removal.busy || undefined} onClick={remove}>
              {t.notes.remove}
            </button>
          </span>
        )}
      </div>
      {isEdited ? (
        <NoteEditor
          note={note}
          members={members}
          onClose={() => setEdited(false)}
          onSave={async change => {
            await send('/applications/{application}/notes/{note}', path, change)
            toast(t.notes.changed)
            setEdited(false)
            onChanged()
          }}
        />
      ) : (
        <p class="as-written">
          <NoteText body={note.body} mentions={note.mentions} />
        </p>
      )}
      <FormError error={removal.error} />
    </li>
  )
}

/** The chosen members whose names are still in the text. */
const mentionedIn = (body: string, chosen: readonly Named[]): string[] => [
  ...new Set(chosen.filter(({ name }) => body.includes(`@${name}`)).map(({ id }) => id)),
]

interface EditorProps {
  note: Note
  members: readonly Member[]
  onSave: (change: { body: string; mentions: string[] }) => Promise<void>
  onClose: () => void
}

function NoteEditor({ note, members, onSave, onClose }: EditorProps) {
  const [body, setBody] = useState(note.body)
  const [chosen, setChosen] = useState<readonly Named[]>(note.mentions)
  const { busy, error, fault, submit } = useSubmit()
  const save = () =>
    submit(async () => {
      if (body.trim() !== '') await onSave({ body, mentions: mentionedIn(body, chosen) })
    })
  return (
    <Form class="entry-form" onSubmit={save}>
      <MentionField
        label={t.notes.edit}
        value={body}
        members={members}
        placeholder={t.notes.placeholder}
        fault={fault('body') ?? fault('mentions')}
        autofocus
        onInput={setBody}
        onChoose={member => setChosen([...chosen, member])}
        onSubmit={() => void save()}
      />
      <FormError error={error} marked />
      <div class="entry-actions">
        <Button kind="primary" type="submit" busy={busy} disabled={body.trim() === ''}>
          {t.common.save}
        </Button>
        <Button onClick={onClose}>{t.common.cancel}</Button>
      </div>
    </Form>
  )
}

interface NoteDraft {
  body: string
  /** members whose names were chosen from the list */
  chosen: readonly Named[]
  visibility: NoteVisibility
}

const NO_NOTE: NoteDraft = { body: '', chosen: [], visibility: 'team' }

interface NoteFormProps {
  applicationId: string
  members: readonly Member[]
  onWritten: () => void
}

function NoteForm({ applicationId, members, onWritten }: NoteFormProps) {
  const [{ body, chosen, visibility }, setDraft] = useDraft('note', applicationId, NO_NOTE)
  const { busy, error, fault, submit } = useSubmit()
  const form = useRef<HTMLFormElement>(null)
  useShortcuts([
    { keys: KEYS.create, title: t.notes.newNote, run: () => form.current?.querySelector('textarea')?.focus() },
  ])
  const write = () =>
    submit(async () => {
      if (body.trim() === '') return
      await send(
        '/applications/{application}/notes',
        { application: applicationId },
        { body, mentions: mentionedIn(body, chosen), visibility },
      )
      setDraft(undefined)
      toast(t.notes.added)
      onWritten()
    })
  return (
    <Form element={form} class="entry-form note-form" onSubmit={write}>
      <MentionField
        label={t.notes.newNote}
        value={body}
        members={members}
        placeholder={t.notes.placeholder}
        fault={fault('body') ?? fault('mentions')}
        onInput={next => setDraft({ body: next })}
        onChoose={member => setDraft({ chosen: [...chosen, member] })}
        onSubmit={() => void write()}
      />
      <FormError error={error} marked />
      <div class="entry-actions">
        <Segments
          label={t.notes.whoReads}
          value={visibility}
          options={(['team', 'private'] as const).map(one => [one, t.notes.visibilities[one]] as const)}
          onInput={value => setDraft({ visibility: value === 'private' ? 'private' : 'team' })}
        />
        <span class="hint">{t.notes.readers[visibility]}</span>
      </div>
      <div class="entry-actions">
        <Button kind="primary" type="submit" busy={busy} disabled={body.trim() === ''}>
          {t.notes.add}
        </Button>
        <span class="hint wide-only">Ctrl+Enter</span>
      </div>
    </Form>
  )
}
