import '../css/decisions.css'
import { useId, useRef, useState } from 'preact/hooks'
import { Form, useSubmit } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Tag } from '../../ui/tag.tsx'
import { send, useData } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { useLive } from '../live.ts'
import { useMay } from '../session.ts'
import { t } from '../texts/index.ts'

/** Tags to look at, as on the card of a board: `tags` of an application from `useTags`. */
export const TagList = ({ tags }: { tags: readonly string[] | undefined }) =>
  tags && tags.length > 0 ? (
    <span class="tags">
      {tags.map(tag => (
        <Tag key={tag}>{tag}</Tag>
      ))}
    </span>
  ) : null

/** The tags of at most 200 applications, by handle; read again when someone changes one. */
export function useTags(applicationIds: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const { data, reload } = useData('/tags/of-applications', { application_ids: applicationIds.join(',') })
  useLive(({ data: { object } }) => {
    if (object.changed?.includes('tags') && applicationIds.includes(object.id)) reload()
  })
  return data?.tags ?? {}
}

/** The tags of one application, to be changed by those who may. */
export function TagEditor({ applicationId, decides }: { applicationId: string; decides: boolean }) {
  const may = useMay()
  const tags = useTags([applicationId])[applicationId]
  // what was just saved, until the next read
  const [saved, setSaved] = useState<readonly string[]>()
  const [adding, setAdding] = useState(false)
  const { busy, error, submit } = useSubmit()
  const shown = saved ?? tags ?? []
  const last = useRef<Promise<unknown>>(Promise.resolve())
  /** One after the other: the next tag may be entered before the last is stored. Whether it was. */
  const change = (body: { add?: string; remove?: string }): Promise<boolean> => {
    const done = last.current.then(async () => {
      let isStored = false
      await submit(async () => {
        setSaved((await send('/applications/{application}/tags', { application: applicationId }, body)).tags)
        isStored = true
      })
      return isStored
    })
    last.current = done.catch(() => false)
    return done
  }
  useLive(({ data: { object } }) => {
    if (object.id === applicationId && object.changed?.includes('tags')) setSaved(undefined)
  })
  const changes = decides && may('applications:write')
  useShortcuts(changes ? [{ keys: KEYS.tag, title: t.candidate.addTagTitle, run: () => setAdding(true) }] : [])
  if (!changes) return <TagList tags={shown} />
  return (
    <fieldset class="tags" aria-label={t.candidate.tags}>
      {shown.map(tag => (
        <span key={tag} class="tag removable">
          {tag}
          <button
            type="button"
            aria-label={t.candidate.removeTag(tag)}
            aria-disabled={busy || undefined}
            onClick={() => change({ remove: tag })}
          >
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      {adding ? (
        <TagInput shown={shown} onClose={() => setAdding(false)} onAdd={add => change({ add })} />
      ) : (
        <button type="button" class="text-button" onClick={() => setAdding(true)}>
          {t.candidate.addTag}
        </button>
      )}
      {error && (
        <p class="fault" role="alert">
          {error.fields.get('add') ? t.candidate.tagFault(error.fields.get('add') ?? '') : error.message}
        </p>
      )}
    </fieldset>
  )
}

interface TagInputProps {
  shown: readonly string[]
  /** whether it was stored */
  onAdd: (tag: string) => Promise<boolean>
  onClose: () => void
}

/** Stays open for the next tag; Escape or an empty field closes it. */
function TagInput({ shown, onAdd, onClose }: TagInputProps) {
  const { data } = useData('/tags')
  const [text, setText] = useState('')
  const id = useId()
  const add = async () => {
    const tag = text.trim()
    if (tag === '') return onClose()
    // free for the next; what was refused comes back, unless the next is being typed
    setText('')
    if (!(await onAdd(tag))) setText(typed => (typed === '' ? tag : typed))
  }
  return (
    <Form onSubmit={add}>
      <input
        type="text"
        aria-label={t.candidate.newTag}
        placeholder={t.candidate.tag}
        list={id}
        maxLength={80}
        value={text}
        ref={element => {
          if (element && document.activeElement?.tagName !== 'INPUT') element.focus()
        }}
        onInput={event => setText(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onClose()
        }}
        onBlur={() => {
          if (text.trim() === '') onClose()
        }}
      />
      <datalist id={id}>
        {data?.tags
          .filter(({ name }) => !shown.includes(name))
          .map(({ name }) => (
            <option key={name} value={name} />
          ))}
      </datalist>
    </Form>
  )
}
