import '../css/decisions.css'
import { useRef } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, useSubmit } from '../../ui/form.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty, ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { send, useData, usePages } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { useLive } from '../live.ts'
import { useMay } from '../session.ts'
import { useDraft } from './drafts.ts'
import { type Member, MentionField } from './mention-field.tsx'
import { NoteText } from './note-text.tsx'
import type { PanelProps } from './panel-props.ts'

/** Notes of the team about a candidate. */
export function NotesPanel({ application }: PanelProps) {
  const notes = usePages('/applications/{application}/notes', { application: application.id })
  const may = useMay()
  useLive(({ data: { object } }) => {
    if (object.id === application.id && object.changed?.includes('notes')) notes.reload()
  })
  return (
    <div class="stack-panel">
      <NoteForm applicationId={application.id} onWritten={notes.reload} />
      {!may('applications:internal:read') && (
        <p class="small soft">You see the notes that you wrote. Owners and admins see all of them.</p>
      )}
      {notes.error && <ErrorNote error={notes.error} retry={notes.retry} />}
      {!notes.rows && !notes.error && <Skeleton lines={3} />}
      {notes.rows?.length === 0 && <Empty title="There are no notes yet" />}
      {notes.rows && notes.rows.length > 0 && (
        <ol class="entries" aria-label="Notes">
          {notes.rows.map(note => (
            <li key={note.id} class="entry">
              <div class="entry-head">
                <b>{note.author?.name ?? 'Former member'}</b>
                <Time at={note.created_at} />
              </div>
              <p class="as-written">
                <NoteText body={note.body} mentions={note.mentions} />
              </p>
            </li>
          ))}
        </ol>
      )}
      {notes.more && (
        <p>
          <Button small busy={notes.loading} onClick={notes.loadMore}>
            Older notes
          </Button>
        </p>
      )}
    </div>
  )
}

interface NoteDraft {
  body: string
  /** members whose names were chosen from the list */
  chosen: readonly Member[]
}

const NO_NOTE: NoteDraft = { body: '', chosen: [] }

function NoteForm({ applicationId, onWritten }: { applicationId: string; onWritten: () => void }) {
  const [draft, setDraft] = useDraft('note', applicationId, NO_NOTE)
  const { body, chosen } = draft
  const { data } = useData('/members', { application_id: applicationId })
  const { busy, error, fault, submit } = useSubmit()
  const mentioned = chosen.filter(({ name }) => body.includes(`@${name}`))
  const form = useRef<HTMLFormElement>(null)
  useShortcuts([{ keys: KEYS.create, title: 'New note', run: () => form.current?.querySelector('textarea')?.focus() }])
  const write = () =>
    submit(async () => {
      if (body.trim() === '') return
      await send(
        '/applications/{application}/notes',
        { application: applicationId },
        { body, mentions: mentioned.map(({ id }) => id) },
      )
      setDraft(undefined)
      toast('Note added')
      onWritten()
    })
  return (
    <Form element={form} class="entry-form" onSubmit={write}>
      <MentionField
        label="New note"
        value={body}
        members={(data?.members ?? []).filter(member => member.reads_notes)}
        placeholder="For your team. Type @ to mention someone."
        fault={fault('body') ?? fault('mentions')}
        onInput={next => setDraft({ body: next })}
        onChoose={member => setDraft({ chosen: [...chosen.filter(({ id }) => id !== member.id), member] })}
        onSubmit={() => void write()}
      />
      <FormError error={error} marked />
      <div class="entry-actions">
        <Button kind="primary" type="submit" busy={busy} disabled={body.trim() === ''}>
          Add note
        </Button>
        <span class="hint">
          {data?.members.some(member => !member.reads_notes) && 'Owners and admins can be mentioned: they read notes. '}
          <span class="wide-only">Ctrl+Enter</span>
        </span>
      </div>
    </Form>
  )
}
