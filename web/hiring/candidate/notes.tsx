import '../css/decisions.css'
import { useRef, useState } from 'preact/hooks'
import type { MemberResponse, NoteResponse, PersonRef } from '../../../src/hiring/api-types.ts'
import { send, useData, usePages } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty, ErrorNote, Notice, Skeleton } from '../../ui/notice.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { KEYS } from '../key-table.ts'
import { useLive } from '../live.ts'
import { useMay } from '../session.ts'
import { MentionField } from './mention-field.tsx'
import type { PanelProps } from './panel-props.ts'

/** Notes of the team about a candidate. */
export function NotesPanel({ application }: PanelProps) {
  const path = `/applications/${application.id}/notes`
  const notes = usePages<NoteResponse>(path)
  const may = useMay()
  useLive(({ data: { object } }) => {
    if (object.id === application.id && object.changed?.includes('notes')) notes.reload()
  })
  return (
    <div class="stack-panel">
      <NoteForm path={path} onWritten={notes.reload} />
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
                <NoteText note={note} />
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

function NoteForm({ path, onWritten }: { path: string; onWritten: () => void }) {
  const [body, setBody] = useState('')
  const [chosen, setChosen] = useState<readonly MemberResponse[]>([])
  const { data } = useData<{ members: MemberResponse[] }>('/members')
  const { busy, error, fault, submit } = useSubmit()
  useLeaveGuard(body.trim() !== '' && ENTERED)
  const mentioned = chosen.filter(({ name }) => body.includes(`@${name}`))
  const blind = mentioned.filter(member => !member.reads_notes)
  const form = useRef<HTMLFormElement>(null)
  useShortcuts([{ keys: KEYS.create, title: 'New note', run: () => form.current?.querySelector('textarea')?.focus() }])
  const write = () =>
    submit(async () => {
      if (body.trim() === '') return
      await send(path, { body, mentions: mentioned.map(({ id }) => id) })
      setBody('')
      setChosen([])
      toast('Note added')
      onWritten()
    })
  return (
    <form
      ref={form}
      class="entry-form"
      onSubmit={event => {
        event.preventDefault()
        void write()
      }}
    >
      <MentionField
        label="New note"
        value={body}
        members={data?.members ?? []}
        placeholder="For your team. Type @ to mention someone."
        fault={fault('body') ?? fault('mentions')}
        onInput={setBody}
        onChoose={member => setChosen(now => [...now.filter(({ id }) => id !== member.id), member])}
        onSubmit={() => void write()}
      />
      {blind.length > 0 && (
        <Notice tone="warn">
          {namesOf(blind)} will get an email with a link to this candidate, but cannot read your note: only owners and
          admins read notes of others.
        </Notice>
      )}
      <FormError error={error} marked />
      <div class="entry-actions">
        <Button kind="primary" type="submit" busy={busy} disabled={body.trim() === ''}>
          Add note
        </Button>
        <span class="hint wide-only">Ctrl+Enter</span>
      </div>
    </form>
  )
}

const namesOf = (people: readonly PersonRef[]): string => {
  const names = people.map(({ name }) => name)
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** The text, with the names of mentioned members marked. */
function NoteText({ note: { body, mentions } }: { note: NoteResponse }) {
  const names = mentions.map(({ name }) => `@${name}`).toSorted((a, b) => b.length - a.length)
  const parts: string[] = []
  let rest = body
  while (rest !== '') {
    const next = names.map(name => ({ name, at: rest.indexOf(name) })).filter(({ at }) => at >= 0)
    const first = next.toSorted((a, b) => a.at - b.at)[0]
    if (!first) break
    parts.push(rest.slice(0, first.at), first.name)
    rest = rest.slice(first.at + first.name.length)
  }
  parts.push(rest)
  return (
    <>
      {parts.map((part, i) =>
        i % 2 === 1 ? (
          <span key={i} class="mention">
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </>
  )
}
